package postings

import (
	"math"
	"sync"
)

// Coarse columns answer, for the frequent terms of a plan, which documents may have
// more than a score. A coarse column of a term has one byte for every document: what the
// term adds to its score, rounded up to whole units. Eight documents are one word, so
// that one addition adds a term to eight documents. Let c be the sum of a
// document in units, K the score in units, rounded up. As every byte is rounded up, a
// document with a better score has
//
//	c >= K
//
// With 128-K added to each byte, that is when the highest bit of the byte is set.
// Bytes do not carry into each other when the largest possible sum is at most 127+K.
// The unit is the smallest power of two for which this and K <= 128 hold, so
// that the same columns serve most plans with a term.
//
// Example: two terms add at most 3.0 and 2.2 to a score, and the score is 4.1. With
// the unit 1/32 the largest sum is 96 + 71 = 167, and K is 132, which is above 128.
// With the unit 1/16 they are 48 + 36 = 84 and 66, and both conditions hold.

// Coarse keeps coarse columns of one Lists. It is made for ranks of many documents:
// to make a column costs as much as two ranks without it. A Coarse is safe for
// concurrent use; the zero value is empty.
type Coarse struct {
	mu      sync.Mutex
	columns map[coarseKey]*coarseColumn
}

// coarseKey is a term, and what its impact 65535 adds, in units.
type coarseKey struct {
	id    uint32
	units float64
}

// coarseColumn is made by whoever needs it first.
type coarseColumn struct {
	once  sync.Once
	words []coarseBlock
}

const (
	// coarseShare: a term has a coarse column when more than one of so many documents
	// has it.
	coarseShare = 32
	// maxCoarse bounds the bytes of all columns.
	maxCoarse = 64 << 20
	// coarseWords is how many words are added up at a time, in the nearest cache.
	coarseWords = 64
	coarseDocs  = 8 * coarseWords
	highBits    = 0x8080808080808080
	lowBits     = 0x0101010101010101
)

// coarseBlock has the bytes of coarseDocs documents.
type coarseBlock [coarseWords]uint64

// zeroBlock stands where there is no column.
var zeroBlock coarseBlock

// column returns the column of a term of some lists; nil when there is no room.
func (c *Coarse) column(l *Lists, t *step, units float64) []coarseBlock {
	key, blocks := coarseKey{t.id, units}, (l.size+coarseDocs-1)/coarseDocs
	c.mu.Lock()
	column := c.columns[key]
	if column == nil && (len(c.columns)+1)*blocks*coarseDocs <= maxCoarse {
		if c.columns == nil {
			c.columns = map[coarseKey]*coarseColumn{}
		}
		column = new(coarseColumn)
		c.columns[key] = column
	}
	c.mu.Unlock()
	if column == nil {
		return nil
	}
	column.once.Do(func() {
		column.words = make([]coarseBlock, blocks)
		each := units / math.MaxUint16
		for doc, impact := range l.Postings(t.Term) {
			column.words[doc/coarseDocs][doc%coarseDocs/8] |= inUnits(impact, each) << (doc % 8 * 8)
		}
	})
	return column.words
}

// inUnits returns what an impact adds to a score, in units rounded up. each is what an
// impact of 1 adds.
func inUnits(impact uint16, each float64) uint64 { return uint64(math.Ceil(float64(impact) * each)) }

// coarsePlan is what the dense terms of a plan are added up with.
type coarsePlan struct {
	columns [][]coarseBlock // of the terms
	bias    uint64          // added to the sums of eight documents
}

// coarsely returns columns of the terms from step i on. They tell which of the documents
// without an earlier term may beat the score. ok is false when no unit is fine enough or
// there is no room.
func (s *Searcher) coarsely(c *Coarse, i int, score float64) (p coarsePlan, ok bool) {
	total := 0.0
	for j := range s.plan {
		total += s.plan[j].share
	}
	// Less the error of the caller's score and of the sums here.
	score -= score*1e-9 + total*float64(s.spare)/(1<<30)
	if !(score <= math.MaxFloat64) { // or no number
		return p, false
	}
	terms := s.plan[i:]
	unit, exponent := 0.0, 0
	_, exponent = math.Frexp(score / 128)
	for unit = math.Ldexp(1, exponent-1); ; unit *= 2 {
		least := math.Ceil(score/unit - 1e-6)
		if least < 16 {
			return p, false // too coarse
		}
		most := 0.0
		for j := range terms {
			most += float64(inUnits(terms[j].Max, terms[j].share/unit/math.MaxUint16))
		}
		if least <= 128 && most <= 127+least {
			p.bias = uint64(128-least) * lowBits
			break
		}
	}
	s.columns = s.columns[:0]
	for j := range terms {
		column := c.column(s.lists, &terms[j], terms[j].share/unit)
		if column == nil {
			return p, false
		}
		s.columns = append(s.columns, column)
	}
	p.columns = s.columns
	return p, true
}

// aboveOfCoarse counts over all documents, at most most. The terms before step i of the
// plan are in the sums, the others are in coarse columns.
func (s *Searcher) aboveOfCoarse(p coarsePlan, i, most int, b bar) int {
	defer s.clearSums()
	count := s.completeAbove(i, most, b)
	if count < most {
		count += s.coarseAbove(p, i, most-count, b)
	}
	return count
}

// coarseAbove counts the documents better than the score of a bar that have no term
// before step i of the plan, at most most.
func (s *Searcher) coarseAbove(p coarsePlan, i, most int, b bar) int {
	var sums coarseBlock
	count, zero := 0, &zeroBlock
	for block := range p.columns[0] {
		for j := range sums {
			sums[j] = p.bias
		}
		for j := 0; j < len(p.columns); j += 4 {
			four := [4]*coarseBlock{zero, zero, zero, zero}
			for k := range four[:min(4, len(p.columns)-j)] {
				four[k] = &p.columns[j+k][block]
			}
			sums.add(four[0], four[1], four[2], four[3])
		}
		for j, word := range sums {
			if word &= highBits; word == 0 {
				continue
			}
			for k := range 8 {
				doc := uint32(block*coarseDocs + j*8 + k)
				if word>>(8*k+7)&1 == 0 || s.sums[doc] != 0 {
					continue
				}
				if sum := s.sumFrom(i, doc); sum >= b.least && b.above(doc, sum) {
					if count++; count == most {
						return count
					}
				}
			}
		}
	}
	return count
}

// add adds four columns.
func (b *coarseBlock) add(w, x, y, z *coarseBlock) {
	for i := range b {
		b[i] += w[i] + x[i] + y[i] + z[i]
	}
}

// sumFrom returns the sum of a document over the terms from step i of the plan on.
func (s *Searcher) sumFrom(i int, doc uint32) uint32 {
	sum := uint32(0)
	for ; i < len(s.plan); i++ {
		t := &s.plan[i]
		sum += uint32(s.lists.Impact(t.Term, doc)) * t.weight
	}
	return sum
}
