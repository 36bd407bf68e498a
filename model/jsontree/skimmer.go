package jsontree

import "bytes"

// Skimmer walks over valid JSON by quotes and brackets, several times faster than by parsing. It
// always ends.
type Skimmer struct {
	Data []byte
	At   int // offset of the next byte
}

// Peek skips white space, commas and colons and returns the next byte, 0 at the end.
func (s *Skimmer) Peek() byte {
	for ; s.At < len(s.Data); s.At++ {
		switch c := s.Data[s.At]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// Members walks over an object and calls visit with each quoted name, which walks over the value.
// Any other value is left alone.
func (s *Skimmer) Members(visit func(name []byte)) {
	if s.Peek() != '{' {
		return
	}
	s.At++
	for s.Peek() == '"' {
		name := s.String()
		if len(name) < 2 {
			return
		}
		visit(name)
	}
	s.At++
}

// String walks over a quoted string and returns it, looking at each byte twice at most.
func (s *Skimmer) String() []byte {
	from := s.At
	quote := from
	for at := from + 1; at < len(s.Data); {
		if quote < at {
			next := bytes.IndexByte(s.Data[at:], '"')
			if next < 0 {
				break
			}
			quote = at + next
		}
		if escape := bytes.IndexByte(s.Data[at:quote], '\\'); escape >= 0 {
			at += escape + 2
			continue
		}
		s.At = quote + 1
		return s.Data[from:s.At]
	}
	s.At = len(s.Data)
	return s.Data[from:]
}

// Skip walks over the value that comes next and returns it.
func (s *Skimmer) Skip() []byte {
	s.Peek()
	from, depth := s.At, 0
	for s.Peek() != 0 {
		switch s.Data[s.At] {
		case '"':
			s.String()
		case '{', '[':
			depth++
			s.At++
		case '}', ']':
			depth--
			s.At++
		default:
			for s.At < len(s.Data) && bytes.IndexByte([]byte(",:}]\" \t\r\n"), s.Data[s.At]) < 0 {
				s.At++
			}
		}
		if depth <= 0 {
			break
		}
	}
	return s.Data[from:s.At]
}
