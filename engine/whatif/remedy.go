package whatif

import (
	"context"
	"slices"

	"caliper/config"
	"caliper/engine"
)

// The bounds of the search for sessions.
const (
	maxSessionTrials = 8 // sessions searched in, with search active and without: a snapshot each
	maxSessions      = 3 // sessions offered
)

// remedies looks for changes that raise a tool to within the limit. Before it offers
// a change, it makes the changed search and checks that the search finds the tool.
type remedies struct {
	builder  *engine.Builder
	snapshot *engine.Snapshot
	answer   *Answer
}

// offer adds a remedy.
func (r *remedies) add(x Remedy) { r.answer.Remedies = append(r.answer.Remedies, x) }

// within searches a snapshot and returns the tool's rank when it is among the
// hits within the limit.
func (r *remedies) within(s *engine.Snapshot, query string, limit int) (rank int, ok bool) {
	for _, h := range s.Search(query, limit, 0).Hits {
		if h.Tool == r.answer.Tool {
			return h.Rank, h.Within
		}
	}
	return 0, false
}

// ranker offers the ranker that reads what the session's ranker does not read of the
// query, and the one that compares words and meanings where it leads higher.
func (r *remedies) ranker(ctx context.Context) error {
	best := r.answer.Limit + 1
	if r.answer.unread > 0 {
		reader, err := r.snapshot.Reader(ctx)
		if err != nil {
			return err
		}
		if rank, ok := r.within(reader, r.answer.Query, r.answer.Limit); ok {
			r.add(Remedy{Kind: RemedyRanker, Change: reader.Config.ToolSearch.Ranker, NewRank: rank})
			best = rank
		}
	}
	in := r.snapshot.Inputs()
	if r.answer.words && r.answer.means || r.snapshot.Host().Generation == "" || in.Config.ToolSearch.Ranker == config.RankerHybrid {
		return nil
	}
	in.Config.ToolSearch.Ranker = config.RankerHybrid
	hybrid, err := r.builder.Build(ctx, in)
	if err != nil {
		return err
	}
	if rank, ok := r.within(hybrid, r.answer.Query, r.answer.Limit); ok && rank < best {
		r.add(Remedy{Kind: RemedyRanker, Change: config.RankerHybrid, NewRank: rank})
	}
	return nil
}

// sessions offers the sessions that find the tool: first those in which search is
// active, then those that are sent the tool without a search. In each group, sessions
// with the fewest granted tools come first.
func (r *remedies) sessions(ctx context.Context) error {
	s := r.snapshot
	var names [2][]string // of the other sessions that are granted the tool: with search active, and without
	tools := map[string]int{}
	for _, session := range s.Config.Sessions {
		if err := ctx.Err(); err != nil {
			return err
		}
		granted := s.Grant(session)
		if session.Name == s.Session.Name || !granted[r.answer.Tool.Index] {
			continue
		}
		for _, is := range granted {
			if is {
				tools[session.Name]++
			}
		}
		group := 1
		if activation, _ := s.Decide(granted); activation.Active {
			group = 0
		}
		names[group] = append(names[group], session.Name)
	}
	for i, group := range names { // those alike in the order of the configuration
		slices.SortStableFunc(group, func(a, b string) int { return tools[a] - tools[b] })
		names[i] = group[:min(len(group), maxSessionTrials)]
	}
	offered := 0
	for _, name := range slices.Concat(names[:]...) {
		in := s.Inputs()
		in.Session = name
		other, err := r.builder.Build(ctx, in)
		if err != nil {
			return err
		}
		if rank, ok := r.within(other, r.answer.Query, r.answer.Limit); ok {
			r.add(Remedy{Kind: RemedySession, Change: name, NewRank: rank, Direct: !other.Active()})
			if offered++; offered == maxSessions {
				break
			}
		}
	}
	return nil
}
