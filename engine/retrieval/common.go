package retrieval

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// common makes the postings of a term quick to look into. It is made when a query first has the term, alone or as a common one.
type common struct {
	has     []uint64 // bits of the documents that have the term, if it is common
	before  []uint32 // the postings before each word of has
	leaders []Hit    // the postings with the largest values, by number and value; the largest first, equal ones in order
	below   float64  // the largest value that is smaller than that of the last leader
}

const mostLeaders = 128

// commonOf returns what is known of a term that documents have.
func (p *Postings) commonOf(id uint32) *common {
	if c := p.common[id].Load(); c != nil {
		return c
	}
	docs, start := p.Docs(id), p.starts[id]
	c := &common{}
	if p.isCommon(id) {
		words := p.documents/64 + 1
		c.has, c.before = make([]uint64, words), make([]uint32, words)
		for _, doc := range docs {
			c.has[doc/64] |= 1 << (doc % 64)
		}
		for i := range words - 1 {
			c.before[i+1] = c.before[i] + uint32(bits.OnesCount64(c.has[i]))
		}
	}
	var best Sums
	best.Begin(mostLeaders)
	for i := range docs {
		best.Offer(Hit{i, p.value(start + i)})
	}
	c.leaders = best.Sorted()
	for i := range docs {
		if v := p.value(start + i); v < c.leaders[len(c.leaders)-1].Score {
			c.below = max(c.below, v)
		}
	}
	p.common[id].Store(c)
	return c
}

// addFor adds a term to the sums of some documents, and where that is quicker to those of all that have it.
func (s *Sums) addFor(docs []uint32, p *Postings, id uint32, weight float64) {
	if !p.isCommon(id) || len(docs)*lookUp > p.DF(id) {
		s.Add(p, id, weight)
		return
	}
	c, start := p.commonOf(id), p.starts[id]
	s.read += len(docs)
	for _, doc := range docs {
		word, bit := c.has[doc/64], uint64(1)<<(doc%64)
		if word&bit == 0 {
			continue
		}
		if s.sums[doc] == 0 {
			s.found = append(s.found, doc)
		}
		s.sums[doc] += float64(weight * p.value(start+int(c.before[doc/64])+bits.OnesCount64(word&(bit-1))))
	}
}

const lookUp = 3 // of a document in the postings of a common term, in postings added

// addLeaders is AddBest for one term: it needs no more than the leaders. It is false where others can be
// among the best.
func (s *Sums) addLeaders(p *Postings, t Weighted, k int) bool {
	if k > mostLeaders || p.DF(t.Term) <= k {
		return false
	}
	c, docs := p.commonOf(t.Term), p.Docs(t.Term)
	worst := c.leaders[k-1].Score
	near := func(value float64) bool { // so that its score may be equal
		return math.Abs(value-worst) <= worst*nearlyEqual
	}
	from, to := k-1, k
	for from > 0 && near(c.leaders[from-1].Score) {
		from--
	}
	for to < len(c.leaders) && near(c.leaders[to].Score) {
		to++
	}
	if c.leaders[from].Score != worst || c.leaders[to-1].Score != worst || near(c.below) {
		return false
	}
	for _, h := range c.leaders[:k] {
		s.Set(docs[h.Doc], float64(t.Weight*h.Score))
	}
	return true
}

// addRarest is AddBest by the terms from the rarest on, until what the others can still add
// is below the k best: then only documents that are near those need the others. It is false when too many
// documents have the rarest terms.
func (s *Sums) addRarest(p *Postings, query []Weighted, k int) bool {
	total, rest := 0, 0.0 // postings of the query; what the terms that were not added can add
	s.sorted = s.sorted[:0]
	for _, t := range query {
		if total += p.DF(t.Term); p.isCommon(t.Term) {
			s.sorted = append(s.sorted, t)
		}
	}
	const worth = 8 // postings of the rest for one that is added twice
	if total*worth < len(s.sums) || len(s.sorted) == 0 {
		return false
	}
	for _, t := range query {
		if !p.isCommon(t.Term) {
			s.Add(p, t.Term, t.Weight)
		}
	}
	for _, t := range s.sorted {
		rest += t.Weight * p.commonOf(t.Term).leaders[0].Score
	}
	rarer := func(a, b Weighted) int { return cmp.Or(p.DF(a.Term)-p.DF(b.Term), cmp.Compare(a.Term, b.Term)) }
	slices.SortFunc(s.sorted, rarer)
	for i, t := range s.sorted {
		if s.few() && (i == 0 || t.Term != s.sorted[i-1].Term) && len(s.found) >= k {
			s.Begin(k)
			for _, doc := range s.found {
				s.Offer(Hit{int(doc), s.sums[doc]})
			}
			least := s.best[0].Score*(1-nearlyEqual) - rest
			if least < -rest/2 {
				break // too far away
			}
			if docs := s.AtLeast(least); least > 0 && len(docs)*len(s.sorted)*lookUp+s.read*2 < total {
				s.addInOrder(p, query, docs, func(u Weighted) bool { return rarer(u, t) < 0 })
				return true
			}
		}
		if (s.read+p.DF(t.Term))*worth > min(total, len(s.sums)) {
			break
		}
		s.Add(p, t.Term, t.Weight)
		rest -= t.Weight * p.commonOf(t.Term).leaders[0].Score
	}
	s.Clear()
	return false
}

// addInOrder makes the sums anew: some terms are added, and the others, which are common, for some
// documents.
func (s *Sums) addInOrder(p *Postings, query []Weighted, docs []uint32, whole func(Weighted) bool) {
	s.Clear()
	for _, t := range query {
		if whole(t) {
			s.Add(p, t.Term, t.Weight)
		} else {
			s.addFor(docs, p, t.Term, t.Weight)
		}
	}
}
