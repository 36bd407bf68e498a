package cli

import "runtime/debug"

const (
	// leastRoom is the memory that a replay may take before garbage is collected more
	// often: 500 MB of logs are to take 250 MB at most, with what is no heap.
	leastRoom = 200 << 20
	// roomShare is the share of the bytes of larger logs that they may take instead, as
	// its inverse: more than their sessions, so that collecting never takes most of the
	// time.
	roomShare = 3
	// roomStep is how many bytes of logs are read until the room is set anew, which
	// stops all threads for a moment. Logs that are smaller need none.
	roomStep = 64 << 20
)

// room bounds the memory of the process while logs are read and computed.
type room struct {
	before int64 // the limit that was in force; 0 until it is changed
	steps  int
}

// read notes that so many bytes of logs were read.
func (r *room) read(bytes int) {
	if steps := bytes / roomStep; steps > r.steps {
		r.steps = steps
		if r.before == 0 {
			r.before = debug.SetMemoryLimit(-1) // which only asks
		}
		debug.SetMemoryLimit(min(r.before, max(leastRoom, int64(bytes)/roomShare)))
	}
}

// end puts back the limit that was in force.
func (r *room) end() {
	if r.before != 0 {
		debug.SetMemoryLimit(r.before)
	}
}
