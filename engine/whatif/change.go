package whatif

import (
	"slices"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/model"
)

// ranksOfChange ranks by the index of the snapshot, when the edited catalog differs
// from the snapshot's in one tool at most; nil when it does not, or when the ranker
// needs an index of the edited catalog.
func (t *Trial) ranksOfChange() *ranks {
	s := t.snapshot
	c, edited, some := t.change()
	switch {
	case len(t.edited) > 1:
		return nil
	case !some:
		return ranksOfSnapshot(s)
	}
	ranker, ok := s.Edited(c)
	if !ok {
		return nil
	}
	added := len(s.Catalog()) // the document of a tool that was not in the catalog
	return &ranks{
		of: func(query string, tool *model.Tool) (int, float64) {
			doc, ok := s.Document(tool)
			if !ok {
				if tool != edited {
					return 0, 0
				}
				doc = added
			}
			rank, score, _ := ranker.Rank(query, doc)
			return rank, score
		},
		search: func(query string, k int) (retrieval.Result, int) {
			return ranker.Search(query, k), ranker.Scored(query)
		},
		tool: func(doc int) *model.Tool {
			if doc == added {
				return edited
			}
			return s.Catalog()[doc]
		},
	}
}

// ranksOfSnapshot ranks as the snapshot does.
func ranksOfSnapshot(s *engine.Snapshot) *ranks {
	return &ranks{
		untaught: func(l learned.Lesson) *ranks {
			untaught, _ := s.Untaught(l)
			return ranksOfSnapshot(untaught)
		},
		of: func(query string, tool *model.Tool) (int, float64) {
			rank, score, _ := s.Rank(query, tool)
			return rank, score
		},
		search: func(query string, k int) (found retrieval.Result, scored int) {
			r := s.Search(query, 0, k)
			for _, h := range r.Hits[:min(k, len(r.Hits))] {
				doc, _ := s.Document(h.Tool)
				found.Hits = append(found.Hits, retrieval.Hit{Doc: doc, Score: h.Score})
			}
			found.Fallback = r.Fallback
			return found, r.Scored
		},
		tool: func(doc int) *model.Tool { return s.Catalog()[doc] },
	}
}

// change returns what the edit of one tool changes in the catalog, and the tool of
// the registry that is edited; ok is false when nothing is changed.
func (t *Trial) change() (c retrieval.Change, edited *model.Tool, ok bool) {
	for old, changed := range t.edited {
		doc, in := t.snapshot.Document(old)
		switch {
		case in && changed != nil && changed.Name == old.Name:
			return retrieval.Change{Doc: doc, Tool: changed, Before: doc}, old, true
		case t.moves(old, changed):
			before, _ := slices.BinarySearchFunc(t.snapshot.Catalog(), changed, compareTools)
			if !in {
				doc = -1
			}
			return retrieval.Change{Doc: doc, Tool: changed, Before: before}, old, true
		case in:
			return retrieval.Change{Doc: doc}, old, true
		}
	}
	return retrieval.Change{}, nil, false
}
