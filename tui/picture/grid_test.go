package picture

import (
	"testing"

	_ "caliper/model/require"
)

func TestFormat(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "ab  \n\n", "ab\n\n"},
		{"one full sequence a change", "\x1b[1mab\x1b[31mc\x1b[0md", "\x1b[0;1mab\x1b[0;1;31mc\x1b[0md\n"},
		{"every line ends plain", "\x1b[1ma\nb", "\x1b[0;1ma\x1b[0m\n\x1b[0;1mb\x1b[0m\n"},
		{"coloured blanks stay", "\x1b[44m  ", "\x1b[0;44m  \x1b[0m\n"},
		{"colours", "\x1b[91;100;4m.\x1b[0;38;5;16;48;2;1;2;3m.", "\x1b[0;4;91;100m.\x1b[0;38;5;16;48;2;1;2;3m.\x1b[0m\n"},
		{"wide", "課", "課\n"},
		{"halves of a flag stay apart", "🇩\x1b[m🇪", "🇩\x1b[0m🇪\n"},
	}
	for _, tt := range tests {
		if got := string(Format(Parse([]byte(tt.in), 0, 0))); got != tt.want {
			t.Errorf("%s: got  %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestCloneIsDeep(t *testing.T) {
	g := Parse([]byte("ab"), 2, 1)
	c := g.Clone()
	c.SetRow(0, []Cell{{Text: "x", Width: 1}})
	if got := g.String() + c.String(); got != "ab\nx\n" {
		t.Errorf("got %q", got)
	}
	if g.Equal(c) || !g.Equal(g.Clone()) || g.Equal(NewGrid(2, 2)) {
		t.Error("Equal is wrong")
	}
}
