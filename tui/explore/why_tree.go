package explore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/engine/retrieval/meaning"
	"caliper/model/safetext"
	"caliper/model/words"
)

// whyRow is one row of the explanation: the contribution of a query token or of
// a component, which may be the sum of the rows below it.
type whyRow struct {
	label     string
	detail    string // the arithmetic in short
	note      string // text that does not fit beside the row; empty for none
	value     float64
	depth     int
	component bool
	sums      bool // the rows below it make up its value
	near      bool // the detail is a word that is near in meaning, with its similarity
	raised    bool // the query makes the weight more than its setting
}

// whyRows returns the rows of a tree: the words of a query in its order, then components, and the
// rows below each, by value, largest first.
func whyRows(tree retrieval.Explanation) []whyRow {
	var rows []whyRow
	var add func(parts []retrieval.Explanation, of string, depth int)
	add = func(parts []retrieval.Explanation, of string, depth int) {
		for _, e := range parts {
			r := whyRow{label: safetext.Line(e.Label()), detail: whyDetail(e), value: e.Value, depth: depth, near: of == meaning.Component || len(e.From) > 0}
			if e.Token == "" {
				r.label, r.component, r.sums = safetext.Line(e.Component), e.Component != "", len(e.Children) > 0
			}
			r.raised = e.Setting != 0
			if e.Component == learned.Component {
				r.label = "your queries"
			}
			r.note = whyRemark(e)
			rows = append(rows, r)
			if r.sums {
				most := func(a, b retrieval.Explanation) int { return cmp.Compare(b.Value, a.Value) }
				add(slices.SortedStableFunc(slices.Values(e.Children), most), e.Component, depth+1)
			}
		}
	}
	gains := func(e retrieval.Explanation) float64 { // of the words of a query none, so that they stay in its order
		if e.Component == "" || e.Token != "" {
			return math.Inf(1)
		}
		return math.Abs(e.Value)
	}
	most := func(a, b retrieval.Explanation) int { return cmp.Compare(gains(b), gains(a)) }
	add(slices.SortedStableFunc(slices.Values(tree.Children), most), "", 0)
	return rows
}

// whyDetail returns the arithmetic of one row.
func whyDetail(e retrieval.Explanation) string {
	switch {
	case e.Setting != 0:
		return fmt.Sprintf("%.2f × %.2f × %.2f", e.Setting, e.Weight/e.Setting, e.Value/e.Weight)
	case len(e.From) > 0:
		return fmt.Sprintf("%s %s %.2f", e.From[0].Sign, safetext.Line(e.Word), e.From[0].Near)
	case e.Token == "" && e.Weight != 0:
		return fmt.Sprintf("weight %.2f × %.2f", e.Weight, e.Value/e.Weight)
	case e.Token == "":
		return safetext.Line(e.Message)
	case e.Value == 0 && e.DF == 0:
		return "in no tool"
	case e.Value == 0:
		return "not in this tool"
	case e.IDF == 0:
		return safetext.Line(cmp.Or(e.Detail, e.Message))
	}
	return fmt.Sprintf("idf %.2f × %.2f", e.IDF, e.Value/e.IDF)
}

// whyRemark returns the remark of a component, or where a query token comes
// from.
func whyRemark(e retrieval.Explanation) string {
	message := safetext.Line(e.Message)
	if e.Token == "" {
		if e.Component == "" || message == "" {
			return ""
		}
		return safetext.Line(e.Component) + ": " + message
	}
	return safetext.Line(e.Note)
}

// summand formats a value of the sum, with a minus sign as wide as a digit.
func summand(v float64) string {
	return words.Minus(strconv.FormatFloat(v, 'f', 3, 64))
}
