package jsontree

import (
	"bytes"
	"context"
	"io"
)

// Window is how many bytes a Scanner of a reader holds.
const Window = 128 << 10

// maxText is how many bytes of a string a Scanner of a reader keeps.
const maxText = 4 << 10

// Scanner reads the tokens of JSON of any size in the dialect of Python. Its methods return false
// for bad JSON and a fault of the reader: see Err. A value is checked (Value), or passed over by
// quotes and brackets (Skip), several times faster.
type Scanner struct {
	Breaks   int64 // bytes between tokens that break a line; \r\n has two
	MaxDepth int   // how many arrays and objects may lie in one another; 0: any number
	Around   int   // how many of them the caller has opened

	ctx     context.Context
	r       io.Reader // nil for a text in memory
	buffer  []byte    // for a window
	buf     []byte    // the window
	pos     int       // in buf
	base    int64     // offset of buf
	ended   bool      // nothing is left to read
	err     error     // of the reader or the context
	syntax  *SyntaxError
	dialect Dialect

	open             []byte // the closing brackets of the value that is read: kept, so that a value allocates nothing
	text             []byte // the beginning of the last string, as it is written
	textFrom, textTo int64
}

// NewScanner returns a scanner of what r gives from the offset on. It takes one window of memory.
func NewScanner(ctx context.Context, r io.Reader, from int64) *Scanner {
	return &Scanner{ctx: ctx, r: r, buffer: make([]byte, Window), base: from, dialect: Python}
}

// Offset returns the offset of the next byte.
func (s *Scanner) Offset() int64 { return s.base + int64(s.pos) }

// GoTo goes to an offset. The reader must be an io.Seeker unless it lies in the window.
func (s *Scanner) GoTo(at int64) bool {
	if s.base <= at && at <= s.base+int64(len(s.buf)) {
		s.pos = int(at - s.base)
		return true
	}
	s.base, s.pos, s.buf, s.ended = at, 0, nil, false
	_, s.err = s.r.(io.Seeker).Seek(at, io.SeekStart)
	return s.err == nil
}

// refill reads the next window, and reports whether there is one.
func (s *Scanner) refill() bool {
	s.base += int64(len(s.buf))
	s.pos, s.buf = 0, nil
	for !s.ended {
		if s.err = s.ctx.Err(); s.err != nil {
			s.ended = true
			return false
		}
		n, err := s.r.Read(s.buffer)
		s.buf = s.buffer[:n]
		if s.ended = err != nil; s.ended && err != io.EOF {
			s.err = err
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// Err returns the fault of reader or context, or else the first *SyntaxError; nil for neither.
func (s *Scanner) Err() error {
	switch {
	case s.err != nil:
		return s.err
	case s.syntax != nil:
		return s.syntax
	}
	return nil
}

// ReadErr returns the fault of the reader or of the context, nil for none.
func (s *Scanner) ReadErr() error { return s.err }

// Fail records that the text is not JSON at the next byte. It returns false.
func (s *Scanner) Fail(p Problem) bool { return s.fail(p, s.Offset()) }

// Text returns the inside of the last string that String, Name or Key has read, as written, cut to
// 4 KiB, until the next string.
func (s *Scanner) Text() []byte { return s.text }

// TextAt returns the offsets between which it stands.
func (s *Scanner) TextAt() (from, to int64) { return s.textFrom, s.textTo }

// Name reads the name of a member and its colon.
func (s *Scanner) Name() bool { return s.name(true) }

func (s *Scanner) name(keep bool) bool {
	if s.Peek() != '"' {
		return s.Fail(NoName)
	}
	if !s.str(keep) {
		return false
	}
	return s.Colon()
}

// Next reads the end of an array or object, or the comma before an element that is not the first,
// and returns whether there is one. It is false after a fault, too.
func (s *Scanner) Next(closing byte, some bool) bool {
	switch c := s.Peek(); {
	case c == closing:
		s.pos++
		return false
	case !some && s.pos < len(s.buf):
		return true
	case c == ',':
		s.pos++
		return true
	}
	return s.Fail(NoComma)
}

// Members reads an object and calls visit behind each name, as Text has it, to read the value. It
// returns false if visit does.
func (s *Scanner) Members(visit func(name string) bool) bool {
	if !s.Take('{') {
		return s.Fail(NoValue)
	}
	for some := false; s.Next('}', some); some = true {
		if !s.Name() || !visit(string(s.text)) {
			return false
		}
	}
	return s.Err() == nil
}

// Value reads and checks a value, and returns the offsets of its first byte and behind its last.
func (s *Scanner) Value() (from, to int64, ok bool) {
	s.Peek()
	from = s.Offset()
	s.open = s.open[:0]
	for {
		switch c := s.Peek(); c {
		case '{', '[':
			if s.MaxDepth > 0 && s.Around+len(s.open) == s.MaxDepth {
				return 0, 0, s.Fail(TooDeep)
			}
			s.pos++
			if s.Peek() == c+2 { // } is { + 2, and ] is [ + 2
				s.pos++
				break
			}
			s.open = append(s.open, c+2)
			if c == '{' && !s.name(false) {
				return 0, 0, false
			}
			continue
		case '"':
			if !s.str(false) {
				return 0, 0, false
			}
		default:
			if _, ok := s.Scalar(); !ok {
				return 0, 0, false
			}
		}
		for more := false; !more; { // closing brackets, up to a comma and a name
			last := len(s.open) - 1
			if last < 0 {
				return from, s.Offset(), true
			}
			switch closing := s.open[last]; s.Peek() {
			case closing:
				s.pos++
				s.open = s.open[:last]
			case ',':
				s.pos++
				if more = closing == ']' || s.name(false); !more {
					return from, s.Offset(), false
				}
			default:
				return from, s.Offset(), s.Fail(NoComma)
			}
		}
	}
}

// structural marks the bytes that matter when an array or object is skipped.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// Skip passes over a value of any depth by brackets and quotes, and checks nothing else.
func (s *Scanner) Skip() bool {
	switch s.Peek() {
	case '"':
		return s.skipString(false)
	case '{', '[':
	default:
		_, ok := s.Scalar()
		return ok
	}
	s.pos++
	for depth := 1; depth > 0; {
		if !s.more() {
			return s.Fail(NoComma)
		}
		b, pos := s.buf, s.pos
		for pos < len(b) && !structural[b[pos]] {
			pos++
		}
		s.pos = pos
		if pos == len(b) {
			continue
		}
		switch b[pos] {
		case '"':
			if !s.skipString(false) {
				return false
			}
		case '{', '[':
			depth++
			s.pos++
		default:
			depth--
			s.pos++
		}
	}
	return true
}

// skipString passes over the string whose quote has been peeked at.
func (s *Scanner) skipString(keep bool) bool {
	open := s.Offset()
	s.pos++
	s.text = s.text[:0]
	pass := func(n int) {
		if keep {
			s.keep(s.buf[s.pos : s.pos+n])
		}
		s.pos += n
	}
	for s.more() {
		b := s.buf[s.pos:]
		n := bytes.IndexByte(b, '"')
		stretch := b
		if n >= 0 {
			stretch = b[:n]
		}
		back := bytes.IndexByte(stretch, '\\')
		switch {
		case back >= 0:
			pass(back + 1)
			if !s.more() {
				return s.fail(OpenString, open)
			}
			pass(1)
		case n >= 0:
			pass(n)
			s.pos++
			return true
		default:
			pass(len(b))
		}
	}
	return s.fail(OpenString, open)
}

// Key passes over a member's name without checking it. Text returns the name.
func (s *Scanner) Key() bool {
	if s.Peek() != '"' {
		return s.Fail(NoName)
	}
	b := s.buf[s.pos+1:]
	n := bytes.IndexByte(b, '"')
	if n >= 0 && bytes.IndexByte(b[:n], '\\') < 0 {
		s.text = append(s.text[:0], b[:min(n, maxText)]...)
		s.pos += n + 2
		return true
	}
	return s.skipString(true)
}

// Colon passes over the colon behind a name.
func (s *Scanner) Colon() bool { return s.Take(':') || s.Fail(NoColon) }
