package logs

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// elements reads a JSON array as a log of one element a line. What is behind the first
// damage is a torn line.
type elements struct {
	from *jsontext.Decoder
	line []byte // what is left of the line that is read
	done bool
}

// Read implements io.Reader.
func (e *elements) Read(p []byte) (int, error) {
	if len(e.line) == 0 && !e.done {
		value, err := e.from.ReadValue()
		if e.line = append(bytes.Clone(value), '\n'); err != nil {
			e.line, e.done = []byte("{"), true
		}
		if e.from.PeekKind() == ']' {
			e.done = true
		}
		if line := jsontext.Value(bytes.TrimSpace(e.line)); err == nil && line.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) == nil {
			e.line = append(line, '\n')
		}
	}
	n := copy(p, e.line)
	if e.line = e.line[n:]; n == 0 && e.done {
		return 0, io.EOF
	}
	return n, nil
}
