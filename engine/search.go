package engine

import (
	"caliper/engine/retrieval"
	"caliper/model"
)

// Results is the answer to a query over a session's catalog. It does not
// depend on whether the bridge is active.
type Results struct {
	Query    string // trimmed
	Limit    int    // the cut line: how many hits the model would get
	Total    int    // tools in the catalog
	Scored   int    // tools that the ranker admits
	Fallback bool   // nothing scored, the hits are found by name
	Hits     []Hit  // best first; as many as were asked for
}

// Hit is one search result.
type Hit struct {
	Tool   *model.Tool
	Rank   int // from 1
	Score  float64
	Within bool // within the limit
	Tied   bool // another hit has the same score

	doc int
}

// Search ranks the catalog for a query. A limit of 0 means the configured
// default, others are clamped; depth is how many hits to return and is raised
// to the limit when below it. Equal scores stand in catalog order.
func (s *Snapshot) Search(query string, limit, depth int) Results {
	if limit == 0 {
		limit = s.Config.ToolSearch.DefaultLimit
	}
	r := Results{Query: trim(query), Limit: ClampLimit(s.Config.ToolSearch, limit), Total: len(s.catalog)}
	depth = max(depth, r.Limit)
	// One more than asked for, so that the last hit knows whether it is tied.
	found := s.index.Search(query, depth+1)
	r.Fallback = found.Fallback
	r.Scored = len(found.Hits)
	if r.Scored > depth {
		r.Scored = s.index.Scored(query)
	}
	r.Hits = make([]Hit, min(depth, len(found.Hits)))
	for i := range r.Hits {
		h := found.Hits[i]
		r.Hits[i] = Hit{
			Tool:   s.catalog[h.Doc],
			Rank:   i + 1,
			Score:  h.Score,
			Within: i < r.Limit,
			Tied:   i > 0 && found.Hits[i-1].Score == h.Score || i+1 < len(found.Hits) && found.Hits[i+1].Score == h.Score,
			doc:    h.Doc,
		}
	}
	return r
}

// Explain returns why a tool has its score for a query. The contributions of
// the leaves sum to the score. ok is false when the tool is not in the
// catalog.
func (s *Snapshot) Explain(query string, t *model.Tool) (e retrieval.Explanation, ok bool) {
	doc, ok := s.inCatalog[t]
	if !ok {
		return retrieval.Explanation{}, false
	}
	return s.index.Explain(query, doc), true
}

// Rank returns the true place of a tool among all that score for a query,
// from 1, with its score; ok is false when it does not score.
func (s *Snapshot) Rank(query string, t *model.Tool) (rank int, score float64, ok bool) {
	doc, ok := s.inCatalog[t]
	if !ok {
		return 0, 0, false
	}
	return s.index.Rank(query, doc)
}
