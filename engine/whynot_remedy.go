package engine

import (
	"cmp"
	"context"
	"slices"
	"strconv"
)

// The bounds of the search for remedies.
const (
	maxWordTrials    = 256     // single words added to the query
	maxPairWords     = 24      // words that are added two at a time
	maxTrialText     = 1 << 22 // bytes of the queries tried in one go, unless that is fewer than minTrials
	minTrials        = 8
	maxLackingWords  = 8  // words of the query that are added to the description
	maxIndexes       = 16 // choices of them tried: an index each
	maxSessionTrials = 8  // sessions searched in: a snapshot each
	maxSessions      = 3  // sessions offered
)

// remedies looks for changes that bring a tool within the limit. Whatever it
// offers has been found by the very search that the change leads to.
type remedies struct {
	builder  *Builder
	snapshot *Snapshot
	asked    *WhyNot
}

// offer adds a remedy.
func (r *remedies) offer(kind RemedyKind, change string, rank int) {
	r.asked.Remedies = append(r.asked.Remedies, Remedy{Kind: kind, Change: change, NewRank: rank})
}

// all looks for remedies of every kind, in the order of the kinds.
func (r *remedies) all(ctx context.Context) error {
	if err := r.queryWord(ctx); err != nil {
		return err
	}
	if err := r.descriptionWords(ctx); err != nil {
		return err
	}
	r.limit()
	if err := r.sessions(ctx); err != nil {
		return err
	}
	r.name()
	return nil
}

// within searches a snapshot and returns the tool's rank when it is among the
// hits within the limit.
func (r *remedies) within(s *Snapshot, query string, limit int) (rank int, ok bool) {
	for _, h := range s.Search(query, limit, 0).Hits {
		if h.Tool == r.asked.Tool {
			return h.Rank, h.Within
		}
	}
	return 0, false
}

// limit offers the least limit that reaches the tool.
func (r *remedies) limit() {
	if r.asked.Rank == nil || *r.asked.Rank > r.snapshot.Config.ToolSearch.MaxLimit {
		return
	}
	if rank, ok := r.within(r.snapshot, r.asked.Query, *r.asked.Rank); ok {
		r.offer(RemedyLimit, strconv.Itoa(*r.asked.Rank), rank)
	}
}

// name offers the tool's name as the query.
func (r *remedies) name() {
	if rank, ok := r.within(r.snapshot, r.asked.Tool.Name, r.asked.Limit); ok {
		r.offer(RemedyName, r.asked.Tool.Name, rank)
	}
}

// sessions offers the sessions that find the tool, those granted the fewest
// tools first.
func (r *remedies) sessions(ctx context.Context) error {
	names, err := r.granting(ctx)
	if err != nil {
		return err
	}
	s, offered := r.snapshot, 0
	for _, name := range names[:min(len(names), maxSessionTrials)] {
		other, err := r.builder.Build(ctx, Inputs{Registry: s.Registry, Config: s.Config, Session: name, Tokenizer: s.Tokenizer, Ranking: &s.Ranking})
		if err != nil {
			return err
		}
		if rank, ok := r.within(other, r.asked.Query, r.asked.Limit); ok {
			r.offer(RemedySession, name, rank)
			if offered++; offered == maxSessions {
				break
			}
		}
	}
	return nil
}

// granting returns the names of the other sessions that are granted the tool,
// by how many tools they are granted, then in the order of the configuration.
func (r *remedies) granting(ctx context.Context) ([]string, error) {
	s := r.snapshot
	var names []string
	tools := map[string]int{}
	for _, session := range s.Config.Sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if session.Name == s.Session.Name {
			continue
		}
		granted := s.facts.scopes.grant(session)
		if !granted[r.asked.Tool.Index] {
			continue
		}
		names = append(names, session.Name)
		for _, g := range granted {
			if g {
				tools[session.Name]++
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(tools[a], tools[b]) })
	return names, nil
}
