package retrieval

import "fmt"

// Explanation is a tree that shows how a score came about: the root's value
// is the score and its children, one per token of the query in the order of
// the query, are the contributions, which add up to it exactly when added in
// order. The children of a contribution are its factors, idf and saturated
// term frequency. The fields behind Children are set in contributions.
type Explanation struct {
	Value    float64
	Message  string
	Children []Explanation

	Token  string  // of the query, lower-cased
	DF     int     // documents of the catalog that hold it
	TF     int     // how often it stands in this one
	DL     int     // tokens of this document
	IDF    float64 // 0 when DF is 0
	TFNorm float64 // saturated term frequency; Value is IDF*TFNorm
}

// Explain tells how a document came to its score for a query, 0 included.
// Messages hold nothing but words, numbers and tokens, which are ASCII letters
// and digits. The root of a literal fallback has one child, without a token. A
// document the catalog does not have is a panic.
func (x *Index) Explain(query string, doc int) Explanation {
	s := x.borrow(query)
	defer x.giveBack(s)
	tokens := Tokens(query)
	root := Explanation{Message: fmt.Sprintf("sum over %d tokens of the query", len(tokens))}
	if len(tokens) == 1 {
		root.Message = "the one token of the query"
	}
	document := x.documents[doc]
	if len(tokens) > 0 && len(s.terms) == 0 && x.names.contains(doc, appendLower(nil, trim(query))) {
		return Explanation{
			Value:   FallbackScore,
			Message: "literal fallback: no token of the query stands in the catalog",
			Children: []Explanation{{
				Value:   FallbackScore,
				Message: "the name contains the whole query",
				DL:      len(document),
			}},
		}
	}
	frequency := make(map[uint32]int)
	for _, id := range document {
		frequency[id]++
	}
	for _, token := range tokens {
		part := Explanation{Token: token, DL: len(document)}
		id, ok := x.dict.find([]byte(token), x.dict.hash([]byte(token)))
		if ok {
			part.DF, part.TF = int(x.terms[id].df), frequency[id]
		}
		x.contribution(&part)
		root.Value += part.Value
		root.Children = append(root.Children, part)
	}
	return root
}

// contribution completes the explanation of one token.
func (x *Index) contribution(e *Explanation) {
	n := x.Len()
	if e.DF == 0 {
		e.Message = fmt.Sprintf("%s: in no tool of the catalog", e.Token)
		return
	}
	e.IDF = idf(e.DF, n)
	factor := Explanation{Value: e.IDF, Message: fmt.Sprintf("idf(df=%d, N=%d)", e.DF, n)}
	if e.TF == 0 {
		e.Message = fmt.Sprintf("%s: not in this tool", e.Token)
		e.Children = []Explanation{factor, {Message: fmt.Sprintf("tf norm(tf=0, dl=%d)", e.DL)}}
		return
	}
	e.TFNorm = x.params.tfNorm(e.TF, x.params.lengthNorm(e.DL, x.avgdl))
	e.Value = e.IDF * e.TFNorm
	e.Message = fmt.Sprintf("%s: idf × tf norm", e.Token)
	e.Children = []Explanation{factor, {
		Value: e.TFNorm,
		Message: fmt.Sprintf("tf norm(tf=%d, dl=%d, avgdl=%.2f, k1=%v, b=%v)",
			e.TF, e.DL, x.avgdl, x.params.K1, x.params.B),
	}}
}
