package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// scanner reads the tokens of JSON text from a blob in windows. But for
// checkValue, it checks what it has to understand and no more: strings are cut
// at their quotes.
type scanner struct {
	ctx  context.Context
	src  Source
	base int64 // of buf[0] in the blob
	end  int64 // of what is to be scanned
	buf  []byte
	room []byte
	pos  int
	err  error // of the source or the context

	breaks int64 // passed over between tokens
}

const (
	scanWindow = 256 << 10
	longestKey = 4 << 10 // bytes of a key that are kept
)

func newScanner(ctx context.Context, src Source, from, end int64) *scanner {
	return &scanner{ctx: ctx, src: src, base: from, end: end, room: make([]byte, scanWindow)}
}

// offset returns where in the blob the scanner is.
func (s *scanner) offset() int64 { return s.base + int64(s.pos) }

// seek goes back to a place where the scanner was.
func (s *scanner) seek(to int64) {
	if to >= s.base {
		s.pos = int(to - s.base)
		return
	}
	s.base, s.pos, s.buf = to, 0, nil
}

// more reads the next window when this one is used up, and reports whether
// there is one.
func (s *scanner) more() bool {
	if s.pos < len(s.buf) {
		return true
	}
	s.base += int64(s.pos)
	s.pos, s.buf = 0, nil
	if s.err != nil || s.base >= s.end {
		return false
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return false
	}
	s.buf, s.err = readAt(s.src, s.room[:min(int64(len(s.room)), s.end-s.base)], s.base)
	return len(s.buf) > 0
}

// malformed is a place that is no JSON.
type malformed struct {
	at  int64
	why string
}

func (m *malformed) Error() string { return fmt.Sprintf("byte %d: %s", m.at, m.why) }

// wrong returns the source's error, or that the text is no JSON here.
func (s *scanner) wrong(why string) error {
	if s.err != nil {
		return s.err
	}
	return &malformed{s.offset(), why}
}

// peek passes over white space and returns the next byte, or io.EOF.
func (s *scanner) peek() (byte, error) {
	if s.pos < len(s.buf) && s.buf[s.pos] > ' ' {
		return s.buf[s.pos], nil
	}
	return s.afterSpace()
}

// afterSpace is peek where there is white space or the window is used up.
func (s *scanner) afterSpace() (byte, error) {
	for s.more() {
		for s.pos < len(s.buf) {
			switch c := s.buf[s.pos]; c {
			case '\n', '\r': // twice for \r\n, which is no less a break
				s.breaks++
				s.pos++
			case ' ', '\t':
				s.pos++
			default:
				return c, nil
			}
		}
	}
	if s.err != nil {
		return 0, s.err
	}
	return 0, io.EOF
}

// want is peek where the text must not end.
func (s *scanner) want() (byte, error) {
	if s.pos < len(s.buf) && s.buf[s.pos] > ' ' {
		return s.buf[s.pos], nil
	}
	c, err := s.peek()
	if errors.Is(err, io.EOF) {
		err = s.wrong("the text ends inside a value")
	}
	return c, err
}

// skipString passes over a string from its opening quote.
func (s *scanner) skipString() error {
	s.pos++
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
			s.pos += back + 1
			if !s.more() {
				return s.wrong("the text ends inside a string")
			}
			s.pos++
		case n >= 0:
			s.pos += n + 1
			return nil
		default:
			s.pos = len(s.buf)
		}
	}
	return s.wrong("the text ends inside a string")
}

// key returns the raw text between the quotes of a string, cut to longestKey.
// It is valid until the next call.
func (s *scanner) key() ([]byte, error) {
	b := s.buf[s.pos+1:]
	if n := bytes.IndexByte(b, '"'); n >= 0 && bytes.IndexByte(b[:n], '\\') < 0 {
		s.pos += n + 2
		return b[:min(n, longestKey)], nil
	}
	from := s.offset() + 1
	if err := s.skipString(); err != nil {
		return nil, err
	}
	to := s.offset() - 1
	return readAt(s.src, make([]byte, min(to-from, longestKey)), from)
}

// colon passes over the colon after a key.
func (s *scanner) colon() error {
	c, err := s.want()
	if err == nil && c != ':' {
		err = s.wrong("a colon is missing after a key")
	}
	s.pos++
	return err
}

// structural tells the bytes that matter when a container is passed over.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// skipValue passes over a value of any depth. Of containers only the number of
// brackets is checked.
func (s *scanner) skipValue() error {
	c, err := s.want()
	if err != nil {
		return err
	}
	switch c {
	case '"':
		return s.skipString()
	case '{', '[':
	default:
		return s.skipWord()
	}
	s.pos++
	for depth := 1; depth > 0; {
		if !s.more() {
			return s.wrong("the text ends inside a value")
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
			if err := s.skipString(); err != nil {
				return err
			}
		case '{', '[':
			depth++
			s.pos++
		default:
			depth--
			s.pos++
		}
	}
	return nil
}
