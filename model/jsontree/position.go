package jsontree

import (
	"bytes"
	"sort"
)

// Lines knows where the lines of a text begin.
type Lines struct {
	data   []byte
	starts []int // offsets of the second and later lines; filled by the first position
	filled bool
}

// NewLines returns the lines of a text.
func NewLines(data []byte) *Lines { return &Lines{data: data} }

// Position returns line and column of an offset, both from 1, the column in
// bytes. An offset past the end is at the end. A byte order mark counts
// neither in columns nor as text.
func (l *Lines) Position(at int) (line, col int) {
	if !l.filled && at > 0 {
		l.starts = make([]int, 0, bytes.Count(l.data, []byte{'\n'}))
		for i := 0; ; {
			n := bytes.IndexByte(l.data[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			l.starts = append(l.starts, i)
		}
		l.filled = true
	}
	at = min(at, len(l.data))
	n := sort.SearchInts(l.starts, at+1) // lines that begin at or before at, less the first
	start := 0
	if n > 0 {
		start = l.starts[n-1]
	} else if bytes.HasPrefix(l.data, byteOrderMark) {
		start = min(len(byteOrderMark), at)
	}
	return n + 1, at - start + 1
}

// Position returns the line and the column of one offset of a text, as
// Lines.Position does.
func Position(text []byte, at int) (line, col int) {
	return NewLines(text[:min(at, len(text))]).Position(at)
}
