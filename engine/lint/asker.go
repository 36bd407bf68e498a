package lint

import (
	"math"
	"sync"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// asker searches for the tools of a catalog by their own words.
//
// Many tools may have the same words, such as one first sentence. All of them tie
// for such a query, and each rank would be found by scoring all the others: the
// square of their number. So a query that many tools ask is answered once, for all
// of them, by one search without a limit.
//
// Invariants:
//   - an answer does not depend on how many tools ask for it;
//   - the memory is a rank for each tool that asks.
type asker struct {
	s      *engine.Snapshot
	index  retrieval.Ranker // of the catalog
	limit  int              // the cut line
	shared map[string]*sharedQuery
}

// sharedQuery is a query of many tools, with its answer once somebody has asked.
type sharedQuery struct {
	docs    []int // that ask, ascending
	once    sync.Once
	ranks   map[int]int // by document; none for one that the query does not find
	shadows []*model.Tool
}

// manyAsk returns the number of tools from which on a query is answered once, in a
// catalog of n tools: where an order of the whole catalog costs about what the ranks
// of so many tools cost that tie. The rank of one costs a score for each of them, the
// order a score for each tool of the catalog; so the number grows with the root of n.
func manyAsk(n int) int { return max(64, int(math.Sqrt(float64(n))/2)) }

// newAsker returns an asker for the catalog of a snapshot with its index. asked has the
// queries of every tool; queries of many tools or more are shared.
func newAsker(s *engine.Snapshot, index retrieval.Ranker, asked []Reach, many int) *asker {
	a := &asker{s: s, index: index, limit: engine.ClampLimit(s.Config.ToolSearch, s.Config.ToolSearch.DefaultLimit)}
	count := make(map[string]int, len(asked))
	most := 0
	for i := range asked {
		for _, query := range asked[i].queries() {
			if query != "" {
				count[query]++
				most = max(most, count[query])
			}
		}
	}
	if most < many {
		return a
	}
	a.shared = map[string]*sharedQuery{}
	for doc := range asked {
		for _, query := range asked[doc].queries() {
			if count[query] < many {
				continue
			}
			q := a.shared[query]
			if q == nil {
				q = new(sharedQuery)
				a.shared[query] = q
			}
			q.docs = append(q.docs, doc)
		}
	}
	return a
}

// queries returns the queries of the probes; empty for one that is not asked.
func (r *Reach) queries() [3]string {
	return [...]string{r.Name.Query, r.Sentence.Query, r.Parameters.Query}
}

// ask searches by a probe for the tool that is a document. Rank is set if it is found.
func (a *asker) ask(doc int, p *Probe) {
	if p.Query == "" {
		return
	}
	plain := words.Strip(p.Query)
	rank, ok := 0, false
	if q := a.shared[p.Query]; q != nil {
		rank, ok = a.answer(q, plain).ranks[doc]
	} else {
		rank, _, ok = a.index.Rank(plain, doc)
	}
	if p.Found = ok && rank <= a.limit; p.Found {
		p.Rank = rank
	}
}

// explain sets Rank and Shadows of a probe that did not find the tool.
func (a *asker) explain(doc int, p *Probe) {
	if !p.missed() {
		return
	}
	plain := words.Strip(p.Query)
	if q := a.shared[p.Query]; q != nil {
		a.answer(q, plain)
		p.Rank, p.Shadows = q.ranks[doc], q.shadows
		return
	}
	p.Shadows = a.tools(a.index.Search(plain, min(a.limit, MaxShadows)).Hits)
	p.Rank, _, _ = a.index.Rank(plain, doc)
}

// answer returns a shared query, which is given as the search takes it, with its
// answer.
func (a *asker) answer(q *sharedQuery, plain string) *sharedQuery {
	q.once.Do(func() {
		hits := a.index.Search(plain, len(a.s.Catalog())).Hits
		rank := make([]int32, len(a.s.Catalog())) // by document
		for i, h := range hits {
			rank[h.Doc] = int32(i + 1)
		}
		q.ranks = make(map[int]int, len(q.docs))
		for _, doc := range q.docs {
			if rank[doc] > 0 {
				q.ranks[doc] = int(rank[doc])
			}
		}
		q.docs, q.shadows = nil, a.tools(hits[:min(len(hits), a.limit, MaxShadows)])
	})
	return q
}

// tools returns the tools of hits.
func (a *asker) tools(hits []retrieval.Hit) []*model.Tool {
	var tools []*model.Tool
	for _, h := range hits {
		tools = append(tools, a.s.Catalog()[h.Doc])
	}
	return tools
}
