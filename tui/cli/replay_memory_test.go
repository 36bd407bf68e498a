package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestRoom: small logs change nothing, large ones bound the memory, larger ones get more,
// never more than the user allows, and in the end all is as before.
func TestRoom(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	before := limit()
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for _, c := range []struct {
		users int64
		bytes int
		want  int64
	}{
		{math.MaxInt64, roomStep - 1, math.MaxInt64},
		{math.MaxInt64, roomStep, leastRoom},
		{math.MaxInt64, 500 << 20, leastRoom},
		{math.MaxInt64, 3 << 30, (3 << 30) / roomShare},
		{100 << 20, 500 << 20, 100 << 20},
	} {
		debug.SetMemoryLimit(c.users)
		var r room
		r.read(c.bytes / 2)
		r.read(c.bytes)
		if got := limit(); got != c.want {
			t.Errorf("%d bytes: %d, want %d", c.bytes, got, c.want)
		}
		if r.end(); limit() != c.users {
			t.Errorf("%d bytes: in the end %d, want %d", c.bytes, limit(), c.users)
		}
	}
}
