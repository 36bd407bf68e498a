package retrieval

// Gates tells what a query asks of a tool under the rules of Gated, and how
// many tools meet it: why it finds nothing, or little.
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

// Gates returns what a query asks.
func (x *Gated) Gates(query string) Gates {
	s := x.borrow(query)
	defer x.giveBack(s)
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
