package picture

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// String returns "default", "colour 31" or "#0a0b0c".
func (c Colour) String() string {
	if i, ok := c.Index(); ok {
		return fmt.Sprintf("colour %d", i)
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	return "default"
}

// String describes the style for a person: "plain", or its parts separated by commas.
func (s Style) String() string {
	var parts []string
	for i, name := range []string{"bold", "faint", "italic", "underline", "double underline", "reverse", "conceal", "strike", "overline"} {
		if s.Attributes&(1<<i) != 0 {
			parts = append(parts, name)
		}
	}
	if s.Foreground != Default {
		parts = append(parts, s.Foreground.String())
	}
	if s.Background != Default {
		parts = append(parts, "on "+s.Background.String())
	}
	if len(parts) == 0 {
		return "plain"
	}
	return strings.Join(parts, ", ")
}

// String returns the text of the screen without styles, one line per row, without the blanks at
// the ends of lines.
func (g *Grid) String() string {
	var b strings.Builder
	for _, row := range g.rows {
		text := ""
		for _, c := range row {
			text += c.Text
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return b.String()
}

// describe prints a grid as text with each change of style in angle brackets; · is the second
// half of a wide cell.
func describe(g *Grid) string {
	var lines []string
	for i := range g.Rows {
		var b strings.Builder
		var style Style
		for _, c := range g.Row(i) {
			if c.Style != style {
				style = c.Style
				fmt.Fprintf(&b, "<%s>", style)
			}
			if c.Width == 0 {
				b.WriteString("·")
			}
			b.WriteString(c.Text)
		}
		lines = append(lines, b.String())
	}
	return strings.Join(lines, "|")
}

func TestParse(t *testing.T) {
	tests := []struct {
		name          string
		in            string
		columns, rows int
		want          string
	}{
		{"empty", "", 3, 2, "   |   "},
		{"empty, natural size", "", 0, 0, ""},
		{"natural size", "ab\nabcd\n", 0, 0, "ab  |abcd"},
		{"no newline at the end", "ab\nc", 0, 0, "ab|c "},
		{"blank rows count", "a\n\n\n", 0, 0, "a| | "},
		{"cut", "abcdef\nx\ny", 3, 2, "abc|x  "},
		{"crlf", "ab\r\ncd\r\n", 2, 2, "ab|cd"},
		{"style runs over the line's end", "\x1b[1ma\nb\x1b[0mc", 2, 2, "<bold>a<plain> |<bold>b<plain>c"},
		{"written blanks keep their ground", "\x1b[44m  \x1b[0m", 4, 1, "<on colour 4>  <plain>  "},
		{"wide", "a課b", 5, 1, "a課·b "},
		{"wide, cut in half", "ab課", 3, 1, "ab "},
		{"wide, cut in half, coloured", "ab\x1b[7m課", 3, 1, "ab<reverse> "},
		{"combining", "e\u0301x", 3, 1, "e\u0301x "},
		{"combining after a sequence", "e\x1b[1m\u0301x", 3, 1, "e\u0301<bold>x<plain> "},
		{"combining after wide", "課\x1b[1m\u0301", 3, 1, "課\u0301· "},
		{"combining first", "\u0301x", 2, 1, "x "},
		{"zwj sequence", "👩\u200d💻.", 3, 1, "👩\u200d💻·."},
		{"flag", "🇩🇪.", 3, 1, "🇩🇪·."},
		{"tab", "a\tb", 10, 1, "a       b "},
		{"replacement character stays", "\ufffd", 2, 1, "\ufffd "},
		{"invalid utf-8 is dropped", "a\xff\xc3b", 3, 1, "ab "},
		{"controls are dropped", "a\x00\x07\x7f\u0085b", 3, 1, "ab "},
		{"special graphics", "\x0elqk\x0fl", 4, 1, "┌─┐l"},
		{"special graphics leaves others", "\x0eA~é", 3, 1, "A·é"},
		{"cursor movement is dropped", "a\x1b[5;5Hb\x1b[2J\x1b[K", 3, 1, "ab "},
		{"private mode is dropped", "\x1b[?25la\x1b[>4;1mb", 3, 1, "ab "},
		{"hyperlink is dropped", "\x1b]8;;https://example.org\x1b\\ab\x1b]8;;\x07c", 3, 1, "abc"},
		{"device string is dropped", "a\x1bPq#0\x1b\\b", 3, 1, "ab "},
		{"unfinished sequence", "a\x1b[38;5", 3, 1, "a  "},
		{"unfinished string", "a\x1b]0;title", 3, 1, "a  "},
		{"lone escape", "a\x1b", 3, 1, "a  "},
	}
	for _, tt := range tests {
		if got := describe(Parse([]byte(tt.in), tt.columns, tt.rows)); got != tt.want {
			t.Errorf("%s: got  %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestParseSGR(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty resets", "1m\x1b[", "plain"},
		{"zero resets", "1;31;0", "plain"},
		{"every attribute", "1;2;3;4;7;8;9;53", "bold, faint, italic, underline, reverse, conceal, strike, overline"},
		{"every attribute off", "1;2;3;4;7;8;9;53;22;23;24;27;28;29;55", "plain"},
		{"double underline", "21", "double underline"},
		{"double underline replaces", "4;21", "double underline"},
		{"underline styles", "4:3", "underline"},
		{"underline style double", "4:2", "double underline"},
		{"underline style none", "4;4:0", "plain"},
		{"tmux overline", "5:3", "overline"},
		{"blink is ignored", "5;6", "plain"},
		{"16 colours", "31;42", "colour 1, on colour 2"},
		{"bright colours", "91;102", "colour 9, on colour 10"},
		{"default colours", "31;42;39;49", "plain"},
		{"256 colours", "38;5;200;48;5;17", "colour 200, on colour 17"},
		{"true colours", "38;2;1;2;3;48;2;255;0;16", "#010203, on #ff0010"},
		{"colons", "38:5:200", "colour 200"},
		{"colons, rgb", "38:2:1:2:3", "#010203"},
		{"colons, colour space", "38:2::1:2:3", "#010203"},
		{"colour then attribute", "38;5;1;1", "bold, colour 1"},
		{"underline colour is skipped", "58;5;9;1", "bold"},
		{"underline colour, colons", "58:2::1:2:3;1", "bold"},
		{"index out of range", "38;5;256;1", "bold"},
		{"component out of range", "38;2;1;2;300;1", "bold"},
		{"half a colour", "1;38;5", "bold"},
		{"half a true colour", "1;38;2;1;2", "bold"},
		{"colour without kind", "1;38", "bold"},
		{"unknown kind", "38;9;1", "plain"},
		{"unknown codes", "10;73;99;1000;1", "bold"},
		{"unknown colon group", "1:7:9;3", "italic"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := Parse([]byte("\x1b["+tt.in+"mx"), 1, 1)
			if got := g.Row(0)[0].Style.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParseBoundsTheScreen(t *testing.T) {
	g := Parse([]byte(strings.Repeat("\t", 10_000)+strings.Repeat("\nx", 10_000)), 0, 0)
	if g.Columns != maxColumns || g.Rows != maxRows {
		t.Errorf("got %dx%d", g.Columns, g.Rows)
	}
	if got := g.Row(maxRows - 1)[0].Text; got != "x" {
		t.Errorf("the last row holds %q: rows beyond the last were written into it", got)
	}
}

// checkGrid fails unless every row is exactly as wide as the grid and every wide cell has its
// second half.
func checkGrid(t interface{ Fatalf(string, ...any) }, g *Grid) {
	for i := range g.Rows {
		row := g.Row(i)
		if len(row) != g.Columns {
			t.Fatalf("row %d has %d cells, want %d", i, len(row), g.Columns)
		}
		for k, c := range row {
			second := k > 0 && row[k-1].Width == 2
			if (c.Width == 0) != second || (c.Text == "") != second || c.Width == 2 && k+1 == len(row) {
				t.Fatalf("row %d, cell %d: %+v", i, k, row)
			}
		}
	}
}

// drawCapture draws a piece of a capture: text of every width, sequences, controls.
func drawCapture(t *rapid.T) []byte {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"a", " ", "b ", "課", "한", "é", "e\u0301", "\u0301", "\u200d", "🇩", "🇪", "👩", "💻", "\ufe0f", "❤", "█", "┌",
			"\n", "\r\n", "\t", "\x0e", "\x0f", "\x1b", "\x1b[", "\x1b[0m", "\x1b[1m", "\x1b[7;31m", "\x1b[48;5;200m",
			"\x1b[38;2;1;2;3m", "\x1b[4:3m", "\x1b[39m", "\x1b]8;;x\x07", "\x9b", "\xff", "\u0600", "\U000e0061",
		}),
		rapid.String(),
	)
	return []byte(strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces"), ""))
}

func TestParseAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkGrid(t, Parse(drawCapture(t), rapid.IntRange(0, 20).Draw(t, "columns"), rapid.IntRange(0, 5).Draw(t, "rows")))
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("\x1b[1;38;5;3mab\x1b[0m課\n\x0elqk\x0f\t\u0301"), 10, 2)
	f.Add([]byte("\x1b[38:2::1:2:3m\x1b]8;;x\x07🇩\x1b[m🇪"), 0, 0)
	f.Add([]byte("À\x00\ufe0f"), 0, 0)  // a mark that would make its cell wider
	f.Add([]byte("0\u0603\x0e0"), 0, 1) // a mark that would join the cell behind it
	f.Fuzz(func(t *testing.T, data []byte, columns, rows int) {
		if columns > 300 || rows > 100 {
			t.Skip()
		}
		checkGrid(t, Parse(data, columns, rows))
	})
}
