package cli

import (
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
