package changes

import (
	"fmt"
	"strings"

	"caliper/engine/diff"
	"caliper/engine/retrieval"
	"caliper/model/safetext"
	"caliper/tui/report"
)

// GatedReason returns in one line why bm25-gated finds a tool, or does not; empty when
// that is not known.
func GatedReason(g *diff.GatedReason) string {
	if g == nil {
		return ""
	}
	gate := safetext.Line(g.Word)
	if g.Gate != g.Word {
		gate += " (stem " + safetext.Line(g.Gate) + ")"
	}
	covered := fmt.Sprintf("%d of %s, %d required", g.Matched, report.Count(g.Answerable, "known word"), g.Required)
	why := ""
	switch g.Verdict {
	case retrieval.AdmittedExact:
		why = "its name is the query"
	case retrieval.RefusedNoTokens:
		why = "the query has no word"
	case retrieval.RefusedUnknown:
		why = fmt.Sprintf("must have %s, which no tool has", gate)
	case retrieval.RefusedRarest:
		why = fmt.Sprintf("lacks %s, the rarest word (%s)", gate, report.Count(g.DF, "tool"))
	case retrieval.RefusedCoverage:
		why = "has " + covered
	default:
		why = fmt.Sprintf("has %s, the rarest word, and %s", gate, covered)
	}
	if admitted := g.Verdict == retrieval.AdmittedGates; admitted && len(g.Stems) > 0 {
		why += "; by stem: " + safetext.Line(strings.Join(g.Stems[:min(len(g.Stems), maxStems)], ", "))
	}
	return why
}

// maxStems bounds the words that a reason names.
const maxStems = 4
