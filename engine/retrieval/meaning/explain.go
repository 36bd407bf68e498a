package meaning

import (
	"fmt"
	"slices"
	"strings"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
)

// Component is the name of the component in an explanation.
const Component = "meaning"

// Explain returns how the score of a document for a query is computed: the explanation of
// fielded, or in a ranking by meaning alone what the tool gains for its name; and the
// component, with a leaf for each word of the query that the table knows, and the others in
// its message. A leaf names the word of the tool that carries most of it. Explain panics when
// the catalog does not have the document.
func (x *Index) Explain(text string, doc int) retrieval.Explanation {
	q := new(query)
	var e, meant retrieval.Explanation
	if x.asks(q, text, uint32(doc)) {
		meant = x.explain(q, text, uint32(doc))
	}
	if !x.alone {
		e = x.words.Explain(text, doc)
	} else if named, ok := x.core.words.ExplainNamed(text, doc); ok && slices.ContainsFunc(q.added, func(f fielded.Addition) bool { return f.Doc == uint32(doc) }) {
		e = retrieval.Explanation{Value: named.Value, Children: []retrieval.Explanation{named}}
	}
	if meant.Value > 0 {
		e.Value += meant.Value
		e.Children = append(e.Children, meant)
	}
	switch {
	case x.alone && e.Value > 0:
		e.Message = "by meaning, and by name"
	case e.Value == 0:
		e.Message = "not found: the tool is not near in meaning to the query as a whole" + x.unknown(text, q)
	case e.Value == meant.Value:
		e.Message = "found by meaning alone: the tool has no word of the query"
	}
	return e
}

// asks reads a query, and reports whether a document is asked for its meaning.
func (x *Index) asks(q *query, text string, doc uint32) bool {
	if x.alone {
		x.byMeaning(q, text)
		return slices.ContainsFunc(q.added, func(f fielded.Addition) bool { return f.Doc == doc })
	}
	x.ask(q, text)
	return slices.Contains(q.docs, doc)
}

// explain returns the component of a document.
func (x *Index) explain(q *query, text string, doc uint32) retrieval.Explanation {
	nears, sentences := x.meanings(q, []uint32{doc})
	near, sentence := nears[0], sentences[0]
	e := retrieval.Explanation{Component: Component, Value: near * x.unitOf(q)}
	if e.Value == 0 {
		return retrieval.Explanation{}
	}
	if !x.alone {
		e.Weight, e.Norm = q.weight, q.largest
		if q.weight != x.weight {
			e.Setting = x.weight
		}
	}
	shares := make([]float64, len(q.words))
	if x.core.vector(doc).along(q.parts[0]) > 0 {
		x.addShares(shares, q, 0, doc)
	}
	if sentence > 0 || x.core.vector(doc).along(q.parts[0]) > 0 {
		x.addShares(shares, q, sentence, doc)
	}
	for i, w := range q.words {
		if w.row < 0 || q.counts[i] == 0 {
			continue
		}
		leaf := retrieval.Explanation{Token: w.stem, Value: shares[i] / 2 * x.unitOf(q)}
		detail := "near to the tool as a whole"
		if n, _, ok := x.carrier(w, doc); ok {
			detail = n.String()
		}
		leaf.Say(detail)
		e.Children = append(e.Children, leaf)
	}
	e.Message = fmt.Sprintf("nearness %.2f of at most %.2f", near, q.largest)
	if e.Setting > 0 {
		strange := func(w queryWord) bool { return w.row >= 0 && !w.held }
		e.Message += fmt.Sprintf("; meaning_weight %v × %.2f, as no tool has %s", e.Setting, e.Weight/e.Setting, x.written(text, q, strange))
	}
	e.Message += x.unknown(text, q)
	return e
}

// unknown names the words that the table does not have, which add nothing; empty for none.
func (x *Index) unknown(text string, q *query) string {
	if list := x.written(text, q, func(w queryWord) bool { return w.row < 0 }); list != "" {
		return "; not in the table: " + list
	}
	return ""
}

// written lists the words of a query that are chosen, as it writes them.
func (x *Index) written(text string, q *query, chosen func(queryWord) bool) string {
	var list []string
	for i, word := range x.words.Written(text) {
		if chosen(q.words[i]) {
			list = append(list, word)
		}
	}
	return strings.Join(list, ", ")
}

// addShares adds what each word has of the cosine of a part of the query and a document.
func (x *Index) addShares(shares []float64, q *query, part int, doc uint32) {
	sum, own := make([]float64, x.core.table.dimension), make([]float64, x.core.table.dimension)
	for i, w := range q.words {
		if by := q.weightIn(part, i); by > 0 {
			v, _ := x.core.table.Entry(int(w.row))
			v.AddTo(sum, by)
		}
	}
	length := scaleToUnit(sum)
	for i, w := range q.words {
		by := q.weightIn(part, i)
		if by == 0 || length == 0 {
			continue
		}
		clear(own)
		v, _ := x.core.table.Entry(int(w.row))
		v.AddTo(own, by)
		shares[i] += x.core.vector(doc).along(own) / length
	}
}

// Near is a word of a tool that is near in meaning to a word of a query.
type Near struct {
	Stem       string  // of the word of the query
	Word       string  // of the tool; of several forms the most common one
	Similarity float64 // -1 to 1
}

// String returns "≈ back 0.31", or "= refund" for the same word.
func (n Near) String() string {
	if n.Similarity == 1 {
		return "= " + n.Word
	}
	return fmt.Sprintf("≈ %s %.2f", n.Word, n.Similarity)
}

// Carriers returns the stems of the words of a document that Explain names, each once; none
// where its meaning adds nothing.
func (x *Index) Carriers(text string, doc int) (stems []string) {
	q := new(query)
	if !x.asks(q, text, uint32(doc)) {
		return nil
	}
	for i, w := range q.words {
		if w.row < 0 || q.counts[i] == 0 {
			continue
		}
		if _, term, ok := x.carrier(w, uint32(doc)); ok {
			if stem, _ := x.words.Term(term); !slices.Contains(stems, string(stem)) {
				stems = append(stems, string(stem))
			}
		}
	}
	return stems
}

// carrier returns the word of a document that adds most to what a word of a query adds, and
// its term; ok is false when none is near.
func (x *Index) carrier(w queryWord, doc uint32) (best Near, carries uint32, ok bool) {
	c, most := x.core, 0.0
	v, _ := c.table.Entry(int(w.row))
	for term, in := range c.words.Bag(doc) {
		if c.rows[term] < 0 {
			continue
		}
		other, weight := c.table.Entry(int(c.rows[term]))
		s := v.Similarity(other)
		if by := s * weight * c.weightOf(term, &in); by > most && s >= leastShown {
			most, best, carries = by, Near{w.stem, c.table.Words()[c.rows[term]], s}, term
		}
	}
	return best, carries, most > 0
}
