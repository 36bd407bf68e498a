package report

import (
	"cmp"
	"fmt"
	"slices"

	"caliper/engine/retrieval"
	"caliper/tui/ui"
)

// The widths of bars, in blocks.
const (
	gaugeWidth = 32
	shareWidth = 16
)

// waterfall returns how a score came to be: a row for every word of the query
// with what it adds and the sum so far, which ends at the score.
func waterfall(e retrieval.Explanation) *Table {
	if slices.ContainsFunc(e.Children, func(part retrieval.Explanation) bool { return part.Component != "" }) {
		return components(e)
	}
	t := Columns("", "", ">", ">", ">", ">", ">", ">", "")
	sum := 0.0
	for _, part := range e.Children {
		sum += part.Value
		row := []any{"  ", Name(part.Label()), "", "", "", "", signedScore(part.Value), "= " + score(sum), bar(part.Value, e.Value, shareWidth)}
		switch {
		case part.Token == "":
			row[1] = Sentence(part.Message)
		case part.DF == 0:
			row[5] = "in no tool"
		default:
			row[2], row[3], row[4] = Textf("df %d", part.DF), Textf("tf %d", part.TF), Textf("dl %d", part.DL)
			row[5] = "idf " + score(part.IDF) + " × " + score(part.TFNorm)
		}
		t.Row(row...)
	}
	return t
}

// components returns how a score of several components came to be: each with
// its words below it, and the sum so far, which ends at the score. Words that
// add nothing are left out.
func components(e retrieval.Explanation) *Table {
	t := Columns("", "", ">", ">", "", "¶")
	sum := 0.0
	var add func(part retrieval.Explanation, depth int)
	add = func(part retrieval.Explanation, depth int) {
		label := Textf("%s%s%s", ui.Spaces(2*depth), part.Component, Name(part.Label()))
		detail := cmp.Or(part.Detail, part.Message)
		if part.Detail != "" && part.Note != "" {
			detail += "; " + part.Note
		}
		if part.Weight != 0 {
			detail = fmt.Sprintf("weight %.2f × %.2f; %s", part.Weight, part.Value/part.Weight, detail)
		}
		if part.Component != "" && len(part.Children) > 0 {
			t.Row("  ", label, signedScore(part.Value), "", "", Sentence(detail))
			for _, child := range part.Children {
				add(child, depth+1)
			}
			return
		}
		sum += part.Value
		if part.Value != 0 {
			t.Row("  ", label, signedScore(part.Value), "= "+score(sum), bar(part.Value, e.Value, shareWidth), Sentence(detail))
		}
	}
	for _, part := range e.Children {
		add(part, 0)
	}
	return t
}

// signedScore returns an addition to a score.
func signedScore(v float64) string {
	if v < 0 {
		return "− " + score(-v)
	}
	return "+ " + score(v)
}
