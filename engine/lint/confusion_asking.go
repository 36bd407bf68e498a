package lint

import (
	"cmp"
	"slices"
	"sync"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
)

// asking asks for the tools of a catalog. A tool is its index in the catalog, which is in
// the order of names.
type asking struct {
	s         *engine.Snapshot
	bounds    ConfusionBounds
	tools     []*model.Tool
	sentences []string // by tool: its first sentence, as it is asked
	limit     int      // the cut line
	queries   []labels.Query
	labelled  [][]int // by tool: the queries that it is an answer to
	answers   [][]int // by query: the tools that are an answer to it
	shared    map[string]*sharedHits
}

// sharedHits is the hits of a query that several tools ask, such as the one sentence of
// many descriptions. All of them tie for it, so that each search would score them all:
// the square of their number.
type sharedHits struct {
	once sync.Once
	hits []retrieval.Hit
}

// newAsking returns an asking of a snapshot.
func newAsking(s *engine.Snapshot, queries []labels.Query) *asking {
	a := &asking{s: s, tools: s.Catalog(), queries: queries, limit: engine.ClampLimit(s.Config.ToolSearch, s.Config.ToolSearch.DefaultLimit)}
	a.bounds = boundsOf(len(a.tools))
	a.sentences = a.bounds.sentences(a.tools)
	at := make(map[*model.Tool]int, len(a.tools))
	for i, t := range a.tools {
		at[t] = i
	}
	a.labelled, a.answers = make([][]int, len(a.tools)), make([][]int, len(queries))
	for q, query := range queries {
		for _, name := range query.Relevant {
			for _, t := range s.Registry.Called(name) {
				if i, ok := at[t]; ok && !slices.Contains(a.answers[q], i) {
					a.answers[q] = append(a.answers[q], i)
					a.labelled[i] = append(a.labelled[i], q)
				}
			}
		}
	}
	a.share()
	return a
}

// own returns the queries of a tool's own words; empty for one that is not asked.
func (a *asking) own(tool int) [2]string {
	return [2]string{NameQuery(a.tools[tool]), a.sentences[tool]}
}

// share finds the own words that several tools ask.
func (a *asking) share() {
	asked := make(map[string]bool, 2*len(a.tools))
	a.shared = map[string]*sharedHits{}
	for tool := range a.tools {
		for _, text := range a.own(tool) {
			if asked[text] && a.shared[text] == nil {
				a.shared[text] = new(sharedHits)
			}
			asked[text] = true
		}
	}
}

// search appends to dst the hits of a query that are compared, and the one behind them.
func (a *asking) search(s *engine.Snapshot, dst []retrieval.Hit, query string) []retrieval.Hit {
	return s.AppendBest(dst, query, a.bounds.Depth+1)
}

// best is search for own words.
func (a *asking) best(dst []retrieval.Hit, text string) []retrieval.Hit {
	q := a.shared[text]
	if q == nil {
		return a.search(a.s, dst, text)
	}
	q.once.Do(func() { q.hits = a.search(a.s, nil, text) })
	return append(dst, q.hits...)
}

// sums is the memory in which the links of one tool are added up. It is used again for
// the next tool.
type sums struct {
	at    []int32 // by tool: where it is in links, counting from 1; 0: nowhere
	links []ConfusedLink
	hits  []retrieval.Hit

	crowded bool // a query found more tools that answer it than are compared
}

// newSums returns the sums for a catalog of n tools.
func newSums(n int) *sums { return &sums{at: make([]int32, n)} }

// link returns the link to a tool, which may be a new one. It is valid until the next call.
func (s *sums) link(to int) *ConfusedLink {
	if s.at[to] == 0 {
		s.links = append(s.links, ConfusedLink{To: int32(to)})
		s.at[to] = int32(len(s.links))
	}
	return &s.links[s.at[to]-1]
}

// take returns the links, sorted by their tools, with the mean of their confusion over n queries, and empties s.
func (s *sums) take(n int) []ConfusedLink {
	links := append(make([]ConfusedLink, 0, len(s.links)), s.links...)
	for i := range links {
		s.at[links[i].To] = 0
		links[i].Confusion /= float64(n)
	}
	s.links = s.links[:0]
	slices.SortFunc(links, func(x, y ConfusedLink) int { return cmp.Compare(x.To, y.To) })
	return links
}

// ask returns how a tool is confused with others, sorted by their index, and how many queries
// were asked.
func (a *asking) ask(tool int, sums *sums) (links []ConfusedLink, n int) {
	n = len(a.labelled[tool])
	sums.crowded = false
	for _, q := range a.labelled[tool] {
		s, _ := a.s.Untaught(a.queries[q].Lesson())
		sums.hits = a.search(s, sums.hits[:0], a.queries[q].Text)
		a.compare(tool, a.answers[q], sums)
	}
	for _, text := range a.own(tool) {
		if text != "" {
			sums.hits = a.best(sums.hits[:0], text)
			a.compare(tool, nil, sums)
			n++
		}
	}
	return sums.take(n), n
}

// compare adds the hits of one query of a tool. also are the tools that are right too.
func (a *asking) compare(tool int, also []int, sums *sums) {
	if len(sums.hits) == 0 {
		return
	}
	hits := sums.hits[:min(len(sums.hits), a.bounds.Depth)]
	place, score := len(hits), hits[0].Score
	for i, h := range hits {
		if h.Doc == tool {
			place, score = i, h.Score
		}
	}
	if len(hits) < len(sums.hits) {
		next := sums.hits[len(hits)].Score
		sums.crowded = sums.crowded || next >= ConfusedFrom*score
		hits = a.withoutTied(hits, next)
	}
	for i, h := range hits {
		if h.Doc == tool || slices.Contains(also, h.Doc) {
			continue
		}
		l := sums.link(h.Doc)
		if i < min(place, a.limit) {
			l.Above++
		}
		l.Confusion += min(1, h.Score/score)
	}
}

// withoutTied returns hits without the excess of one score. next is the score
// of the hit behind them. Hits that the model is shown stay.
func (a *asking) withoutTied(hits []retrieval.Hit, next float64) []retrieval.Hit {
	if a.bounds.Tied == 0 {
		return hits
	}
	n := len(hits)
	for n > 0 && hits[n-1].Score == next {
		n--
	}
	return hits[:min(len(hits), max(n+a.bounds.Tied, a.limit))]
}

// find returns the link to a tool; nil for none.
func find(links []ConfusedLink, to int) *ConfusedLink {
	i, ok := slices.BinarySearchFunc(links, to, func(l ConfusedLink, to int) int { return cmp.Compare(int(l.To), to) })
	if !ok {
		return nil
	}
	return &links[i]
}
