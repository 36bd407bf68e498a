package replay

import (
	"fmt"
	"testing"

	"caliper/engine/replay"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
)

// BenchmarkLines builds the lines of a view on a log of many sessions, as the first picture
// and a new filter do.
func BenchmarkLines(b *testing.B) {
	rep := &replay.Report{Limit: 5, Rankers: []string{"bm25", "fielded"}}
	tool := &model.Tool{Name: "list_tax_line", Qualified: "mcp__ledgerly__list_tax_line"}
	for i := range 10_000 {
		rep.Sessions = append(rep.Sessions, replay.Session{ID: fmt.Sprintf("%08x-7c1e-7d10-9b2a-6f5d1f3c8e42", i*7919), Agent: transcript.Claude, Model: "claude-sable-5", File: fmt.Sprintf("/home/u/.claude/projects/p/%d.jsonl", i), Logged: &transcript.Usage{Input: i},
			Strategies: []replay.Row{{Strategy: selection.Eager}, {Strategy: selection.ToolSearch}}})
		rep.Calls = append(rep.Calls, replay.Call{Session: i, Name: tool.Name, Tool: tool, Ranks: []int{7, 0}, Status: replay.Below, Query: "where does the tax of last quarter stand", Searches: []string{"tax"}})
		rep.Chains = append(rep.Chains, replay.Chain{Session: i, Searches: []string{"tax", "tax line", "list tax"}, Called: tool, Known: true, Burnt: i})
		rep.Verdict.Missed, rep.Verdict.Loops = append(rep.Verdict.Missed, i), append(rep.Verdict.Loops, i)
	}
	s := &Screen{report: newReplayed(rep, replay.Inputs{})}
	for v, name := range map[view]string{viewSessions: "sessions", viewMisses: "misses"} {
		for _, filter := range []string{"", "nothing has this"} {
			b.Run(fmt.Sprintf("%s/%q", name, filter), func(b *testing.B) {
				b.ReportAllocs()
				s.view, s.filter = v, filter
				for b.Loop() {
					s.build(118)
				}
			})
		}
	}
}
