package tui

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often, but for benchmarks: the scenes load the demo hundreds of
// times, and a sixth of their time went into collections.
func TestMain(m *testing.M) {
	if flag.Parse(); flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
