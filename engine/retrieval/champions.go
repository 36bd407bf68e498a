package retrieval

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"sync"
)

// Weighted is a term that documents have, with a weight above 0.
type Weighted struct {
	Term   uint32
	Weight float64
}

// champions has the best documents of terms that are common, by these and their weights. Where all tools say
// the same, or have names that begin alike, every query would add up every document; but only a rarer
// term can bring another before a champion.
type champions struct {
	mu   sync.Mutex
	seed maphash.Seed
	once [mostChampions]uint64 // hashes of the terms of one query
	hits map[string][]Hit
}

const (
	championShare = 64      // a term is common when one of so many documents has it
	championReads = 1 << 16 // postings of common terms from which on champions are kept
	championHits  = 256     // of a list
	mostChampions = 256     // lists, of 4 KB each; when they are full, no further one is kept
)

// Top returns the k documents with the largest sums of a query, as Best does of all.
func (s *Sums) Top(p *Postings, query []Weighted, k int) []Hit {
	if len(query) == 1 {
		if hits := s.leading(p, query[0], k); hits != nil {
			return hits
		}
	}
	s.AddBest(p, query, k)
	return s.Best(k)
}

// AddBest adds the terms of a query in their order. A document that cannot be among the best k, nor
// equal one of them but for rounding, may be left without a sum or with a smaller one. k is positive.
func (s *Sums) AddBest(p *Postings, query []Weighted, k int) {
	if len(query) == 1 {
		if hits := s.leading(p, query[0], k); hits != nil {
			for _, h := range hits {
				s.Set(uint32(h.Doc), h.Score)
			}
			return
		}
	}
	if s.addRarest(p, query, k) || s.addChampions(p, query, k) {
		return
	}
	for _, t := range query {
		s.Add(p, t.Term, t.Weight)
	}
}

// addChampions is AddBest by the champions of the common terms, once a second query has the same ones; false
// where the catalog is small, where many documents have a rarer term, and the first time. All documents
// with a rarer term have a sum then.
func (s *Sums) addChampions(p *Postings, query []Weighted, k int) bool {
	common, rare := 0, 0
	s.commonKey = s.commonKey[:0]
	for _, t := range query {
		if p.IsCommon(t.Term) {
			common += p.DF(t.Term)
			s.commonKey = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(s.commonKey, t.Term), math.Float64bits(t.Weight))
		} else {
			rare += p.DF(t.Term)
		}
	}
	if k > championHits || common < championReads || rare*len(query) >= common {
		return false
	}
	hits := s.champions(p, query)
	if hits == nil {
		return false
	}
	for _, t := range query {
		if !p.IsCommon(t.Term) {
			s.Add(p, t.Term, t.Weight)
		}
	}
	s.addInOrder(p, query, slices.Clone(s.AtLeast(0)), func(t Weighted) bool { return !p.IsCommon(t.Term) })
	for _, h := range hits { // without a rarer term it may have a part of its sum, and with one it has no less
		if s.Of(uint32(h.Doc)) < h.Score {
			s.Set(uint32(h.Doc), h.Score)
		}
	}
	return true
}

// champions returns the best documents of the common terms of a query alone; nil where they are not kept.
func (s *Sums) champions(p *Postings, query []Weighted) []Hit {
	c := &p.champions
	c.mu.Lock()
	defer c.mu.Unlock()
	hits, known := c.hits[string(s.commonKey)]
	if known || len(c.hits) == mostChampions {
		return hits
	}
	hash := maphash.Bytes(c.seed, s.commonKey)
	if once := &c.once[hash%mostChampions]; *once != hash {
		*once = hash
		return nil
	}
	for _, t := range query {
		if p.IsCommon(t.Term) {
			s.Add(p, t.Term, t.Weight)
		}
	}
	hits = slices.Clone(s.Best(championHits))
	s.Clear()
	c.hits[string(s.commonKey)] = hits
	return hits
}

// IsCommon reports whether so many documents have a term that Place finds them.
func (p *Postings) IsCommon(id uint32) bool { return p.DF(id)*championShare >= p.documents }
