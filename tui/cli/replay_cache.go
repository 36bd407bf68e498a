package cli

import (
	"caliper/engine/replay"
	"caliper/tui/cli/runner"
	"caliper/tui/report/replays"
)

// cacheJSON returns who broke the prefix of requests, and the remedies, for JSON. Servers and
// tools are those at which a prefix first differs; costs without a price are null.
func cacheJSON(rep *replay.Report) runner.Object {
	c := &rep.Cache
	sums := func(kind string, list []replay.BreakSum) []runner.Object {
		return runner.Array(list, func(s replay.BreakSum) runner.Object {
			return runner.Object{{kind, s.Name}, {"breaks", s.Breaks}, {"tokens", s.Tokens}, {"cost", s.Cost}}
		})
	}
	return runner.Object{
		{"requests", c.Requests}, {"first_requests", c.First}, {"after_compaction", c.Compacted}, {"without_usage", c.Unknown}, {"could_read", c.Could}, {"read", c.Read}, {"billed_again", c.Again}, {"off_pct", c.OffPct()},
		{"breaks", runner.Elements(func(yield func(runner.Object) bool) {
			last, id := -1, "" // the session of the last break
			for _, b := range c.Breaks {
				if b.Session != last {
					last, id = b.Session, rep.Session(b.Session).ID
				}
				if !yield(runner.Object{{"session", id}, {"request", b.Request}, {"cause", string(b.Cause)}, {"tool", runner.OrNull(b.Tool)}, {"server", runner.OrNull(b.Server)}, {"more_tools", b.More}, {"setting", runner.OrNull(b.Setting)},
					{"pause_s", int(b.Pause.Seconds())}, {"why", runner.OrNull(replays.BreakGap(b.Gap))}, {"tokens", b.Tokens}, {"cost", b.Cost}}) {
					return
				}
			}
		})},
		{"causes", sums("cause", c.Causes)}, {"servers", sums("server", c.Servers)}, {"tools", sums("tool", c.Tools)},
		{"remedies", runner.Array(c.Remedies, func(m replay.Remedied) runner.Object {
			return runner.Object{{"remedy", string(m.Remedy)}, {"breaks", m.Breaks}, {"requests", m.Requests}, {"tokens", m.Tokens.Input}, {"cached_tokens", m.Tokens.Cached}, {"written_tokens", m.Tokens.Written}, {"cost", m.Cost}}
		})},
	}
}
