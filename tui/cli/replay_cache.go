package cli

import (
	"runtime/debug"

	"caliper/engine/replay"
	"caliper/tui/cli/runner"
	"caliper/tui/report/replays"
)

// cacheJSON returns who broke the prefix of requests, and the remedies, for JSON. Servers and
// tools are those at which a prefix first differs; costs without a price are null. Each request is among it where that is asked for.
func cacheJSON(rep *replay.Report, each bool) runner.Object {
	c, id := &rep.Cache, idsOf(rep)
	sums := func(kind string, list []replay.BreakSum) []runner.Object {
		return runner.Array(list, func(s replay.BreakSum) runner.Object {
			return runner.Object{{kind, s.Name}, {"breaks", s.Breaks}, {"tokens", s.Tokens}, {"cost", s.Cost}}
		})
	}
	out := runner.Object{
		{"requests", c.Requests}, {"first_requests", c.First}, {"after_compaction", c.Compacted}, {"without_usage", c.Unknown}, {"could_read", c.Could}, {"read", c.Read}, {"billed_again", c.Again}, {"off_pct", c.OffPct()},
		{"breaks", runner.Each(c.Breaks, func(b replay.Break) runner.Object {
			return runner.Object{{"session", id(b.Session)}, {"request", b.Request}, {"cause", string(b.Cause)}, {"tool", runner.OrNull(b.Tool)}, {"server", runner.OrNull(b.Server)}, {"more_tools", runner.NotNull(b.Others)}, {"setting", runner.OrNull(b.Setting)},
				{"pause_s", int(b.Pause.Seconds())}, {"why", runner.OrNull(replays.BreakGap(b.Gap))}, {"tokens", b.Tokens}, {"cost", b.Cost}}
		})},
		{"causes", sums("cause", c.Causes)}, {"servers", sums("server", c.Servers)}, {"tools", sums("tool", c.Tools)},
		{"remedies", runner.Array(c.Remedies, func(m replay.Remedied) runner.Object {
			return runner.Object{{"remedy", string(m.Remedy)}, {"breaks_mended", m.Breaks}, {"requests", m.Requests}, {"tokens", m.Tokens.Input}, {"cached_tokens", m.Tokens.Cached}, {"written_tokens", m.Tokens.Written}, {"cost", m.Cost}}
		})},
	}
	if each {
		out = append(out, runner.Member{"each", runner.Each(c.Each, func(r replay.CacheRead) runner.Object {
			return runner.Object{{"session", id(r.Session)}, {"request", r.Request}, {"could_read", r.Could}, {"read", r.Read}}
		})})
	}
	return out
}

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
