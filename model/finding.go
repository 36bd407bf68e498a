package model

import (
	"bytes"
	"sort"
	"strconv"
)

// finding is what a Diagnostic will say, while its place is still an offset
// in the source. It is an error value where it makes a source useless.
type finding struct {
	at      int
	code    string
	path    string
	message string
}

// Error returns the message alone.
func (f finding) Error() string { return f.message }

// diagnostic returns f for a source with the given lines.
func (f finding) diagnostic(s Source, l *lines) Diagnostic {
	line, col := l.position(f.at)
	return Diagnostic{
		File:    Sanitize(s.Name),
		Line:    line,
		Col:     col,
		Code:    f.code,
		Path:    Sanitize(f.path),
		Message: Sanitize(f.message),
	}
}

// lines knows where the lines of a text begin.
type lines struct {
	data   []byte
	starts []int // offsets of the second and later lines; filled by the first position
	filled bool
}

func newLines(data []byte) *lines { return &lines{data: data} }

// position returns line and column of an offset, both from 1, the column in
// bytes. An offset past the end is at the end. A byte order mark counts
// neither in columns nor as text.
func (l *lines) position(at int) (line, col int) {
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

// count returns a number with its noun, as in "1 tool" and "2 tools".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
