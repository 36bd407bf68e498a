package tui

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// painter draws frames on the terminal in place of bubbletea's renderer, which
// looks for something new at every tick of a clock: a key waits half a frame
// on average, and the processor is woken sixty times a second for nothing. A
// painter draws at once, but no more often than a screen shows: newer frames
// replace those that wait. While nothing changes it sleeps.
//
// bubbletea keeps the terminal otherwise: its modes, its size, its input, what
// happens at the end, in a panic and while an editor runs. It writes to the
// painter, which passes everything on but the frames of the renderer: those
// hold a placeholder, the same at all times, so that the renderer has nothing
// to draw either.
type painter struct {
	terminal *os.File
	frames   chan string // the newest frame that was not drawn; holds one at most

	mu    sync.Mutex  // held while the terminal is written to
	shown bool        // the alternate screen is: frames may be drawn
	lines []string    // what the terminal shows; nil: unknown
	moved atomic.Bool // the terminal may have moved its lines
	buf   []byte
}

// placeholder is the view that bubbletea's renderer gets: a character of the
// private use area, one cell wide, which no frame holds.
const placeholder = "\uf8a7"

// The sequences by which bubbletea takes and leaves the terminal, as x/ansi
// writes them.
const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
	eraseScreen = "\x1b[2J"
)

// newPainter returns a painter that draws nothing until run.
func newPainter(terminal *os.File) *painter {
	return &painter{terminal: terminal, frames: make(chan string, 1)}
}

// Read, Close and Fd are the terminal's: bubbletea wants a term.File, which it
// asks for its size. Embedding the file would bring its WriteString too, which
// goes past Write.
func (p *painter) Read(data []byte) (int, error) { return p.terminal.Read(data) }
func (p *painter) Close() error                  { return p.terminal.Close() }
func (p *painter) Fd() uintptr                   { return p.terminal.Fd() }

// Write passes on what bubbletea has for the terminal.
func (p *painter) Write(data []byte) (int, error) {
	if bytes.Contains(data, []byte(placeholder)) {
		return len(data), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case bytes.Contains(data, []byte(enterScreen)):
		p.shown, p.lines = true, nil
	case bytes.Contains(data, []byte(leaveScreen)):
		p.shown = false
	case bytes.Contains(data, []byte(eraseScreen)):
		p.lines = nil
	}
	return p.terminal.Write(data)
}

// show hands over a frame, in place of the one before if that was not drawn
// yet. It never waits. Only one goroutine may call it.
func (p *painter) show(frame string) {
	select {
	case <-p.frames:
	default:
	}
	p.frames <- frame
}

// forget makes the next frame be drawn whole. It never waits.
func (p *painter) forget() { p.moved.Store(true) }

// run draws frames until done is closed.
func (p *painter) run(done <-chan struct{}) {
	var last time.Time
	for {
		var frame string
		select {
		case <-done:
			return
		case frame = <-p.frames:
		}
		if rest := frameTime - time.Since(last); rest > 0 {
			select {
			case <-done:
				return
			case <-time.After(rest):
			}
			select {
			case frame = <-p.frames:
			default:
			}
		}
		last = time.Now()
		p.draw(frame)
	}
}

// draw draws those lines of a frame that the terminal does not show, in one
// write and with the sequences that bubbletea's renderer uses. While another program has the terminal nothing is drawn; bubbletea
// asks for a new frame afterwards.
func (p *painter) draw(frame string) {
	lines := strings.Split(frame, "\n")
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.shown || frame == "" {
		return
	}
	if p.moved.Swap(false) || len(lines) != len(p.lines) {
		p.lines = nil
	}
	b, changed := append(p.buf[:0], "\x1b[H"...), false
	for i, line := range lines {
		same := p.lines != nil && line == p.lines[i]
		if !same {
			b = append(b, line...)
			changed = true
		}
		switch {
		case i == len(lines)-1:
		case same:
			b = append(b, '\n')
		default:
			b = append(b, "\r\n"...)
		}
	}
	if !changed {
		return
	}
	b = append(b, "\x1b["...)
	b = strconv.AppendInt(b, int64(len(lines)), 10)
	b = append(b, ";H"...)
	p.buf, p.lines = b, lines
	_, _ = p.terminal.Write(b)
}

// painted is the App as bubbletea sees it: with frames that a painter draws.
type painted struct {
	app     *App
	painter *painter
}

// Init, Update and View implement tea.Model.
func (m painted) Init() tea.Cmd { return m.app.Init() }

func (m painted) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, resized := msg.(tea.WindowSizeMsg); resized {
		m.painter.forget() // terminals move lines when their width changes
	}
	_, cmd := m.app.Update(msg)
	return m, cmd
}

func (m painted) View() string {
	m.painter.show(m.app.View())
	return placeholder
}
