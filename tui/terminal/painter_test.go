package terminal

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/require"
)

// easel is a painter whose terminal is a pipe.
type easel struct {
	t       testing.TB
	painter *Painter
	out     *os.File
}

func newEasel(t testing.TB) *easel {
	t.Helper()
	out, in, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { out.Close(); in.Close() })
	return &easel{t, NewPainter(in, "dumb"), out}
}

// wrote returns what came to the terminal since the last call.
func (e *easel) wrote() string {
	e.t.Helper()
	const end = "\x00"
	if _, err := e.painter.terminal.WriteString(end); err != nil {
		e.t.Fatal(err)
	}
	var got []byte
	buf := make([]byte, 4<<10)
	for !bytes.HasSuffix(got, []byte(end)) {
		n, err := e.out.Read(buf)
		if err != nil {
			e.t.Fatal(err)
		}
		got = append(got, buf[:n]...)
	}
	return string(got[:len(got)-len(end)])
}

func TestPainterDrawsWhatChanged(t *testing.T) {
	t.Parallel()
	const whole = "\x1b[H\x1b[1Hone\x1b[2Htwo\x1b[3Hthree\x1b[3;H"
	steps := []struct {
		name  string
		write string // by bubbletea, before the frame
		moved bool   // the terminal was resized
		frame string
		want  string // what the frame writes
	}{
		{"before the screen is taken", "", false, "one\ntwo\nthree", ""},
		{"first", enterScreen, false, "one\ntwo\nthree", whole},
		{"the same", "", false, "one\ntwo\nthree", ""},
		{"one line", "", false, "one\n2\nthree", "\x1b[H\x1b[2H2\x1b[3;H"},
		{"last line", "", false, "one\n2\n3", "\x1b[H\x1b[3H3\x1b[3;H"},
		{"after a resize", "", true, "one\ntwo\nthree", whole},
		{"more lines", "", false, "one\ntwo\nthree\nfour", "\x1b[H\x1b[1Hone\x1b[2Htwo\x1b[3Hthree\x1b[4Hfour\x1b[4;H"},
		{"fewer lines", "", false, "one\ntwo\nthree", whole},
		{"after the screen was cleared", eraseScreen + "\x1b[H", false, "one\ntwo\nthree", whole},
		{"no frame", "", false, "", ""},
		{"while an editor has the terminal", leaveScreen, false, "one\ntwo\n3", ""},
		{"and afterwards", enterScreen + eraseScreen, false, "one\ntwo\nthree", whole},
	}
	e := newEasel(t)
	for _, step := range steps {
		if step.write != "" {
			if n, err := e.painter.Write([]byte(step.write)); n != len(step.write) || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := e.wrote(); got != step.write {
			t.Errorf("%s: bubbletea's %q came as %q", step.name, step.write, got)
		}
		if step.moved {
			e.painter.sizes++
		}
		e.painter.draw(frame{step.frame, e.painter.sizes})
		if got := e.wrote(); got != step.want {
			t.Errorf("%s: wrote %q, want %q", step.name, got, step.want)
		}
	}
}

// A frame of the size before that still waits when the new size is told does
// not stand in for the first frame of the new size.
func TestPainterDrawsTheFirstFrameOfASize(t *testing.T) {
	t.Parallel()
	e := newEasel(t)
	_, _ = e.painter.Write([]byte(enterScreen))
	e.painter.show("one wide line\ntwo")
	e.painter.sizes++
	e.painter.draw(<-e.painter.frames)
	e.wrote()
	e.painter.show("one\ntwo")
	e.painter.draw(<-e.painter.frames)
	if got, want := e.wrote(), "\x1b[H\x1b[1Hone\x1b[2Htwo\x1b[2;H"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

func TestPainterShowsTheNewest(t *testing.T) {
	t.Parallel()
	e := newEasel(t)
	_, _ = e.painter.Write([]byte(enterScreen))
	for range 100 {
		e.painter.show("old") // nobody draws yet, and it does not wait
	}
	e.painter.show("new")
	done := make(chan struct{})
	go e.painter.Run(done)
	defer close(done)
	buf := make([]byte, 1<<10)
	got := ""
	for !strings.Contains(got, "new") {
		n, err := e.out.Read(buf)
		require.NoError(t, err)
		got += string(buf[:n])
	}
	if strings.Contains(got, "old") {
		t.Errorf("drew %q", got)
	}
}

// sheet is a model that shows what it was last sent.
type sheet string

func (s sheet) Init() tea.Cmd { return nil }
func (s sheet) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	if next, ok := m.(sheet); ok {
		return next, nil
	}
	return s, nil
}
func (s sheet) View() string { return placeholder }

// TestRendererDrawsOnlyPlaceholders holds what painter relies on: of a view
// that is the placeholder, bubbletea's renderer writes nothing without it, and
// nothing at all after the first time.
func TestRendererDrawsOnlyPlaceholders(t *testing.T) {
	t.Parallel()
	e := newEasel(t)
	// A rate so that the renderer has looked many times by the end.
	p := tea.NewProgram(sheet(""), tea.WithOutput(e.painter), tea.WithInput(nil), tea.WithAltScreen(), tea.WithFPS(120),
		tea.WithContext(t.Context()), tea.WithoutSignalHandler())
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	for _, size := range []tea.WindowSizeMsg{{Width: 80, Height: 24}, {Width: 1, Height: 1}, {Width: 200, Height: 60}} {
		p.Send(size)
		for range 3 {
			<-time.After(10 * time.Millisecond) // frames of the renderer
			p.Send(sheet("other"))
		}
	}
	p.Quit()
	require.NoError(t, <-ended)
	got := e.wrote()
	if strings.Contains(got, placeholder) {
		t.Errorf("a placeholder reached the terminal: %q", got)
	}
	begin, end := strings.Index(got, enterScreen), strings.Index(got, leaveScreen)
	if begin < 0 || end < 0 {
		t.Fatalf("the screen is not taken and left: %q", got)
	}
	for _, sequence := range []string{enterScreen, eraseScreen, "\x1b[H", "\x1b[?25l", "\x1b[?25h", "\x1b[?2004h", "\x1b[?2004l", "\x1b[2K", "\r",
		"\x1b[?1002l", "\x1b[?1003l", "\x1b[?1006l"} {
		got = strings.ReplaceAll(got[:end], sequence, "") + got[end:]
		end = strings.Index(got, leaveScreen)
	}
	if rest := got[:end]; rest != "" {
		t.Errorf("the renderer drew %q", rest)
	}
}

func TestPainterSynchronizes(t *testing.T) {
	t.Parallel()
	e := newEasel(t)
	e.painter.whole = true
	_, _ = e.painter.Write([]byte(enterScreen))
	e.wrote()
	for _, want := range []string{beginUpdate + "\x1b[H\x1b[1Ha\x1b[1;H" + endUpdate, ""} { // nothing is new the second time
		e.painter.draw(frame{text: "a"})
		if got := e.wrote(); got != want {
			t.Errorf("wrote %q, want %q", got, want)
		}
	}
}

func TestSynchronizes(t *testing.T) {
	t.Parallel()
	for term, want := range map[string]bool{"xterm-256color": true, "": true, "tmux": true, "dumb": false, "linux": false} {
		if got := NewPainter(nil, term).whole; got != want {
			t.Errorf("%q: %t, want %t", term, got, want)
		}
	}
}
