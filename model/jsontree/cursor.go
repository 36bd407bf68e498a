package jsontree

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// This is the one file that imports jsontext, which is not yet at version 1:
// if its interface changes, the change ends here.

// Unquote returns what a valid JSON string stands for: a slice of raw where it has no escapes.
func Unquote(raw []byte) []byte {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	out, _ := jsontext.AppendUnquote(nil, raw) // raw was validated; a lone surrogate becomes U+FFFD
	return out
}

// Compact returns a validated JSON value without white space between tokens; nothing of nothing.
func Compact(raw []byte) []byte {
	if len(raw) == 0 || raw[0] != '{' && raw[0] != '[' {
		return raw
	}
	v := jsontext.Value(bytes.Clone(raw))
	_ = v.Compact()
	return v
}

// AppendQuoted appends s as a JSON string.
func AppendQuoted(dst []byte, s string) []byte {
	out, _ := jsontext.AppendQuote(dst, s) // bad UTF-8 becomes U+FFFD
	return out
}

// Cursor reads strict JSON values of a text, in one pass, as slices of it. It alone refuses bytes
// that are not UTF-8 and repeated names.
type Cursor struct {
	dec    *jsontext.Decoder
	buffer bytes.Buffer // what dec reads
	data   []byte       // the same, that values are slices of
	base   int          // added to every offset: where data stands in the whole text
}

// NewCursor returns a cursor at the start of data that accepts only valid UTF-8 and unique names.
func NewCursor(data []byte, base int) *Cursor {
	c := &Cursor{buffer: *bytes.NewBuffer(data), data: data, base: base}
	c.dec = jsontext.NewDecoder(&c.buffer)
	return c
}

// Reread returns a cursor at the start of data that a cursor has read: it checks less.
func Reread(data []byte, base int) *Cursor {
	c := NewCursor(data, base)
	c.dec.Reset(&c.buffer, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return c
}

// Next returns the first byte of the value that comes next, as Value.First does but
// with '0' for every number; ']' or '}' at the end of an array or object; and
// 0 at the end of the text and before an error.
func (c *Cursor) Next() byte { return byte(c.dec.PeekKind()) }

// Value reads the next value.
func (c *Cursor) Value() (Value, error) {
	v, err := c.dec.ReadValue()
	if err != nil {
		return Value{}, err
	}
	end := int(c.dec.InputOffset())
	start := end - len(v)
	return Value{c.data[start:end:end], c.base + start}, nil
}

// bracket reads one of { } [ ] and returns its offset.
func (c *Cursor) bracket() (int, error) {
	if _, err := c.dec.ReadToken(); err != nil {
		return 0, err
	}
	return c.base + int(c.dec.InputOffset()) - 1, nil
}

// Object reads an object. It calls member with each unquoted name; member reads the value.
func (c *Cursor) Object(member func(name []byte) error) (Value, error) {
	at, err := c.bracket()
	if err != nil {
		return Value{}, err
	}
	for c.Next() == '"' {
		name, err := c.Value()
		if err != nil {
			return Value{}, err
		}
		if err := member(Unquote(name.Raw)); err != nil {
			return Value{}, err
		}
	}
	return c.closing(at)
}

// Array reads an array. It calls element with the index of each element; element reads it.
func (c *Cursor) Array(element func(index int) error) (Value, error) {
	at, err := c.bracket()
	if err != nil {
		return Value{}, err
	}
	for i := 0; c.Next() != ']' && c.Next() != 0; i++ {
		if err := element(i); err != nil {
			return Value{}, err
		}
	}
	return c.closing(at)
}

// closing reads the bracket that ends the value begun at the offset at.
func (c *Cursor) closing(at int) (Value, error) {
	last, err := c.bracket()
	if err != nil {
		return Value{}, err
	}
	return Value{c.data[at-c.base : last+1-c.base : last+1-c.base], at}, nil
}

// maxNotation is how many arrays and objects a path names; deeper ones are "...".
const maxNotation = 100

// notation writes a pointer as Diagnostic.Path has it. The kinds of the open values tell an index
// from a name.
func (c *Cursor) notation(p jsontext.Pointer) string {
	path, level := "", 0
	for token := range p.Tokens() {
		if level++; level > maxNotation {
			return path + "..."
		}
		if level <= c.dec.StackDepth() {
			if kind, _ := c.dec.StackIndex(level); kind == '[' {
				path += "[" + token + "]"
				continue
			}
		}
		path = JoinName(path, token)
	}
	return path
}

// IsSyntax reports whether err is about the JSON of the text.
func IsSyntax(err error) bool {
	var s *jsontext.SyntacticError
	return errors.As(err, &s)
}

// FindFault returns the first fault of data, which has one. It reads token by token, so that the
// kinds of all open values are known.
func FindFault(data []byte) Fault {
	c := NewCursor(data, 0)
	for {
		_, err := c.dec.ReadToken()
		var s *jsontext.SyntacticError
		switch {
		case err == nil:
			continue
		case !errors.As(err, &s):
			return Fault{At: len(data), Code: "unexpected_end", Message: "unexpected end of input"}
		case errors.Is(err, io.ErrUnexpectedEOF):
			return Fault{len(data), "unexpected_end", c.notation(s.JSONPointer), "unexpected end of input"}
		}
		message := "not valid JSON"
		if c.dec.StackDepth() == 0 && len(bytes.TrimSpace(data[:s.ByteOffset])) > 0 {
			at := int(c.dec.InputOffset())
			at += len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
			return Fault{at, "json_syntax", "", "text that is not JSON after the end of a JSON value"}
		}
		if s.Err != nil {
			message = strings.TrimPrefix(s.Err.Error(), "jsontext: ")
		}
		return Fault{int(s.ByteOffset), "json_syntax", c.notation(s.JSONPointer), message}
	}
}
