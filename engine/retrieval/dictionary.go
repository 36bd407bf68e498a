package retrieval

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// Dictionary numbers terms from 0 in the order in which they are added. It is an
// open-addressing hash table over one arena of text. Terms are only added, so that
// a frozen copy can share arena and ends with the original; the table is copied
// before the next addition. Any number of goroutines may read it at a time, but
// none while a term is added. The zero value cannot be used; see NewDictionary.
type Dictionary struct {
	seed   maphash.Seed // random, so that nobody can make terms that collide
	table  []uint64     // upper half: hash; lower half: term number + 1; 0 is free. A power of two long, at most half full
	ends   []int        // where each term ends in arena
	arena  []byte
	shared bool // table is read by a frozen copy
}

// NewDictionary returns a dictionary without terms.
func NewDictionary() Dictionary {
	return Dictionary{seed: maphash.MakeSeed(), table: make([]uint64, 64)}
}

// Len returns the number of terms.
func (d *Dictionary) Len() int { return len(d.ends) }

// Term returns the text of a term, which must not be changed. It panics when no
// term has the number.
func (d *Dictionary) Term(id uint32) []byte {
	start := 0
	if id > 0 {
		start = d.ends[id-1]
	}
	return d.arena[start:d.ends[id]]
}

// hash returns the upper half of a table entry.
func (d *Dictionary) hash(term []byte) uint64 {
	return maphash.Bytes(d.seed, term) &^ 0xffffffff
}

// Find returns the number of a term, or false when it has none.
func (d *Dictionary) Find(term []byte) (uint32, bool) {
	id, _, ok := d.probe(term, d.hash(term))
	return id, ok
}

// probe returns the number of a term, or the slot where it belongs.
func (d *Dictionary) probe(term []byte, hash uint64) (id uint32, slot uint64, ok bool) {
	mask := uint64(len(d.table) - 1)
	for slot = hash >> 32 & mask; d.table[slot] != 0; slot = (slot + 1) & mask {
		if entry := d.table[slot]; entry&^0xffffffff == hash {
			if id = uint32(entry) - 1; bytes.Equal(d.Term(id), term) {
				return id, slot, true
			}
		}
	}
	return 0, slot, false
}

// Intern returns the number of a term, which it adds, copied, if it is new.
func (d *Dictionary) Intern(term []byte) uint32 {
	hash := d.hash(term)
	id, slot, ok := d.probe(term, hash)
	if ok {
		return id
	}
	if d.shared {
		d.table, d.shared = slices.Clone(d.table), false
	}
	id = uint32(len(d.ends))
	d.arena = append(d.arena, term...)
	d.ends = append(d.ends, len(d.arena))
	d.table[slot] = hash | uint64(id+1)
	if len(d.ends)*2 > len(d.table) {
		d.grow()
	}
	return id
}

// grow doubles the table.
func (d *Dictionary) grow() {
	table := make([]uint64, len(d.table)*2)
	mask := uint64(len(table) - 1)
	for _, entry := range d.table {
		if entry == 0 {
			continue
		}
		slot := entry >> 32 & mask
		for table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		table[slot] = entry
	}
	d.table = table
}

// Freeze returns a copy that never changes, whatever is added to d later. It
// costs nothing until the next addition, which copies 8 to 32 bytes a term.
func (d *Dictionary) Freeze() Dictionary {
	d.shared = true
	return *d
}
