package terminal

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Painter draws frames on the terminal in place of bubbletea's renderer. That
// renderer checks for a new frame at every tick of a clock: a key waits half a
// frame on average, and the processor wakes sixty times a second for nothing. A
// Painter draws at once, but not more often than a screen refreshes: a newer
// frame replaces one that waits. It sleeps while nothing changes.
//
// bubbletea still controls the modes and the size of the terminal, its input,
// and the restoration at the end, after a panic and around an editor. It writes
// to the painter, which passes on everything except the frames of the renderer.
// Those contain a constant placeholder, so that the renderer never has anything
// new to draw.
type Painter struct {
	tea.Model // whose frames are drawn; bubbletea gets a placeholder

	terminal *os.File
	frames   chan frame // the newest frame that is not drawn yet; holds at most one
	sizes    int        // how often the size of the terminal was told; of the loop that calls show

	mu    sync.Mutex // held while the terminal is written to
	shown bool       // the alternate screen is active, and frames may be drawn
	lines []string   // lines on the terminal; nil for unknown
	drawn int        // sizes of the frame that is on the terminal
	whole bool       // frames are synchronized updates
	buf   []byte
}

// frame is the picture that the terminal is to show. Terminals move their lines when their
// size changes, so the first frame of each size is drawn completely. The frame
// itself says which size it is for: one of the size before may still wait to
// be drawn when the change is told.
type frame struct {
	text  string
	sizes int
}

// placeholder is the view that bubbletea's renderer gets: a character of the
// private use area, one cell wide, which no frame holds.
const placeholder = "\uf8a7"

// The sequences by which bubbletea enters and leaves the alternate screen, as
// x/ansi writes them.
const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
	eraseScreen = "\x1b[2J"
)

// NewPainter returns a painter that draws nothing before Run, for a terminal of this TERM. Each frame
// is a synchronized update, but on a dumb terminal and the console of Linux, which might print parts
// of the sequences.
func NewPainter(terminal *os.File, term string) *Painter {
	return &Painter{terminal: terminal, whole: term != "dumb" && term != "linux", frames: make(chan frame, 1)}
}

// Read, Close and Fd forward to the terminal, because bubbletea needs a
// term.File to query the size. Embedding the file would also add its
// WriteString, which bypasses Write.
func (p *Painter) Read(data []byte) (int, error) { return p.terminal.Read(data) }
func (p *Painter) Close() error                  { return p.terminal.Close() }
func (p *Painter) Fd() uintptr                   { return p.terminal.Fd() }

// Write writes the output of bubbletea to the terminal.
func (p *Painter) Write(data []byte) (int, error) {
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

// show sets the next frame and drops the previous one if it is not drawn yet.
// It never blocks. Only one goroutine may call it.
func (p *Painter) show(text string) {
	select {
	case <-p.frames:
	default:
	}
	p.frames <- frame{text, p.sizes}
}

// Run draws frames until done is closed.
func (p *Painter) Run(done <-chan struct{}) {
	var last time.Time
	for {
		var next frame
		select {
		case <-done:
			return
		case next = <-p.frames:
		}
		if rest := frameTime - time.Since(last); rest > 0 {
			select {
			case <-done:
				return
			case <-time.After(rest):
			}
			select {
			case next = <-p.frames:
			default:
			}
		}
		last = time.Now()
		p.draw(next)
	}
}

// draw writes the lines that differ from the terminal, all of them where it is not
// known what the terminal shows. It is one write, and a synchronized update where the
// terminal has them. Each line fills the terminal's width: of one that ends earlier,
// what stood behind it would stay. While another program has the terminal it draws
// nothing; bubbletea requests a new frame afterwards.
func (p *Painter) draw(f frame) {
	lines := strings.Split(f.text, "\n")
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.shown || f.text == "" {
		return
	}
	if f.sizes != p.drawn || len(lines) != len(p.lines) {
		p.lines, p.drawn = nil, f.sizes
	}
	if slices.Equal(lines, p.lines) {
		return
	}
	b := p.buf[:0]
	if p.whole {
		b = append(b, beginUpdate...)
	}
	b = append(b, "\x1b[H"...)
	for i, line := range lines {
		if p.lines == nil || line != p.lines[i] {
			b = fmt.Appendf(b, "\x1b[%dH%s", i+1, line)
		}
	}
	b = fmt.Appendf(b, "\x1b[%d;H", len(lines))
	if p.whole {
		b = append(b, endUpdate...)
	}
	p.buf, p.lines = b, lines
	_, _ = p.terminal.Write(b)
}

// Update and View implement tea.Model, as Init of the wrapped one does.
func (p *Painter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, told := msg.(tea.WindowSizeMsg); told {
		p.sizes++ // the next frame that is shown is drawn completely
	}
	var cmd tea.Cmd
	p.Model, cmd = p.Model.Update(msg)
	return p, cmd
}

func (p *Painter) View() string {
	p.show(p.Model.View())
	return placeholder
}

// Synchronized updates: what a terminal with mode 2026 reads between two
// sequences it shows at once. A terminal without the mode ignores them, as it
// does every private mode that it does not know. Nobody asks whether it has the
// mode: bubbletea v1 hands an answer over in memory that its next read overwrites.
const (
	beginUpdate = "\x1b[?2026h"
	endUpdate   = "\x1b[?2026l"
)
