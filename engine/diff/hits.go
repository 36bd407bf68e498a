package diff

import (
	"caliper/engine"
)

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
	return rankedHits(old, new, query, depth), rankedHits(new, old, query, depth)
}

// rankedHits returns the hits of one snapshot.
func rankedHits(s, other *engine.Snapshot, query string, depth int) []RankedHit {
	found := s.Search(query, 0, depth)
	list := make([]RankedHit, len(found.Hits))
	for i, h := range found.Hits {
		list[i] = RankedHit{Tool: h.Tool.Qualified, Rank: h.Rank, Within: h.Within}
		if t := other.Registry.Named(h.Tool.Qualified); t != nil {
			if rank, _, ok := other.Rank(query, t); ok {
				list[i].Other = rank
			}
		}
	}
	return list
}
