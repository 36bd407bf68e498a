package confusion

import (
	"cmp"
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/retrieval"
	"caliper/model"
)

// asking asks for the tools of a catalog. A tool is its index in the catalog, which is in
// the order of names.
type asking struct {
	s         *engine.Snapshot
	bounds    Bounds
	tools     []*model.Tool
	sentences []string // by tool: its first sentence, as it is asked
	limit     int      // the cut line
	queries   []labels.Query
	labelled  [][]int // by tool: the queries that it is an answer to
	answers   [][]int // by query: the tools that are an answer to it
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
	return a
}

// sums is the memory in which the links of one tool are added up. It is used again for
// the next tool.
type sums struct {
	at    []int32 // by tool: where it is in links, counting from 1; 0: nowhere
	links []Link
	hits  []retrieval.Hit
}

// newSums returns the sums for a catalog of n tools.
func newSums(n int) *sums { return &sums{at: make([]int32, n)} }

// link returns the link to a tool, which may be a new one. It is valid until the next call.
func (s *sums) link(to int) *Link {
	if s.at[to] == 0 {
		s.links = append(s.links, Link{To: to})
		s.at[to] = int32(len(s.links))
	}
	return &s.links[s.at[to]-1]
}

// take returns the links, sorted by their tools, as means over n queries, and empties s.
func (s *sums) take(n int) []Link {
	links := append(make([]Link, 0, len(s.links)), s.links...)
	for i := range links {
		s.at[links[i].To] = 0
		links[i].Confusion /= float64(n)
		links[i].Above /= float64(n)
	}
	s.links = s.links[:0]
	slices.SortFunc(links, func(x, y Link) int { return cmp.Compare(x.To, y.To) })
	return links
}

// ask returns how a tool is confused with others, sorted by their index.
func (a *asking) ask(tool int, sums *sums) []Link {
	n := len(a.labelled[tool])
	for _, q := range a.labelled[tool] {
		s, _ := a.s.Untaught(a.queries[q].Lesson())
		a.compare(s, a.queries[q].Text, tool, a.answers[q], sums)
	}
	for _, text := range []string{lint.NameQuery(a.tools[tool]), a.sentences[tool]} {
		if text != "" {
			a.compare(a.s, text, tool, nil, sums)
			n++
		}
	}
	return sums.take(n)
}

// compare adds what one query of a tool finds. also are the tools that are right too.
func (a *asking) compare(s *engine.Snapshot, query string, tool int, also []int, sums *sums) {
	sums.hits = s.AppendBest(sums.hits[:0], query, a.bounds.Depth)
	if len(sums.hits) == 0 {
		return
	}
	place, score := len(sums.hits), sums.hits[0].Score
	for i, h := range sums.hits {
		if h.Doc == tool {
			place, score = i, h.Score
		}
	}
	for i, h := range sums.hits {
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

// find returns the link to a tool; nil for none.
func find(links []Link, to int) *Link {
	i, ok := slices.BinarySearchFunc(links, to, func(l Link, to int) int { return cmp.Compare(l.To, to) })
	if !ok {
		return nil
	}
	return &links[i]
}
