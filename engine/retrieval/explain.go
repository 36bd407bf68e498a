package retrieval

import "fmt"

// Explanation is a tree that shows how a score came about. The root's value is
// the score. A node without a token is a sum: its children, contributions of
// tokens and components, add up to its value when added in order, exactly or,
// in a component with a weight, to 1e-9 of the score. The children of a
// contribution are factors, which do not add up; there the sum ends.
//
// bm25 has one contribution per token of the query, in the order of the query,
// or one node alone for a literal fallback. Other rankers have components too:
// named nodes below the root, with contributions or further components. Values
// are always in units of the score: what a component's weight and norm do is
// done to those of its children.
type Explanation struct {
	Value    float64
	Message  string
	Children []Explanation

	// Of a component.
	Component string  // its name; empty for tokens, factors and roots
	Weight    float64 // what its normalised sum was multiplied by; 0: it has none
	Norm      float64 // what its sum was divided by before; 0: nothing

	// Of a contribution.
	Token  string  // of the query, as the ranker reads it
	DF     int     // documents of the catalog that hold it
	TF     int     // how often it stands in this one
	DL     int     // tokens of this document
	IDF    float64 // 0 when DF is 0
	TFNorm float64 // saturated term frequency; in bm25, Value is IDF*TFNorm
}

// Leaves calls yield with the contributions of a tree and the components that
// have no children, in order, until it returns false: what adds up to the
// score.
func (e *Explanation) Leaves(yield func(*Explanation) bool) { e.leaves(yield) }

func (e *Explanation) leaves(yield func(*Explanation) bool) bool {
	if e.Token != "" || len(e.Children) == 0 {
		return yield(e)
	}
	for i := range e.Children {
		if !e.Children[i].leaves(yield) {
			return false
		}
	}
	return true
}

// Explain tells how a document came to its score for a query, 0 included.
// Messages hold nothing but words, numbers and tokens, which are ASCII letters
// and digits. The root of a literal fallback has one child, without a token. A
// document the catalog does not have is a panic.
func (x *Index) Explain(query string, doc int) Explanation {
	s := x.borrow(query)
	defer x.giveBack(s)
	tokens := Tokens(query)
	root := Explanation{Message: sumMessage(len(tokens))}
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
		if id, df := x.term([]byte(token)); df > 0 {
			part.DF, part.TF = int(df), frequency[id]
		}
		x.contribution(&part)
		root.Value += part.Value
		root.Children = append(root.Children, part)
	}
	return root
}

// sumMessage is the message of a root.
func sumMessage(tokens int) string {
	if tokens == 1 {
		return "the one token of the query"
	}
	return fmt.Sprintf("sum over %d tokens of the query", tokens)
}

// contribution completes the explanation of one token.
func (b *bags) contribution(e *Explanation) {
	n := b.Len()
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
	e.TFNorm = b.params.tfNorm(e.TF, b.params.lengthNorm(e.DL, b.avgdl))
	e.Value = e.IDF * e.TFNorm
	e.Message = fmt.Sprintf("%s: idf × tf norm", e.Token)
	e.Children = []Explanation{factor, {
		Value: e.TFNorm,
		Message: fmt.Sprintf("tf norm(tf=%d, dl=%d, avgdl=%.2f, k1=%v, b=%v)",
			e.TF, e.DL, b.avgdl, b.params.K1, b.params.B),
	}}
}
