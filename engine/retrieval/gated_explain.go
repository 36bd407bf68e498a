package retrieval

import (
	"fmt"
	"slices"
)

// The components of an explanation by Gated, beside the tokens.
const (
	ExactName = "exact name" // puts a tool whose name is the query first; adds nothing
	Gate      = "gate"       // takes what the tokens add from a tool that is not admitted
)

// Explain returns how the score of a document for a query is computed, also when
// it is 0. The children are one per token of the query and at most one component:
// ExactName, or Gate, whose message says which gate stops the tool. Explain panics
// when the catalog does not have the document.
func (x *Gated) Explain(query string, doc int) Explanation {
	s := x.acquire(query)
	defer x.release(s)
	root := x.explain(query, doc)
	var part Explanation
	if s.isNamed(uint32(doc)) {
		part = Explanation{
			Component: ExactName,
			Message:   "the name is the query: first, whatever the score",
		}
	} else if why := s.refusal(query, uint32(doc)); why != "" {
		part = Explanation{Component: Gate, Value: 0 - root.Value, Message: "not admitted: " + why}
	} else {
		return root
	}
	root.Value += part.Value
	root.Children = append(root.Children, part)
	return root
}

// refusal returns which gate stops a document, or nothing.
func (s *searcher) refusal(query string, doc uint32) string {
	a := s.admission(query, doc)
	stem := a.Gate
	if stem != a.Word {
		stem = fmt.Sprintf("%s (%s)", a.Gate, a.Word)
	}
	switch a.Verdict {
	case RefusedNoTokens:
		return "the query has no tokens"
	case RefusedUnknown:
		return fmt.Sprintf("no tool has %s, so the query finds nothing", stem)
	case RefusedRarest:
		return fmt.Sprintf("lacks %s, the rarest token of the query (df=%d)", stem, a.DF)
	case RefusedCoverage:
		return fmt.Sprintf("has %d of the %d tokens that are in the catalog, %d are required", a.Matched, a.Answerable, a.Required)
	}
	return ""
}

// Verdict is the verdict of Gated's rules on one tool.
type Verdict string

// The verdicts.
const (
	AdmittedExact   Verdict = "exact_name"   // its name is the query
	AdmittedGates   Verdict = "admitted"     // it passes both gates
	RefusedNoTokens Verdict = "no_tokens"    // the query has none
	RefusedUnknown  Verdict = "oov_token"    // no tool has the rarest token
	RefusedRarest   Verdict = "rarest_token" // it lacks the rarest token
	RefusedCoverage Verdict = "coverage"     // it has too few of the tokens
)

// Admission is the verdict of Gated's rules on one tool for a query, and the reason.
type Admission struct {
	Verdict    Verdict
	Gate, Word string // the stem that a tool must hold, and the word of the query that has it
	DF         int    // tools that hold it
	Matched    int    // answerable tokens that the tool holds
	Answerable int    // distinct stems of the query that stand in the catalog
	Required   int    // how many of them a tool must hold
}

// Admission returns what the rules say of a document for a query. It panics when the
// catalog does not have the document.
func (x *Gated) Admission(query string, doc int) Admission {
	s := x.acquire(query)
	defer x.release(s)
	return s.admission(query, uint32(doc))
}

// admission is Admission for the query that was acquired.
func (s *searcher) admission(query string, doc uint32) Admission {
	a := Admission{Verdict: RefusedNoTokens, Answerable: len(s.terms), Required: required(len(s.terms))}
	held := false
	for i, token := range Tokens(query) {
		id, df := s.b.term([]byte(token))
		if i > 0 && df >= a.DF {
			continue
		}
		a.Word, a.Gate, a.DF = token, s.b.stems.English([]byte(token)), df
		held = df > 0 && slices.Contains(s.b.bag(doc).terms, id)
	}
	if s.tokens > 0 {
		a.Matched = s.matched(doc)
	}
	switch {
	case s.isNamed(doc):
		a.Verdict = AdmittedExact
	case s.tokens == 0:
	case a.DF == 0:
		a.Verdict = RefusedUnknown
	case !held:
		a.Verdict = RefusedRarest
	case a.Matched < a.Required:
		a.Verdict = RefusedCoverage
	default:
		a.Verdict = AdmittedGates
	}
	return a
}

// Gates is the requirements of a query for a tool by the rules of Gated, and how many
// tools have it. It shows why a query finds nothing, or little.
type Gates struct {
	Tokens     int    // of the query, repeats included
	Gate       string // the stem that a tool must hold, the query's rarest; empty when it has no tokens
	Word       string // the first word of the query that has it, lower-cased
	DF         int    // tools that hold it: 0 closes the gate to all
	Answerable int    // distinct stems of the query that stand in the catalog
	Required   int    // how many of them a tool must hold
	Exact      int    // tools whose name is the query, which no gate stops
	Admitted   int    // tools that are found
}

// Gates returns what a query requires.
func (x *Gated) Gates(query string) Gates {
	s := x.acquire(query)
	defer x.release(s)
	g := Gates{
		Tokens:     s.tokens,
		Answerable: len(s.terms),
		Required:   required(len(s.terms)),
		Exact:      len(s.named),
		Admitted:   s.admitted(),
	}
	for i, token := range Tokens(query) {
		if _, df := x.term([]byte(token)); i == 0 || df < g.DF {
			g.Word, g.DF = token, df
		}
	}
	g.Gate = x.stems.English([]byte(g.Word))
	return g
}
