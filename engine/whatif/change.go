package whatif

import (
	"context"
	"slices"

	"caliper/engine/retrieval"
	"caliper/model"
)

// ranksOfChange ranks by the index of the snapshot where the edited catalog differs from
// the snapshot's in one tool at most; nil when the ranker needs an index of the edited
// catalog. The error is ctx's.
func (t *Trial) ranksOfChange(ctx context.Context) (*ranks, error) {
	s := t.snapshot
	c, edited, changed := t.change()
	added := len(s.Catalog()) // the document of a tool that was not in the catalog
	r := ranks{document: s.Document, tool: func(doc int) *model.Tool {
		if doc == added {
			return edited
		}
		return s.Catalog()[doc]
	}}
	var err error
	if !changed {
		r.ranker, err = s.IndexOver(ctx, s.Catalog())
		return &r, err
	}
	ranker, ok := s.Edited(c)
	if !ok {
		return nil, nil
	}
	r.ranker, r.document = ranker, func(tool *model.Tool) (int, bool) {
		if doc, ok := s.Document(tool); ok {
			return doc, true
		}
		return added, tool == edited
	}
	return &r, nil
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
