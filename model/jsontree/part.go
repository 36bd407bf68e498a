package jsontree

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// A long array can be read in parts, by several cursors at once: one for each
// part, and the cursor at the array then goes on behind it.

// NewPart returns a cursor at the elements of an array that stand in data from
// one offset up to, not including, another. It refuses what NewCursor refuses,
// and the array may be inside of as many others as depth says, itself included.
// Offsets are those in data. Behind the elements the cursor meets a closing
// bracket: the array's own, or one at the offset to that stands for it.
//
// It reads a copy in buffer, which it returns for the next part.
func NewPart(data []byte, from, to, depth int, buffer []byte) (*Cursor, []byte) {
	buffer = slices.Grow(buffer[:0], depth+to-from+1)
	for range depth {
		buffer = append(buffer, '[')
	}
	buffer = append(buffer, data[from:to]...)
	buffer = append(buffer, ']')
	c := NewCursor(buffer, 0)
	for range depth {
		_, _ = c.Bracket()
	}
	c.data, c.shift = data, from-depth
	return c, buffer
}

// Ahead returns the offset of what comes next, if nothing is wrong up to there.
func (c *Cursor) Ahead() int {
	at := int(c.dec.InputOffset())
	for at < len(c.text) && bytes.IndexByte([]byte(" \t\r\n,:"), c.text[at]) >= 0 {
		at++
	}
	return c.base + c.place(at)
}

// Behind returns the offset behind what was read last.
func (c *Cursor) Behind() int { return c.base + c.place(int(c.dec.InputOffset())) }

// IsCut reports whether err is that the text ends inside of a value.
func IsCut(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }

// Pass goes on behind the array that comes next, which ends before the offset
// end and whose elements have all been read by cursors from NewPart. It
// copies what stands around the array and reads anew what stands before it. A
// cursor from NewCursor can do this once.
func (c *Cursor) Pass(end int) error {
	const empty = "[]"
	start, read := c.Ahead()-c.base, c.dec.InputOffset()
	end -= c.base
	around := slices.Concat(c.data[:start], []byte(empty), c.data[end:])
	next := NewCursor(around, 0)
	for next.dec.InputOffset() < read {
		if _, err := next.dec.ReadToken(); err != nil {
			return err
		}
	}
	if _, err := next.dec.ReadValue(); err != nil {
		return err
	}
	c.dec, c.text, c.cut, c.shift = next.dec, around, start+1, end-start-len(empty)
	return nil
}
