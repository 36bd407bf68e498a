package retrieval

import "fmt"

// The components of an explanation by Gated, beside the tokens.
const (
	ExactName = "exact name" // the bonus of a tool whose name is the query
	Gate      = "gate"       // takes what the tokens add from a tool that is not admitted
)

// Explain tells how a document came to its score for a query, 0 included. The
// children are one per token of the query and at most one component: ExactName,
// or Gate, whose message says which gate stopped the tool. A document the
// catalog does not have is a panic.
func (x *Gated) Explain(query string, doc int) Explanation {
	s := x.borrow(query)
	defer x.giveBack(s)
	tokens := Tokens(query)
	root := Explanation{Message: sumMessage(len(tokens))}
	document := x.documents[doc]
	frequency := make(map[uint32]int)
	for _, id := range document {
		frequency[id]++
	}
	for _, token := range tokens {
		part := Explanation{Token: x.stems.English([]byte(token)), DL: len(document)}
		if id, df := x.term([]byte(token)); df > 0 {
			part.DF, part.TF = int(df), frequency[id]
		}
		x.contribution(&part)
		if part.Token != token {
			part.Message = fmt.Sprintf("%s, the stem of %s", part.Message, token)
		}
		root.Value += part.Value
		root.Children = append(root.Children, part)
	}
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

// refusal tells which gate stops a document, or nothing.
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
		return fmt.Sprintf("no tool holds %s, so that the query finds nothing", stem)
	}
	if !held {
		return fmt.Sprintf("lacks %s, the rarest token of the query (df=%d)", stem, rarest)
	}
	if n, least := s.matched(&s.x.bags, doc), required(len(s.terms)); n < least {
		return fmt.Sprintf("holds %d of the %d tokens that stand in the catalog, %d are required", n, len(s.terms), least)
	}
	return ""
}
