package retrieval

import (
	"math/bits"
	"slices"

	"caliper/engine/retrieval/postings"
)

// query is a query as an index understands it. Its memory is used again by
// the next one.
type query struct {
	tokens int         // of the text
	terms  []queryTerm // distinct ones that the catalog holds, in order of first occurrence
	order  []uint32    // the query's tokens as places in terms, those the catalog lacks left out

	token  []byte
	filter [16]uint64 // a set of low bits of the term numbers: most other terms are not in it
	table  []uint64   // term number + 1 in the upper half, place in the lower; at most an eighth full
	shift  uint8      // of hashes, to places in table
}

// queryTerm is a term of the query.
type queryTerm struct {
	id      uint32
	df      uint32
	repeats uint32
	idf     float64
}

const smallTable = 6 // bits of the table that most queries need

// parse reads text for a catalog.
func (q *query) parse(b *bags, text string) {
	q.tokens, q.terms, q.order = 0, q.terms[:0], q.order[:0]
	q.filter = [16]uint64{}
	q.size(smallTable)
	for i := 0; ; q.tokens++ {
		if q.token, i = nextToken(q.token[:0], text, i); len(q.token) == 0 {
			return
		}
		id, df := b.term(q.token)
		if df == 0 {
			continue
		}
		place := q.place(id)
		if place < 0 {
			place = len(q.terms)
			q.terms = append(q.terms, queryTerm{id: id, df: df, idf: idf(int(df), b.Len())})
			q.enter(id, place)
		}
		q.terms[place].repeats++
		q.order = append(q.order, uint32(place))
	}
}

// term returns the term of a token, and how many documents hold it.
func (b *bags) term(token []byte) (id, df uint32) {
	if b.stems != nil {
		var room [64]byte
		token = append(room[:0], b.stems.English(token)...)
	}
	id, ok := b.dict.Find(token)
	if !ok {
		return 0, 0
	}
	return id, b.lists.Term(id).DF
}

// plan makes a search of the query's terms. Each weighs its idf times its
// repeats; of impacts in units of k1+1, the sum is then the score.
func (q *query) plan(s *postings.Searcher) {
	s.Reset()
	for i := range q.terms {
		t := &q.terms[i]
		s.Add(t.id, t.idf*float64(t.repeats))
	}
}

// spare bounds the error of scores in float64: 1e-16 for each operation, in
// units of 2^-31.
func (q *query) spare() uint32 { return uint32(q.tokens >> 20) }

// size empties the table and gives it 1<<n entries.
func (q *query) size(n int) {
	q.table = slices.Grow(q.table[:0], 1<<n)[:1<<n]
	clear(q.table)
	q.shift = uint8(32 - n)
}

// slot returns where the search for a term begins: Fibonacci hashing spreads
// the small numbers of frequent terms.
func (q *query) slot(id uint32) int { return int(id * 0x9e3779b9 >> q.shift) }

// place returns where a term stands in terms, or -1.
func (q *query) place(id uint32) int {
	for i := q.slot(id); ; i = (i + 1) & (len(q.table) - 1) {
		entry := q.table[i]
		if entry == 0 {
			return -1
		}
		if uint32(entry>>32) == id+1 {
			return int(uint32(entry))
		}
	}
}

// enter notes the place of a term, the last of terms.
func (q *query) enter(id uint32, place int) {
	if len(q.terms)*8 > len(q.table) {
		q.size(bits.Len(uint(len(q.table))))
		for i, t := range q.terms[:place] {
			q.insert(t.id, i)
		}
	}
	q.insert(id, place)
	q.filter[id>>6&15] |= 1 << (id & 63)
}

// mayHold tells whether a term can be one of the query's; it errs in one of
// fifty terms for a query of twenty.
func (q *query) mayHold(id uint32) bool { return q.filter[id>>6&15]>>(id&63)&1 != 0 }

// insert writes an entry into a table with room.
func (q *query) insert(id uint32, place int) {
	i := q.slot(id)
	for q.table[i] != 0 {
		i = (i + 1) & (len(q.table) - 1)
	}
	q.table[i] = uint64(id+1)<<32 | uint64(place)
}
