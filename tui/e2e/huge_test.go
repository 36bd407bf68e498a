//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHugeRegistry reloads 100,000 tools while somebody types.
func TestHugeRegistry(t *testing.T) {
	if !*slow {
		t.Skip("-slow runs it")
	}
	// fluid is how long a character may take to its echo, also where other tests have the machine:
	// less than a reload that a key waits for.
	const fluid = 2 * time.Second
	const size = 100_000
	s := newSite(t, 1)
	tools := depot(size)
	for i := range tools {
		tools[i]["function"].(object)["name"] = fmt.Sprintf("mcp_depot_move_crate_%06d", i)
	}
	write(t, s.registry, dump(tools))
	x := start(t, s.setup("--no-state"))
	x.Until("depot.json", "reading")
	x.search("shelf")
	x.UntilFunc("all tools", func(s screen) bool { return strings.Contains(s.lines[0], "100,000 tools") })
	write(t, s.registry, dump(tools[:size-1]))
	worst, typed := time.Duration(0), 0
	for !strings.Contains(x.Screen().lines[0], "99,999 tools") {
		began := time.Now()
		x.Type("x")
		x.untilQuery("shelfx")
		x.Key("backspace")
		x.untilQuery("shelf")
		worst = max(worst, time.Since(began)/2)
		if typed++; typed > 100_000 {
			t.Fatalf("no reload:\n%s", x.Screen())
		}
	}
	t.Logf("the slowest of %d keys took %v", 2*typed, worst)
	if worst > fluid {
		t.Errorf("a key took %v, want at most %v", worst, fluid)
	}
}
