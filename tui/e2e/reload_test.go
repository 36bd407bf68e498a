//go:build unix

package e2e

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"caliper/model/require"
)

var (
	toolCount = regexp.MustCompile(`(\d+) tools? `)
	reloaded  = regexp.MustCompile(`(\d+) → (\d+) tools?`)
)

// TestReloadRegistry: each save is shown once, and no screen between lacks the hits. The
// other ways in which programs save are tested in package watch.
func TestReloadRegistry(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	x := start(t, s.setup())
	x.Until("30 tools")
	x.search("crate")
	var counts, arrows []string // of tools in the header, and of the notices of reloads
	x.Each(func(s screen) {
		if !s.Has("mcp_depot_") || s.Has("STALE") {
			t.Errorf("a screen without hits, or with STALE:\n%s", s)
		}
		if s.whole { // else a number may be half drawn
			counts = append(counts, toolCount.FindString(s.lines[0]))
			arrows = append(arrows, reloaded.FindString(s.String()))
		}
	})
	for _, n := range []int{31, 32, 33} {
		write(t, s.registry+".tmp", dump(depot(n)))
		require.NoError(t, os.Rename(s.registry+".tmp", s.registry))
		x.Until(strconv.Itoa(n) + " tools ")
	}
	x.Each(nil)
	seen := func(all []string) []string {
		return slices.Compact(slices.DeleteFunc(all, func(s string) bool { return s == "" }))
	}
	if got, want := seen(counts), []string{"30 tools ", "31 tools ", "32 tools ", "33 tools "}; !slices.Equal(got, want) && !slices.Equal(got, want[1:]) {
		t.Errorf("showed %q, want %q", got, want)
	}
	if got, want := seen(arrows), []string{"30 → 31 tools", "31 → 32 tools", "32 → 33 tools"}; !slices.Equal(got, want) {
		t.Errorf("reloads %q, want %q", got, want)
	}
}
