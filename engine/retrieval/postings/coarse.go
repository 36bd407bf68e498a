package postings

import (
	"math"
	"math/bits"
	"slices"
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
// A column also has one byte for every eight documents, the largest of theirs. Their
// sum is not below the sum of any of the eight, so that one addition adds a term to
// 64 documents, and only where that sum reaches K are the eight looked at.
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
	once   sync.Once
	eights []coarseBlock // a byte for every word of words
	words  []uint64      // a byte for every document
}

const (
	// coarseShare: a term has a coarse column when more than one of so many documents
	// has it.
	coarseShare = 32
	// maxCoarse bounds the bytes of all columns.
	maxCoarse = 64 << 20
	// coarseWords is how many words are added up at a time, in the nearest cache.
	coarseWords = 64
	// coarseEights is how many words of eight documents one block has the bytes of.
	coarseEights = 8 * coarseWords
	highBits     = 0x8080808080808080
	lowBits      = 0x0101010101010101
)

// coarseBlock has the bytes of coarseEights words.
type coarseBlock [coarseWords]uint64

// zeroBlock stands where there is no column.
var zeroBlock coarseBlock

// column returns the column of a term of some lists; nil when there is no room.
func (c *Coarse) column(l *Lists, t *step, units float64) *coarseColumn {
	key, blocks := coarseKey{t.id, units}, (l.size+8*coarseEights-1)/(8*coarseEights)
	c.mu.Lock()
	column := c.columns[key]
	if column == nil && (len(c.columns)+1)*blocks*coarseEights*9 <= maxCoarse {
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
	column.once.Do(func() { column.fill(l, t, units, blocks) })
	return column
}

// fill writes the bytes of a term's postings.
func (c *coarseColumn) fill(l *Lists, t *step, units float64, blocks int) {
	c.eights, c.words = make([]coarseBlock, blocks), make([]uint64, blocks*coarseEights)
	each := units / math.MaxUint16
	for doc, impact := range l.Postings(t.Term) {
		c.words[doc/8] |= inUnits(impact, each) << (doc % 8 * 8)
	}
	for i, word := range c.words {
		largest := uint64(0)
		for ; word != 0; word >>= 8 {
			largest = max(largest, word&0xff)
		}
		c.eights[i/coarseEights][i%coarseEights/8] |= largest << (i % 8 * 8)
	}
}

// inUnits returns what an impact adds to a score, in units rounded up. each is what an
// impact of 1 adds.
func inUnits(impact uint16, each float64) uint64 { return uint64(math.Ceil(float64(impact) * each)) }

// coarsePlan is what the frequent terms of a plan are added up with.
type coarsePlan struct {
	columns []*coarseColumn // of the terms
	bias    uint64          // added to the sums of eight documents
	least   uint64          // the score in the unit of the sums, rounded down
	unit    uint64          // the unit of the bytes in the unit of the sums, rounded up
}

// reaches reports whether a document may have a score better than that of the plan, by
// its sum over the other terms and a byte that bounds its sum over these.
func (p *coarsePlan) reaches(sum uint32, of uint8) bool {
	return uint64(sum)+uint64(of-uint8(p.bias))*p.unit >= p.least
}

// byteOf returns the sum of the columns' bytes of a document, with the bias.
func (p *coarsePlan) byteOf(doc uint32) uint8 {
	sum := p.bias
	for _, column := range p.columns {
		sum += column.words[doc/8]
	}
	return uint8(sum >> (doc % 8 * 8))
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
			p.least, p.unit = uint64(max(0, score*s.scale*(1-1e-9)-1)), uint64(math.Ceil(unit*s.scale))
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
// plan are in the sums, the others are in coarse columns. The columns leave so few of the
// documents that have a sum that each of these is completed by itself.
func (s *Searcher) aboveOfCoarse(p coarsePlan, i, most int, b bar) int {
	defer s.clearSums()
	s.addEights(p)
	count := 0
	for _, doc := range s.touched[:s.reached] {
		sum, eight := s.sums[doc], doc/8
		if !p.reaches(sum, uint8(s.eights[eight/coarseEights][eight%coarseEights/8]>>(eight%8*8))) || !p.reaches(sum, p.byteOf(doc)) {
			continue
		}
		if sum += s.sumFrom(i, doc); sum >= b.least && b.above(doc, sum) {
			if count++; count == most {
				return count
			}
		}
	}
	return count + s.coarseAbove(p, i, most-count, b)
}

// addEights sets eights to the sums of the columns' bytes of eight documents, with the
// bias.
func (s *Searcher) addEights(p coarsePlan) {
	blocks, zero := len(p.columns[0].eights), &zeroBlock
	s.eights = slices.Grow(s.eights[:0], blocks)[:blocks]
	for block := range s.eights {
		sums := &s.eights[block]
		for j := range sums {
			sums[j] = p.bias
		}
		for j := 0; j < len(p.columns); j += 4 {
			four := [4]*coarseBlock{zero, zero, zero, zero}
			for k := range four[:min(4, len(p.columns)-j)] {
				four[k] = &p.columns[j+k].eights[block]
			}
			sums.add(four[0], four[1], four[2], four[3])
		}
	}
}

// coarseAbove counts the documents better than the score of a bar that have no term
// before step i of the plan, at most most.
func (s *Searcher) coarseAbove(p coarsePlan, i, most int, b bar) int {
	count := 0
	for block := range s.eights {
		for j, word := range s.eights[block] {
			for word &= highBits; word != 0; word &= word - 1 {
				eight := block*coarseEights + j*8 + bits.TrailingZeros64(word)/8
				if count += s.aboveOfEight(p, eight, i, most-count, b); count == most {
					return count
				}
			}
		}
	}
	return count
}

// aboveOfEight is coarseAbove for the eight documents of one word.
func (s *Searcher) aboveOfEight(p coarsePlan, eight, i, most int, b bar) int {
	sum, count := p.bias, 0
	for _, column := range p.columns {
		sum += column.words[eight]
	}
	for sum &= highBits; sum != 0; sum &= sum - 1 {
		doc := uint32(eight*8 + bits.TrailingZeros64(sum)/8)
		if s.sums[doc] != 0 {
			continue
		}
		if sum := s.sumFrom(i, doc); sum >= b.least && b.above(doc, sum) {
			if count++; count == most {
				break
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
