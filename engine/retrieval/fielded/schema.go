package fielded

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep below the top parameters are read.
const maxDepth = 5

// schema reads the texts of a parameter schema. Schemas are strict JSON,
// validated when they were imported, so that strings are found by matching
// quotes and brackets. Of other bytes, it reads something.
type schema struct {
	data  []byte
	at    int
	plain []byte // memory of a string without escapes
	visit func(f Field, text []byte)
}

// read calls visit with the name of every parameter in properties and items,
// and with the descriptions of these and the values that they may have.
func (s *schema) read(data []byte) {
	s.data, s.at = data, 0
	s.object(0, false)
}

// object reads a schema; of the outermost only the parameters.
func (s *schema) object(depth int, described bool) {
	s.members(func(name []byte) {
		switch {
		case described && string(name) == `"description"` && s.peek() == '"':
			s.visit(ParameterTexts, s.string())
		case described && string(name) == `"enum"` && s.peek() == '[':
			s.values()
		case depth > maxDepth:
			s.skip()
		case string(name) == `"properties"` && s.peek() == '{':
			s.members(func(name []byte) {
				s.visit(ParameterNames, s.unquoted(name))
				s.object(depth+1, true)
			})
		case string(name) == `"items"` && s.peek() == '{':
			s.object(depth+1, true)
		default:
			s.skip()
		}
	})
}

// values reads an array: strings, numbers, true and false.
func (s *schema) values() {
	s.at++
	for c := s.peek(); c != 0 && c != ']'; c = s.peek() {
		switch from := s.at; c {
		case '"':
			s.visit(ParameterTexts, s.string())
		case '{', '[', '}':
			s.skip()
		default:
			if s.skip(); c != 'n' { // null
				s.visit(ParameterTexts, s.data[from:s.at])
			}
		}
	}
	s.at++
}

// peek skips white space and separators and returns the next byte, 0 at the
// end.
func (s *schema) peek() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// members calls visit with each quoted name of the object that comes next;
// visit must walk over the value. What is no object is walked over.
func (s *schema) members(visit func(name []byte)) {
	if s.peek() != '{' {
		s.skip()
		return
	}
	s.at++
	for s.peek() == '"' {
		name := s.quoted()
		visit(name)
	}
	s.at++
}

// quoted walks over a string and returns it with its quotes.
func (s *schema) quoted() []byte {
	from := s.at
	for s.at++; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.data[from:s.at]
		}
	}
	s.at = len(s.data)
	return s.data[from:]
}

// string walks over a string and returns its text.
func (s *schema) string() []byte { return s.unquoted(s.quoted()) }

// unquoted returns the text of a quoted string, until the next call.
func (s *schema) unquoted(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return bytes.Trim(quoted, `"`)
	}
	s.plain, _ = jsontext.AppendUnquote(s.plain[:0], quoted) // of bad escapes, what is before
	return s.plain
}

// skip walks over a value.
func (s *schema) skip() {
	depth := 0
	for s.peek() != 0 {
		switch s.data[s.at] {
		case '"':
			s.quoted()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		default:
			for s.at < len(s.data) && bytes.IndexByte([]byte(",:}]\" \t\r\n"), s.data[s.at]) < 0 {
				s.at++
			}
		}
		if depth <= 0 {
			return
		}
	}
}
