package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// SECURITY: a pointer answers only where the whole blob is one JSON value (RFC
// 8259). Without that a log that begins with a bracket or a number would be
// given out as data, and several values as if they were the first of them.

// several says that a blob is more than one JSON value.
type several struct {
	values  int64
	second  int64 // the byte where the second begins
	perLine bool  // each is on a line of its own
}

func (e *several) Error() string {
	where := "one after the other"
	if e.perLine {
		where = "one per line"
	}
	return fmt.Sprintf("%d JSON values, %s", e.values, where)
}

// checkJSON reads a blob once, as checkAll does.
func checkJSON(ctx context.Context, src Source) error {
	return newScanner(ctx, src, 0, src.Size()).checkAll()
}

// checkAll reads all that is to be scanned. It returns nil for one JSON value of any depth,
// *several for more than one with white space between them, and for anything else
// *malformed with the place where it stops being JSON. Bytes that are no UTF-8
// may stand in strings.
func (s *scanner) checkAll() error {
	e := several{perLine: true}
	for {
		ended, lines := s.offset(), s.breaks
		c, err := s.peek()
		switch {
		case errors.Is(err, io.EOF) && e.values == 0:
			return s.wrong("there is no value")
		case errors.Is(err, io.EOF) && e.values == 1:
			return nil
		case errors.Is(err, io.EOF):
			return &e
		case err != nil:
			return err
		}
		if e.values > 0 && s.offset() == ended {
			return s.wrong(fmt.Sprintf("%q follows the end of the value", c))
		}
		if e.values == 1 {
			e.second = s.offset()
		}
		begun := s.breaks
		if err := s.checkValue(); err != nil {
			var m *malformed
			if e.values > 0 && errors.As(err, &m) {
				m.why = "after " + count(e.values, "value") + ", " + m.why
			}
			return err
		}
		e.perLine = e.perLine && (e.values == 0 || begun > lines) && s.breaks == begun
		e.values++
	}
}

// nesting is which containers are open: a bit for each, set for an array, so
// that depth costs an eighth of a byte.
type nesting struct {
	bits  []uint64
	depth int
}

func (n *nesting) push(array bool) {
	if n.depth>>6 == len(n.bits) {
		n.bits = append(n.bits, 0)
	}
	bit := uint64(1) << (n.depth & 63)
	n.bits[n.depth>>6] &^= bit
	if array {
		n.bits[n.depth>>6] |= bit
	}
	n.depth++
}

// array reports whether the innermost container is an array.
func (n *nesting) array() bool {
	last := n.depth - 1
	return n.bits[last>>6]>>(last&63)&1 != 0
}

// checkValue passes over a value of any depth and checks all of it.
func (s *scanner) checkValue() error {
	var open nesting
	for {
		c, err := s.want()
		if err != nil {
			return err
		}
		switch c {
		case '{', '[':
			s.pos++
			next, err := s.want()
			switch {
			case err != nil:
				return err
			case next == c+2: // } is { + 2, and ] is [ + 2
				s.pos++
			default:
				open.push(c == '[')
				if c == '{' {
					if err := s.checkName(); err != nil {
						return err
					}
				}
				continue
			}
		case '"':
			if err := s.checkString(); err != nil {
				return err
			}
		default:
			if err := s.skipWord(); err != nil {
				return err
			}
		}
		if err := s.checkNext(&open); err != nil || open.depth == 0 {
			return err
		}
	}
}

// checkNext takes what follows a value inside a container: brackets that
// close, up to a comma with the key after it, or the end of them all.
func (s *scanner) checkNext(open *nesting) error {
	for open.depth > 0 {
		c, err := s.want()
		if err != nil {
			return err
		}
		array := open.array()
		switch {
		case c == ',':
			if s.pos++; array {
				return nil
			}
			return s.checkName()
		case c == ']' && array, c == '}' && !array:
			s.pos++
			open.depth--
		default:
			return s.wrong("a comma is missing")
		}
	}
	return nil
}

// checkName takes a key and its colon.
func (s *scanner) checkName() error {
	c, err := s.want()
	if err != nil {
		return err
	}
	if c != '"' {
		return s.wrong("a key is missing")
	}
	if err := s.checkString(); err != nil {
		return err
	}
	return s.colon()
}

// plain marks the bytes that may stand in a string as they are.
var plain = func() (t [256]bool) {
	for c := range 256 {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return t
}()

// checkString passes over a string from its opening quote.
func (s *scanner) checkString() error {
	s.pos++
	for s.more() {
		b, pos := s.buf, s.pos
		for pos < len(b) && plain[b[pos]] {
			pos++
		}
		s.pos = pos
		if pos == len(b) {
			continue
		}
		switch b[pos] {
		case '"':
			s.pos++
			return nil
		case '\\':
			if err := s.checkEscape(); err != nil {
				return err
			}
		default:
			return s.wrong("a string has a line break or another control character in it")
		}
	}
	return s.wrong("the text ends inside a string")
}

// checkEscape passes over a backslash and what belongs to it.
func (s *scanner) checkEscape() error {
	s.pos++
	if !s.more() {
		return s.wrong("the text ends inside a string")
	}
	switch s.buf[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
	default:
		return s.wrong("no such escape is in JSON")
	}
	s.pos++
	for range 4 {
		if !s.more() {
			return s.wrong("the text ends inside a string")
		}
		switch c := s.buf[s.pos]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
			s.pos++
		default:
			return s.wrong(`\u needs four hexadecimal digits`)
		}
	}
	return nil
}
