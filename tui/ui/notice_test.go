package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestNotice(t *testing.T) {
	t.Parallel()
	n := Notices{}
	if _, ok := n.Line(plainTheme(), 40, "!"); ok {
		t.Error("a notice before there is one")
	}
	if cmd := n.Show(LevelOk, "copied name (23 bytes)"); cmd == nil {
		t.Error("no command that ends the notice")
	}
	if line, ok := n.Line(plainTheme(), 40, "!"); !ok || strings.TrimRight(line, " ") != "copied name (23 bytes)" {
		t.Errorf("line %q, %v", line, ok)
	}
	first := NoticeExpiredMsg{n.Gen}
	n.Show(LevelBad, "registry.json:17:3: unexpected end of input")
	n.Expire(first)
	line, ok := n.Line(plainTheme(), 60, "!")
	if !ok || !strings.HasPrefix(line, "error: registry.json:17:3") {
		t.Errorf("after the first expired: %q, %v", line, ok)
	}
	n.Expire(NoticeExpiredMsg{n.Gen})
	if _, ok := n.Line(plainTheme(), 60, "!"); ok {
		t.Error("the notice is still there")
	}
	if past := n.Past(); len(past) != 2 || past[0].String() != "error: registry.json:17:3: unexpected end of input" {
		t.Errorf("the last notices are %q", past)
	}
	for range 3 * keptNotices {
		n.Show(LevelInfo, "held down")
	}
	if past := n.Past(); len(past) != 3 || past[2].String() != "copied name (23 bytes)" {
		t.Errorf("a notice that is shown again pushes out others: %q", past)
	}
}

func TestNoticeAnnouncesWhatItCannotHold(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"long": strings.Repeat("word ", 30), "several lines": "first\nsecond"} {
		n := Notices{Quiet: true}
		if n.Show(LevelInfo, text) != nil {
			t.Errorf("%s: a timer although quiet", name)
		}
		line, _ := n.Line(plainTheme(), 40, "!")
		if !strings.HasSuffix(strings.TrimRight(line, " "), "! all") {
			t.Errorf("%s: %q", name, line)
		}
	}
}

// TestNoticeThatStaysShowsItsKey: whatever it says and however narrow the line,
// a notice that does not go away by itself shows what makes it.
func TestNoticeThatStaysShowsItsKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := Notices{}
		if n.Show(LevelFlip, rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("word ·工\n")), 0, 200, -1)).Draw(t, "text")) != nil {
			t.Fatal("it goes away by itself")
		}
		w := rapid.IntRange(len(" esc"), 150).Draw(t, "w")
		line, _ := n.Line(plainTheme(), w, "!")
		line = strings.TrimRight(line, " ")
		if w >= len(" esc hide") && !strings.HasSuffix(line, " esc hide") || !strings.Contains(line, " esc") {
			t.Fatalf("in %d cells: %q", w, line)
		}
	})
}

func TestNoticeLineIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := Notices{Quiet: true}
		n.Show(Level(rapid.IntRange(0, int(LevelFlip)).Draw(t, "level")), rapid.String().Draw(t, "text"))
		w := rapid.IntRange(0, 60).Draw(t, "w")
		line, _ := n.Line(NewTheme(Look{}), w, "!")
		if got := ansi.StringWidth(line); got != w {
			t.Fatalf("%q has %d cells, want %d", line, got, w)
		}
	})
}
