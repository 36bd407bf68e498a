package fielded

import (
	"caliper/engine/retrieval"
	"caliper/model/words"
)

// FirstWord returns the first word of a query that says something of a tool, in lower case;
// empty where the query has stop words alone. some reports whether it has words at all.
func (x *Index) FirstWord(query string) (word string, some bool) {
	var c words.Cutter
	c.Cut([]byte(query))
	for text := c.Next(); text != nil; text = c.Next() {
		if x.lexicon.Kind(text) != retrieval.StopWord {
			return string(text), true
		}
		some = true
	}
	return "", some
}
