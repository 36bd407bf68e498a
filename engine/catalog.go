package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"caliper/engine/retrieval"
	"caliper/model"
)

// catalog is the tools that a snapshot searches, and the index over them. Each is
// made when it is first asked for, because much that is asked of a snapshot
// needs neither.
type catalog struct {
	list  func() contents
	index func(context.Context) (retrieval.Ranker, error)
	words func() *retrieval.Vocabulary

	mu     sync.Mutex
	ranker retrieval.Ranker // what index returns; nil before
}

// contents is the tools of a catalog in its order.
type contents struct {
	tools []*model.Tool
	at    []int32 // by Tool.Index: the tool's index in tools, plus 1; 0: it is not among them
}

// newCatalog returns the catalog of a snapshot whose assembly is complete, with the
// index that indexOf returns.
func newCatalog(indexOf indexer, s *Snapshot) *catalog {
	c := &catalog{list: sync.OnceValue(func() contents {
		// SECURITY: a session searches its own catalog, never the registry, unless a dry run
		// leaves this very gate out.
		return s.list(func(t *model.Tool) bool {
			return (s.granted[t.Index] || s.lacks(GateScopeCatalog) && t.Available) && s.class[t.Index] == Deferrable
		})
	})}
	c.words = sync.OnceValue(func() *retrieval.Vocabulary { return retrieval.NewVocabulary(c.list().tools, nil) })
	ranking := s.ranking()
	c.index = func(ctx context.Context) (retrieval.Ranker, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.ranker != nil {
			return c.ranker, nil
		}
		index, err := indexOf(ctx, c.list().tools, ranking)
		if err != nil {
			return nil, err // what an indexer returns beside an error is no index
		}
		c.ranker = index
		return c.ranker, nil
	}
	return c
}

// list returns the tools of a catalog.
func (s *Snapshot) list(has func(*model.Tool) bool) contents {
	l := contents{at: make([]int32, len(s.Registry.Tools)), tools: make([]*model.Tool, 0, len(s.Registry.Tools))}
	for _, t := range s.facts.byName() {
		if has(t) {
			l.tools = append(l.tools, t)
			l.at[t.Index] = int32(len(l.tools))
		}
	}
	return l
}

// Vocabulary returns the words of the catalog's tools, which are counted once.
func (s *Snapshot) Vocabulary() *retrieval.Vocabulary { return s.catalog.words() }

// Document returns the index of a tool in the session's catalog, which is also its document
// in the index; ok is false when it is not there.
func (s *Snapshot) Document(t *model.Tool) (doc int, ok bool) {
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
		return s.sizes.Count(ctx)
	}
	_, err := s.catalog.index(ctx)
	return err
}

// sortedByName returns tools by name, then by qualified name, then by index.
func sortedByName(tools []*model.Tool) []*model.Tool {
	sorted := slices.Clone(tools)
	slices.SortFunc(sorted, func(a, b *model.Tool) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(a.Qualified, b.Qualified), cmp.Compare(a.Index, b.Index))
	})
	return sorted
}
