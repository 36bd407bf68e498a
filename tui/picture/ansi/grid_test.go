package ansi

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/internal/draws"
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
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Format(Parse([]byte(tt.in), 0, 0))); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestString(t *testing.T) {
	g := Parse([]byte("\x1b[1ma課\x1b[44m  \n\nb"), 8, 4)
	if got, want := g.String(), "a課\n\nb\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCloneIsDeep(t *testing.T) {
	g := Parse([]byte("ab"), 2, 1)
	c := g.Clone()
	c.SetRow(0, []Cell{{Text: "x", Width: 1}})
	if got := g.String() + c.String(); got != "ab\nx\n" {
		t.Errorf("got %q", got)
	}
	if g.Equal(c) || !g.Equal(g.Clone()) || g.Equal(New(2, 2)) {
		t.Error("Equal is wrong")
	}
}

func TestMask(t *testing.T) {
	tests := []struct {
		name, in, pattern, replacement, want string
	}{
		{"no match", "abc", "x", "y", "abc"},
		{"same width", "at 14:03:41.", `\d\d:\d\d:\d\d`, "12:00:00", "at 12:00:00."},
		{"every match", "1 2 3", `\d`, "0", "0 0 0"},
		{"narrower is filled", "in /tmp/a1/b2 |", `/\S+`, "/demo", "in /demo      |"},
		{"with the blanks behind", "9 ms    |", `\d+ ms *`, "4 ms", "4 ms    |"},
		{"groups", "took 19 ms", `(took) \d+`, "$1 .", "took .  ms"},
		{"wide text is hidden", "課題 x", "課題", "ab", "ab   x"},
		{"wide replacement", "abcd x", "abcd", "課", "課·   x"},
		{"style of the first cell, filling of the last", "\x1b[1mab\x1b[31mcd", "abcd", "x",
			"<bold>x<bold, colour 1>   "},
		{"empty matches are left", "abc", "x*", "y", "abc"},
		{"to the row's end", "abc", "c$", "d", "abd"},
		{"replacement's newline is a blank", "abc", "abc", "x\ny", "x y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := Parse([]byte(tt.in), 0, 0)
			if err := g.Mask(regexp.MustCompile(tt.pattern), tt.replacement); err != nil {
				t.Fatal(err)
			}
			checkGrid(t, g)
			if got := describe(g); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestMaskRefusesAWiderReplacement(t *testing.T) {
	g := Parse([]byte("x\nab\n"), 0, 0)
	err := g.Mask(regexp.MustCompile("ab"), "long")
	if err == nil || !strings.Contains(err.Error(), `row 2: mask ab: "long" is wider than "ab"`) {
		t.Errorf("got %v", err)
	}
}

func TestMaskKeepsTheGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Parse(drawCapture(t), 20, 3)
		if err := g.Mask(regexp.MustCompile(`[a-z課]+`), rapid.SampledFrom([]string{"", "x", "課"}).Draw(t, "with")); err == nil {
			checkGrid(t, g)
		}
	})
}

func TestDiff(t *testing.T) {
	tests := []struct{ name, want, got, diff string }{
		{"equal", "a\x1b[1mb", "a\x1b[0;1mb", ""},
		{"text", "ab\ncd", "ab\nce", "row 2\n  - cd\n  + ce\n"},
		{"style", "ab\x1b[1mcd\x1b[0me", "ab\x1b[31mcd\x1b[0me", "row 1, columns 3-4 \"cd\"\n  - bold\n  + colour 1\n"},
		{"two styles", "\x1b[1mab", "\x1b[1;3ma\x1b[0;4mb", "row 1, columns 1-1 \"a\"\n  - bold\n  + bold, italic\n" +
			"row 1, columns 2-2 \"b\"\n  - bold\n  + underline\n"},
		{"rows", "a", "a\nb", "size: want 1x1, got 1x2\nrow 2\n  - \n  + b\n"},
		{"width", "a", "a ", "size: want 1x1, got 2x1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Diff(Parse([]byte(tt.want), 0, 0), Parse([]byte(tt.got), 0, 0))
			if got != tt.diff {
				t.Errorf("got\n%swant\n%s", got, tt.diff)
			}
		})
	}
}

func TestDiffIsEmptyExactlyForEqualGrids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := Parse(drawCapture(t), 8, 2), Parse(drawCapture(t), 8, 2)
		if (Diff(a, b) == "") != a.Equal(b) {
			t.Fatalf("equal %v, diff %q", a.Equal(b), Diff(a, b))
		}
	})
}
