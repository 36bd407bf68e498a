package engine

import (
	"context"
	"sync"

	"caliper/engine/retrieval"
	"caliper/model"
)

// catalog is the tools that a snapshot searches, and the index over them. Each is
// made when it is first asked for, because much that is asked of a snapshot
// needs neither.
type catalog struct {
	list  func() listing
	index func(context.Context) (retrieval.Ranker, error)
}

// listing is the tools of a catalog in its order.
type listing struct {
	tools []*model.Tool
	at    []int32 // by Tool.Index: the tool's index in tools, plus 1; 0: it is not among them
}

// newCatalog returns the catalog of a snapshot whose assembly is complete, which
// keeps its index in b.
func newCatalog(b *Builder, s *Snapshot) *catalog {
	c := &catalog{list: sync.OnceValue(s.list)}
	var mu sync.Mutex
	var made retrieval.Ranker
	ranking := s.ranking()
	c.index = func(ctx context.Context) (retrieval.Ranker, error) {
		mu.Lock()
		defer mu.Unlock()
		if made != nil {
			return made, nil
		}
		var err error
		made, err = b.indexOf(ctx, c.list().tools, ranking)
		return made, err
	}
	return c
}

// list returns the tools of the session's catalog.
func (s *Snapshot) list() listing {
	l := listing{at: make([]int32, len(s.Registry.Tools))}
	for _, t := range s.facts.byName() {
		if s.cataloged(t) {
			l.tools = append(l.tools, t)
			l.at[t.Index] = int32(len(l.tools))
		}
	}
	return l
}

// document returns the index of a tool in the catalog, which is also its document
// in the index.
func (s *Snapshot) document(t *model.Tool) (doc int, ok bool) {
	if t == nil || t.Index >= len(s.Registry.Tools) || s.Registry.Tools[t.Index] != t {
		return 0, false
	}
	at := s.catalog.list().at[t.Index]
	return int(at) - 1, at > 0
}

// index returns the index over the catalog.
func (s *Snapshot) index() retrieval.Ranker {
	index, _ := s.catalog.index(context.Background()) // which does not end
	return index
}

// Prepare does a step of the build that Inputs.OnDemand put off, unless it is
// done, so that it can be interrupted: what needs it later would do it without a
// context. The error is ctx's.
func (s *Snapshot) Prepare(ctx context.Context, w Work) error {
	if w == WorkCounting {
		return s.sizes.count(ctx)
	}
	_, err := s.catalog.index(ctx)
	return err
}
