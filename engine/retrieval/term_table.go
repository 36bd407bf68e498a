package retrieval

import (
	"math/bits"
	"slices"
)

// TermTable finds the index of a term among those of a query. It is a hash table
// with linear probing. The memory is used again by the next query.
type TermTable struct {
	filter [64]uint64 // a set of low bits of the term numbers: most other terms are not in it
	table  []uint64   // term number + 1 in the upper half, index in the lower; at most a quarter full
	spare  []uint64   // memory of a table
	shift  uint8      // of hashes, to slots of the table
	slots  []uint16   // of the entries, so that only they are cleared
}

const (
	smallTable = 7  // bits of the first table
	largeTable = 11 // bits of the largest table that is kept for the next query: it stays in the nearest cache
)

// Clear empties the table. A table must be cleared before its first use.
func (t *TermTable) Clear() {
	if len(t.table) == 0 || len(t.table) > 1<<largeTable {
		t.filter, t.slots = [64]uint64{}, t.slots[:0]
		t.size(smallTable)
		return
	}
	for _, slot := range t.slots {
		term := uint32(t.table[slot]>>32) - 1
		t.filter[term>>6&63], t.table[slot] = 0, 0
	}
	t.slots = t.slots[:0]
}

// size empties the table and gives it 1<<n entries.
func (t *TermTable) size(n int) {
	t.table = slices.Grow(t.table[:0], 1<<n)[:1<<n]
	clear(t.table)
	t.shift = uint8(32 - n)
}

// MayHold reports whether a term can be in the table. It is false for most terms
// that are not.
func (t *TermTable) MayHold(term uint32) bool { return t.filter[term>>6&63]>>(term&63)&1 != 0 }

// slot returns where the search for a term begins: Fibonacci hashing spreads
// the small numbers of frequent terms.
func (t *TermTable) slot(term uint32) int { return int(term * 0x9e3779b9 >> t.shift) }

// Find returns the index of a term, or -1.
func (t *TermTable) Find(term uint32) int {
	for i := t.slot(term); ; i = (i + 1) & (len(t.table) - 1) {
		entry := t.table[i]
		if entry == 0 {
			return -1
		}
		if uint32(entry>>32) == term+1 {
			return int(uint32(entry))
		}
	}
}

// FindAll appends to found a number for each of numbers whose term is in the table:
// the index of the term in the upper half, and the place in numbers in the lower.
// The term is the bits of mask of a number.
func (t *TermTable) FindAll(found []uint64, numbers []uint32, mask uint32) []uint64 {
	for place, number := range numbers {
		term := number & mask
		if !t.MayHold(term) {
			continue
		}
		if index := t.Find(term); index >= 0 {
			found = append(found, uint64(index)<<32|uint64(place))
		}
	}
	return found
}

// Add sets the index of a term that has none.
func (t *TermTable) Add(term uint32, index int) {
	if (len(t.slots)+1)*4 > len(t.table) {
		t.grow()
	}
	t.insert(uint64(term+1)<<32 | uint64(index))
	t.filter[term>>6&63] |= 1 << (term & 63)
}

// grow makes the table four times as large.
func (t *TermTable) grow() {
	old := t.table
	t.table, t.spare, t.slots = t.spare, t.table, t.slots[:0]
	t.size(bits.Len(uint(len(old))) + 1)
	for _, entry := range old {
		if entry != 0 {
			t.insert(entry)
		}
	}
}

// insert adds an entry to a table that has room.
func (t *TermTable) insert(entry uint64) {
	i := t.slot(uint32(entry>>32) - 1)
	for t.table[i] != 0 {
		i = (i + 1) & (len(t.table) - 1)
	}
	t.table[i] = entry
	t.slots = append(t.slots, uint16(i)) // of a table that is too large to be kept, never read
}
