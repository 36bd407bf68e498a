package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// parseJSONC reads JSON in which comments and trailing commas are legal.
// Errors begin with "line:col: ".
func parseJSONC(data []byte) (value, error) {
	data = withoutComments(data)
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := readJSON(d, 0)
	at := d.InputOffset()
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more after the end of the value")
		}
	}
	if err != nil {
		what := "not valid JSON"
		var syntax *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			what, at = "unexpected end of input", int64(len(data))
		case errors.Is(err, errDeep):
			what = err.Error()
		case errors.As(err, &syntax):
			at = max(at, syntax.Offset)
		}
		line, col := position(data, int(at))
		return value{}, fmt.Errorf("%d:%d: %s", line, col, what)
	}
	return v, nil
}

// errDeep is the error of every format for too deep a nesting.
var errDeep = errors.New("nested too deep")

// readJSON reads the next value.
func readJSON(d *json.Decoder, depth int) (value, error) {
	if depth > maxDepth {
		return value{}, errDeep
	}
	token, err := d.Token()
	if err != nil {
		return value{}, err
	}
	switch t := token.(type) {
	case nil:
		return value{kind: nullKind}, nil
	case bool:
		return value{kind: boolKind, text: fmt.Sprint(t)}, nil
	case json.Number:
		return value{kind: textKind, text: t.String()}, nil
	case string:
		return value{kind: textKind, text: t}, nil
	case json.Delim:
		if t == '[' {
			v := value{kind: listKind}
			for d.More() {
				item, err := readJSON(d, depth+1)
				if err != nil {
					return value{}, err
				}
				v.items = append(v.items, item)
			}
			_, err = d.Token()
			return v, err
		}
	}
	var g gatherer
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return value{}, err
		}
		v, err := readJSON(d, depth+1)
		if err != nil {
			return value{}, err
		}
		g.set(name.(string), v) // a decoder returns no other name of a member
	}
	_, err = d.Token()
	return value{kind: objectKind, members: g.members, repeated: g.repeated}, err
}

// position returns line and column of a byte offset, both from 1, the column
// in bytes.
func position(data []byte, at int) (line, col int) {
	before := data[:min(at, len(data))]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// withoutComments returns data with spaces in the place of comments and of
// commas before a closing bracket, so that every position stays.
func withoutComments(data []byte) []byte {
	out := bytes.Clone(data)
	comma := -1 // of the last comma with nothing but space behind it
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"' && out[i] != '\n'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := commentEnd(out[i:])
			for j := i; j < i+end; j++ {
				if out[j] != '\n' {
					out[j] = ' '
				}
			}
			i += end - 1
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		default:
			comma = -1
		}
	}
	return out
}

// commentEnd returns the length of the comment that b begins with; one that
// does not end goes on to the end of the input.
func commentEnd(b []byte) int {
	if b[1] == '/' {
		if n := bytes.IndexByte(b, '\n'); n >= 0 {
			return n
		}
		return len(b)
	}
	if n := bytes.Index(b[2:], []byte("*/")); n >= 0 {
		return n + 4
	}
	return len(b)
}
