package tui

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"caliper/tui/demo"
)

func TestNotice(t *testing.T) {
	t.Parallel()
	n := notices{}
	if _, ok := n.line(plainTheme(), 40, "!"); ok {
		t.Error("a notice before there is one")
	}
	if cmd := n.show(levelOk, "copied name (23 bytes)"); cmd == nil {
		t.Error("no command that ends the notice")
	}
	if line, ok := n.line(plainTheme(), 40, "!"); !ok || strings.TrimRight(line, " ") != "copied name (23 bytes)" {
		t.Errorf("line %q, %v", line, ok)
	}
	first := noticeExpiredMsg{n.gen}
	n.show(levelBad, "registry.json:17:3: unexpected end of input")
	n.expire(first)
	line, ok := n.line(plainTheme(), 60, "!")
	if !ok || !strings.HasPrefix(line, "error: registry.json:17:3") {
		t.Errorf("after the first expired: %q, %v", line, ok)
	}
	n.expire(noticeExpiredMsg{n.gen})
	if _, ok := n.line(plainTheme(), 60, "!"); ok {
		t.Error("the notice is still there")
	}
	if full, ok := n.full(); !ok || full != "registry.json:17:3: unexpected end of input" {
		t.Errorf("full text %q, %v", full, ok)
	}
}

func TestNoticeAnnouncesWhatItCannotHold(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"long": strings.Repeat("word ", 30), "several lines": "first\nsecond"} {
		n := notices{quiet: true}
		if n.show(levelInfo, text) != nil {
			t.Errorf("%s: a timer although quiet", name)
		}
		line, _ := n.line(plainTheme(), 40, "!")
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
		n := notices{}
		n.show(levelFlip, rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("word ·工\n")), 0, 200, -1)).Draw(t, "text"))
		w := rapid.IntRange(len(" esc"), 150).Draw(t, "w")
		line, _ := n.line(plainTheme(), w, "!")
		line = strings.TrimRight(line, " ")
		if w >= len(" esc hide") && !strings.HasSuffix(line, " esc hide") || !strings.Contains(line, " esc") {
			t.Fatalf("in %d cells: %q", w, line)
		}
	})
}

func TestFlipShowsItsKeyInEverySize(t *testing.T) {
	t.Parallel()
	config := strings.Replace(string(demo.Config()), "threshold_pct: 10", "threshold_pct: 16", 1)
	for _, tc := range []struct {
		w, h int
		want string
	}{
		{120, 36, "warning: config reloaded · search is now OFF in default, support-desk esc hide"},
		{80, 24, "warning: config reloaded · search is now OFF in default, support-desk esc hide"},
		{40, 10, "warning: config reloaded… ! all esc hide"},
	} {
		t.Run(fmt.Sprintf("%dx%d", tc.w, tc.h), func(t *testing.T) {
			d := explorer(t, tc.w, tc.h)
			d.reload(ConfigPart, config)
			lines := strings.Split(strings.TrimRight(d.Screen(), "\n"), "\n")
			if got := strings.TrimSpace(lines[len(lines)-1]); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
			d.Press("esc").lacks("esc hide", "warning: ")
		})
	}
}

func TestNoticeLineIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := notices{quiet: true}
		n.show(level(rapid.IntRange(0, int(levelFlip)).Draw(t, "level")), rapid.String().Draw(t, "text"))
		w := rapid.IntRange(0, 60).Draw(t, "w")
		line, _ := n.line(NewTheme(Look{}), w, "!")
		if got := ansi.StringWidth(line); got != w {
			t.Fatalf("%q has %d cells, want %d", line, got, w)
		}
	})
}

// TestDurationIsOfReading: how long a load took is said of files that were
// read, and not of what a key asked for.
func TestDurationIsOfReading(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	now, clock := opt.Now(), &sync.Mutex{}
	opt.Now = func() time.Time {
		clock.Lock()
		defer clock.Unlock()
		now = now.Add(12 * time.Millisecond)
		return now
	}
	d := startExplorer(t, opt, 120, 36)
	d.Press("alt+3", "x").wants("nothing is ever run").lacks(" · in ")
	d.reload(ConfigPart, string(demo.Config())+"\n# comment\n")
	d.wants("config reloaded · in ")
}
