package shapes

import (
	"cmp"
	"reflect"
	"slices"
	"sync"

	"caliper/model/jsontree"
)

// A long array of tools is read on all cores: one goroutine checks the JSON, entry by entry, and
// others make tools of the entries that it has checked, a part of the array each. A part that holds
// definitions and nothing else is taken over as it is. Any other, such as one with something to
// warn of, is read again in its turn, because that depends on what stands before it.
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
	var ahead []func() error // adds a part that was read ahead, for each in their order
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
		inTurn := func() error {
			for i, v := range entries {
				if err := r.readEntry(v, &path, first+i); err != nil {
					return err
				}
			}
			return nil
		}
		inParts := len(part) == partSize && part[partSize-1].At-part[0].At >= (partSize-1)*leastEntry
		if inParts && len(ahead) == 0 {
			_, inParts = r.fresh()
		}
		if !inParts {
			part = part[:0]
			if err := catchUp(); err != nil {
				return err
			}
			return inTurn()
		}
		part = nil
		var read []found
		workers.Go(func() { read = r.readPlain(entries, &path, first) })
		ahead = append(ahead, func() error {
			if read == nil {
				return inTurn()
			}
			r.found = append(r.found, read...)
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

// readPlain returns the definitions of a part of the array at prefix, whose first entry has an
// index. It returns nil if the part has more than definitions, and changes nothing of r.
func (r *reader) readPlain(part []jsontree.Value, prefix *string, first int) []found {
	by, _ := r.fresh()
	by.found = make([]found, 0, len(part))
	for i, v := range part {
		if by.readEntry(v, prefix, first+i) != nil {
			return nil
		}
	}
	if _, plain := by.fresh(); !plain || len(by.findings) > 0 {
		return nil
	}
	return by.found
}

// fresh returns a reader that is where r is in its source and has read nothing, and whether r
// differs from it by definitions alone, or by what had to be repaired.
func (r *reader) fresh() (blank *reader, isFresh bool) {
	blank = newReader(r.ctx, r.source, r.index, r.text)
	blank.notation, blank.arrays, blank.depth, blank.as = r.notation, r.arrays, r.depth, r.as
	read := *r
	read.found, read.findings, read.entry, read.envelopes = nil, nil, entry{}, nil
	return blank, reflect.DeepEqual(&read, blank)
}
