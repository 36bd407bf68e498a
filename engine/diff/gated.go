package diff

import (
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
	before, was := admissionOf(old, query, name)
	after, is := admissionOf(new, query, name)
	switch {
	case is && !was:
		return &GatedReason{Admission: after, Stems: stemsOf(new, old, query, name)}
	case was && !is:
		return &GatedReason{Admission: before, Stems: stemsOf(old, new, query, name)}
	}
	return nil
}

// admissionOf returns what the gates of a snapshot say of the tool that bears a name.
func admissionOf(s *engine.Snapshot, query, name string) (a retrieval.Admission, ok bool) {
	for _, t := range s.Registry.Called(name) {
		if a, ok = s.Admission(query, t); ok {
			return a, true
		}
	}
	return a, false
}

// stemsOf returns the words of a query that add to the score of a tool in a snapshot
// with stems, and nothing in one that ranks by whole words.
func stemsOf(stems, whole *engine.Snapshot, query, name string) []string {
	if whole.Config.ToolSearch.Ranker != config.RankerBM25 {
		return nil
	}
	adds := func(s *engine.Snapshot) []bool {
		for _, t := range s.Registry.Called(name) {
			if e, ok := s.Explain(query, t); ok {
				var out []bool
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
	seen := map[string]bool{}
	var list []string
	for i, word := range retrieval.Tokens(query) {
		if i < len(by) && i < len(plain) && by[i] && !plain[i] && !seen[word] {
			seen[word] = true
			list = append(list, strings.Clone(word))
		}
	}
	return list
}

// kept returns a copy of bounded size.
func (g *GatedReason) kept() *GatedReason {
	if g == nil {
		return nil
	}
	const most = 8
	out, more := *g, 0
	out.Gate, out.Word = kept(g.Gate), kept(g.Word)
	out.Stems = head(g.Stems, most, &more, kept)
	return &out
}
