package whatif

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/model"
)

// Entry is what a change does to the place of a tool among the hits of a query, and which
// tool pays for it.
type Entry struct {
	RankBefore, RankAfter int         // of the tool, 0 for none
	Enters                bool        // it is within the limit after the change and was not before
	Displaced             *model.Tool // the best ranked tool that falls below the limit for that; nil for none
}

// Entry returns what the edits do to the place of a tool of the snapshot. The error is
// ctx's.
func (t *Trial) Entry(ctx context.Context, query string, tool *model.Tool, limit int) (Entry, error) {
	after, _, err := t.Rank(ctx, query, tool)
	if err != nil {
		return Entry{}, err
	}
	return entry(t.snapshot, query, tool, limit, after, func() (engine.Results, error) { return t.Search(ctx, query, limit) })
}

// EntryBy returns what another snapshot of the same registry does to the place of a tool,
// such as one with another ranker.
func EntryBy(s, other *engine.Snapshot, query string, tool *model.Tool, limit int) Entry {
	after, _, _ := other.Rank(query, tool)
	e, _ := entry(s, query, tool, limit, after, func() (engine.Results, error) { return other.Search(query, limit, 0), nil })
	return e
}

// entry compares the rank of a tool in a snapshot with the one after a change, and where the
// tool enters also the hits.
func entry(s *engine.Snapshot, query string, tool *model.Tool, limit, after int, search func() (engine.Results, error)) (Entry, error) {
	e := Entry{RankAfter: after}
	e.RankBefore, _, _ = s.Rank(query, tool)
	within := func(rank int) bool { return rank > 0 && rank <= limit }
	if e.Enters = within(e.RankAfter) && !within(e.RankBefore); !e.Enters {
		return e, nil
	}
	found, err := search()
	if left := fallen(s.Search(query, limit, 0), found, limit); len(left) > 0 {
		e.Displaced = left[0]
	}
	return e, err
}

// fallen returns the tools that are within a limit before a change and not after it, the
// best first.
func fallen(before, after engine.Results, limit int) []*model.Tool {
	var out []*model.Tool
	left := after.Hits[:min(len(after.Hits), limit)]
	for _, h := range before.Hits[:min(len(before.Hits), limit)] {
		if !slices.ContainsFunc(left, func(l engine.Hit) bool { return l.Tool == h.Tool }) {
			out = append(out, h.Tool)
		}
	}
	return out
}
