package trial

import (
	"slices"

	"caliper/engine/retrieval"
	"caliper/model"
)

// ranksOfChange ranks by the index of the snapshot, when the edited catalog differs
// from the snapshot's in one tool at most; nil when it does not, or when the ranker
// needs an index of the edited catalog.
func (t *Trial) ranksOfChange() rankOf {
	s := t.snapshot
	c, edited, some := t.change()
	switch {
	case len(t.edited) > 1:
		return nil
	case !some:
		return func(query string, tool *model.Tool) int {
			rank, _, _ := s.Rank(query, tool)
			return rank
		}
	}
	ranker, ok := s.Edited(c)
	if !ok {
		return nil
	}
	added := len(s.Catalog()) // the document of a tool that was not in the catalog
	return func(query string, tool *model.Tool) int {
		doc, ok := s.Document(tool)
		if !ok {
			if tool != edited {
				return 0
			}
			doc = added
		}
		rank, _, _ := ranker.Rank(query, doc)
		return rank
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
