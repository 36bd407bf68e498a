package rescue

import (
	"context"
	"encoding/binary"
	"io"

	"caliper/engine/rescue/internal/jsonnumber"
)

// maxDepth is how deep JSON may be to count as JSON; deeper is text. No
// honest result comes near, and readers of other packages stop earlier than
// memory does.
const maxDepth = 1000

// maxCaptured bounds the bytes of a string that a scanner remembers.
const maxCaptured = 256

// scanner walks over JSON of any size with a fixed window and an explicit
// stack. Every method returns false for what is not JSON, for JSON deeper
// than maxDepth, and after a fault of the reader, which is then in err.
type scanner struct {
	ctx     context.Context
	r       io.Reader
	buf     []byte
	at, end int
	base    int64 // offset of buf[0]
	err     error // of the reader; nil at the end of the input
	ended   bool
	open    []byte // brackets of the value being taken
	around  int    // brackets open around it
	text    []byte // the beginning of the last string, raw
}

func newScanner(ctx context.Context, r io.Reader) *scanner {
	return &scanner{ctx: ctx, r: r, buf: make([]byte, window)}
}

// window is the size of a read, in bytes.
const window = 128 << 10

// offset returns the place of the next byte.
func (s *scanner) offset() int64 { return s.base + int64(s.at) }

// fill reads on when the window is used up, and reports whether there is a
// next byte.
func (s *scanner) fill() bool {
	if s.at < s.end {
		return true
	}
	s.base += int64(s.end)
	s.at, s.end = 0, 0
	for !s.ended && s.end == 0 {
		if s.err = s.ctx.Err(); s.err != nil {
			s.ended = true
			return false
		}
		n, err := s.r.Read(s.buf)
		s.end = n
		if err != nil {
			s.ended = true
			if err != io.EOF {
				s.err = err
			}
		}
	}
	return s.end > 0
}

// next skips white space and returns the byte after it, without taking it; 0
// at the end.
func (s *scanner) next() byte {
	if s.at < s.end && s.buf[s.at] > ' ' {
		return s.buf[s.at]
	}
	return s.afterSpace()
}

// afterSpace is next where there is white space or the window is used up.
func (s *scanner) afterSpace() byte {
	for s.fill() {
		switch c := s.buf[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// take takes the byte c after white space.
func (s *scanner) take(c byte) bool {
	if s.next() != c || !s.fill() {
		return false
	}
	s.at++
	return true
}

// atEnd reports whether only white space is left.
func (s *scanner) atEnd() bool {
	s.next()
	return !s.fill() && s.err == nil
}

// str takes a string and returns the offsets of what is between its quotes.
func (s *scanner) str() (from, to int64, ok bool) {
	if !s.take('"') {
		return 0, 0, false
	}
	s.text = s.text[:0]
	from = s.offset()
	for s.fill() {
		rest := s.buf[s.at:s.end]
		i := plainRun(rest)
		s.capture(rest[:i])
		s.at += i
		if i == len(rest) {
			continue
		}
		switch rest[i] {
		case '"':
			to = s.offset()
			s.at++
			return from, to, true
		case '\\':
			if len(rest) > i+1 && isShortEscape(rest[i+1]) {
				s.capture(rest[i : i+2])
				s.at += 2
			} else if !s.escape() {
				return 0, 0, false
			}
		default:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// plainRun returns how many bytes at the beginning of b are plain text inside
// a string. It looks at eight at once: a byte is below n when subtracting n
// sets its top bit and it was not set (S. E. Anderson, Bit Twiddling Hacks).
func plainRun(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, back := x^(ones*'"'), x^(ones*'\\')
		if ((x-ones*' ')&^x|(quote-ones)&^quote|(back-ones)&^back)&tops != 0 {
			break
		}
	}
	for i < len(b) && !endsRun[b[i]] {
		i++
	}
	return i
}

// endsRun marks the bytes that are not plain text inside a string.
var endsRun = func() (t [256]bool) {
	for i := range ' ' {
		t[i] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// capture remembers the beginning of a string.
func (s *scanner) capture(b []byte) {
	if room := maxCaptured - len(s.text); room > 0 {
		s.text = append(s.text, b[:min(room, len(b))]...)
	}
}

// escape takes a backslash and what belongs to it.
func (s *scanner) escape() bool {
	s.capture(s.buf[s.at : s.at+1])
	s.at++
	if !s.fill() {
		return false
	}
	c := s.buf[s.at]
	s.capture(s.buf[s.at : s.at+1])
	s.at++
	if c != 'u' {
		return isShortEscape(c)
	}
	for range 4 {
		if !s.fill() || hexDigit(s.buf[s.at]) < 0 {
			return false
		}
		s.capture(s.buf[s.at : s.at+1])
		s.at++
	}
	return true
}

// isShortEscape reports whether a backslash and c are a whole escape.
func isShortEscape(c byte) bool {
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	}
	return false
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// name takes the name of a member and its colon.
func (s *scanner) name() (from, to int64, ok bool) {
	if from, to, ok = s.str(); !ok {
		return 0, 0, false
	}
	return from, to, s.take(':')
}

// value takes a value of any depth up to maxDepth and returns where it begins
// and ends.
func (s *scanner) value() (from, to int64, ok bool) {
	s.next()
	from = s.offset()
	s.open = s.open[:0]
	for {
		if !s.begin() {
			return 0, 0, false
		}
		more, ok := s.closeUp()
		if !ok {
			return 0, 0, false
		}
		if !more {
			return from, s.offset(), true
		}
	}
}

// begin takes brackets that open, with the names after them, and the first
// value that is whole.
func (s *scanner) begin() bool {
	for {
		c := s.next()
		switch c {
		case '{', '[':
			if s.around+len(s.open) == maxDepth {
				return false
			}
			s.at++
			if s.next() == c+2 { // } is { + 2, and ] is [ + 2
				s.at++
				return true
			}
			s.open = append(s.open, c)
			if c == '{' {
				if _, _, ok := s.name(); !ok {
					return false
				}
			}
		case '"':
			_, _, ok := s.str()
			return ok
		default:
			return s.scalar(c)
		}
	}
}

// closeUp takes what follows a value: brackets that close, up to a comma with
// the name after it, or up to the end of the value that was begun first.
func (s *scanner) closeUp() (more, ok bool) {
	for len(s.open) > 0 {
		top := s.open[len(s.open)-1]
		switch s.next() {
		case top + 2:
			s.at++
			s.open = s.open[:len(s.open)-1]
		case ',':
			s.at++
			if top == '{' {
				_, _, ok = s.name()
				return true, ok
			}
			return true, true
		default:
			return false, false
		}
	}
	return false, true
}

// scalar takes a number or a literal that begins with c. Python's reader, which
// the plugin has, takes NaN and the infinities too.
func (s *scanner) scalar(c byte) bool {
	switch c {
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	case 'N':
		return s.literal("NaN")
	case 'I':
		return s.literal("Infinity")
	}
	place := jsonnumber.Start
	if c == '-' {
		s.at++
		if s.fill() && s.buf[s.at] == 'I' {
			return s.literal("Infinity")
		}
		place = place.Next('-')
	}
	for s.fill() {
		rest := s.buf[s.at:s.end]
		i := 0
		for i < len(rest) {
			next := place.Next(rest[i])
			if next == jsonnumber.End {
				break
			}
			place = next
			i++
		}
		s.at += i
		if i < len(rest) {
			break
		}
	}
	return place.Whole()
}

// literal takes a word.
func (s *scanner) literal(word string) bool {
	for i := range len(word) {
		if !s.fill() || s.buf[s.at] != word[i] {
			return false
		}
		s.at++
	}
	return true
}
