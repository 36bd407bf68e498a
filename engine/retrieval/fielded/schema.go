package fielded

import (
	"bytes"

	"caliper/model/jsontree"
)

// maxDepth is how deep below the top parameters are read.
const maxDepth = 5

// schema reads the texts of a parameter schema. Schemas were validated as strict
// JSON when they were imported, so it finds strings by their quotes and brackets
// alone. It reads something from other bytes, too, and never fails.
type schema struct {
	jsontree.Skimmer
	plain  []byte // memory of a string without escapes
	visit  func(f Field, text []byte)
	format func(text []byte) // called with the format of a parameter
}

// object reads a schema: it calls visit with the name of every parameter in properties
// and items, and with the descriptions of these and the values that they may have.
// described is false for the outermost, where only the parameters are read.
func (s *schema) object(depth int, described bool) {
	s.members(func(name []byte) {
		switch {
		case described && string(name) == `"description"` && s.Peek() == '"':
			s.visit(ParameterTexts, s.string())
		case described && string(name) == `"enum"` && s.Peek() == '[':
			s.At++
			for c := s.Peek(); c != 0 && c != ']'; c = s.Peek() {
				switch from := s.At; c {
				case '"':
					s.visit(ParameterTexts, s.string())
				case '{', '[', '}':
					s.Skip()
				default: // a number, true or false
					if s.Skip(); c != 'n' { // null
						s.visit(ParameterTexts, s.Data[from:s.At])
					}
				}
			}
			s.At++
		case described && string(name) == `"format"` && s.Peek() == '"':
			s.format(s.string())
		case depth > maxDepth:
			s.Skip()
		case string(name) == `"properties"` && s.Peek() == '{':
			s.members(func(name []byte) {
				s.visit(ParameterNames, s.unquoted(name))
				s.object(depth+1, true)
			})
		case string(name) == `"items"` && s.Peek() == '{':
			s.object(depth+1, true)
		default:
			s.Skip()
		}
	})
}

// members calls visit with each quoted name of the next object. visit must read or
// skip the value. Any other value is skipped.
func (s *schema) members(visit func(name []byte)) {
	if s.Peek() != '{' {
		s.Skip()
		return
	}
	s.Members(visit)
}

// string walks over a string and returns its text.
func (s *schema) string() []byte { return s.unquoted(s.String()) }

// unquoted returns the text of a quoted string, until the next call.
func (s *schema) unquoted(quoted []byte) []byte {
	text := bytes.Trim(quoted, `"`)
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	s.plain = jsontree.AppendUnescaped(s.plain[:0], quoted[1:len(quoted)-1])
	return s.plain
}
