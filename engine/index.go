package engine

import (
	"context"
	"slices"
	"sync"

	"caliper/config"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/learned"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
)

// indexer returns a new index of a catalog. It has the corpus of one ranker, in
// which the words of tools are remembered.
type indexer func(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error)

// rankerKind describes a ranker to the engine.
type rankerKind struct {
	indexer    func() indexer // with an empty corpus; nil with over
	over       overIndexer    // nil: the index is not made from one of fielded
	ascii      bool           // it reads ASCII letters and digits alone
	parameters bool           // scores depend on the parameters of BM25
	toolsets   bool           // scores depend on the texts of toolsets
	lessons    bool           // scores depend on labelled queries
}

// overIndexer returns an index of a catalog that is made from one of fielded.
type overIndexer func(ctx context.Context, base *fielded.Index, catalog []*model.Tool, r ranking) (retrieval.Ranker, error)

// rankers are all rankers by their names in config.Rankers. A ranker in a file of
// its own adds itself here in an init function.
var rankers = map[string]rankerKind{
	config.RankerBM25: {
		ascii: true, parameters: true,
		indexer: func() indexer {
			corpus := retrieval.NewCorpus()
			return func(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
				return corpus.Index(ctx, catalog, r.params)
			}
		},
	},
	config.RankerFielded: {toolsets: true, indexer: func() indexer {
		corpus := fielded.NewCorpus()
		return func(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
			return corpus.Index(ctx, catalog, r.registry.Toolset, fielded.Default)
		}
	}},
	config.RankerLearned: {toolsets: true, lessons: true, over: func(ctx context.Context, base *fielded.Index, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
		var list []learned.Lesson
		if r.lessons != nil {
			list = r.lessons.List
		}
		var meant *meaning.Index
		if r.meaning > 0 {
			var err error
			if meant, err = meaning.New(base, r.meaning); err != nil {
				return nil, err
			}
		}
		return learned.New(ctx, base, meant, catalog, list)
	}},
	config.RankerSemantic: {toolsets: true, over: byMeaning},
	config.RankerHybrid:   {toolsets: true, over: byMeaning},
	config.RankerGated: {
		ascii: true,
		indexer: func() indexer {
			corpus := retrieval.NewCorpusOf(retrieval.Stems)
			return func(ctx context.Context, catalog []*model.Tool, _ ranking) (retrieval.Ranker, error) {
				return corpus.Gated(ctx, catalog)
			}
		},
	},
}

// byMeaning is the overIndexer of rankers that compare meanings.
func byMeaning(_ context.Context, base *fielded.Index, _ []*model.Tool, r ranking) (retrieval.Ranker, error) {
	return meaning.New(base, r.meaning)
}

// corpora are the indexers by the names of their rankers. Each is made when it is
// asked for first: the lexicon of fielded takes 8 ms, which no other ranker needs.
type corpora map[string]func() indexer

// ranking is the ranker of a snapshot with the inputs that its scores depend on.
type ranking struct {
	ranker   string           // of config.Rankers
	params   retrieval.Params // zero where scores do not depend on them
	registry *model.Registry  // nil where scores do not depend on the texts of toolsets
	lessons  *Lessons         // nil where scores do not depend on labelled queries
	meaning  float64          // its weight; 0 where scores do not depend on it
}

// Lessons are labelled queries to learn from. They must not be changed.
type Lessons struct{ List []learned.Lesson }

// ranking returns how the snapshot ranks.
func (s *Snapshot) ranking() ranking {
	r := ranking{ranker: s.Config.ToolSearch.Ranker}
	if _, known := rankers[r.ranker]; !known {
		r.ranker = config.RankerBM25
	}
	if rankers[r.ranker].parameters {
		r.params = s.Ranking
	}
	if rankers[r.ranker].toolsets {
		r.registry = s.Registry
	}
	if rankers[r.ranker].lessons {
		r.lessons = s.inputs.Lessons
	}
	switch r.ranker {
	case config.RankerLearned:
		if s.Config.ToolSearch.LearnOver == config.RankerHybrid {
			r.meaning = s.Config.ToolSearch.Meaning
		}
	case config.RankerHybrid:
		r.meaning = s.Config.ToolSearch.Meaning
	case config.RankerSemantic:
		r.meaning = meaning.Alone
	}
	return r
}

// base returns the ranking of the index of fielded that another is made from.
func (r ranking) base() ranking { return ranking{ranker: config.RankerFielded, registry: r.registry} }

// over returns an index of a catalog that is made from one of fielded.
func (r ranking) over(ctx context.Context, base retrieval.Ranker, catalog []*model.Tool) (retrieval.Ranker, error) {
	return rankers[r.ranker].over(ctx, base.(*fielded.Index), catalog, r)
}

// IndexOver returns an index over other tools of the registry than the
// session's catalog, ranked as the snapshot ranks: document i is tools[i]. Over
// the catalog itself it is the one that Search asks. The error is ctx's.
func (s *Snapshot) IndexOver(ctx context.Context, tools []*model.Tool) (retrieval.Ranker, error) {
	if slices.Equal(tools, s.Catalog()) {
		return s.catalog.index(ctx)
	}
	return s.corpora.rank(ctx, tools, s.ranking())
}

// Edited returns what ranks the session's catalog with one tool changed, as the
// snapshot ranks: document i is Catalog()[i]. It builds no index. ok is false when
// the snapshot's ranker cannot rank this change without one.
func (s *Snapshot) Edited(c retrieval.Change) (edited retrieval.Ranker, ok bool) {
	switch x := s.index().(type) {
	case *retrieval.Index:
		return x.Edited(c), true
	case *retrieval.Gated:
		return x.Edited(c), true
	}
	return nil, false
}

// Compares returns whether the snapshot's ranker compares the words of tools with the words of a
// query, and whether it compares their meanings.
func (s *Snapshot) Compares() (words, meanings bool) {
	r := s.ranking()
	return r.meaning != meaning.Alone, r.meaning != 0
}

// NearWords returns the stems of words of the catalog that are near in meaning to words of a
// query, each once; none with a ranker that compares no meanings.
func (s *Snapshot) NearWords(query string) []string {
	if x := s.meant(); x != nil {
		return x.NearWords(query)
	}
	return nil
}

// Carriers returns the stems of the words of a tool that carry its nearness in meaning to a
// query, as Explain names them, each once; none with a ranker that compares no meanings.
func (s *Snapshot) Carriers(query string, t *model.Tool) []string {
	doc, in := s.Document(t)
	if x := s.meant(); x != nil && in {
		return x.Carriers(query, doc)
	}
	return nil
}

// meant returns the index of meanings; nil with a ranker that compares
// none.
func (s *Snapshot) meant() *meaning.Index {
	switch x := s.index().(type) {
	case *meaning.Index:
		return x
	case *learned.Index:
		return x.Meant()
	}
	return nil
}

// Support returns how far the labelled queries that the ranker learned from help; ok is
// false with a ranker that does not learn.
func (s *Snapshot) Support() (support learned.Support, ok bool) {
	x, ok := s.index().(*learned.Index)
	if !ok {
		return learned.Support{}, false
	}
	return x.Support(), true
}

// Taught is the words that labelled queries taught of a tool.
type Taught struct {
	Words   []learned.Word   // the weightiest first, then by word; of lessons by their index in Lessons
	Lessons []learned.Lesson // that name the tool, in their order
}

// Taught returns what labelled queries taught of a tool; ok is false with a ranker that
// does not learn, and for a tool that is not in the catalog.
func (s *Snapshot) Taught(t *model.Tool) (taught Taught, ok bool) {
	x, learns := s.index().(*learned.Index)
	doc, in := s.Document(t)
	if !learns || !in {
		return Taught{}, false
	}
	words, lessons := x.Taught(doc)
	for _, number := range lessons {
		taught.Lessons = append(taught.Lessons, x.Lesson(number))
	}
	for _, w := range words {
		for i, number := range w.Lessons {
			w.Lessons[i], _ = slices.BinarySearch(lessons, number)
		}
	}
	taught.Words = words
	return taught, true
}

// Untaught returns the same snapshot, whose ranker has not learned from the labelled
// queries that have the id, the text or the group of a lesson, where it has them: so a
// labelled query is not measured by what it taught. left are the numbers of those, in
// ascending order. It is itself with a ranker that does not learn, and where there are
// none.
func (s *Snapshot) Untaught(l learned.Lesson) (untaught *Snapshot, left []int) {
	if !rankers[s.ranking().ranker].lessons {
		return s, nil
	}
	x := s.index().(*learned.Index)
	if left = x.Related(l.ID, l.Text, l.Group); len(left) == 0 {
		return s, nil
	}
	t := *s
	t.catalog = &catalog{list: s.catalog.list, ranker: x.Without(left)}
	t.catalog.index = func(context.Context) (retrieval.Ranker, error) { return t.catalog.ranker, nil }
	return &t, left
}

// Teaching returns the same snapshot, whose ranker learned from other labelled queries. It
// is itself with a ranker that does not learn.
func (s *Snapshot) Teaching(l *Lessons) *Snapshot {
	x, ok := s.index().(*learned.Index)
	if !ok {
		return s
	}
	t := *s
	t.inputs.Lessons = l
	t.catalog = newCatalog(func(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
		return r.over(ctx, x.Base(), catalog)
	}, &t)
	return &t
}

// Lacking returns the same snapshot, whose catalog does not have some of its tools: a
// query is then answered as if they were not in the registry. A ranker that learns keeps
// the weight of what it learned. It costs an index. All but the catalog is as before.
func (s *Snapshot) Lacking(tools []*model.Tool) *Snapshot {
	t := *s
	t.catalog = newCatalog(func(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
		x, learns := s.index().(*learned.Index)
		if !learns {
			return s.corpora.rank(ctx, catalog, r)
		}
		base, err := s.corpora.rank(ctx, catalog, r.base())
		if err != nil {
			return nil, err
		}
		return x.Over(ctx, base.(*fielded.Index), catalog)
	}, &t)
	t.catalog.list = sync.OnceValue(func() contents {
		return t.list(func(t *model.Tool) bool { return s.catalog.list().at[t.Index] > 0 && !slices.Contains(tools, t) })
	})
	return &t
}

// rank returns a new index of a catalog.
func (c corpora) rank(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
	if rankers[r.ranker].over != nil {
		base, err := c.rank(ctx, catalog, r.base())
		if err != nil {
			return nil, err
		}
		return r.over(ctx, base, catalog)
	}
	return c[r.ranker]()(ctx, catalog, r)
}

// keptIndex is an index with the inputs that it was built from.
type keptIndex struct {
	catalog []*model.Tool
	ranking ranking
	index   retrieval.Ranker
}

// Limits of the indexes that a Builder keeps. Six are enough for all rankers under
// two settings between which a user switches. Of large catalogs only two are kept.
const (
	keptIndexes   = 6
	leastIndexes  = 2
	keptDocuments = 500_000 // of all indexes together, beyond which only the least are kept
)

// keptIndexOf returns the kept index of a catalog and a ranking, or nil when there is
// none.
func (b *Builder) keptIndexOf(catalog []*model.Tool, r ranking) retrieval.Ranker {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, k := range b.indexes {
		if k.ranking == r && slices.Equal(k.catalog, catalog) {
			copy(b.indexes[1:], b.indexes[:i])
			b.indexes[0] = k
			return k.index
		}
	}
	return nil
}

// indexerOf returns indexOf, or for an index that is not kept one that keeps none.
func (b *Builder) indexerOf(in Inputs) indexer {
	if !in.passing {
		return b.indexOf
	}
	return func(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
		if index := b.keptIndexOf(catalog, r); index != nil {
			return index, nil
		}
		return b.corpora.rank(ctx, catalog, r)
	}
}

// indexOf returns the index of a catalog: a kept one, otherwise a new one, which is
// kept from then on.
func (b *Builder) indexOf(ctx context.Context, catalog []*model.Tool, r ranking) (retrieval.Ranker, error) {
	if index := b.keptIndexOf(catalog, r); index != nil {
		return index, nil
	}
	// One that is made from an index of fielded is made from a kept one.
	var index, base retrieval.Ranker
	var err error
	if rankers[r.ranker].over == nil {
		index, err = b.corpora.rank(ctx, catalog, r)
	} else if base, err = b.indexOf(ctx, catalog, r.base()); err == nil {
		// A kept index of meaning over the same base with another weight has the same memory.
		b.mu.Lock()
		for _, k := range b.indexes {
			x, ok := k.index.(*meaning.Index)
			if ok && index == nil && r.meaning != 0 && !rankers[r.ranker].lessons && retrieval.Ranker(x.Base()) == base && slices.Equal(k.catalog, catalog) {
				index = x.With(r.meaning)
			}
		}
		b.mu.Unlock()
		if index == nil {
			index, err = r.over(ctx, base, catalog)
		}
	}
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.indexes = slices.Insert(b.indexes, 0, keptIndex{catalog, r, index})
	kept, documents := 0, 0
	for kept < min(keptIndexes, len(b.indexes)) {
		if documents += len(b.indexes[kept].catalog); kept >= leastIndexes && documents > keptDocuments {
			break
		}
		kept++
	}
	b.indexes = slices.Delete(b.indexes, kept, len(b.indexes))
	return index, nil
}
