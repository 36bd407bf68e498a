package confusion

import (
	"cmp"
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/model"
)

// asking asks for the tools of a catalog.
type asking struct {
	s        *engine.Snapshot
	tools    []*model.Tool       // the catalog, by name
	at       map[*model.Tool]int // in tools
	queries  []labels.Query
	labelled [][]int // by tool: the queries that it is an answer to
	answers  [][]int // by query: the tools that are an answer to it
}

// newAsking returns an asking of a snapshot.
func newAsking(s *engine.Snapshot, queries []labels.Query) *asking {
	a := &asking{s: s, tools: s.Catalog(), queries: queries}
	a.at = make(map[*model.Tool]int, len(a.tools))
	for i, t := range a.tools {
		a.at[t] = i
	}
	a.labelled, a.answers = make([][]int, len(a.tools)), make([][]int, len(queries))
	for q, query := range queries {
		for _, name := range query.Relevant {
			for _, t := range s.Registry.Called(name) {
				if i, ok := a.at[t]; ok && !slices.Contains(a.answers[q], i) {
					a.answers[q] = append(a.answers[q], i)
					a.labelled[i] = append(a.labelled[i], q)
				}
			}
		}
	}
	return a
}

// ask returns how a tool is confused with others, sorted by their index.
func (a *asking) ask(tool int) []Link {
	sum := map[int]*Link{}
	n := len(a.labelled[tool])
	for _, q := range a.labelled[tool] {
		s, _ := a.s.Untaught(a.queries[q].Lesson())
		a.compare(s, a.queries[q].Text, tool, a.answers[q], sum)
	}
	for _, text := range []string{lint.NameQuery(a.tools[tool]), lint.SentenceQuery(a.tools[tool])} {
		if text != "" {
			a.compare(a.s, text, tool, nil, sum)
			n++
		}
	}
	links := make([]Link, 0, len(sum))
	for _, l := range sum {
		l.Confusion /= float64(n)
		l.Above /= float64(n)
		links = append(links, *l)
	}
	slices.SortFunc(links, func(x, y Link) int { return cmp.Compare(x.To, y.To) })
	return links
}

// compare adds what one query of a tool finds. also are the tools that are right too.
func (a *asking) compare(s *engine.Snapshot, query string, tool int, also []int, sum map[int]*Link) {
	found := s.Search(query, 0, Depth)
	hits := found.Hits[:min(len(found.Hits), Depth)]
	if len(hits) == 0 {
		return
	}
	rank, score := Depth+1, hits[0].Score
	for _, h := range hits {
		if a.at[h.Tool] == tool {
			rank, score = h.Rank, h.Score
		}
	}
	for _, h := range hits {
		other := a.at[h.Tool]
		if other == tool || slices.Contains(also, other) {
			continue
		}
		l := sum[other]
		if l == nil {
			l = &Link{To: other}
			sum[other] = l
		}
		if h.Rank < rank && h.Within {
			l.Above++
		}
		l.Confusion += min(1, h.Score/score)
	}
}

// find returns the link to a tool; nil for none.
func find(links []Link, to int) *Link {
	i, ok := slices.BinarySearchFunc(links, to, func(l Link, to int) int { return cmp.Compare(l.To, to) })
	if !ok {
		return nil
	}
	return &links[i]
}
