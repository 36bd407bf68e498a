package diff

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
)

// GatedReason is why the ranker bm25-gated finds a relevant tool that another ranker
// misses, or the other way round.
type GatedReason struct {
	retrieval.Admission
	Stems []string // words of the query that the tool has in another form only
}

// gatedReason returns the reason for a tool that bears a name; nil unless exactly one
// of the snapshots ranks with bm25-gated.
func gatedReason(old, new *engine.Snapshot, query, name string) *GatedReason {
	admission := func(s *engine.Snapshot) (a retrieval.Admission, ok bool) {
		for _, t := range s.Registry.Called(name) {
			if a, ok = s.Admission(query, t); ok {
				return a, true
			}
		}
		return a, false
	}
	a, is := admission(new)
	before, was := admission(old)
	stems, whole := new, old
	switch {
	case was == is:
		return nil
	case was:
		a, stems, whole = before, old, new
	}
	if whole.Config.ToolSearch.Ranker != config.RankerBM25 {
		return &GatedReason{Admission: a}
	}
	// Words that add to the score of the tool with stems, and nothing by whole words.
	adds := func(s *engine.Snapshot) (out []bool) {
		for _, t := range s.Registry.Called(name) {
			if e, ok := s.Explain(query, t); ok {
				for _, c := range e.Children {
					if c.Component == "" {
						out = append(out, c.Value > 0)
					}
				}
				return out
			}
		}
		return nil
	}
	by, plain := adds(stems), adds(whole)
	g := &GatedReason{Admission: a}
	for i, word := range retrieval.Tokens(query) {
		if i < len(by) && i < len(plain) && by[i] && !plain[i] && !slices.Contains(g.Stems, word) {
			g.Stems = append(g.Stems, strings.Clone(word))
		}
	}
	return g
}
