package meaning

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"caliper/engine/retrieval/fielded"
)

// Alone is the weight of a ranking by meaning alone.
const Alone = -1

const (
	reach      = 128 // tools that are asked for their meaning besides the candidates of fielded
	mostNear   = 16  // terms near to a word of a query
	leastNear  = 0.4 // the least similarity of one
	fewNear    = 6   // where a word has fewer, so many are taken
	barelyNear = 0.2 // that have at least this similarity
	leastShown = 0.3 // the least similarity of two words that an explanation names
	mostWords  = 32  // words of a query whose near terms are looked for: the rarest

	// How much the words that fielded expands a word to count: see fielded.Meanings.
	nearShare     = 0.5
	knownSpelling = 0.25
	domainLeast   = 0.5
	domainSlope   = 3
	domainMost    = 2

	strangeTimes = 4 // how much more meaning weighs where no tool has a word of the query

	rarity = 0.3 // the power of idf
	usual  = 5   // the idf of a word of a query that counts 1
)

// fieldWeights is how much a word in a field of a tool counts.
var fieldWeights = [...]float64{
	fielded.Name:           3,
	fielded.Toolset:        1,
	fielded.Description:    1,
	fielded.ParameterNames: 0.5,
	fielded.ParameterTexts: 0.2,
	fielded.Translations:   0,
}

// Index ranks one catalog. It implements retrieval.Ranker and is safe for concurrent use.
type Index struct {
	base   *fielded.Index // that it was made from
	words  *fielded.Index // base; in hybrid it listens to the table
	core   *core
	weight float64
	alone  bool
}

// core is the part that does not depend on the weight.
type core struct {
	words   *fielded.Index // base, listening to the table
	table   *Table
	rows    []int32                // of each term of base, in the table; -1: it does not know it
	rare    []float64              // idf of each term to the power of rarity; 0 where rows is -1
	terms   []uint32               // that the table knows and a tool has, in the order of their rows
	near    *neighbours            // of the words that were asked, among the rows of terms
	vectors []atomic.Pointer[unit] // of documents; nil: not yet asked for
}

// New returns an index of the catalog of an index of fielded. It fails only if the table in
// the binary was damaged.
func New(base *fielded.Index, weight float64) (*Index, error) {
	t, err := LoadTable()
	if err != nil {
		return nil, err
	}
	c := &core{table: t, rows: make([]int32, base.Terms()), rare: make([]float64, base.Terms()),
		vectors: make([]atomic.Pointer[unit], base.Len())}
	for id := range c.rows {
		c.rows[id] = -1
		stem, idf := base.Term(uint32(id))
		if row, ok := t.Find(string(stem)); ok && idf > 0 {
			c.rows[id], c.rare[id] = int32(row), math.Pow(idf, rarity)
			c.terms = append(c.terms, uint32(id))
		}
	}
	slices.SortFunc(c.terms, func(a, b uint32) int { return cmp.Compare(c.rows[a], c.rows[b]) })
	own := make([]int32, len(c.terms))
	for i, term := range c.terms {
		own[i] = c.rows[term]
	}
	c.near = neighboursAmong(own)
	c.words = base.Listening(&fielded.Meanings{
		Find:     t.Find,
		Near:     func(row int) []fielded.Weighted { return c.nearTo(int32(row)) },
		Share:    nearShare,
		Spelling: knownSpelling,
		Domain: func(row int, term uint32) float64 {
			if c.rows[term] < 0 {
				return 1
			}
			v, _ := t.Entry(row)
			other, _ := t.Entry(int(c.rows[term]))
			return max(0, min(domainMost, domainLeast+domainSlope*v.Similarity(other)))
		},
	})
	return (&Index{base: base, core: c}).With(weight), nil
}

// With returns an index with another weight, which may be Alone, at no cost.
func (x *Index) With(weight float64) *Index {
	if weight == Alone {
		return &Index{x.base, x.base, x.core, 1, true}
	}
	words := x.core.words
	if weight == 0 {
		words = x.base // the table is not asked at all
	}
	return &Index{x.base, words, x.core, weight, false}
}

// weightOf returns the weight of a term in the vector of a tool that has it in some fields.
func (c *core) weightOf(term uint32, in *fielded.InFields) float64 {
	often := 0.0
	for f, n := range in {
		often += float64(fieldWeights[f] * float64(n))
	}
	return math.Log1p(often) * c.rare[term]
}

// vector returns the vector of a document.
func (c *core) vector(doc uint32) *unit {
	at := &c.vectors[doc]
	if v := at.Load(); v != nil {
		return v
	}
	sum := make([]float64, c.table.dimension)
	for term, in := range c.words.Bag(doc) {
		if row := c.rows[term]; row >= 0 {
			v, weight := c.table.Entry(int(row))
			v.AddTo(sum, c.weightOf(term, &in)*weight)
		}
	}
	most := 0.0 // becomes 127
	for _, x := range sum {
		most = max(most, math.Abs(x))
	}
	u := &unit{numbers: nothing[:len(sum)]}
	if most > 0 {
		square := 0
		u.numbers = make([]uint8, len(sum))
		for i, x := range sum {
			n := int(math.Round(127 * (x / most)))
			u.numbers[i] = uint8(n)
			square += n * n
		}
		u.length = math.Sqrt(float64(square))
	}
	at.Store(u)
	return u
}

// nothing are the numbers of no direction: a row of the table has 1,024 at most.
var nothing [1 << 10]uint8

// numbers are those of a unit by their bits, which takes less time than to convert them.
var numbers = func() (all [1 << 8]float64) {
	for n := range all {
		all[n] = float64(int8(n))
	}
	return all
}()

// unit is a direction in whole numbers from -127 to 127, of which it has the bits, with
// their Euclidean length; that is 0 for none.
type unit struct {
	numbers []uint8
	length  float64
}

// along returns the length of a vector along the direction of u: their product.
func (u *unit) along(v []float64) float64 { return alongFour(v, [four]*unit{u, u, u, u})[0] }

// four is how many directions are multiplied at a time, since one sum waits for each of its
// products.
const four = 4

// alongFour returns along for four directions.
func alongFour(v []float64, units [four]*unit) (sums [four]float64) {
	a, b, c, d := units[0].numbers[:len(v)], units[1].numbers[:len(v)], units[2].numbers[:len(v)], units[3].numbers[:len(v)]
	var sumA, sumB, sumC, sumD float64
	for i, x := range v {
		sumA += float64(x * numbers[a[i]])
		sumB += float64(x * numbers[b[i]])
		sumC += float64(x * numbers[c[i]])
		sumD += float64(x * numbers[d[i]])
	}
	for i, sum := range [...]float64{sumA, sumB, sumC, sumD} {
		if length := units[i].length; length > 0 {
			sums[i] = sum / length
		}
	}
	return sums
}
