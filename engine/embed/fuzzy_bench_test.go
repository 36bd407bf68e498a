package embed_test

import (
	"strings"
	"testing"

	"caliper/engine/internal/fixture"
)

var raceEnabled bool

// TestAllocations: a message costs its result and no more.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	tools := fixture.Tools(500, 1)
	x := index(t, tools)
	message := strings.Join(fixture.Queries(fixture.Mixed, 5, 2, tools), " ")
	scores(t, x, message, tools)
	if n := testing.AllocsPerRun(50, func() { scores(t, x, message, tools) }); n > 4 {
		t.Errorf("%v allocations", n)
	}
}
