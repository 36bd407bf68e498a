package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/model/words"
)

// Explanation is a tree that shows how a score is computed. The root's value is
// the score. A node without a token is a sum: its children, contributions of
// tokens and components, add up to its value when added in order, exactly or,
// in a component with a weight, to 1e-9 of the score. The children of a
// contribution are factors, which do not add up; there the sum ends.
//
// bm25 has one contribution per token of the query, in the order of the query,
// or one node alone for a literal fallback. Other rankers have components too:
// named nodes below the root, with contributions or further components. Values
// are always in units of the score: what a component's weight and norm do is
// done to its children's.
type Explanation struct {
	Value    float64
	Message  string
	Children []Explanation

	// Of a component.
	Component string  // its name; empty for tokens, factors and roots
	Weight    float64 // what its normalised sum was multiplied by; 0: it has none
	Setting   float64 // what a setting gives, where the query makes Weight a multiple of it; else 0
	Norm      float64 // what its sum was divided by before; 0: nothing

	// Of a contribution.
	Token  string   // of the query, as the ranker reads it
	Word   string   // Token as the query or else the tool writes it
	From   []Source // the words of the query that brought Token, the weightiest first; none for one of the query
	Detail string   // Message without the word that it begins with and without Note; empty where it begins otherwise
	Note   string   // what brought the token, or what holds it back; Message ends with it
	DF     int      // documents of the catalog that have it
	TF     int      // how often this document has it
	DL     int      // tokens of this document
	IDF    float64  // 0 when DF is 0
	TFNorm float64  // saturated term frequency; in bm25, Value is IDF*TFNorm
}

// Source is a word of a query that brought a token.
type Source struct {
	Word string  // as the query writes it
	Sign string  // ≈ for a word near in meaning, ~ for another relation
	Near float64 // how near the two are
	How  string  // the relation with its factors: "meaning 0.55 × 0.50"
}

// Say sets the message of a contribution to its token and a detail.
func (e *Explanation) Say(detail string) {
	e.Word, e.Message, e.Detail = e.Token, e.Token+": "+detail, detail
}

// Spell writes the tokens of contributions as word does, in messages, too.
func (e *Explanation) Spell(word func(token string) string) {
	for i := range e.Children {
		e.Children[i].Spell(word)
	}
	if e.Detail == "" || e.Token == "" {
		return
	}
	parts := strings.Fields(e.Token)
	for i, part := range parts {
		parts[i] = word(part)
	}
	e.Word = strings.Join(parts, " ")
	e.Message = e.Word + ": " + e.Detail
	for i, f := range e.From {
		if i > 0 {
			e.Note += "; "
		}
		e.Note += fmt.Sprintf("%s %s %s, %s", f.Word, f.Sign, e.Word, f.How)
	}
	if e.Note != "" {
		e.Message += "; " + e.Note
	}
}

// Label returns the word that a contribution is shown under: of the query, where it has one.
func (e *Explanation) Label() string {
	if len(e.From) > 0 {
		return e.From[0].Word
	}
	return cmp.Or(e.Word, e.Token)
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

// Explain returns how the score of a document for a query is computed, also when
// it is 0. Messages have only words, numbers and tokens, which are ASCII letters
// and digits. The root of a literal fallback has one child, without a token.
// Explain panics when the catalog does not have the document.
func (x *Index) Explain(query string, doc int) Explanation {
	s := x.acquire(query)
	defer x.release(s)
	if s.tokens > 0 && len(s.terms) == 0 && strings.Contains(x.bag(uint32(doc)).name, lower(words.Strip(query))) {
		return Explanation{
			Value:   FallbackScore,
			Message: "literal fallback: no token of the query is in the catalog",
			Children: []Explanation{{
				Value:   FallbackScore,
				Message: "the name contains the whole query",
				DL:      x.bag(uint32(doc)).length(),
			}},
		}
	}
	return x.explain(query, doc)
}

// explain explains the sum over the tokens of a query.
func (b *bags) explain(query string, doc int) Explanation {
	tokens := Tokens(query)
	root := Explanation{Message: fmt.Sprintf("sum over %d tokens of the query", len(tokens)), Children: make([]Explanation, 0, len(tokens))}
	if len(tokens) == 1 {
		root.Message = "the one token of the query"
	}
	bag := b.bag(uint32(doc))
	for _, token := range tokens {
		part := Explanation{Token: token, DL: bag.length()}
		if b.stems != nil {
			part.Token = b.stems.English([]byte(token))
		}
		if id, df := b.term([]byte(token)); df > 0 {
			part.DF, part.TF = df, bag.frequency(slices.Index(bag.terms, id))
		}
		b.contribution(&part)
		if part.Token != token {
			part.Message = fmt.Sprintf("%s, the stem of %s", part.Message, token)
		}
		part.Word = token
		root.Value += part.Value
		root.Children = append(root.Children, part)
	}
	return root
}

// contribution completes the explanation of one token.
func (b *bags) contribution(e *Explanation) {
	n := b.Len()
	if e.DF == 0 {
		e.Say("in no tool of the catalog")
		return
	}
	e.IDF = idf(e.DF, n)
	factor := Explanation{Value: e.IDF, Message: fmt.Sprintf("idf(df=%d, N=%d)", e.DF, n)}
	if e.TF == 0 {
		e.Say("not in this tool")
		e.Children = []Explanation{factor, {Message: fmt.Sprintf("tf norm(tf=0, dl=%d)", e.DL)}}
		return
	}
	e.TFNorm = b.params.tfNorm(e.TF, b.params.lengthNorm(e.DL, b.avgdl))
	e.Value = e.IDF * e.TFNorm
	e.Say("idf × tf norm")
	e.Children = []Explanation{factor, {
		Value: e.TFNorm,
		Message: fmt.Sprintf("tf norm(tf=%d, dl=%d, avgdl=%.2f, k1=%v, b=%v)",
			e.TF, e.DL, b.avgdl, b.params.K1, b.params.B),
	}}
}
