package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	tea "github.com/charmbracelet/bubbletea"
)

// A prefilled text is replaced by typing, pasting or deleting, and kept by keys that
// moves the cursor.
func TestFieldPrefilled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ keys, want string }{
		{"x", "x"}, {"x y", "xy"}, {"backspace x", "x"}, {"ctrl+w", ""}, {"ctrl+u x", "x"}, {"delete", ""}, {"alt+d", ""}, {"ctrl+k", ""},
		{"end x", "old textx"}, {"left x", "old texxt"}, {"home x", "xold text"}, {"alt+b x", "old xtext"}, {"up x", "x"}, {"end backspace", "old tex"},
	} {
		f := NewField(longestQuery, "")
		f.Prefill("old text")
		pressIn(f, strings.Fields(tt.keys)...)
		if f.Value() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.keys, f.Value(), tt.want)
		}
	}
	f := NewField(longestQuery, "")
	f.Prefill("old text")
	if f.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a paste"), Paste: true}); f.Value() != "a paste" {
		t.Errorf("pasted: %q", f.Value())
	}
	f.Prefill("")
	if pressIn(f, "x"); f.Value() != "x" {
		t.Errorf("prefilled with nothing: %q", f.Value())
	}
}

// A selected text is seen as such, also without colours.
func TestFieldDrawsSelection(t *testing.T) {
	t.Parallel()
	f := NewField(longestQuery, "")
	f.Prefill("old")
	theme := NewTheme(Look{Plain: true})
	if got := strings.TrimRight(ansi.Strip(drawField(f, theme, 20, true)), " "); got != theme.Caret+"old"+theme.Caret {
		t.Errorf("%q", got)
	}
	f.Prefill(strings.Repeat("long ", 50))
	for w := range 30 {
		if got := ansi.StringWidth(drawField(f, theme, w, true)); got != w {
			t.Errorf("%d cells, want %d", got, w)
		}
	}
}

// A cursor goes to a byte of the text.
func TestFieldPutsItsCursor(t *testing.T) {
	t.Parallel()
	f := NewField(longestQuery, "")
	f.Set("größe x")
	if f.PutCursor(len("grö")); f.at() != len("grö") {
		t.Errorf("the cursor is at %d", f.at())
	}
}
