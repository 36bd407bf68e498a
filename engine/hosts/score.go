package hosts

import (
	"math"
	"slices"
	"strings"

	"caliper/model"
)

// scored is a tool that has a word of the query.
type scored struct {
	*entry
	score   float64
	covered int  // words of the query that it has
	first   int  // the place of the first of them
	exact   bool // the query is its name, where the host looks at that
}

// readQuery is a query as a host reads it.
type readQuery struct {
	words    []string
	required int // how many of the first a tool must have
	idf      []float64
	sum      float64 // of idf
}

// readQuery returns a query as the host reads it.
func (x *Index) readQuery(query string) readQuery {
	r, q := x.host.rules, readQuery{}
	if r.query != nil {
		q.words, q.required = r.query(query)
	} else {
		q.words = r.words(query)
	}
	if !r.repeats {
		seen := map[string]bool{}
		q.words = slices.DeleteFunc(q.words, func(w string) bool {
			had := seen[w]
			seen[w] = true
			return had
		})
	}
	q.idf = make([]float64, len(q.words))
	for i, w := range q.words {
		// ln(1 + (N − n + ½)/(n + ½)) of a word that n of N tools have.
		held := len(x.holders[w])
		if x.before != nil {
			if _, had := x.held(x.before.entries[x.reworded], w); had {
				held--
			}
			if _, has := x.held(x.entries[x.reworded], w); has {
				held++
			}
		}
		n, all := float64(held), float64(len(x.entries))
		q.idf[i] = math.Log(1 + (all-n+.5)/(n+.5))
		if f := x.host.rules.bm25; f != nil && f.single {
			n, all := float32(n), float32(all)
			q.idf[i] = float64(float32(math.Log(float64(1 + (all-n+.5)/(n+.5)))))
		}
		q.sum += q.idf[i]
	}
	return q
}

// held returns how often the text of bm25 of a tool has a word. has is true also where another text has it
// that gives for a whole word.
func (x *Index) held(e *entry, w string) (often int, has bool) {
	if e.counts != nil {
		often, has = e.counts[w]
		return often, has
	}
	holders := x.holders[w]
	i, has := slices.BinarySearchFunc(holders, e.at, func(h holding, at int) int { return h.at - at })
	if has {
		often = holders[i].often
	}
	return often, has
}

// score returns the tools that have a word of the query.
func (x *Index) score(query string) []scored {
	q, name := x.readQuery(query), ""
	if slices.Contains(x.host.rules.order, byExactName) {
		name = piName(query)
	}
	var out []scored
	if x.host.rules.points != nil {
		for _, e := range x.entries {
			if s, ok := x.scoreOf(e, q, nil); ok {
				out = append(out, s)
			}
		}
	} else {
		// A word gives nothing to the tools that have it not.
		places := make([]int32, len(x.entries)) // in out, from 1
		give := func(i int, e *entry, often int) {
			if places[e.at] == 0 {
				out = append(out, scored{entry: e, first: i})
				places[e.at] = int32(len(out))
			}
			s := &out[places[e.at]-1]
			given, _ := x.give(e, q.words[i], often, q.idf[i], s.score)
			s.score = x.round(s.score + given)
			s.covered++
		}
		for i, w := range q.words {
			for _, h := range x.holders[w] {
				if x.before == nil || h.at != x.reworded {
					give(i, x.entries[h.at], h.often)
				}
			}
			if x.before != nil {
				if often, has := x.held(x.entries[x.reworded], w); has {
					give(i, x.entries[x.reworded], often)
				}
			}
		}
		for i := range out {
			out[i].score += q.whole(out[i].entry)
		}
	}
	for i := range out {
		s := &out[i]
		s.exact = s.name != "" && (s.name == name || strings.HasSuffix(s.name, "__"+name))
	}
	if x.host.rules.rescored > 0 {
		// The best by bm25 get what the texts give, and equal ones stay in their order.
		slices.SortFunc(out, x.compare)
		out = out[:min(len(out), x.host.rules.rescored)]
		for i := range out {
			s := &out[i]
			s.first = i
			for _, w := range q.words {
				for at, t := range x.host.rules.texts {
					s.score += t.give(s.cut[at], w)
				}
			}
		}
	}
	return out
}

// scoreOf returns the score of a tool; ok is false when it has no word of the query, or not
// the required ones. What each word gives is told, unless told is nil.
func (x *Index) scoreOf(e *entry, q readQuery, told func(word string, given float64)) (s scored, ok bool) {
	s = scored{entry: e, first: -1}
	lacks := false
	for i, w := range q.words {
		often, _ := x.held(e, w)
		given, has := x.give(e, w, often, q.idf[i], s.score)
		lacks = lacks || i < q.required && !has
		s.score = x.round(s.score + given)
		if has && s.first < 0 {
			s.first = i
		}
		if has {
			s.covered++
		}
		if has && told != nil {
			told(w, given)
		}
	}
	if s.covered == 0 || lacks {
		return s, false
	}
	s.score += q.whole(e)
	return s, true
}

// whole returns what a query gives a tool for having all words that add every idf; 0 for one that lacks some,
// or where nothing is given for it.
func (q *readQuery) whole(e *entry) float64 {
	if len(e.whole) == 0 || slices.ContainsFunc(e.whole, func(w string) bool { return !slices.Contains(q.words, w) }) {
		return 0
	}
	return q.sum
}

// Explain tells what each word of a query gives a tool, in the order of the query: of a host
// without words, or where the query names tools, nothing.
func (x *Index) Explain(query string, t *model.Tool, told func(word string, given float64)) {
	if i := x.entryOf(t); i >= 0 && !x.host.rules.tiers {
		x.scoreOf(x.entries[i], x.readQuery(query), told)
	}
}

// Finds reports whether a query finds a tool, whatever the limit.
func (x *Index) Finds(query string, t *model.Tool) bool {
	i := x.entryOf(t)
	if i < 0 {
		return false
	}
	if x.host.direct == nil && x.host.rules.rescored == 0 && !x.host.rules.tiers {
		_, ok := x.scoreOf(x.entries[i], x.readQuery(query), nil)
		return ok
	}
	return slices.ContainsFunc(x.Search(query, -1), func(h Hit) bool { return h.Tool == t })
}

// entryOf returns the place of a tool among the entries, -1 for one that is not searched.
func (x *Index) entryOf(t *model.Tool) int {
	return slices.IndexFunc(x.entries, func(e *entry) bool { return e.tool == t })
}

// give returns what a tool gets for a word of the query that its text of bm25 has some times, and whether
// it has the word.
func (x *Index) give(e *entry, w string, often int, idf, before float64) (given float64, has bool) {
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
	if often > 0 {
		// tf·(k1+1)/(tf + k1·(1 − b + b·dl/avgdl)), computed in the order of the host's own code, and
		// never fused, so that equal scores are equal on every machine.
		f, tf, length := r.bm25, float64(often), float64(e.length)
		norm := float64(f.k1 * float64(1-f.b+float64(float64(f.b*length)/x.average)))
		has = true
		switch {
		case f.early: // the idf is multiplied before the division
			return float64(float64(idf*float64(tf*(f.k1+1))) / float64(tf+norm)), has
		case f.single:
			k1, b, tf := float32(f.k1), float32(f.b), float32(tf)
			scaled := float32(b * float32(float32(length)/float32(x.average)))
			weight += float64(float32(tf*float32(k1+1)) / float32(tf+float32(k1*float32(1-b+scaled))))
		default:
			weight += float64(tf*(f.k1+1)) / float64(tf+norm)
		}
	}
	return x.round(float64(idf*weight) + points), has
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
	case t.inside != 0 && slices.ContainsFunc(own, func(s string) bool { return strings.Contains(s, w) }):
		return t.inside
	}
	return 0
}
