package tui

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/tui/demo"
	"caliper/tui/screen"
)

func TestFlipShowsItsKeyInEverySize(t *testing.T) {
	t.Parallel()
	config := strings.Replace(string(demo.Config()), "threshold_pct: 10", "threshold_pct: 16", 1)
	for _, tc := range []struct {
		w, h int
		want string // blanks between notice and help counted once
	}{
		{120, 36, "warning: config reloaded · search is now OFF in default, support-desk esc hide ? help"},
		{80, 24, "warning: config reloaded · search is now OFF in default,… ! all esc hide ? help"},
		{40, 10, "warning: config reloaded… ! all esc hide"},
	} {
		t.Run(fmt.Sprintf("%dx%d", tc.w, tc.h), func(t *testing.T) {
			d := explorer(t, tc.w, tc.h).Press("tab") // out of the text, where ! is a key
			d.reload(screen.ConfigFile, config)
			lines := strings.Split(strings.TrimRight(d.Screen(), "\n"), "\n")
			if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
			d.Press("esc").lacks("esc hide", "warning: ")
		})
	}
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
	d.Press("esc", "s", "down", "enter").wants(" granted").lacks(" · in ")
	d.reload(screen.ConfigFile, string(demo.Config())+"\n# comment\n")
	d.wants("config reloaded · in ")
}
