package shapes

import (
	"cmp"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"caliper/model/jsontree"
)

// A long array of tools is read on all cores: one goroutine checks the JSON, entry by entry, and
// others make tools of the entries that it has checked, a part of the array each. What they made is
// taken over, but for entries with something to warn of: these are read again in their turn, because
// a warning depends on those before it. A part that changes how entries are read is read again whole.
//
// Invariant: the result is that of reading entry by entry, whatever the size of the parts.

// partSize is how many entries are a part. What is left of an array is read entry by entry, and so
// are entries that have less than leastEntry bytes on average: they are no definitions, and a part
// of them would take much more memory than its text. Tests set both.
var partSize, leastEntry = 256, 64

// readTools reads an array of entries.
func (r *reader) readTools(c *jsontree.Cursor, path string) error {
	r.arrays++
	var workers sync.WaitGroup
	defer workers.Wait()
	var vain atomic.Bool     // a part was read in vain, and so would most behind it
	var ahead []func() error // adds a part that was read ahead, for each in their order
	asFresh := false         // r reads an entry as a fresh reader does
	catchUp := func() error {
		workers.Wait()
		r.found = slices.Grow(r.found, partSize*len(ahead))
		for _, add := range ahead {
			if err := add(); err != nil {
				return err
			}
		}
		ahead = nil
		return nil
	}
	var part []jsontree.Value
	readPart := func(first int) error {
		entries := part
		inParts := len(part) == partSize && part[partSize-1].At-part[0].At >= (partSize-1)*leastEntry
		if inParts && len(ahead) == 0 {
			_, asFresh = r.fresh()
			inParts = asFresh
		}
		if !inParts {
			part = part[:0]
			if err := catchUp(); err != nil {
				return err
			}
			return r.readInTurn(entries, &path, first)
		}
		part = make([]jsontree.Value, 0, partSize)
		var runs [][]found
		var odd []int
		workers.Go(func() {
			if vain.Load() {
				return
			}
			if runs, odd = r.readAhead(entries, &path, first); runs == nil {
				vain.Store(true)
			}
		})
		ahead = append(ahead, func() error {
			if runs == nil || !asFresh {
				err := r.readInTurn(entries, &path, first)
				_, asFresh = r.fresh()
				return err
			}
			for i, run := range runs {
				r.found = append(r.found, run...)
				if i == len(odd) {
					break
				}
				if err := r.readInTurn(entries[odd[i]:odd[i]+1], &path, first+odd[i]); err != nil {
					return err
				}
			}
			return nil
		})
		return nil
	}
	count := 0
	_, err := c.Array(func(i int) error {
		if i%pollEvery == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		v, err := c.Value()
		if err != nil {
			return err
		}
		count, part = i+1, append(part, v)
		if len(part) < partSize {
			return nil
		}
		return readPart(count - len(part))
	})
	if err == nil || jsontree.IsSyntax(err) { // a definition that rejects the source comes before a fault behind it
		err = cmp.Or(readPart(count-len(part)), err)
	}
	return err
}

// readInTurn reads the entries of the array at prefix from the one with the index first on.
func (r *reader) readInTurn(entries []jsontree.Value, prefix *string, first int) error {
	for i, v := range entries {
		if err := r.readEntry(v, prefix, first+i); err != nil {
			return err
		}
	}
	return nil
}

// readAhead returns the definitions of a part of the array at prefix, whose first entry has an index:
// those before, between and behind the odd entries, which have something to warn of. It returns nil
// for a part that changes how a reader reads. It changes nothing of r.
func (r *reader) readAhead(part []jsontree.Value, prefix *string, first int) (runs [][]found, odd []int) {
	by, _ := r.fresh()
	by.found = make([]found, 0, len(part))
	run := 0 // where it begins in found
	for i, v := range part {
		known := len(by.found)
		if by.readEntry(v, prefix, first+i) != nil {
			return nil, nil
		}
		if len(by.noted)+len(by.findings)+by.skipped > 0 {
			runs, odd = append(runs, by.found[run:known]), append(odd, i)
			by.noted, by.findings, by.skipped = map[string]int{}, nil, 0
			run = len(by.found)
		}
	}
	if _, asFresh := by.fresh(); !asFresh {
		return nil, nil
	}
	return append(runs, by.found[run:]), odd
}

// fresh returns a reader that is where r is in its source and has read nothing, and whether r reads
// an entry as that does: it has more definitions, warnings and skipped entries, but is equal else.
func (r *reader) fresh() (blank *reader, asFresh bool) {
	blank = newReader(r.ctx, r.source, r.index, r.text)
	blank.notation, blank.arrays, blank.depth, blank.as = r.notation, r.arrays, r.depth, r.as
	read := *r
	read.found, read.findings, read.noted, read.skipped = nil, nil, blank.noted, 0
	read.entry, read.envelopes = entry{}, nil
	return blank, reflect.DeepEqual(&read, blank)
}
