package picture

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"caliper/model/require"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden draws the sample's chart. After a wanted change: go test ./tui/picture -update.
func TestGolden(t *testing.T) {
	capture, err := os.ReadFile(filepath.Join("testdata", "chart-dark.ansi"))
	require.NoError(t, err)
	grid := Parse(capture, 0, 0)
	for _, theme := range []string{"dark", "light"} {
		palette, err := Themed(theme)
		require.NoError(t, err)
		got := SVG(grid, Options{Palette: palette, Square: theme == "light"})
		path := filepath.Join("testdata", "chart-"+theme+".svg")
		if *update {
			require.NoError(t, os.WriteFile(path, got, 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs at %s", path, firstDifference(string(want), string(got)))
		}
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\n  - %s\n  + %s", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("its end: %d lines, want %d", len(g), len(w))
}

// elements returns the texts and the paths of a picture of one line.
func elements(t *testing.T, line string) (texts, paths []string) {
	t.Helper()
	picture := string(SVG(Parse([]byte(line), 0, 1), Options{Palette: Dark}))
	texts = regexp.MustCompile(`<text .*</text>`).FindAllString(picture, -1)
	paths = regexp.MustCompile(`<path .*/>`).FindAllString(picture, -1)
	return texts, paths
}

func TestText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"blank", "  ", ""},
		{"one element a cell", "a b", `<text x="31.5" y="49">a</text><text x="61.5" y="49">b</text>`},
		{"escaped", "<&>", `<text x="31.5" y="49">&lt;</text><text x="46.5" y="49">&amp;</text><text x="61.5" y="49">&gt;</text>`},
		{"wide in the middle of its cells", "課a", `<text x="39" y="49" class="w">課</text><text x="61.5" y="49">a</text>`},
		{"emoji", "🚀", `<text x="39" y="49" class="e">🚀</text>`},
		{"combining", "e\u0301", "<text x=\"31.5\" y=\"49\">e\u0301</text>"},
		{"styles", "\x1b[1;3;31mx", `<text x="31.5" y="49" class="f0 b i">x</text>`},
		{"colours in the order of use", "\x1b[32ma\x1b[31mb\x1b[32mc",
			`<text x="31.5" y="49" class="f0">a</text><text x="46.5" y="49" class="f1">b</text><text x="61.5" y="49" class="f0">c</text>`},
		{"concealed", "\x1b[8mx", ""},
		{"forbidden in xml", "a\ufffe", "<text x=\"31.5\" y=\"49\">a\ufffd</text>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			texts, _ := elements(t, tt.in)
			if got := strings.Join(texts, ""); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no ground for the default", "ab", ""},
		{"neighbours share a ground", "\x1b[41ma b", `<path fill="#ef6f6c" d="M24 24h45v33h-45z"/>`},
		{"wide ground", "\x1b[41m課", `<path fill="#ef6f6c" d="M24 24h30v33h-30z"/>`},
		{"reverse", "\x1b[7m ", `<path fill="#d6dae1" d="M24 24h15v33h-15z"/>`},
		{"reverse, coloured", "\x1b[31;7m ", `<path fill="#ef6f6c" d="M24 24h15v33h-15z"/>`},
		{"true colour", "\x1b[48;2;1;2;3m ", `<path fill="#010203" d="M24 24h15v33h-15z"/>`},
		{"cube", "\x1b[48;5;110m ", `<path fill="#87afd7" d="M24 24h15v33h-15z"/>`},
		{"grey", "\x1b[48;5;244m ", `<path fill="#808080" d="M24 24h15v33h-15z"/>`},
		{"underline runs on", "\x1b[4ma b", `<path fill="#d6dae1" d="M24 52h45v2h-45z"/>`},
		{"double underline", "\x1b[21m ", `<path fill="#d6dae1" d="M24 52h15v2h-15zM24 55h15v2h-15z"/>`},
		{"strike and overline", "\x1b[9;53m ", `<path fill="#d6dae1" d="M24 25h15v2h-15zM24 41h15v2h-15z"/>`},
		{"faint is mixed with the ground", "\x1b[2m█", `<path fill="#95989f" d="M24 24h15v33h-15z"/>`},
		{"bar without seams", "███▌", `<path fill="#d6dae1" d="M24 24h53v33h-53z"/>`},
		{"line without seams", "───", `<path fill="#d6dae1" d="M24 40h45v2h-45z"/>`},
		{"shade is one colour", "░░", `<path fill="#464950" d="M24 24h30v33h-30z"/>`},
		{"arc", "╭", `<path fill="none" stroke="#d6dae1" stroke-width="2" d="M32 57V48Q32 41 39 41H39"/>`},
		{"triangle", "▸", `<path fill="#d6dae1" d="M27 34v14l8 -7z"/>`},
		{"concealed ground stays", "\x1b[8;41mx", `<path fill="#ef6f6c" d="M24 24h15v33h-15z"/>`},
		{"empty braille", "\u2800", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, paths := elements(t, tt.in)
			if got := strings.Join(paths, ""); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestThemedRefusesOthers(t *testing.T) {
	if _, err := Themed("auto"); err == nil || err.Error() != `theme "auto": want dark or light` {
		t.Errorf("got %v", err)
	}
}
