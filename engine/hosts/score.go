package hosts

import (
	"math"
	"slices"
	"strings"
)

// scored is a tool that has a word of the query.
type scored struct {
	*entry
	score   float64
	covered int  // words of the query that it has
	first   int  // the place of the first of them
	exact   bool // the query is its name
}

// score returns the tools that have a word of the query, in the order of the tools.
func (x *Index) score(query string) []scored {
	r := x.host.rules
	var words []string
	required := 0
	if r.query != nil {
		words, required = r.query(query)
	} else {
		words = r.words(query)
	}
	if !r.repeats {
		words = once(words)
	}
	idf := make([]float64, len(words))
	sum := 0.0
	for i, w := range words {
		idf[i] = x.idf(w)
		sum += idf[i]
	}
	var out []scored
	for _, e := range x.entries {
		s := scored{entry: e, first: -1}
		lacks := false
		for i, w := range words {
			given, has := x.give(e, w, idf[i], s.score)
			lacks = lacks || i < required && !has
			s.score = x.round(s.score + given)
			if has && s.first < 0 {
				s.first = i
			}
			if has {
				s.covered++
			}
		}
		if s.covered == 0 || lacks {
			continue
		}
		if r.whole != nil {
			if own := r.whole(e); len(own) > 0 && holds(words, own) {
				s.score += sum
			}
		}
		s.exact = slices.Contains(r.order, byExactName) && isNameOf(query, e.wire)
		out = append(out, s)
	}
	if r.rescored > 0 {
		out = x.rescore(out, words)
	}
	return out
}

// rescore keeps the best by bm25, gives them what the texts give, and leaves equal ones in
// the order that they have.
func (x *Index) rescore(found []scored, words []string) []scored {
	slices.SortFunc(found, x.compare)
	found = found[:min(len(found), x.host.rules.rescored)]
	for i := range found {
		s := &found[i]
		s.first = i
		for _, w := range words {
			for at, t := range x.host.rules.texts {
				s.score += t.give(s.cut[at], w)
			}
		}
	}
	return found
}

// give returns what a tool gets for a word of the query, and whether it has the word.
func (x *Index) give(e *entry, w string, idf, before float64) (given float64, has bool) {
	r := x.host.rules
	if r.points != nil {
		given = r.points(e, w, before)
		return given, given > 0
	}
	weight, points := 0.0, 0.0
	for at, t := range r.texts {
		if r.rescored > 0 {
			break
		}
		switch p := t.give(e.cut[at], w); {
		case p == 0:
		case t.rare:
			weight, has = weight+p, true
		default:
			points, has = points+p, true
		}
	}
	if n := e.counts[w]; n > 0 {
		has = true
		weight += x.term(float64(n), float64(e.length))
	}
	return x.round(float64(idf*weight) + points), has
}

// term returns tf·(k1+1)/(tf + k1·(1 − b + b·dl/avgdl)), computed in the order of the host's
// own code, and never fused, so that equal scores are equal on every machine.
func (x *Index) term(tf, length float64) float64 {
	f := x.host.rules.bm25
	if f.single {
		k1, b, tf := float32(f.k1), float32(f.b), float32(tf)
		scaled := float32(b * float32(float32(length)/float32(x.average)))
		return float64(float32(tf*float32(k1+1)) / float32(tf+float32(k1*float32(1-b+scaled))))
	}
	norm := float64(f.k1 * float64(1-f.b+float64(float64(f.b*length)/x.average)))
	return float64(tf*(f.k1+1)) / float64(tf+norm)
}

// idf returns ln(1 + (N − n + ½)/(n + ½)) of a word that n of N tools have.
func (x *Index) idf(word string) float64 {
	if f := x.host.rules.bm25; f != nil && f.single {
		n, all := float32(x.having[word]), float32(len(x.entries))
		return float64(float32(math.Log(float64(1 + (all-n+.5)/(n+.5)))))
	}
	n, all := float64(x.having[word]), float64(len(x.entries))
	return math.Log(1 + (all-n+.5)/(n+.5))
}

// round returns a score in the precision of the host.
func (x *Index) round(score float64) float64 {
	if f := x.host.rules.bm25; f != nil && f.single {
		return float64(float32(score))
	}
	return score
}

// give returns what a text with these words gives for a word.
func (t text) give(own []string, w string) float64 {
	switch {
	case slices.Contains(own, w):
		return t.equal
	case t.inside != 0 && isInside(w, own):
		return t.inside
	}
	return 0
}

// isInside reports whether a word stands inside one of a list.
func isInside(w string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, w) })
}

// holds reports whether a list has all words of another.
func holds(list, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(list, w) })
}

// once returns words without their repetitions.
func once(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(w string) bool {
		had := seen[w]
		seen[w] = true
		return had
	})
}
