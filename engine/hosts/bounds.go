package hosts

import (
	"slices"
	"strings"
	"unicode"
)

// averages is in how many parts the mean length of all texts is looked at between the least
// and the greatest that it may have.
const averages = 16

// band is the least and the greatest score of a hit, by the mean length of all texts. Both
// grow with it.
type band struct{ low, high [averages + 1]float64 }

// bound puts between which ranks the hits of a query stand, where a dictionary that caliper
// has not cuts texts into fewer words than the index has: what it joins shortens the text of a
// tool, and the mean of all. Found are the hits in their order. A query of such words may find
// anything that has one of its characters, or nothing.
func (x *Index) bound(query string, found []scored, hits []Hit) {
	if strings.ContainsFunc(query, func(c rune) bool { return unicode.IsOneOf(spaceless, c) }) {
		for i := range hits {
			hits[i].Best, hits[i].Worst = 1, Nowhere
		}
		return
	}
	// The scores that hits may have.
	q, bands, own := x.readQuery(query), make([]band, len(found)), make([]readQuery, len(found))
	for i, f := range found { // words that a tool lacks give nothing
		own[i].sum = q.sum
		x.scoreOf(f.entry, q, func(word string, _ float64) {
			own[i].words = append(own[i].words, word)
			own[i].idf = append(own[i].idf, q.idf[slices.Index(q.words, word)])
		})
	}
	y, all := *x, float64(len(x.entries))
	least, most := float64(x.total-x.joined)/all, float64(x.total)/all
	for at := range averages + 1 {
		y.average = least + (most-least)*float64(at)/averages
		for i, f := range found {
			s, _ := y.scoreOf(f.entry, own[i], nil)
			bands[i].low[at], bands[i].high[at] = s.score, s.score
			if f.joined > 0 {
				shorter := *f.entry
				shorter.length -= f.joined
				s, _ = y.scoreOf(&shorter, own[i], nil)
				bands[i].high[at] = s.score
			}
		}
	}
	for i := range hits {
		hits[i].Best, hits[i].Worst = 1, len(hits)
	}
	for i := range found {
		for j := range found[:i] {
			switch {
			case x.surely(found[j], found[i], &bands[j], &bands[i]):
				hits[i].Best++
				hits[j].Worst--
			case x.surely(found[i], found[j], &bands[i], &bands[j]):
				hits[j].Best++
				hits[i].Worst--
			}
		}
	}
}

// surely reports whether a hit comes before another: by what the host looks at before
// the score, by the score whatever the mean length is, or with equal scores as the tools are.
func (x *Index) surely(a, b scored, of, other *band) bool {
	a.score, b.score = 0, 0
	if c := x.byKeys(a, b); c != 0 {
		return c < 0
	}
	if a.joined == 0 && b.joined == 0 && slices.Equal(of.low[:], other.low[:]) {
		return a.at < b.at
	}
	for at := range averages {
		if of.low[at] <= other.high[at+1] {
			return false
		}
	}
	return true
}
