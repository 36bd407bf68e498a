package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/vt"

	"caliper/tui/demo"
	"caliper/tui/terminal"
)

// mirror is a terminal that gets of every frame only what the one before does
// not show.
type mirror struct {
	strokes *terminal.Strokes
	emu     *vt.Emulator
	lines   []string // on it
}

// show draws a frame.
func (m *mirror) show(view string, w int) {
	lines := strings.Split(view, "\n")
	if m.emu == nil || m.emu.Width() != w || len(lines) != len(m.lines) {
		m.strokes, m.emu = terminal.NewStrokes(), vt.NewEmulator(w, len(lines))
		_, _ = m.emu.WriteString(strings.Join(lines, "\r\n"))
	} else {
		_, _ = m.emu.Write(m.strokes.Draw([]byte("\x1b[H"), m.lines, lines))
	}
	m.lines = lines
}

// check compares every cell with the frame drawn on an empty terminal.
func (m *mirror) check() error {
	if m.emu == nil {
		return nil
	}
	whole := vt.NewEmulator(m.emu.Width(), m.emu.Height())
	_, _ = whole.WriteString(strings.Join(m.lines, "\r\n") + "\x1b[m")
	_, _ = m.emu.WriteString("\x1b[m")
	for y := range whole.Height() {
		for x := range whole.Width() {
			got, want := m.emu.CellAt(x, y), whole.CellAt(x, y)
			if !got.Equal(want) {
				return fmt.Errorf("cell %d of line %d is %q %q, drawn at once %q %q", x, y, got.Style.String(), got.Content, want.Style.String(), want.Content)
			}
		}
	}
	return nil
}

// BenchmarkFrame measures what a key writes to a terminal of 120×36 cells with
// 24-bit colours, and what it costs to find out: one row down, one page down,
// another screen, a letter of the query. Only the painter is measured. "lines"
// is the bytes of writing every line that changed.
func BenchmarkFrame(b *testing.B) {
	key := func(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }
	for _, bench := range []struct {
		name  string
		query string
		keys  []tea.KeyMsg // pressed in turn
	}{
		{"row", "", []tea.KeyMsg{key(tea.KeyDown)}},
		{"row of hits", "create a branch", []tea.KeyMsg{key(tea.KeyDown)}},
		{"page", "", []tea.KeyMsg{key(tea.KeyPgDown), key(tea.KeyPgDown), key(tea.KeyPgUp), key(tea.KeyPgUp)}},
		{"screen", "create a branch", []tea.KeyMsg{
			{Type: tea.KeyRunes, Runes: []rune{'2'}, Alt: true}, {Type: tea.KeyRunes, Runes: []rune{'1'}, Alt: true},
		}},
		{"letter", "create a bran", []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune{'c'}}, key(tea.KeyBackspace)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			a := startExplorer(b, testOptions(demo.Registry(), demo.Config()), 120, 36).app()
			a.notices.Showing = false
			for _, r := range bench.query {
				press(a, r)
			}
			const frames = 24 // as many rows as a page has without scrolling
			var drawn [][]string
			for i := range frames {
				drawn = append(drawn, strings.Split(a.View(), "\n"))
				a.Update(bench.keys[i%len(bench.keys)])
			}
			s := terminal.NewStrokes()
			var out []byte
			written, lines, keys := 0, 0, 0
			b.ReportAllocs()
			for b.Loop() {
				for i := 1; i < len(drawn); i++ {
					out = s.Draw(out[:0], drawn[i-1], drawn[i])
					written += len(out)
					keys++
				}
			}
			for i := 1; i < len(drawn); i++ {
				for y, line := range drawn[i] {
					if line != drawn[i-1][y] {
						lines += len(line)
					}
				}
			}
			b.ReportMetric(float64(written)/float64(keys), "bytes/key")
			b.ReportMetric(float64(lines)/float64(len(drawn)-1), "lines-bytes/key")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(keys), "ns/key")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// TestRowWritesLittle holds what a row of Explore costs the terminal.
func TestRowWritesLittle(t *testing.T) {
	const most = 1536
	for _, query := range []string{"", "create a branch"} {
		a := startExplorer(t, testOptions(demo.Registry(), demo.Config()), 120, 36).app()
		a.notices.Showing = false
		for _, r := range query {
			press(a, r)
		}
		s := terminal.NewStrokes()
		before, total := strings.Split(a.View(), "\n"), 0
		const rows = 20
		for range rows {
			a.Update(down)
			lines := strings.Split(a.View(), "\n")
			total += len(s.Draw(nil, before, lines))
			before = lines
		}
		if total > rows*most {
			t.Errorf("query %q: %d rows write %d bytes, at most %d each are wanted", query, rows, total, most)
		}
	}
}
