//go:build linux

package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestIdle measures what the program costs while nobody does anything: time of
// the processor, and output.
func TestIdle(t *testing.T) {
	t.Parallel()
	const watched = 1500 * time.Millisecond
	most := 45 * time.Millisecond // 3 percent; the renderer looks sixty times a second
	if raceEnabled {
		most *= 4
	}
	x := start(t, newSite(t, 200).setup())
	x.Until("200 tools")
	x.search("crate")
	x.quiet(300 * time.Millisecond)
	before, written := x.used(), len(x.Output())
	<-time.After(watched)
	if used := x.used() - before; used > most {
		t.Errorf("used %v of the processor in %v", used, watched)
	}
	if more := x.Output()[written:]; more != "" {
		t.Errorf("wrote %q", more)
	}
}

// quiet waits until nothing was written for a while: timers of the start, such
// as a notice's, are over then.
func (x *terminal) quiet(while time.Duration) {
	x.t.Helper()
	deadline := time.After(patience)
	for {
		x.mu.Lock()
		changed := x.changed
		x.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(while):
			return
		case <-deadline:
			x.t.Fatal("output never ends")
		}
	}
}

// used returns the time of the processor that the program has used, to a
// hundredth of a second: proc(5), fields utime and stime of stat.
func (x *terminal) used() time.Duration {
	x.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", x.cmd.Process.Pid))
	if err != nil {
		x.t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ") // behind the name
	fields := strings.Fields(rest)
	const utime, stime = 14 - 3, 15 - 3 // the first of these fields is the third
	var ticks int
	for _, i := range []int{utime, stime} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			x.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
