package engine

import (
	"slices"
	"strings"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/engine/tokens"
	"caliper/model"
)

// MaxNearest is how many sources an answer without hits names at most.
const MaxNearest = 3

// Confidence is how likely it is that a query has found a tool that answers it.
type Confidence struct {
	Value    float64 // 0 to 1; see retrieval.Evidence
	Evidence retrieval.Evidence
	Abstains bool     // it is below tools.tool_search.min_confidence: the model gets no hit
	Nearest  []string // the sources of the first hits, at most MaxNearest, each once
}

// Confidence returns how likely it is that the session's catalog answers a query. It
// does not depend on whether the bridge is active.
func (s *Snapshot) Confidence(query string) Confidence {
	var room [retrieval.EvidenceHits]retrieval.Found
	hits := room[:0]
	index := s.index()
	taught, learns := index.(*learned.Index)
	for _, h := range index.Search(query, retrieval.EvidenceHits).Hits {
		hit := retrieval.Found{Tool: s.Catalog()[h.Doc], Score: h.Score}
		if learns {
			hit.Taught = taught.Known(query, h.Doc)
		}
		hits = append(hits, hit)
	}
	c := Confidence{Evidence: retrieval.ReadEvidence(query, hits)}
	c.Value = retrieval.ConfidenceModelOf(s.ranking().ranker).Of(c.Evidence)
	c.Abstains = c.Value < s.Config.ToolSearch.MinConfidence
	for _, h := range hits {
		source := h.Tool.Toolset // as the model is told it
		if s.later() {
			source = tokens.GroupLabel(source)
		}
		if h.Tool.Toolset != model.NoToolset && source != "" && len(c.Nearest) < MaxNearest && !slices.Contains(c.Nearest, source) {
			c.Nearest = append(c.Nearest, source)
		}
	}
	return c
}

// abstention is the part of a search's answer when it returns no hit for want of
// confidence.
type abstention struct {
	Nearest []string `json:"nearest_sources,omitempty"`
	Hint    string   `json:"hint,omitempty"`
}

// abstain returns what tool_search answers in place of hits; abstains is false where it
// returns the hits. It is so for every query while min_confidence is 0.
//
// SECURITY: it names sources of the session's catalog and no others.
func (s *Snapshot) abstain(query string) (a abstention, abstains bool) {
	if s.Config.ToolSearch.MinConfidence == 0 {
		return abstention{}, false
	}
	c := s.Confidence(query)
	if !c.Abstains {
		return abstention{}, false
	}
	a = abstention{Nearest: c.Nearest, Hint: "Nothing fits. "}
	if len(c.Nearest) > 0 {
		a.Hint += "Nearest sources: " + strings.Join(c.Nearest, ", ") + ". "
	}
	a.Hint += "Name what the tool should do in other words, once; if nothing fits then, go on without a tool."
	return a, true
}
