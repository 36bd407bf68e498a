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
	if n.Draw(plainTheme(), 40, 1, "!") != nil {
		t.Error("a notice before there is one")
	}
	if cmd := n.Show(LevelOk, "copied name (23 bytes)"); cmd == nil {
		t.Error("no command that ends the notice")
	}
	if lines := n.Draw(plainTheme(), 40, 4, "!"); len(lines) != 1 || strings.TrimSpace(lines[0]) != "copied name (23 bytes)" {
		t.Errorf("%q", lines)
	}
	first := NoticeExpiredMsg(n.Gen)
	n.Show(LevelBad, "registry.json:17:3: unexpected end of input")
	n.Expire(first)
	if lines := n.Draw(plainTheme(), 60, 4, "!"); len(lines) != 1 || !strings.HasPrefix(lines[0], " error: registry.json:17:3") {
		t.Errorf("after the first expired: %q", lines)
	}
	n.Expire(NoticeExpiredMsg(n.Gen))
	if n.Draw(plainTheme(), 60, 4, "!") != nil {
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
	for name, text := range map[string]string{"long": strings.Repeat("word ", 30), "several lines": "first\nsecond\nthird"} {
		n := Notices{Quiet: true}
		if n.Show(LevelInfo, text) != nil {
			t.Errorf("%s: a timer although quiet", name)
		}
		lines := n.Draw(plainTheme(), 40, 2, "!")
		if len(lines) != 2 || !strings.HasSuffix(strings.TrimRight(lines[1], " "), "! all") {
			t.Errorf("%s: %q", name, lines)
		}
	}
}

// Whatever it says, in every terminal that is drawn, a notice has the lines and cells that it may
// have, and one that does not go away by itself shows what makes it.
func TestNoticeFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := Notices{}
		level := Level(rapid.IntRange(0, int(LevelFlip)).Draw(t, "level"))
		timed := n.Show(level, rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("word ·工\n")), 0, 200, -1)).Draw(t, "text")) != nil
		w, most := rapid.IntRange(40, 150).Draw(t, "w"), rapid.IntRange(1, 4).Draw(t, "most")
		lines := n.Draw(plainTheme(), w, most, "!")
		if len(lines) > most || timed == (level == LevelFlip) {
			t.Fatalf("%d lines, %d at the most; goes away %t", len(lines), most, timed)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got != w {
				t.Fatalf("%q has %d cells, want %d", line, got, w)
			}
		}
		if level == LevelFlip && !strings.HasSuffix(strings.TrimRight(lines[len(lines)-1], " "), " esc hide") {
			t.Fatalf("in %d cells: %q", w, lines)
		}
	})
}
