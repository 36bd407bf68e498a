package engine

import (
	"fmt"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
)

// Cut says in one line, safe for a terminal, why a query finds no tool of the
// session's catalog; empty when it finds one.
func (s *Snapshot) Cut(query string) string {
	if s.index.Scored(query) > 0 {
		return ""
	}
	if len(s.catalog) == 0 {
		return "the catalog is empty"
	}
	switch x := s.index.(type) {
	case *retrieval.Gated:
		return cutByGates(x.Gates(query))
	case *fielded.Index:
		return cutWords(x.Read(query))
	}
	if len(retrieval.Tokens(query)) == 0 {
		return "the query has no token: only ASCII letters and digits are read"
	}
	return "no tool holds a token of the query, and no name holds the query"
}

// cutByGates says which gate stops every tool.
func cutByGates(g retrieval.Gates) string {
	word := g.Word
	if g.Gate != word {
		word = fmt.Sprintf("%s (%s)", g.Gate, g.Word)
	}
	switch {
	case g.Tokens == 0:
		return "the query has no token: only ASCII letters and digits are read"
	case g.DF == 0:
		return fmt.Sprintf("its rarest word must match, and %s stands in no tool", word)
	}
	return fmt.Sprintf("no tool that holds the rarest word, %s, holds %d of the %d words", word, g.Required, g.Answerable)
}

// cutWords says what became of the words.
func cutWords(r fielded.Reading) string {
	if len(r.Words) == 0 {
		return "the query has no word"
	}
	for _, w := range r.Words {
		if w.Kind != fielded.Stop {
			return fmt.Sprintf("no tool holds %s or another word of the query, or one like them", model.Sanitize(w.Text))
		}
	}
	return "the query has only words that say nothing about a tool"
}
