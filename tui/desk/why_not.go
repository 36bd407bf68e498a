package desk

import (
	"cmp"
	"slices"
	"strconv"

	"caliper/config"
	"caliper/engine/whatif"
	"caliper/tui/ui"
)

// stages are the texts for the stage of the search that stopped a tool.
var stages = map[whatif.Stage]string{
	whatif.StageUnknown:    "not in the registry",
	whatif.StageCore:       "sent directly, so search never returns it",
	whatif.StageOutOfScope: "out of this session's scope",
	whatif.StageBelowLimit: "below the limit",
	whatif.StageFound:      "found",
}

// WhyNot returns phrases that say which stage stopped a tool, its rank and its
// distance to the cut line.
func WhyNot(t *ui.Theme, r *whatif.Answer) []ui.Phrase {
	style := t.Bad
	if r.Stage == whatif.StageFound || r.Stage == whatif.StageCore {
		style = t.Ok
	}
	stage := stages[r.Stage]
	if r.Stage == whatif.StageNoMatch {
		stage = cmp.Or(r.Gate(), r.Lacks())
	}
	all := []ui.Phrase{{Style: style, Text: stage}}
	switch {
	case r.Rank == nil:
	case r.Stage == whatif.StageOutOfScope:
		return append(all, ui.Phrase{Style: t.Faint, Text: "granted, it would rank " + ui.Thousands(*r.Rank)})
	default:
		all = append(all, ui.Phrase{Style: t.Text, Text: "rank " + ui.Thousands(*r.Rank)})
	}
	if r.Score != nil {
		all = append(all, ui.Phrase{Style: t.Number, Text: strconv.FormatFloat(*r.Score, 'f', 3, 64)})
	}
	if r.Gap != nil && *r.Gap > 0 {
		all = append(all, ui.Phrase{Style: t.Faint, Text: strconv.FormatFloat(*r.Gap, 'f', 3, 64) + " below the cut line"})
	}
	if len(r.Nearest) > 0 && !slices.ContainsFunc(r.Remedies, byMeaning) {
		all = append(all, ui.Phrase{Style: t.Near, Text: r.Nearest[0].String()})
	}
	if r.Direct {
		all = append(all, ui.Phrase{Style: t.Faint, Text: "search is OFF here: it is sent in full"})
	}
	return all
}

// byMeaning reports whether a remedy is a ranker that compares meanings, beside which the
// nearest words are its reason.
func byMeaning(r whatif.Remedy) bool {
	return r.Kind == whatif.RemedyRanker && r.Change == config.RankerHybrid
}

// Remedy returns a remedy of an answer, the rank that it leads to, and which tool it hurts.
func Remedy(t *ui.Theme, w *whatif.Answer, r whatif.Remedy) []ui.Phrase {
	phrases := []ui.Phrase{{Style: t.Ok, Text: r.String()}, {Style: t.Faint, Text: "rank " + ui.Thousands(r.NewRank)}}
	if byMeaning(r) && len(w.Nearest) > 0 {
		phrases = append(phrases, ui.Phrase{Style: t.Near, Text: w.Nearest[0].String()})
	}
	if hurt := whatif.PushedOut(r.Displaced); hurt != "" {
		phrases = append(phrases, ui.Phrase{Style: t.Warn, Text: hurt})
	}
	return phrases
}
