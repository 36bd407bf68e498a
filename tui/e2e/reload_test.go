//go:build unix

package e2e

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"

	"caliper/model/require"
)

var (
	toolCount = regexp.MustCompile(`(\d+) tools? `)
	reloaded  = regexp.MustCompile(`(\d+) → (\d+) tools?`)
)

// record is the things that a terminal showed while files changed.
type record struct {
	mu     sync.Mutex
	counts []int    // of tools in the header, each other than the one before
	arrows []string // of the notices of reloads, likewise
	blank  string   // a screen without hits
	stale  bool     // STALE was shown
}

// recording records the screens from now on. Every screen has to show a
// text.
func (x *terminal) recording(always string) *record {
	r := &record{}
	x.Each(func(s screen) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !s.Has(always) && r.blank == "" {
			r.blank = s.String()
			if r.blank == "" {
				r.blank = "nothing at all"
			}
		}
		r.stale = r.stale || s.Has("STALE")
		if !s.whole {
			return // a number may be half drawn
		}
		if m := toolCount.FindStringSubmatch(s.lines[0]); m != nil {
			n, _ := strconv.Atoi(m[1])
			r.counts = appendOther(r.counts, n)
		}
		if m := reloaded.FindString(s.String()); m != "" {
			r.arrows = appendOther(r.arrows, m)
		}
	})
	return r
}

// appendOther appends a value unless it is the last one.
func appendOther[T comparable](list []T, v T) []T {
	if len(list) > 0 && list[len(list)-1] == v {
		return list
	}
	return append(list, v)
}

// TestReloadRegistry: each save is shown once, and no screen between lacks the hits. The
// other ways in which programs save are tested in package watch.
func TestReloadRegistry(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	x := start(t, s.setup())
	x.Until("30 tools")
	x.search("crate")
	r := x.recording("mcp_depot_")
	for _, n := range []int{31, 32, 33} {
		write(t, s.registry+".tmp", dump(depot(n)))
		require.NoError(t, os.Rename(s.registry+".tmp", s.registry))
		x.Until(strconv.Itoa(n) + " tools ")
	}
	x.Each(nil)
	if want := []int{31, 32, 33}; !slices.Equal(slices.DeleteFunc(r.counts, func(n int) bool { return n == 30 }), want) {
		t.Errorf("showed %v tools, want %v", r.counts, want)
	}
	if want := []string{"30 → 31 tools", "31 → 32 tools", "32 → 33 tools"}; !slices.Equal(r.arrows, want) {
		t.Errorf("reloads %q, want %q", r.arrows, want)
	}
	if r.stale {
		t.Error("STALE was shown")
	}
	if r.blank != "" {
		t.Errorf("a screen without hits was shown:\n%s", r.blank)
	}
}
