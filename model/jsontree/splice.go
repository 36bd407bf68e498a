package jsontree

import (
	"cmp"
	"slices"
)

// Splice is a text that replaces a span of another one.
type Splice struct {
	From, To int
	Text     []byte
}

// Spliced returns a text with splices made, which do not overlap, and the text itself for
// none. One that only inserts stands before another that begins there, and of two such the
// first given is first.
func Spliced(text []byte, splices []Splice) []byte {
	if len(splices) == 0 {
		return text
	}
	slices.SortStableFunc(splices, func(a, b Splice) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	var out []byte
	done := 0
	for _, s := range splices {
		out = append(append(out, text[done:s.From]...), s.Text...)
		done = s.To
	}
	return append(out, text[done:]...)
}
