package embed

import "caliper/model/words"

// cutter cuts texts into words of at most maxWord runes: of a longer one, the
// first are the word. Its memory is used again.
type cutter struct {
	words.Cutter
	text []byte
}

// each calls visit with the words of a text until it returns false. A word is
// valid until visit returns.
func (c *cutter) each(text string, visit func(word []byte) bool) {
	c.CutPlurals = true
	c.text = append(c.text[:0], text...)
	c.Cut(c.text)
	for word := c.Next(); word != nil && visit(clipped(word)); word = c.Next() {
	}
}

// clipped returns the first maxWord runes of a word.
func clipped(word []byte) []byte {
	if len(word) <= maxWord {
		return word
	}
	runes := 0
	for at := range string(word) {
		if runes == maxWord {
			return word[:at]
		}
		runes++
	}
	return word
}
