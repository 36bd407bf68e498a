package model

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// This is the one file that imports jsontext, which is not yet at version 1:
// if its interface changes, the change ends here.

// value is one JSON value as it stands in a text.
type value struct {
	raw []byte // a slice of the text; empty when there is no value
	at  int    // offset of the first byte in the text
}

// kind returns the first byte of v, which tells what it is ('{', '[', '"',
// 't', 'f', 'n', or a digit or minus), and 0 for no value.
func (v value) kind() byte {
	if len(v.raw) == 0 {
		return 0
	}
	return v.raw[0]
}

// isObject, isArray and isString report what v is.
func (v value) isObject() bool { return v.kind() == '{' }
func (v value) isArray() bool  { return v.kind() == '[' }
func (v value) isString() bool { return v.kind() == '"' }

// text returns the string that v holds, and "" when v is not a string.
func (v value) text() string {
	if !v.isString() {
		return ""
	}
	return string(unquoted(v.raw))
}

// unquoted returns the content of a JSON string: a slice of raw where it has
// no escapes.
func unquoted(raw []byte) []byte {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	out, _ := jsontext.AppendUnquote(nil, raw) // raw was validated; a lone surrogate becomes U+FFFD
	return out
}

// compact returns a validated JSON value without white space between tokens,
// everything else as it is written.
func compact(raw []byte) []byte {
	if raw[0] != '{' && raw[0] != '[' {
		return raw
	}
	v := jsontext.Value(bytes.Clone(raw))
	_ = v.Compact()
	return v
}

// appendQuoted appends s as a JSON string.
func appendQuoted(dst []byte, s string) []byte {
	out, _ := jsontext.AppendQuote(dst, s) // bad UTF-8 becomes U+FFFD
	return out
}

// object returns the members of v, which is an object.
func (v value) object() *object {
	o := &object{value: v, members: make([]member, 0, 8)}
	v.each(func(m member) { o.members = append(o.members, m) })
	return o
}

// Members calls member with the name and the value of each member of the JSON
// object that text begins with; values are slices of text. Repeated names and
// bytes that are not UTF-8 pass. It returns false if text does not begin with a
// valid object; some members may have been handed over then.
func Members(text []byte, member func(name string, value []byte)) bool {
	c := borrowCursor(nil, 0)
	defer c.giveBack()
	c.reset(text, 0, lenient...)
	if c.next() != '{' {
		return false
	}
	_, err := c.eachMember(func(name string, v value) error {
		member(name, v.raw)
		return nil
	})
	return err == nil
}

// holdsArray reports whether v is an object with an array of that name.
func (v value) holdsArray(name string) bool {
	holds := false
	v.each(func(m member) { holds = holds || m.name == name && m.isArray() })
	return holds
}

// each calls visit with each member of v, if v is an object.
func (v value) each(visit func(member)) {
	if !v.isObject() {
		return
	}
	c := borrowCursor(v.raw, v.at)
	defer c.giveBack()
	_, _ = c.eachMember(func(name string, v value) error { // v was validated
		visit(member{name, v})
		return nil
	})
}

// cursor reads a text of JSON values, one after the other, in one pass. Its
// values are slices of the text.
type cursor struct {
	dec    *jsontext.Decoder
	buffer bytes.Buffer // what dec reads
	data   []byte
	base   int // added to every offset: where data stands in the whole text
}

// newCursor returns a cursor at the start of data that accepts only valid
// UTF-8 and objects without repeated names.
func newCursor(data []byte, base int) *cursor {
	c := &cursor{dec: new(jsontext.Decoder)}
	c.reset(data, base)
	return c
}

// newLenientCursor returns a cursor that lets repeated names and invalid
// UTF-8 pass.
func newLenientCursor(data []byte) *cursor {
	c := &cursor{dec: new(jsontext.Decoder)}
	c.reset(data, 0, lenient...)
	return c
}

// lenient lets repeated names and invalid UTF-8 pass.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// reset puts c at the start of other data.
func (c *cursor) reset(data []byte, base int, options ...jsontext.Options) {
	c.buffer = *bytes.NewBuffer(data)
	c.data, c.base = data, base
	c.dec.Reset(&c.buffer, options...)
}

// spare holds cursors that are not in use. A cursor takes more memory than
// most values, and formats that wrap each tool need one for each.
var spare = sync.Pool{New: func() any { return newCursor(nil, 0) }}

// borrowCursor is newCursor for data that has been validated. The cursor must
// be given back.
func borrowCursor(data []byte, base int) *cursor {
	c := spare.Get().(*cursor)
	c.reset(data, base)
	return c
}

// giveBack ends the use of a cursor from borrowCursor.
func (c *cursor) giveBack() {
	c.reset(nil, 0)
	spare.Put(c)
}

// next returns the kind of the value that comes next, as value.kind does but
// with '0' for every number; ']' or '}' at the end of an array or object; and
// 0 at the end of the text and before an error.
func (c *cursor) next() byte { return byte(c.dec.PeekKind()) }

// value reads the next value whole.
func (c *cursor) value() (value, error) {
	v, err := c.dec.ReadValue()
	if err != nil {
		return value{}, err
	}
	end := int(c.dec.InputOffset())
	start := end - len(v)
	return value{c.data[start:end:end], c.base + start}, nil
}

// bracket reads one of { } [ ] and returns its offset.
func (c *cursor) bracket() (int, error) {
	if _, err := c.dec.ReadToken(); err != nil {
		return 0, err
	}
	return c.base + int(c.dec.InputOffset()) - 1, nil
}

// object reads an object, which must come next. It calls member with the
// unquoted name of each member; member reads the value.
func (c *cursor) object(member func(name []byte) error) (value, error) {
	at, err := c.bracket()
	if err != nil {
		return value{}, err
	}
	for c.next() == '"' {
		name, err := c.value()
		if err != nil {
			return value{}, err
		}
		if err := member(unquoted(name.raw)); err != nil {
			return value{}, err
		}
	}
	return c.closing(at)
}

// array reads an array, which must come next. It calls element with the index
// of each element; element reads it.
func (c *cursor) array(element func(index int) error) (value, error) {
	at, err := c.bracket()
	if err != nil {
		return value{}, err
	}
	for i := 0; c.next() != ']' && c.next() != 0; i++ {
		if err := element(i); err != nil {
			return value{}, err
		}
	}
	return c.closing(at)
}

// closing reads the bracket that ends the value begun at the offset at.
func (c *cursor) closing(at int) (value, error) {
	last, err := c.bracket()
	if err != nil {
		return value{}, err
	}
	return value{c.data[at-c.base : last+1-c.base : last+1-c.base], at}, nil
}

// depth returns how many arrays and objects are open at the cursor.
func (c *cursor) depth() int { return c.dec.StackDepth() }

// path returns where the cursor is, in the notation of Diagnostic.Path.
func (c *cursor) path() string { return c.notation(c.dec.StackPointer()) }

// maxNotation is how many arrays and objects a path names. In deeper ones the
// rest is "...".
const maxNotation = 100

// notation writes a pointer below the cursor's open arrays and objects in the
// notation of Diagnostic.Path. The kinds of the open values tell an index
// from a name that looks like one.
func (c *cursor) notation(p jsontext.Pointer) string {
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
		path = joinName(path, token)
	}
	return path
}

// joinName appends the name of a member to a path: a.b, or a["b c"] where the
// name is not a plain word.
func joinName(path, name string) string {
	for i := range len(name) {
		b := name[i]
		word := b == '_' || b == '$' || b == '-' || '0' <= b && b <= '9' && i > 0 || 'a' <= b|0x20 && b|0x20 <= 'z'
		if !word {
			return path + "[" + string(appendQuoted(nil, name)) + "]"
		}
	}
	if name == "" {
		return path + `[""]`
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// joinIndex appends an array index to a path.
func joinIndex(path string, index int) string {
	return path + "[" + strconv.Itoa(index) + "]"
}

// isEnd reports whether err says that no further value stands in the text.
func isEnd(err error) bool { return err == io.EOF }

// isSyntax reports whether err is about the JSON of the text.
func isSyntax(err error) bool {
	var s *jsontext.SyntacticError
	return errors.As(err, &s)
}

// fault is a place in a text where it is not JSON.
type fault struct {
	at      int
	path    string
	code    string
	message string
}

// findFault returns the first fault of data, which is known to have one. It
// reads token by token, because only then is every array and object on the
// way open and its kind known.
func findFault(data []byte) fault {
	c := newCursor(data, 0)
	for {
		_, err := c.dec.ReadToken()
		var s *jsontext.SyntacticError
		switch {
		case err == nil:
			continue
		case !errors.As(err, &s):
			return fault{at: len(data), code: "unexpected_end", message: "unexpected end of input"}
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fault{len(data), c.notation(s.JSONPointer), "unexpected_end", "unexpected end of input"}
		}
		message := "not valid JSON"
		if c.dec.StackDepth() == 0 && len(bytes.TrimSpace(data[:s.ByteOffset])) > 0 {
			at := int(c.dec.InputOffset())
			at += len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
			return fault{at, "", "json_syntax", "text that is not JSON behind the end of a JSON value"}
		}
		if s.Err != nil {
			message = strings.TrimPrefix(s.Err.Error(), "jsontext: ")
		}
		return fault{int(s.ByteOffset), c.notation(s.JSONPointer), "json_syntax", message}
	}
}

// afterName reports whether the value read last was the name of a member.
func (c *cursor) afterName() bool {
	kind, length := c.dec.StackIndex(c.dec.StackDepth())
	return kind == '{' && length%2 == 1
}

// eachMember reads an object, which must come next, and calls f with every
// member.
func (c *cursor) eachMember(f func(name string, v value) error) (value, error) {
	return c.object(func(name []byte) error {
		v, err := c.value()
		if err != nil {
			return err
		}
		return f(known(name), v)
	})
}
