package whatif

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/words"
)

// Trial is the effect of edits on a session's catalog and on tokens, without a
// registry and a snapshot of their own. It is made for trying many edits one
// after another; Builder.Edit is for keeping some. A Trial never changes and
// is safe for concurrent use.
type Trial struct {
	snapshot *engine.Snapshot
	subject  *model.Tool                 // of the last edit
	edited   map[*model.Tool]*model.Tool // by the tool that is edited; nil: left out
	before   int                         // units of the tools that are edited
	after    int

	once  sync.Once
	ranks *ranks
	err   error
}

// ranks ranks the edited catalog. Tools are the snapshot's.
type ranks struct {
	ranker   retrieval.Ranker
	document func(*model.Tool) (doc int, ok bool)
	tool     func(doc int) *model.Tool
}

// of returns the rank and score of a tool for a query, 0 when it is not found.
func (r *ranks) of(query string, tool *model.Tool) (rank int, score float64) {
	if doc, ok := r.document(tool); ok {
		rank, score, _ = r.ranker.Rank(query, doc)
	}
	return rank, score
}

// Try tries edits of a snapshot's registry, which should be one of this
// builder. The last edit of a tool counts. Nothing is remembered but terms.
// The error is ctx's, or says which edit makes no definition.
func Try(ctx context.Context, s *engine.Snapshot, edits ...Edit) (*Trial, error) {
	t := &Trial{snapshot: s, edited: make(map[*model.Tool]*model.Tool, len(edits))}
	for _, e := range edits {
		if t.subject = e.Tool; e.Remove {
			t.edited[e.Tool] = nil
			continue
		}
		changed, err := e.edited(ctx)
		if err != nil {
			return nil, err
		}
		t.edited[e.Tool] = changed
	}
	for old, changed := range t.edited {
		t.before += s.ToolUnits(old)
		if changed != nil {
			t.after += s.Tokenizer.Units(tokens.Definition(changed))
		}
	}
	return t, ctx.Err()
}

// Edited returns the tool that an edit makes; nil for one left out or not edited.
func (t *Trial) Edited(tool *model.Tool) *model.Tool { return t.edited[tool] }

// Tokens returns the tokens of the edited definitions together, before and
// after, counted by the snapshot's Tokenizer and rounded once.
func (t *Trial) Tokens() (before, after int) {
	return t.snapshot.Tokenizer.Tokens(t.before), t.snapshot.Tokenizer.Tokens(t.after)
}

// Rank returns the rank and the score of a tool of the snapshot among all that score for a
// query once the edits are made; 0 when it does not score or is not in the catalog. The
// error is ctx's.
func (t *Trial) Rank(ctx context.Context, query string, tool *model.Tool) (rank int, score float64, err error) {
	if err := t.prepare(ctx); err != nil {
		return 0, 0, err
	}
	rank, score = t.ranks.of(words.Strip(query), tool)
	return rank, score, nil
}

// RankUntaught is Rank for a labelled query: with a ranker that learns, the query is
// asked without what it taught, as engine.Snapshot.Untaught does.
func (t *Trial) RankUntaught(ctx context.Context, l learned.Lesson, tool *model.Tool) (int, error) {
	if err := t.prepare(ctx); err != nil {
		return 0, err
	}
	r := *t.ranks
	if x, learns := r.ranker.(*learned.Index); learns {
		r.ranker = x.Without(x.Related(l.ID, l.Text, l.Group))
	}
	rank, _ := r.of(words.Strip(l.Text), tool)
	return rank, nil
}

// Search returns the best hits for a query once the edits are made, at least as many
// as the limit of the session, as Snapshot.Search does for no limit. Tools belong to
// the snapshot: the hit of an edited one has the tool as it was. The error is ctx's.
func (t *Trial) Search(ctx context.Context, query string, depth int) (engine.Results, error) {
	if err := t.prepare(ctx); err != nil {
		return engine.Results{}, err
	}
	c := t.snapshot.Config.ToolSearch
	r := engine.Results{Query: words.Strip(query), Limit: engine.ClampLimit(c, c.DefaultLimit), Total: len(t.buildCatalog())}
	depth = max(depth, r.Limit)
	found := t.ranks.ranker.Search(r.Query, depth+1) // one more, so that the last knows whether it is tied
	r.Scored, r.Fallback = t.ranks.ranker.Scored(r.Query), found.Fallback
	for i, h := range found.Hits[:min(depth, len(found.Hits))] {
		r.Hits = append(r.Hits, engine.Hit{
			Tool: t.ranks.tool(h.Doc), Rank: i + 1, Score: h.Score, Within: i < r.Limit,
			Tied: i > 0 && found.Hits[i-1].Score == h.Score || i+1 < len(found.Hits) && found.Hits[i+1].Score == h.Score,
		})
	}
	return r, ctx.Err()
}

// prepare finds out how the edited catalog is ranked. A first call that was called off
// is not made again.
func (t *Trial) prepare(ctx context.Context) error {
	t.once.Do(func() {
		if len(t.edited) < 2 {
			t.ranks, t.err = t.ranksOfChange(ctx)
		}
		if t.ranks != nil || t.err != nil {
			return
		}
		catalog := t.buildCatalog()
		index, err := t.snapshot.IndexOver(ctx, catalog)
		if err != nil {
			t.err = err
			return
		}
		documents := make(map[*model.Tool]int, len(catalog))
		for doc, tool := range catalog {
			documents[tool] = doc
		}
		was := make(map[*model.Tool]*model.Tool, len(t.edited)) // by the edited tool
		for old, changed := range t.edited {
			was[changed] = old
		}
		t.ranks = &ranks{index, func(tool *model.Tool) (int, bool) {
			if changed, ok := t.edited[tool]; ok {
				tool = changed
			}
			doc, ok := documents[tool]
			return doc, ok
		}, func(doc int) *model.Tool { return cmp.Or(was[catalog[doc]], catalog[doc]) }}
	})
	return cmp.Or(t.err, ctx.Err())
}

// buildCatalog returns the edited catalog.
func (t *Trial) buildCatalog() []*model.Tool {
	s := t.snapshot
	var moved []*model.Tool
	catalog := make([]*model.Tool, 0, len(s.Catalog())+len(t.edited))
	for _, tool := range s.Catalog() {
		changed, ok := t.edited[tool]
		switch {
		case !ok:
			catalog = append(catalog, tool)
		case changed != nil && changed.Name == tool.Name:
			catalog = append(catalog, changed)
		}
	}
	for old, changed := range t.edited {
		if t.moves(old, changed) {
			moved = append(moved, changed)
		}
	}
	if len(moved) > 0 {
		catalog = append(catalog, moved...)
		slices.SortStableFunc(catalog, compareTools)
	}
	return catalog
}

// moves reports whether a tool is in the catalog under another name. Pre-selection has decided
// already, whatever the name is.
func (t *Trial) moves(old, changed *model.Tool) bool {
	s := t.snapshot
	switch {
	case changed == nil, changed.Name == old.Name, !s.Granted(old), engine.IsBridge(changed.Name):
		return false
	case engine.PreSelects(s.Assembly().Strategy):
		return s.Class(old) == engine.Deferrable
	}
	return !slices.Contains(s.Config.Core, changed.Name)
}

// compareTools orders tools as a catalog does.
func compareTools(a, b *model.Tool) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Qualified, b.Qualified), cmp.Compare(a.Index, b.Index))
}

// ranksOfChange ranks by the index of the snapshot where the edited catalog differs from
// the snapshot's in one tool at most; nil when the ranker needs an index of the edited
// catalog. The error is ctx's.
func (t *Trial) ranksOfChange(ctx context.Context) (*ranks, error) {
	s := t.snapshot
	var c retrieval.Change // of the catalog
	var edited *model.Tool // that it is of; nil where nothing changes
	for old, changed := range t.edited {
		doc, in := s.Document(old)
		switch {
		case in && changed != nil && changed.Name == old.Name:
			c, edited = retrieval.Change{Doc: doc, Tool: changed, Before: doc}, old
		case t.moves(old, changed):
			before, _ := slices.BinarySearchFunc(s.Catalog(), changed, compareTools)
			if !in {
				doc = -1
			}
			c, edited = retrieval.Change{Doc: doc, Tool: changed, Before: before}, old
		case in:
			c, edited = retrieval.Change{Doc: doc}, old
		}
	}
	added := len(s.Catalog()) // the document of a tool that was not in the catalog
	r := ranks{document: s.Document, tool: func(doc int) *model.Tool {
		if doc == added {
			return edited
		}
		return s.Catalog()[doc]
	}}
	var err error
	if edited == nil {
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

// TryText tries a description for a tool of the snapshot's registry. The error is ctx's,
// or tells why the tool cannot be defined with it.
func TryText(ctx context.Context, s *engine.Snapshot, tool *model.Tool, description string) (*Trial, error) {
	if description == tool.Description { // a missing description stays missing
		units := s.ToolUnits(tool)
		return &Trial{snapshot: s, subject: tool, before: units, after: units}, ctx.Err()
	}
	return Try(ctx, s, Edit{Tool: tool, Description: &description})
}

// Place is where a query finds a tool.
type Place struct {
	Rank  int // from 1; 0: not found
	Score float64
}

// Hits are the hits of a query with the text.
type Hits struct {
	engine.Results               // with the edits
	Was            []int         // the rank before of each hit; 0 for none
	Before, After  Place         // of the tool
	Fallen         []*model.Tool // tools that were within the limit and are not, best first; the tool itself may be one
}

// Hits returns at least depth hits of a query, more when the limit is greater, with what
// changes for the tool of the last edit and for others. The error is ctx's.
func (t *Trial) Hits(ctx context.Context, query string, depth int) (Hits, error) {
	var h Hits
	var err error
	if h.Results, err = t.Search(ctx, query, depth); err != nil {
		return Hits{}, err
	}
	if h.After.Rank, h.After.Score, err = t.Rank(ctx, query, t.subject); err != nil {
		return Hits{}, err
	}
	h.Before.Rank, h.Before.Score, _ = t.snapshot.Rank(query, t.subject)
	for _, hit := range h.Results.Hits {
		was, _, _ := t.snapshot.Rank(query, hit.Tool)
		h.Was = append(h.Was, was)
	}
	h.Fallen = fallen(t.snapshot.Search(query, 0, h.Limit), h.Results, h.Limit)
	return h, ctx.Err()
}
