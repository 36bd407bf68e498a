package fetch

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine/rescue"
	"caliper/model/require"
)

// narrowGrep searches text in windows of 64 bytes and returns the hits.
func narrowGrep(t *testing.T, source, text string) string {
	t.Helper()
	l := limits(400)
	l.GrepTimeout, l.GrepMaxLineLen = 0, 5
	p, err := compile(source, l)
	require.NoError(t, err)
	p.window, p.overlap = 64, 16
	a, err := p.grep(newText([]byte(text)), Request{Mode: Grep, Unit: Lines, Start: 1}, l)
	if err != nil || a.Next != nil {
		t.Fatalf("%v: %+v", err, a)
	}
	_, hits, _ := strings.Cut(a.Text, "\n")
	return hits
}

// TestNarrowWindows: a pattern of a large program is asked in narrower windows, so that one
// takes no longer.
func TestNarrowWindows(t *testing.T) {
	for source, want := range map[string]int{"a": widestWindow, "[a-c]{200}x": 0, "(a{30}b){30}|(c{30}d){30}|(e{30}f){30}": narrowestWindow} {
		p, err := compile(source, limits(400))
		if err != nil {
			t.Fatal(err)
		}
		if p.overlap != p.window/8 || want > 0 && p.window != want || want == 0 && (p.window <= narrowestWindow || p.window >= widestWindow) {
			t.Errorf("%s: a window of %d, want %d", source, p.window, want)
		}
	}
}

// TestEveryPlaceOfAWindow: a match lies anywhere in a line of many windows.
func TestEveryPlaceOfAWindow(t *testing.T) {
	for k := range 150 {
		text := strings.Repeat("é", k) + "needle" + strings.Repeat("y", 150)
		hits := narrowGrep(t, "n[e]+dle", text)
		if want := fmt.Sprintf("1: at char %d: ", k); !strings.HasPrefix(hits, want) || strings.Count(hits, "\n") != 1 {
			t.Fatalf("%d: %q", k, hits)
		}
	}
}

// TestWindowEdges: the edges of a window are no edges of the line, of a word or
// of a character.
func TestWindowEdges(t *testing.T) {
	line := strings.Repeat("x", 500)
	for source, want := range map[string]string{
		"^x": "1: at char 0: ", "x$": "1: at char 499: ", `\Ax`: "1: at char 0: ", `x\z`: "1: at char 499: ",
		`\bx`: "1: at char 0: ", `x\b`: "1: at char 499: ", "y": "", `\x{FFFD}`: "",
	} {
		hits := narrowGrep(t, source, line+"\n")
		if want == "" && hits != "" || !strings.HasPrefix(hits, want) || strings.Count(hits, "\n") != min(1, len(want)) {
			t.Errorf("%s: %q", source, hits)
		}
	}
	if hits := narrowGrep(t, "yx*$", "y"+line+"z"); hits != "" {
		t.Errorf("the end of a window is taken for the line's: %q", hits)
	}
	for pad := range 4 {
		if hits := narrowGrep(t, `\x{FFFD}`, strings.Repeat("a", pad)+strings.Repeat("日", 300)); hits != "" {
			t.Errorf("cut characters: %q", hits)
		}
	}
}

func TestLineOverTheLimitIsShownInParts(t *testing.T) {
	text := strings.Repeat("a", 3000) + "needle"
	if a := do(t, text, Request{Mode: Grep, Pattern: "needle"}, rescue.Default()); !strings.Contains(a.Text, "1: at char 3000: …") {
		t.Errorf("got %q", a.Text)
	}
}
