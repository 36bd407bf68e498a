package cli

import (
	"slices"
	"strconv"
	"strings"

	"caliper/engine/retrieval"
	"caliper/tui/cells"
)

// explanationJSON is one node of the tree that a score is the sum of. What a
// token of the query adds has what a leafJSON has, too, and a component of a
// ranker that has several what a componentJSON has.
type explanationJSON struct {
	Value    float64           `json:"value"`
	Message  string            `json:"message"`
	Children []explanationJSON `json:"children"`
	*leafJSON
	*componentJSON
}

// leafJSON is what one word of the query adds to a score.
type leafJSON struct {
	Token        string  `json:"token"`
	DF           int     `json:"df"`
	IDF          float64 `json:"idf"`
	TF           int     `json:"tf"`
	DL           int     `json:"dl"`
	Contribution float64 `json:"contribution"`
}

// componentJSON is a part of a score that has a weight of its own.
type componentJSON struct {
	Component string  `json:"component"`
	Weight    float64 `json:"weight"` // 0: it has none
	Norm      float64 `json:"norm"`   // what it was divided by; 0: nothing
}

// explanationOf returns an explanation for JSON. The factors of a leaf are
// among its own fields.
func explanationOf(e retrieval.Explanation) *explanationJSON {
	out := &explanationJSON{Value: e.Value, Message: e.Message, Children: []explanationJSON{}}
	for _, part := range e.Children {
		out.Children = append(out.Children, partOf(part))
	}
	return out
}

// partOf returns a part of an explanation for JSON.
func partOf(e retrieval.Explanation) explanationJSON {
	out := explanationJSON{Value: e.Value, Message: e.Message, Children: []explanationJSON{}}
	if e.Component == "" {
		out.leafJSON = &leafJSON{Token: e.Token, DF: e.DF, IDF: e.IDF, TF: e.TF, DL: e.DL, Contribution: e.Value}
		return out
	}
	out.componentJSON = &componentJSON{e.Component, e.Weight, e.Norm}
	for _, part := range e.Children {
		out.Children = append(out.Children, partOf(part))
	}
	return out
}

// waterfall writes how a score came to be: a row for every word of the query
// with what it adds and the sum so far, which ends at the score.
func waterfall(p *page, e retrieval.Explanation) {
	if slices.ContainsFunc(e.Children, func(part retrieval.Explanation) bool { return part.Component != "" }) {
		components(p, e)
		return
	}
	t := table{columns: []column{
		{}, {}, {align: right}, {align: right}, {align: right}, {align: right}, {align: right}, {align: right}, {},
	}}
	sum := 0.0
	for _, part := range e.Children {
		sum += part.Value
		line := []string{"  ", part.Token, "", "", "", "", signedScore(part.Value), "= " + score(sum), bar(part.Value, e.Value, shareWidth)}
		switch {
		case part.Token == "":
			line[1] = part.Message
		case part.DF == 0:
			line[5] = "in no tool"
		default:
			line[2], line[3], line[4] = "df "+grouped(part.DF), "tf "+grouped(part.TF), "dl "+grouped(part.DL)
			line[5] = "idf " + score(part.IDF) + " × " + score(part.TFNorm)
		}
		t.add(line...)
	}
	t.print(p)
}

// components writes how a score of several components came to be: each with
// its words below it, and the sum so far, which ends at the score. Words that
// add nothing are left out.
func components(p *page, e retrieval.Explanation) {
	t := table{columns: []column{{}, {}, {align: right}, {align: right}, {}, {grow: true, wrap: true}}}
	sum := 0.0
	var add func(part retrieval.Explanation, depth int)
	add = func(part retrieval.Explanation, depth int) {
		label := cells.Spaces(2*depth) + part.Component + part.Token
		detail := strings.TrimPrefix(part.Message, part.Token+": ")
		if part.Component != "" && len(part.Children) > 0 {
			t.add("  ", label, signedScore(part.Value), "", "", detail)
			for _, child := range part.Children {
				add(child, depth+1)
			}
			return
		}
		sum += part.Value
		if part.Value != 0 {
			t.add("  ", label, signedScore(part.Value), "= "+score(sum), bar(part.Value, e.Value, shareWidth), detail)
		}
	}
	for _, part := range e.Children {
		add(part, 0)
	}
	t.print(p)
}

// signedScore returns what is added to a score.
func signedScore(v float64) string {
	if v < 0 {
		return "− " + score(-v)
	}
	return "+ " + score(v)
}

// score returns a score as text shows it. JSON has every digit.
func score(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
