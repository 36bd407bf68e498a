package whatif

import (
	"cmp"
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
	asked    *Answer
}

// offer adds a remedy.
func (r *remedies) offer(x Remedy) { r.asked.Remedies = append(r.asked.Remedies, x) }

// within searches a snapshot and returns the tool's rank when it is among the
// hits within the limit.
func (r *remedies) within(s *engine.Snapshot, query string, limit int) (rank int, ok bool) {
	for _, h := range s.Search(query, limit, 0).Hits {
		if h.Tool == r.asked.Tool {
			return h.Rank, h.Within
		}
	}
	return 0, false
}

// ranker offers the ranker that reads what the session's ranker does not read of the
// query, and the one that compares words and meanings where it leads higher.
func (r *remedies) ranker(ctx context.Context) error {
	best := r.asked.Limit + 1
	if r.asked.unread > 0 {
		reader, err := r.snapshot.Reader(ctx)
		if err != nil {
			return err
		}
		if rank, ok := r.within(reader, r.asked.Query, r.asked.Limit); ok {
			r.offer(Remedy{Kind: RemedyRanker, Change: reader.Config.ToolSearch.Ranker, NewRank: rank})
			best = rank
		}
	}
	in := r.snapshot.Inputs()
	if r.asked.words && r.asked.means || r.snapshot.Host().Generation == "" || in.Config.ToolSearch.Ranker == config.RankerHybrid {
		return nil
	}
	in.Config.ToolSearch.Ranker = config.RankerHybrid
	hybrid, err := r.builder.Build(ctx, in)
	if err != nil {
		return err
	}
	if rank, ok := r.within(hybrid, r.asked.Query, r.asked.Limit); ok && rank < best {
		r.offer(Remedy{Kind: RemedyRanker, Change: config.RankerHybrid, NewRank: rank})
	}
	return nil
}

// sessions offers the sessions that find the tool: first those in which search is
// active, then those that are sent the tool without a search. In each group, sessions
// with the fewest granted tools come first.
func (r *remedies) sessions(ctx context.Context) error {
	granting, err := r.granting(ctx)
	if err != nil {
		return err
	}
	s, offered := r.snapshot, 0
	tried := map[bool]int{}
	for _, g := range granting {
		if tried[g.active]++; tried[g.active] > maxSessionTrials {
			continue
		}
		in := s.Inputs()
		in.Session = g.name
		other, err := r.builder.Build(ctx, in)
		if err != nil {
			return err
		}
		if rank, ok := r.within(other, r.asked.Query, r.asked.Limit); ok {
			r.offer(Remedy{Kind: RemedySession, Change: g.name, NewRank: rank, Direct: !other.Active()})
			if offered++; offered == maxSessions {
				break
			}
		}
	}
	return nil
}

// granting is a session that is granted the tool.
type granting struct {
	name   string
	tools  int  // that it is granted
	active bool // search is, in it
}

// granting returns the other sessions that are granted the tool, in the order
// in which they are tried, those alike in the order of the configuration.
func (r *remedies) granting(ctx context.Context) ([]granting, error) {
	s := r.snapshot
	var out []granting
	for _, session := range s.Config.Sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if session.Name == s.Session.Name {
			continue
		}
		granted := s.Grant(session)
		if !granted[r.asked.Tool.Index] {
			continue
		}
		g := granting{name: session.Name}
		for _, is := range granted {
			if is {
				g.tools++
			}
		}
		activation, _ := s.Decide(granted)
		g.active = activation.Active
		out = append(out, g)
	}
	slices.SortStableFunc(out, func(a, b granting) int {
		if a.active != b.active {
			if a.active {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.tools, b.tools)
	})
	return out, nil
}
