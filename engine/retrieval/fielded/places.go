package fielded

import (
	"math/bits"
	"slices"
)

// places finds the places of the terms of a query among them. Its memory is
// used again by the next query.
type places struct {
	filter [64]uint64 // a set of low bits of the term numbers: most other terms are not in it
	table  []uint64   // term number + 1 in the upper half, place in the lower; at most an eighth full
	spare  []uint64   // memory of a table
	shift  uint8      // of hashes, to places in table
	count  int
}

const smallTable = 7 // bits of the table that most queries need

// clear empties p.
func (p *places) clear() {
	p.filter, p.count = [64]uint64{}, 0
	p.size(smallTable)
}

// size empties the table and gives it 1<<n entries.
func (p *places) size(n int) {
	p.table = slices.Grow(p.table[:0], 1<<n)[:1<<n]
	clear(p.table)
	p.shift = uint8(32 - n)
}

// mayHold tells whether a term can be one of the query's.
func (p *places) mayHold(term uint32) bool { return p.filter[term>>6&63]>>(term&63)&1 != 0 }

// slot returns where the search for a term begins: Fibonacci hashing spreads
// the small numbers of frequent terms.
func (p *places) slot(term uint32) int { return int(term * 0x9e3779b9 >> p.shift) }

// find returns the place of a term, or -1.
func (p *places) find(term uint32) int {
	for i := p.slot(term); ; i = (i + 1) & (len(p.table) - 1) {
		entry := p.table[i]
		if entry == 0 {
			return -1
		}
		if uint32(entry>>32) == term+1 {
			return int(uint32(entry))
		}
	}
}

// enter notes the place of a term that has none.
func (p *places) enter(term uint32, place int) {
	if p.count++; p.count*8 > len(p.table) {
		old := p.table
		p.table, p.spare = p.spare, p.table
		p.size(bits.Len(uint(len(old))))
		for _, entry := range old {
			if entry != 0 {
				p.insert(entry)
			}
		}
	}
	p.insert(uint64(term+1)<<32 | uint64(place))
	p.filter[term>>6&63] |= 1 << (term & 63)
}

// insert writes an entry into a table with room.
func (p *places) insert(entry uint64) {
	i := p.slot(uint32(entry>>32) - 1)
	for p.table[i] != 0 {
		i = (i + 1) & (len(p.table) - 1)
	}
	p.table[i] = entry
}
