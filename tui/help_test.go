package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestHelpTellsEveryKey(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	help := newHelp(keys)
	for _, w := range []int{40, 80, 120} {
		var shown strings.Builder
		help.scroll(-1 << 20)
		for range 100 {
			for _, line := range help.draw(plainTheme(), w, 24) {
				shown.WriteString(line + "\n")
			}
			before := help.top
			if help.scroll(help.page()); help.top == before {
				break
			}
		}
		for _, s := range keys.sections() {
			if !strings.Contains(shown.String(), s.title) {
				t.Errorf("%d cells: %q is missing", w, s.title)
			}
			for _, b := range s.binds {
				// On the narrowest terminal a description may be cut.
				words := b.Help().Desc[:min(len(b.Help().Desc), 12)]
				if !strings.Contains(shown.String(), b.Help().Key) || !strings.Contains(shown.String(), words) {
					t.Errorf("%d cells: %q, %q is missing", w, b.Help().Key, b.Help().Desc)
				}
			}
		}
	}
}

func TestHelpTellsTheSigns(t *testing.T) {
	t.Parallel()
	for _, theme := range []*Theme{plainTheme(), NewTheme(Look{Plain: true, ASCII: true})} {
		if theme.Tie == theme.Same {
			t.Error("a tie looks like an unchanged rank")
		}
		lines, _ := helpText{}.text(theme, 60)
		text := strings.Join(lines, "\n")
		for _, want := range []string{theme.Tie + "  ", "tie: another hit", theme.Same + "  ", "rank unchanged since", theme.Pin + "  ", "expected", theme.Risen + " " + theme.Fallen} {
			if !strings.Contains(text, want) {
				t.Errorf("the help does not show %q:\n%s", want, text)
			}
		}
	}
}

func TestHelpFitsTheScreen(t *testing.T) {
	t.Parallel()
	help := newHelp(NewKeys(unicodeGlyphs()))
	for w := smallWidth; w <= 160; w += 7 {
		for h := smallHeight; h <= 60; h += 5 {
			help.scroll(1 << 20)
			box := help.draw(plainTheme(), w, h)
			if len(box) > h {
				t.Fatalf("%d×%d: %d lines", w, h, len(box))
			}
			for _, line := range box {
				if got := ansi.StringWidth(line); got > w || got != ansi.StringWidth(box[0]) {
					t.Fatalf("%d×%d: a line of %d cells", w, h, got)
				}
			}
		}
	}
}

func TestHintsLine(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	line, hints := drawHints(plainTheme(), keys.Hints(CtxQuery), 70)
	want := " ↑↓ hits  tab pane  enter expand  ctrl-k commands  F1 help            "
	if line != want {
		t.Errorf("got  %q\nwant %q", line, want)
	}
	if len(hints) != 5 {
		t.Fatalf("%d hints, want 5", len(hints))
	}
	row := []rune(line)
	for x, r := range row {
		action, ok := hintAt(hints, x)
		inHint := false
		for i, h := range hints {
			if x >= h.from && x < h.to {
				inHint = true
				if action != keys.Hints(CtxQuery)[i].Action {
					t.Errorf("cell %d %q does %q", x, r, action)
				}
			}
		}
		if ok != inHint {
			t.Errorf("cell %d %q: clickable %v", x, r, ok)
		}
	}
}

func TestHintsFitAnyWidth(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	theme := NewTheme(Look{})
	for _, c := range contexts() {
		for w := range 200 {
			line, hints := drawHints(theme, keys.Hints(c), w)
			if got := ansi.StringWidth(line); got != w {
				t.Fatalf("context %d: %d cells, want %d", c, got, w)
			}
			for _, h := range hints {
				if h.to > w || h.from >= h.to {
					t.Fatalf("context %d, %d cells: hint at %d..%d", c, w, h.from, h.to)
				}
			}
		}
	}
}
