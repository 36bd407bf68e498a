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
// others make tools of the entries that it has checked, a part of the array each. Of a part, each
// block of definitions and nothing else is taken over as it is. Any other, such as one with something
// to warn of, is read again in its turn, because that depends on what stands before it; and so is
// what comes behind it, if it changed how entries are read.
//
// Invariant: the result is that of reading entry by entry, whatever the size of parts and blocks.

// partSize and blockSize are numbers of entries. What is left of an array is read entry by entry, and
// so are entries that have less than leastEntry bytes on average: they are no definitions, and a part
// of them would take much more memory than its text. Tests set them.
var partSize, blockSize, leastEntry = 256, 16, 64

// mostVain is how many more blocks may be read in vain than taken over, until none is read ahead.
const mostVain = 16

// readTools reads an array of entries.
func (r *reader) readTools(c *jsontree.Cursor, path string) error {
	r.arrays++
	var workers sync.WaitGroup
	defer workers.Wait()
	var vain atomic.Int32    // blocks that were read in vain, less those that were not
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
		inTurn := func(from, to int) error {
			for i, v := range entries[from:to] {
				if err := r.readEntry(v, &path, first+from+i); err != nil {
					return err
				}
			}
			return nil
		}
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
			return inTurn(0, len(entries))
		}
		part = nil
		var blocks [][]found
		workers.Go(func() { blocks = r.readAhead(entries, &path, first, &vain) })
		ahead = append(ahead, func() error {
			for i, block := range blocks {
				if block != nil && asFresh {
					r.found = append(r.found, block...)
					continue
				}
				if err := inTurn(i*blockSize, min((i+1)*blockSize, partSize)); err != nil {
					return err
				}
				_, asFresh = r.fresh()
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

// readAhead returns the definitions of each block of a part of the array at prefix, whose first entry
// has an index; nil for one that has more than definitions. It changes nothing of r.
func (r *reader) readAhead(part []jsontree.Value, prefix *string, first int, vain *atomic.Int32) [][]found {
	blocks := make([][]found, (len(part)+blockSize-1)/blockSize)
	by, _ := r.fresh()
	by.found = make([]found, 0, len(part))
	for i := range blocks {
		if vain.Load() > mostVain {
			break
		}
		var err error
		from, known := i*blockSize, len(by.found)
		for k := from; k < min(from+blockSize, len(part)) && err == nil; k++ {
			err = by.readEntry(part[k], prefix, first+k)
		}
		if _, plain := by.fresh(); plain && err == nil && len(by.noted)+len(by.findings)+by.skipped == 0 {
			blocks[i] = by.found[known:]
			vain.Add(-1)
		} else {
			by, _ = r.fresh()
			vain.Add(1)
		}
	}
	return blocks
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
