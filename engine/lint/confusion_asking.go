package lint

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// asking asks for the tools of a catalog. A tool is its index in the catalog, which is in
// the order of names.
type asking struct {
	s         *engine.Snapshot
	bounds    ConfusionBounds
	tools     []*model.Tool
	sentences []string                          // by tool: its first sentence, as it is asked
	shared    map[string]func() []retrieval.Hit // the hits of sentences that many tools have
	limit     int                               // the cut line
	queries   []labels.Query
	labelled  [][]int // by tool: the queries that it is an answer to
	answers   [][]int // by query: the tools that are an answer to it
}

// newAsking returns an asking of a snapshot.
func newAsking(s *engine.Snapshot, queries []labels.Query) *asking {
	a := &asking{s: s, tools: s.Catalog(), queries: queries, limit: engine.ClampLimit(s.Config.ToolSearch, s.Config.ToolSearch.DefaultLimit)}
	a.bounds = boundsOf(len(a.tools))
	a.sentences, a.shared = a.bounds.sentences(a.tools), map[string]func() []retrieval.Hit{}
	times := map[string]int{}
	for _, text := range a.sentences {
		if times[text]++; times[text] == sharedBy {
			a.shared[text] = sync.OnceValue(func() []retrieval.Hit { return s.AppendBest(nil, text, a.bounds.Depth+1) })
		}
	}
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
	return a
}

// sums adds up the links of one tool.
type sums struct {
	links   map[int]ConfusedLink // by tool
	queries int                  // that were asked
	crowded bool                 // a query found more tools that answer it than are compared
}

// ask returns the links of a tool, sorted by their tools, with the mean of their confusion; how many
// queries were asked, and whether one found more tools that answer it than are compared.
func (a *asking) ask(tool int) (links []ConfusedLink, queries int, crowded bool) {
	sums := &sums{links: make(map[int]ConfusedLink, min(2*a.bounds.Depth, len(a.tools)))} // most are found by their own words alone
	for _, q := range a.labelled[tool] {
		s, _ := a.s.Untaught(a.queries[q].Lesson())
		a.compare(s, tool, a.queries[q].Text, a.answers[q], sums)
	}
	for _, text := range []string{NameQuery(a.tools[tool]), a.sentences[tool]} {
		if text != "" {
			a.compare(a.s, tool, text, nil, sums)
		}
	}
	links = make([]ConfusedLink, 0, len(sums.links))
	for _, to := range slices.Sorted(maps.Keys(sums.links)) {
		l := sums.links[to]
		l.Confusion /= float64(sums.queries)
		links = append(links, l)
	}
	return links, sums.queries, sums.crowded
}

// compare adds the hits of one query of a tool. also are the tools that are right too.
func (a *asking) compare(s *engine.Snapshot, tool int, query string, also []int, sums *sums) {
	sums.queries++
	var all []retrieval.Hit // those that are compared, and the one behind them
	if hits := a.shared[query]; hits != nil && s == a.s {
		all = hits()
	} else {
		all = s.AppendBest(nil, query, a.bounds.Depth+1)
	}
	if len(all) == 0 {
		return
	}
	hits := all[:min(len(all), a.bounds.Depth)]
	place, score := len(hits), hits[0].Score
	for i, h := range hits {
		if h.Doc == tool {
			place, score = i, h.Score
		}
	}
	if len(hits) < len(all) {
		next := all[len(hits)].Score
		sums.crowded = sums.crowded || next >= ConfusedFrom*score
		if a.bounds.Tied > 0 { // hits that the model is shown stay
			n := len(hits)
			for n > 0 && hits[n-1].Score == next {
				n--
			}
			hits = hits[:min(len(hits), max(n+a.bounds.Tied, a.limit))]
		}
	}
	for i, h := range hits {
		if h.Doc == tool || slices.Contains(also, h.Doc) {
			continue
		}
		l := sums.links[h.Doc]
		l.To = int32(h.Doc)
		if i < min(place, a.limit) {
			l.Above++
		}
		l.Confusion += min(1, h.Score/score)
		sums.links[h.Doc] = l
	}
}

// find returns the link to a tool; nil for none.
func find(links []ConfusedLink, to int) *ConfusedLink {
	i, ok := slices.BinarySearchFunc(links, to, func(l ConfusedLink, to int) int { return cmp.Compare(int(l.To), to) })
	if !ok {
		return nil
	}
	return &links[i]
}

// MapWithinBounds is the number of tools above which a catalog is mapped with narrower bounds.
const MapWithinBounds = 20_000

// ConfusionBounds are what a map leaves out of the queries.
type ConfusionBounds struct {
	Depth int // so many hits of a query are compared
	Words int // a first sentence is asked by so many of its words, the rarest; 0: by all
	Tied  int // equal hits that go on beyond Depth are compared up to so many; 0: all within Depth
}

// boundsOf returns the bounds of a catalog of n tools.
func boundsOf(n int) ConfusionBounds {
	if n > MapWithinBounds {
		return ConfusionBounds{Depth: 50, Words: 12, Tied: 10}
	}
	return ConfusionBounds{Depth: 100}
}

// Narrow reports whether the bounds are for a large catalog.
func (b ConfusionBounds) Narrow() bool { return b.Words > 0 }

// sentences returns the first sentence of each tool as it is asked.
func (b ConfusionBounds) sentences(tools []*model.Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = SentenceQuery(t)
	}
	if b.Words == 0 {
		return out
	}
	holders := map[string]int{} // sentences that have a word
	distinct := func(sentence string) []string { return words.Distinct(slices.Values(retrieval.Tokens(sentence))) }
	for _, sentence := range out {
		for _, w := range distinct(sentence) {
			holders[w]++
		}
	}
	for i, sentence := range out {
		list := distinct(sentence)
		if len(list) <= b.Words {
			continue
		}
		// The words that the fewest have, of equal ones the first, in the order of the sentence.
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(holders[list[a]], holders[list[b]]) })
		order = order[:b.Words]
		slices.Sort(order)
		var rarest []string
		for _, at := range order {
			rarest = append(rarest, list[at])
		}
		out[i] = strings.Join(rarest, " ")
	}
	return out
}
