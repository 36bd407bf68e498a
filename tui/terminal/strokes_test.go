package terminal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"
)

// shown returns what an emulator shows, cell by cell with styles and links.
func shown(e *vt.Emulator) []string {
	var cells []string
	for y := range e.Height() {
		for x := range e.Width() {
			c := e.CellAt(x, y)
			if c == nil {
				cells = append(cells, "")
				continue
			}
			content := c.Content
			if content == "" && c.Width == 1 {
				content = " "
			}
			cells = append(cells, fmt.Sprintf("%d,%d %q %d %q %q", x, y, content, c.Width, c.Style.String(), c.Link.URL))
		}
	}
	return cells
}

// painting returns what a terminal shows on which nothing was but these lines.
func painting(lines []string, w int) []string {
	e := vt.NewEmulator(w, len(lines))
	_, _ = e.WriteString("\x1b[H" + strings.Join(lines, "\r\n") + "\x1b[m")
	return shown(e)
}

// pieces are what lines of the tests are made of: words, glyphs of the screens,
// styles as themes and others write them, and characters whose width terminals
// do not agree on. The emulator drops marks of ASCII letters now and then.
var pieces = []string{
	"a", "b", "mcp_forge", " ", "      ", "              ", "│", "─", "▌", "━━━", "…", "×", "é", "ж", "→",
	"\x1b[0m", "\x1b[m", "\x1b[1m", "\x1b[22m", "\x1b[2m", "\x1b[7m", "\x1b[27m", "\x1b[4m", "\x1b[9;3m", "\x1b[0;1m",
	"\x1b[31m", "\x1b[94m", "\x1b[44m", "\x1b[103m", "\x1b[39m", "\x1b[49m",
	"\x1b[38;2;160;165;174m", "\x1b[1;38;2;20;23;28;48;2;139;209;154m", "\x1b[38;5;111;48;5;7m", "\x1b[48;2;1;2;3;4m",
	"世界", "😀", "👩‍🚀", "я\u0301", "⚠️", "◽", "\x1b[4:3m", "\x1b[58;5;3m", "\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\",
}

// drawLine draws a line of exactly w cells from the first n pieces. The last cell
// is plain, because the emulator puts a mark behind it on the next line.
func drawLine(t *rapid.T, w, n int, label string) string {
	line := ""
	for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces[:n]), 0, 25).Draw(t, label) {
		line += piece
	}
	line = ansi.Truncate(line, w-1, "")
	return line + strings.Repeat(" ", w-1-ansi.StringWidth(line)) + rapid.SampledFrom([]string{" ", "|", "\x1b[0m "}).Draw(t, "last") + "\x1b[0m"
}

// TestStrokesShowTheFrame draws random frames over each other. After each, every
// cell is as if the frame had been drawn on an empty terminal.
func TestStrokesShowTheFrame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 30).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "h")
		n := rapid.SampledFrom([]int{len(pieces), 34}).Draw(t, "pieces") // 34: all that is sure
		s, e := NewStrokes(), vt.NewEmulator(w, h)
		lines := make([]string, h)
		for y := range lines {
			lines[y] = drawLine(t, w, n, "line")
		}
		_, _ = e.WriteString("\x1b[H" + strings.Join(lines, "\r\n"))
		for range rapid.IntRange(1, 4).Draw(t, "frames") {
			next := append([]string(nil), lines...)
			for y := range next {
				switch rapid.IntRange(0, 3).Draw(t, "change") {
				case 0:
					next[y] = drawLine(t, w, n, "line")
				case 1: // a word further on changes
					if i := strings.LastIndex(next[y], "a"); i >= 0 {
						next[y] = next[y][:i] + "b" + next[y][i+1:]
					}
				}
			}
			out := s.Draw([]byte("\x1b[H"), lines, next)
			_, _ = e.Write(out)
			got, want := shown(e), painting(next, w)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%q\nover %q\nby %q\nshows %s, want %s", next, lines, out, got[i], want[i])
				}
			}
			lines = next
		}
	})
}

func TestStrokesAreFew(t *testing.T) {
	t.Parallel()
	const red, bold, off = "\x1b[38;2;255;0;0m", "\x1b[1m", "\x1b[0m"
	for _, tt := range []struct {
		name      string
		old, next string // lines, separated by |
		want      string
	}{
		{"nothing", "ab|cd", "ab|cd", ""},
		{"the same in other sequences", off + "ab", "a\x1b[m" + bold + "\x1b[22mb", ""},
		{"one cell", "ab|cd", "ab|ce", "\n\x1b[2Ge"},
		{"a cell that was right joins", "abcdef", "xbydef", "xby"},
		{"a longer way is gone", "abcdefghi", "xbcdefghy", "x\x1b[7Cy"},
		{"one pen", red + "ab|cd", red + "xb|" + red + "yd", "\x1b[38;2;255;0;0mx\n\x1b[1Gyd\x1b[m"},
		{"each pen once", red + "a" + off + "b" + red + "c" + off + "d", red + "1" + off + "2" + red + "3" + off + "4", "\x1b[C2\x1b[C4\x1b[1H" + red + "1\x1b[C3\x1b[m"},
		{"what is added to a pen", "ab", red + "a" + bold + "b", red + "a\x1b[1mb\x1b[m"},
		{"blanks are erased", "abcdefgh|x", "a       |x", "\x1b[C\x1b[7X"},
		{"the line below", "ab|cd", "ax|cx", "\x1b[Cx\n\x1b[2Gx"},
		{"a wide character", "ab界cd", "xb界cd", "x"},
		{"what is behind a wide character", "ab界cd", "ab界cx", "\x1b[Cb界cx\x1b[m"},
		{"a mark", "abcd", "abc\u0301d", "\x1b[2Cc\u0301d\x1b[m"},
	} {
		got := string(NewStrokes().Draw(nil, strings.Split(tt.old, "|"), strings.Split(tt.next, "|")))
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSureCharacters holds that what counts as sure is one cell wide for x/ansi,
// which draws the frames, and stays alone between others.
func TestSureCharacters(t *testing.T) {
	t.Parallel()
	for r := rune(0x80); r < 0x20000; r++ {
		if !sure(r) {
			continue
		}
		if w := ansi.StringWidth("a" + string(r) + "b"); w != 3 {
			t.Errorf("%U takes %d cells", r, w-2)
		}
		if cluster, _ := ansi.FirstGraphemeCluster("a"+string(r), ansi.GraphemeWidth); cluster != "a" {
			t.Errorf("%U joins what is before it", r)
		}
		if cluster, _ := ansi.FirstGraphemeCluster(string(r)+"b", ansi.GraphemeWidth); cluster != string(r) {
			t.Errorf("%U joins what is after it", r)
		}
	}
}

func TestStrokesAllocateNothing(t *testing.T) {
	old := []string{"\x1b[1mone\x1b[0m two", "three"}
	next := []string{"\x1b[1mtwo\x1b[0m one", "thre\x1b[7mx\x1b[0m"}
	s := NewStrokes()
	b := s.Draw(nil, old, next)
	if n := testing.AllocsPerRun(10, func() { b = s.Draw(b[:0], old, next) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestPensStartAnew draws more pens than are kept.
func TestPensStartAnew(t *testing.T) {
	t.Parallel()
	s := NewStrokes()
	e := vt.NewEmulator(10, 1)
	old := []string{"x"}
	_, _ = e.WriteString("x")
	for i := range 3 * mostPens {
		next := []string{fmt.Sprintf("\x1b[38;2;1;%d;%dmx", i/256, i%256)}
		_, _ = e.Write(s.Draw([]byte("\x1b[H"), old, next))
		old = next
	}
	if len(s.pens.all) > mostPens+1 {
		t.Errorf("%d pens", len(s.pens.all))
	}
	if got, want := shown(e)[0], painting(old, 10)[0]; got != want {
		t.Errorf("shows %s, want %s", got, want)
	}
}
