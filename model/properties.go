package model

import "bytes"

// PropertyNames returns the names of t's top-level parameters in the order of
// the schema: the members of its "properties", if that is an object. The
// names are as the model sees them, unsafe for a terminal. The schema is read
// anew at each call.
//
// Parameters are strict JSON, validated when they were imported, so that
// names are found by matching quotes and brackets, several times faster than
// by parsing. Of a Tool made by hand with other bytes, the result is some of
// its names.
func (t *Tool) PropertyNames() []string { return t.AppendPropertyNames(nil) }

// AppendPropertyNames appends what PropertyNames returns, for those who ask
// many tools.
func (t *Tool) AppendPropertyNames(names []string) []string {
	s := matcher{data: t.Parameters}
	s.members(func(name []byte) {
		if string(name) != `"properties"` || s.peek() != '{' {
			s.value()
			return
		}
		s.members(func(name []byte) {
			names = append(names, string(unquoted(name)))
			s.value()
		})
	})
	return names
}

// matcher walks JSON that is known to be valid by its quotes and brackets.
type matcher struct {
	data []byte
	at   int
}

// peek skips white space and separators and returns the next byte, 0 at the
// end.
func (m *matcher) peek() byte {
	for ; m.at < len(m.data); m.at++ {
		switch c := m.data[m.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// members calls visit with each name of the object that comes next, quotes
// included; visit must walk over the value. What is no object is left alone.
func (m *matcher) members(visit func(name []byte)) {
	if m.peek() != '{' {
		return
	}
	m.at++
	for m.peek() == '"' {
		from := m.at
		m.text()
		if m.at-from < 2 {
			return
		}
		visit(m.data[from:m.at])
	}
	m.at++
}

// text walks over a string.
func (m *matcher) text() {
	for m.at++; m.at < len(m.data); m.at++ {
		switch m.data[m.at] {
		case '\\':
			m.at++
		case '"':
			m.at++
			return
		}
	}
	m.at = len(m.data)
}

// value walks over a value.
func (m *matcher) value() {
	depth := 0
	for m.peek() != 0 {
		switch m.data[m.at] {
		case '"':
			m.text()
		case '{', '[':
			depth++
			m.at++
		case '}', ']':
			depth--
			m.at++
		default:
			for m.at < len(m.data) && bytes.IndexByte([]byte(",:}] \t\r\n"), m.data[m.at]) < 0 {
				m.at++
			}
		}
		if depth <= 0 {
			return
		}
	}
}
