package retrieval

import (
	"cmp"
	"math/bits"
	"slices"
)

// common makes the postings of a term quick to look into. It is made when a query first has the term, alone or as a common one.
type common struct {
	has     []uint64 // bits of the documents that have the term, if it is common
	before  []uint32 // the postings before each word of has
	leaders []Hit    // the documents with the largest values, and these; the largest first, equal ones in order
	unsure  bool     // two values, of leaders or the largest below them, differ so little that their scores may be equal
}

const mostLeaders = 128

// commonOf returns what is known of a term that documents have.
func (p *Postings) commonOf(id uint32) *common {
	if c := p.common[id].Load(); c != nil {
		return c
	}
	docs, start := p.Docs(id), p.starts[id]
	c := &common{}
	if p.IsCommon(id) {
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
	for i, doc := range docs {
		best.Offer(Hit{int(doc), p.value(start + i)})
	}
	c.leaders = best.Sorted()
	last, below := c.leaders[len(c.leaders)-1].Score, 0.0
	for i := range docs {
		if v := p.value(start + i); v < last {
			below = max(below, v)
		}
	}
	for i, h := range c.leaders {
		next := below
		if i+1 < len(c.leaders) {
			next = c.leaders[i+1].Score
		}
		c.unsure = c.unsure || next < h.Score && next >= h.Score*(1-nearlyEqual)
	}
	p.common[id].Store(c)
	return c
}

// addFor adds a term to the sums of some documents, and where that is quicker to those of all that have it.
func (s *Sums) addFor(docs []uint32, p *Postings, id uint32, weight float64) {
	if !p.IsCommon(id) || len(docs)*lookUp > p.DF(id) {
		s.Add(p, id, weight)
		return
	}
	s.read += len(docs)
	for _, doc := range docs {
		place, ok := p.Place(id, doc)
		if !ok {
			continue
		}
		if s.sums[doc] == 0 {
			s.found = append(s.found, doc)
		}
		s.sums[doc] += float64(weight * p.value(p.starts[id]+place))
	}
}

// Place returns the place of a document among the Docs of a common term; false when it does not have the term.
func (p *Postings) Place(id, doc uint32) (int, bool) {
	c := p.commonOf(id)
	word, bit := c.has[doc/64], uint64(1)<<(doc%64)
	return int(c.before[doc/64]) + bits.OnesCount64(word&(bit-1)), word&bit != 0
}

const lookUp = 3 // of a document in the postings of a common term, in postings added

// leading returns the best k documents of a term, as Best does, by its leaders; nil where these do not tell them.
func (s *Sums) leading(p *Postings, t Weighted, k int) []Hit {
	if k > mostLeaders || p.DF(t.Term) <= k {
		return nil
	}
	c := p.commonOf(t.Term)
	if c.unsure {
		return nil
	}
	s.Begin(k)
	for _, h := range c.leaders[:k] {
		s.best = append(s.best, Hit{h.Doc, float64(t.Weight * h.Score)})
	}
	return s.best
}

// bounds returns the largest score that a common term gives, and the one that it gives to k documents at least; 0 where
// that is not known.
func (p *Postings) bounds(t Weighted, k int) (most, kth float64) {
	leaders := p.commonOf(t.Term).leaders
	if k <= len(leaders) {
		kth = t.Weight * leaders[k-1].Score
	}
	return t.Weight * leaders[0].Score, kth
}

// addRarest is AddBest by MaxScore: terms are added to all documents, the rarest first, until what the others can
// still add is below the k best; the others are added only to documents that can still be among these. It is false,
// and there are no sums, where that comes too late.
func (s *Sums) addRarest(p *Postings, query []Weighted, k int) bool {
	rare := func(t Weighted) bool { return !p.IsCommon(t.Term) }
	total, ofRare := 0, 0   // postings of the query, and of its rare terms
	least, rest := 0.0, 0.0 // what each of the k best has at least; what the terms that were not added can add
	s.sorted = s.sorted[:0]
	for _, t := range query {
		if total += p.DF(t.Term); rare(t) {
			ofRare += p.DF(t.Term)
			continue
		}
		s.sorted = append(s.sorted, t)
		most, kth := p.bounds(t, k)
		least, rest = max(least, kth), rest+most
	}
	const worth = 8 // documents for a posting: the others are added as quickly
	if total*worth < len(s.sums) || ofRare*fewShare > len(s.sums) || len(s.sorted) == 0 {
		return false
	}
	for _, t := range query {
		if rare(t) {
			s.Add(p, t.Term, t.Weight)
		}
	}
	slices.SortFunc(s.sorted, func(a, b Weighted) int { return cmp.Or(p.DF(a.Term)-p.DF(b.Term), cmp.Compare(a.Term, b.Term)) })
	slack := rest * nearlyEqual // of sums that were not added up in the order of the query

	bar := func(docs []uint32) float64 { // what a document has if it can be among the k best
		s.Begin(k)
		if s.offer(docs, least); len(s.best) == k {
			least = s.best[0].Score
		}
		return least*(1-nearlyEqual) - slack - rest
	}
	for i, t := range s.sorted {
		if low := bar(s.found); low > 0 {
			if docs := s.AtLeast(low); len(docs)*2*lookUp < total-s.read {
				for _, t := range s.sorted[i:] {
					s.addFor(docs, p, t.Term, t.Weight)
					most, _ := p.bounds(t, k)
					rest -= most
					low = bar(docs)
					docs = slices.DeleteFunc(docs, func(doc uint32) bool { return s.sums[doc] < low })
				}
				if len(docs)*len(s.sorted)*lookUp > total {
					break // so many are equal
				}
				s.addInOrder(p, query, docs, rare)
				return true
			}
		}
		read, likely, left := s.read, least, rest // when the end can be expected
		for j, u := range s.sorted[i:] {
			if j > 0 && likely > left {
				break
			}
			most, kth := p.bounds(u, k)
			read, likely, left = read+p.DF(u.Term), likely+kth, left-most
		}
		if read*4 > total || read*fewShare > len(s.sums) {
			break
		}
		s.Add(p, t.Term, t.Weight)
		most, _ := p.bounds(t, k)
		rest -= most
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
