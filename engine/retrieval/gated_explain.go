package retrieval

import "fmt"

// The components of an explanation by Gated, beside the tokens.
const (
	ExactName = "exact name" // the bonus of a tool whose name is the query
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
	if s.named(uint32(doc)) {
		part = Explanation{
			Component: ExactName,
			Value:     s.bonus(x.params),
			Message:   "the name is the query: more than tokens can add",
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
func (s *gatedSearcher) refusal(query string, doc uint32) string {
	if s.tokens == 0 {
		return "the query has no tokens"
	}
	gate, stem, held := "", "", false
	rarest := -1
	for _, token := range Tokens(query) {
		id, df := s.x.term([]byte(token))
		if rarest >= 0 && int(df) >= rarest {
			continue
		}
		gate, stem, rarest = token, s.x.stems.English([]byte(token)), int(df)
		held = df > 0 && s.x.lists.Impact(s.x.lists.Term(id), doc) > 0
	}
	if gate != stem {
		stem = fmt.Sprintf("%s (%s)", stem, gate)
	}
	if rarest == 0 {
		return fmt.Sprintf("no tool has %s, so the query finds nothing", stem)
	}
	if !held {
		return fmt.Sprintf("lacks %s, the rarest token of the query (df=%d)", stem, rarest)
	}
	if n, least := s.matched(&s.x.bags, doc), required(len(s.terms)); n < least {
		return fmt.Sprintf("has %d of the %d tokens that are in the catalog, %d are required", n, len(s.terms), least)
	}
	return ""
}

// Gates is what a query requires of a tool by the rules of Gated, and how many
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
		Exact:      len(s.exact),
		Admitted:   s.scored(),
	}
	for i, token := range Tokens(query) {
		if _, df := x.term([]byte(token)); i == 0 || int(df) < g.DF {
			g.Word, g.DF = token, int(df)
		}
	}
	g.Gate = x.stems.English([]byte(g.Word))
	return g
}
