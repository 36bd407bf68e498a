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
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := explorer(t, size[0], size[1]).Press("tab") // out of the text, where ! is a key
			d.reload(screen.ConfigFile, config)
			want := "warning: config reloaded · search is now OFF in default, support-desk · tools.tool_search.thre"
			got := strings.Join(strings.Fields(d.Screen()), " ")
			if !strings.Contains(got, want) || !strings.Contains(got, " esc hide") || !strings.Contains(got, "? help") {
				t.Errorf("%q, want %q, the key that hides it and the help", got, want)
			}
			d.Press("esc").lacks("esc hide", "warning: ", "nothing to go back to")
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
