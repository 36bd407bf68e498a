package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

func TestHolds(t *testing.T) {
	for text, want := range map[string]bool{"one\n two": true, "a": true, "": true, "a⏎b": false, "a\x1bb": false, "a\tb": false} {
		if got := Holds(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
		a := NewTextArea(100, "")
		if a.Set(text); want && a.Text() != text {
			t.Errorf("%q becomes %q", text, a.Text())
		}
	}
}

// The rows of a text are all of it, and none is wider than the area.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "word", " ", lineEnd, "日本", "é", "👩‍👩‍👧"})).Draw(t, "text"), "")
		w := rapid.IntRange(2, 9).Draw(t, "width")
		at := 0
		for i, r := range wrap(text, w) {
			row := strings.TrimRight(strings.TrimSuffix(text[r.from:r.to], lineEnd), " ")
			if r.from != at || i > 0 && r.from == r.to && !strings.HasSuffix(text[:r.from], lineEnd) && r.to != len(text) || Width(row) > w {
				t.Fatalf("row %d of %q is %q in %d cells", i, text, row, w)
			}
			at = r.to
		}
		if at != len(text) {
			t.Fatalf("%q ends at %d", text, at)
		}
	})
}

// An area draws exactly its size, moves by rows, and keeps pasted lines.
func TestTextArea(t *testing.T) {
	th := NewTheme(Look{Plain: true})
	a := NewTextArea(200, "what the tool does")
	a.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("one two three\r\nfour"), Paste: true})
	a.Break()
	if a.Text() != "one two three\nfour\n" {
		t.Errorf("%q", a.Text())
	}
	shows := func(want string) {
		t.Helper()
		lines := a.Draw(th, 10, 4, true)
		for _, line := range lines {
			if Width(line) != 10 {
				t.Errorf("%q is not 10 cells wide", line)
			}
		}
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	caret := th.Caret
	shows("one two|three|four|" + caret)
	a.Move(-2)
	a.Key(tea.KeyMsg{Type: tea.KeyRight})
	shows("one two|t" + caret + "hree|four|")
	a.Move(-1)
	shows("o" + caret + "ne two|three|four|")
	a.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
	a.Move(1)
	shows("oxne two|th" + caret + "ree|four|")
	a.Move(9)
	a.Move(-1)
	a.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y")})
	if a.Text() != "oxne two three\nyfour\n" {
		t.Errorf("%q", a.Text())
	}
	if len(a.Draw(th, 10, 1, true)) != 1 || a.Rows(10) != 4 {
		t.Errorf("%d rows", a.Rows(10))
	}
}
