package jsontree

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
	for at := from + 1; at < len(s.Data); at++ { // most are too short for IndexByte to be faster
		switch s.Data[at] {
		case '"':
			s.At = at + 1
			return s.Data[from:s.At:s.At]
		case '\\':
			at++
		}
	}
	s.At = len(s.Data)
	return s.Data[from:]
}

// endsScalar marks the bytes that may stand behind a number, true, false or null.
var endsScalar = [256]bool{',': true, ':': true, '}': true, ']': true, '"': true, ' ': true, '\t': true, '\r': true, '\n': true}

// Skip walks over the value that comes next and returns it.
func (s *Skimmer) Skip() []byte {
	s.Peek()
	from, depth := s.At, 0
	for s.At < len(s.Data) {
		switch c := s.Data[s.At]; c {
		case '"':
			s.String()
		case '{', '[':
			depth++
			s.At++
		case '}', ']':
			depth--
			s.At++
		case ' ', '\t', '\r', '\n', ',', ':':
			s.At++
			continue
		case 0:
			return s.Data[from:s.At:s.At]
		default:
			for s.At < len(s.Data) && !endsScalar[s.Data[s.At]] {
				s.At++
			}
		}
		if depth <= 0 {
			break
		}
	}
	return s.Data[from:s.At:s.At]
}
