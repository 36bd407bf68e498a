package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/retrieval"
	"caliper/model"
)

// whyRow is one line of the sum: what a word of the query adds, or what a
// component does, which may be the sum of the rows below it.
type whyRow struct {
	label     string
	detail    string // the arithmetic in short
	note      string // what there is no room for beside the row; empty for none
	value     float64
	depth     int
	component bool
	sums      bool // the rows below it make up its value
}

// whyRows returns the rows of a tree, in its order, and below a component those
// that add most first.
func whyRows(tree retrieval.Explanation) []whyRow {
	var rows []whyRow
	var add func(parts []retrieval.Explanation, depth int)
	add = func(parts []retrieval.Explanation, depth int) {
		for _, e := range parts {
			r := whyRow{label: model.Sanitize(e.Token), detail: whyDetail(e), value: e.Value, depth: depth}
			if e.Token == "" {
				r.label, r.component, r.sums = model.Sanitize(e.Component), e.Component != "", len(e.Children) > 0
			}
			r.note = whyRemark(e)
			rows = append(rows, r)
			if r.sums {
				most := func(a, b retrieval.Explanation) int { return cmp.Compare(b.Value, a.Value) }
				add(slices.SortedStableFunc(slices.Values(e.Children), most), depth+1)
			}
		}
	}
	add(tree.Children, 0)
	return rows
}

// whyDetail is the arithmetic behind one row.
func whyDetail(e retrieval.Explanation) string {
	switch {
	case e.Token == "" && e.Weight != 0:
		return fmt.Sprintf("weight %.2f × %.2f", e.Weight, e.Value/e.Weight)
	case e.Token == "":
		return model.Sanitize(e.Message)
	case e.Value == 0 && e.DF == 0:
		return "in no tool"
	case e.Value == 0:
		return "not in this tool"
	case e.IDF == 0:
		return model.Sanitize(e.Message)
	}
	return fmt.Sprintf("idf %.2f × %.2f", e.IDF, e.Value/e.IDF)
}

// whyRemark is what a component says in words, and of a word what brought it:
// messages tell that behind a semicolon.
func whyRemark(e retrieval.Explanation) string {
	message := model.Sanitize(e.Message)
	if e.Token == "" {
		if e.Component == "" || message == "" {
			return ""
		}
		return model.Sanitize(e.Component) + ": " + message
	}
	_, brought, _ := strings.Cut(message, "; ")
	return brought
}

// remarks returns what the rows have to say further, each thing once.
func remarks(rows []whyRow) []string {
	var all []string
	for _, r := range rows {
		if r.note != "" && !slices.Contains(all, r.note) {
			all = append(all, r.note)
		}
	}
	return all
}

// summands counts what the sum is of: "6 query tokens", "4 components", "4 +
// exact name".
func summands(rows []whyRow) string {
	words, named := 0, []whyRow{}
	for _, r := range rows {
		switch {
		case r.depth > 0:
		case r.component:
			named = append(named, r)
		default:
			words++
		}
	}
	switch {
	case len(named) == 0:
		return plural(words, "query token")
	case words == 0:
		return plural(len(named), "component")
	}
	text := thousands(words)
	for _, r := range named {
		sign := " + "
		if r.value < 0 {
			sign = " − "
		}
		text += sign + r.label
	}
	return text
}

// summand formats a value of the sum, with a minus that is as wide as a digit.
func summand(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 3, 64), "-", "−", 1)
}
