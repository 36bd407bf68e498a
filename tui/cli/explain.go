package cli

import (
	"strconv"

	"caliper/engine/retrieval"
)

// explanationJSON is one node of the tree that a score is the sum of. The
// leaves have what a leafJSON has, too.
type explanationJSON struct {
	Value    float64           `json:"value"`
	Message  string            `json:"message"`
	Children []explanationJSON `json:"children"`
	*leafJSON
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

// explanationOf returns an explanation for JSON. Its leaves are the parts that
// add up; the factors of a part are among the leaf's own fields.
func explanationOf(e retrieval.Explanation) *explanationJSON {
	out := &explanationJSON{Value: e.Value, Message: e.Message, Children: make([]explanationJSON, len(e.Children))}
	for i, part := range e.Children {
		out.Children[i] = explanationJSON{
			Value: part.Value, Message: part.Message, Children: []explanationJSON{},
			leafJSON: &leafJSON{
				Token: part.Token, DF: part.DF, IDF: part.IDF, TF: part.TF, DL: part.DL, Contribution: part.Value,
			},
		}
	}
	return out
}

// waterfall writes how a score came to be: a row for every word of the query
// with what it adds and the sum so far, which ends at the score.
func waterfall(p *page, e retrieval.Explanation) {
	t := table{columns: []column{
		{}, {}, {align: right}, {align: right}, {align: right}, {align: right}, {align: right}, {align: right}, {},
	}}
	sum := 0.0
	for _, part := range e.Children {
		sum += part.Value
		line := []string{"  ", part.Token, "", "", "", "", "+ " + score(part.Value), "= " + score(sum), bar(part.Value, e.Value, shareWidth)}
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

// score returns a score as text shows it. JSON has every digit.
func score(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
