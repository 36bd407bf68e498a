package diff

import (
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
)

// QueryChange is a labelled query whose hits within the limit are not the
// same, or not in the same order, in two snapshots.
type QueryChange struct {
	ID      string
	Text    string
	Ranks   []RankChange // of its relevant tools, in the order of the label
	More    int          // relevant tools that Diff.Head has left out
	Entered []string     // qualified names that are within the limit only in the new snapshot, best first
	Left    []string     // and only in the old one
}

// RankChange is the rank of a relevant tool among all that a query finds, in
// two snapshots; 0: the query does not find it, or it is not in the catalog.
// Of several tools that bear the name the best counts.
//
// It is a regression when the tool was within the limit and no longer is:
// Old is 1 to the old limit, and New is beyond the new limit or 0. A tool that
// has become a core tool is no regression, for the model now always has it.
// It is regained when the same holds with old and new exchanged.
type RankChange struct {
	Tool      string // as the label names it
	Old, New  int
	Regressed bool
	Regained  bool
	Gated     *GatedReason // of a tool that crossed the limit; nil when not known
}

// compareQuery asks both snapshots. changed is false when their hits within
// the limit are the same.
func compareQuery(old, new *engine.Snapshot, q labels.Query) (c QueryChange, changed bool) {
	old, _ = old.Untaught(q.Lesson())
	new, _ = new.Untaught(q.Lesson())
	was, now := within(old, q.Text), within(new, q.Text)
	if slices.Equal(was, now) {
		return QueryChange{}, false
	}
	c = QueryChange{ID: q.ID, Text: q.Text, Entered: without(now, was), Left: without(was, now)}
	for _, name := range q.Relevant {
		r := RankChange{Tool: name, Old: bestRank(old, q.Text, name), New: bestRank(new, q.Text, name)}
		wasWithin := r.Old > 0 && r.Old <= len(was)
		isWithin := r.New > 0 && r.New <= len(now)
		r.Regressed = wasWithin && !isWithin && !alwaysSent(new, name)
		r.Regained = isWithin && !wasWithin && !alwaysSent(old, name)
		if r.Regressed || r.Regained {
			r.Gated = gatedReason(old, new, q.Text, name)
		}
		c.Ranks = append(c.Ranks, r)
	}
	return c, true
}

// within returns the qualified names of the tools that the model gets for a
// query, best first.
func within(s *engine.Snapshot, query string) []string {
	found := s.Search(query, 0, 0)
	names := make([]string, len(found.Hits))
	for i, h := range found.Hits {
		names[i] = h.Tool.Qualified
	}
	return names
}

// bestRank returns the best rank of the tools that bear a name, 0 for none.
func bestRank(s *engine.Snapshot, query, name string) int {
	best := 0
	for _, t := range s.Registry.Called(name) {
		if rank, _, ok := s.Rank(query, t); ok && (best == 0 || rank < best) {
			best = rank
		}
	}
	return best
}

// alwaysSent reports whether a core tool of the session bears a name.
func alwaysSent(s *engine.Snapshot, name string) bool {
	return slices.ContainsFunc(s.Registry.Called(name), func(t *model.Tool) bool {
		return s.Granted(t) && s.Class(t) == engine.Visible
	})
}

// without returns the names of a that b lacks, in the order of a.
func without(a, b []string) []string {
	var out []string
	for _, name := range a {
		if !slices.Contains(b, name) {
			out = append(out, name)
		}
	}
	return out
}

// RankedHit is a hit of a query in one snapshot, with its rank in another.
type RankedHit struct {
	Tool   string // qualified name
	Rank   int    // from 1
	Other  int    // rank of the tool with the same qualified name in the other snapshot; 0 for none
	Within bool   // within the limit
}

// Hits returns the first depth hits of a query in two snapshots, or as many as the
// limit when that is more, best first. Tools are compared by qualified name.
func Hits(old, new *engine.Snapshot, query string, depth int) (was, is []RankedHit) {
	hits := func(s, other *engine.Snapshot) []RankedHit {
		list := []RankedHit{}
		for _, h := range s.Search(query, 0, depth).Hits {
			hit := RankedHit{Tool: h.Tool.Qualified, Rank: h.Rank, Within: h.Within}
			if t := other.Registry.Named(h.Tool.Qualified); t != nil {
				if rank, _, ok := other.Rank(query, t); ok {
					hit.Other = rank
				}
			}
			list = append(list, hit)
		}
		return list
	}
	return hits(old, new), hits(new, old)
}
