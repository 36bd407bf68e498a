package meaning

import (
	"cmp"
	"slices"
	"sync"

	"caliper/engine/retrieval/fielded"
)

// neighbours are the words of a catalog that are nearest in meaning to those that were asked. They depend
// on which words the catalog has and on nothing else, so that the indexes of other rankers, settings and
// readings of the same tools find what one of them looked for.
type neighbours struct {
	rows  []int32                      // of the words of the catalog, ascending
	found map[int32][]fielded.Weighted // by row of a word that was asked: a Term is an index in rows
}

// lastNear are the neighbours of the catalogs that were indexed last, the newest first. nearMu guards
// them, and what any has found.
var (
	lastNear [4]*neighbours
	nearMu   sync.Mutex
)

// neighboursAmong returns the neighbours among rows.
func neighboursAmong(rows []int32) *neighbours {
	nearMu.Lock()
	defer nearMu.Unlock()
	at := slices.IndexFunc(lastNear[:], func(n *neighbours) bool { return n != nil && slices.Equal(n.rows, rows) })
	first := &neighbours{rows: rows, found: map[int32][]fielded.Weighted{}}
	if at < 0 {
		at = len(lastNear) - 1
	} else {
		first = lastNear[at]
	}
	copy(lastNear[1:], lastNear[:at])
	lastNear[0] = first
	return first
}

// nearTo returns the terms of the catalog that are nearest in meaning to a word of the
// table with their similarities, the nearest first, at most mostNear.
func (c *core) nearTo(row int32) []fielded.Weighted {
	nearMu.Lock()
	found, known := c.near.found[row]
	nearMu.Unlock()
	if !known {
		v, _ := c.table.Entry(int(row))
		for i, own := range c.near.rows {
			other, _ := c.table.Entry(int(own))
			if s := v.Similarity(other); s >= barelyNear {
				found = append(found, fielded.Weighted{Term: uint32(i), Weight: s})
			}
		}
		slices.SortFunc(found, func(a, b fielded.Weighted) int {
			return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Term, b.Term))
		})
		many := slices.IndexFunc(found, func(n fielded.Weighted) bool { return n.Weight < leastNear })
		if many < 0 {
			many = len(found)
		}
		found = slices.Clone(found[:min(len(found), max(many, fewNear), mostNear)])
		nearMu.Lock()
		c.near.found[row] = found
		nearMu.Unlock()
	}
	near := slices.Clone(found)
	for i := range near {
		near[i].Term = c.terms[near[i].Term]
	}
	return near
}
