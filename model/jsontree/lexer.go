package jsontree

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// Dialect is which texts count as JSON.
type Dialect uint8

// The dialects.
const (
	// Strict is RFC 8259. As encoding/json does, it lets bytes that are not
	// UTF-8, halves of surrogate pairs and repeated names pass.
	Strict Dialect = iota
	// Python is the JSON that json.loads of Python reads: NaN, Infinity and -Infinity are
	// numbers too, and no more than 1,000 arrays and objects lie in one another.
	Python
	// Comments is Strict with comments and commas before a closing bracket.
	Comments
)

// PythonDepth is how deep values lie in the dialect of Python, about its recursion limit.
const PythonDepth = 1000

// maxDepth returns how many arrays and objects may lie in one another.
func (d Dialect) maxDepth() int {
	if d == Python {
		return PythonDepth
	}
	return 10_000
}

// more reports whether there is a next byte, and reads it if need be.
func (s *Scanner) more() bool { return s.pos < len(s.buf) || s.r != nil && s.refill() }

// fail keeps the first problem. It returns false.
func (s *Scanner) fail(p Problem, from int64) bool {
	if s.syntax == nil && s.err == nil {
		s.syntax = &SyntaxError{Problem: p, At: s.Offset(), From: from, Ended: s.pos >= len(s.buf)}
		if !s.syntax.Ended {
			s.syntax.Byte = s.buf[s.pos]
		}
	}
	return false
}

// Peek skips white space and returns the next byte without reading it; 0 at the end.
func (s *Scanner) Peek() byte {
	if s.pos < len(s.buf) && s.buf[s.pos] > ' ' {
		return s.buf[s.pos]
	}
	return s.peekAfterSpace()
}

// peekAfterSpace is Peek where there is white space or the window is used up.
func (s *Scanner) peekAfterSpace() byte {
	for s.more() {
		for s.pos < len(s.buf) {
			switch c := s.buf[s.pos]; c {
			case '\n', '\r':
				s.Breaks++
				s.pos++
			case ' ', '\t':
				s.pos++
			default:
				return c
			}
		}
	}
	return 0
}

// Take skips white space and reads the byte c; it returns false and reads nothing before another.
func (s *Scanner) Take(c byte) bool {
	if s.Peek() != c || s.pos >= len(s.buf) {
		return false
	}
	s.pos++
	return true
}

// AtEnd skips white space and reports whether the text ends there.
func (s *Scanner) AtEnd() bool { return s.Peek() == 0 && s.pos >= len(s.buf) && s.err == nil }

// String reads and checks the string that comes next, whose inside Text returns.
func (s *Scanner) String() bool { return s.str(true) }

// str is String, and keeps the text only if it is asked to.
func (s *Scanner) str(keep bool) bool {
	open := s.Offset()
	s.pos++
	s.textFrom = s.Offset()
	s.text = s.text[:0]
	keep = keep && s.r != nil // the window may be gone before Text is asked for
	for s.more() {
		rest := s.buf[s.pos:]
		n := plainRun(rest)
		size := n
		if n+1 < len(rest) && rest[n] == '\\' && shortEscaped[rest[n+1]] != 0 {
			size += 2
		}
		if keep {
			s.keep(rest[:size])
		}
		if s.pos += size; size > n || n == len(rest) {
			continue
		}
		switch rest[n] {
		case '"':
			s.textTo = s.Offset()
			s.pos++
			return true
		case '\\':
			if !s.escape(keep) {
				return false
			}
		default:
			return s.fail(BadControl, s.Offset())
		}
	}
	return s.fail(OpenString, open)
}

// keep remembers the text between the quotes of a string, up to maxText bytes.
func (s *Scanner) keep(b []byte) {
	s.text = append(s.text, b[:min(len(b), maxText-len(s.text))]...)
}

// escape reads an escape, which may go on in the next window.
func (s *Scanner) escape(keep bool) bool {
	from := s.Offset()
	take := func() {
		if keep {
			s.keep(s.buf[s.pos : s.pos+1])
		}
		s.pos++
	}
	take()
	if !s.more() {
		return s.fail(BadEscape, from)
	}
	switch c := s.buf[s.pos]; {
	case shortEscaped[c] != 0:
		take()
		return true
	case c != 'u':
		return s.fail(BadEscape, from)
	}
	take()
	for range 4 {
		if !s.more() || hexDigit(s.buf[s.pos]) < 0 {
			return s.fail(BadHex, from)
		}
		take()
	}
	return true
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
		if stops := ((x-ones*' ')&^x | (quote-ones)&^quote | (back-ones)&^back) & tops; stops != 0 {
			return i + bits.TrailingZeros64(stops)/8 // the first mark is right, whatever borrows did to the others
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

// literal reads a word that is a value, which began at the offset from.
func (s *Scanner) literal(word string, from int64) bool {
	for i := range len(word) {
		if !s.more() || s.buf[s.pos] != word[i] {
			if s.fail(BadWord, from); s.syntax != nil {
				s.syntax.Word = word
			}
			return false
		}
		s.pos++
	}
	return true
}

// Scalar reads the number or word that comes next, and returns its kind.
func (s *Scanner) Scalar() (k Kind, ok bool) {
	if s.pos >= len(s.buf) {
		return 0, s.fail(NoValue, s.Offset())
	}
	from, python := s.Offset(), s.dialect == Python
	switch c := s.buf[s.pos]; {
	case c == 't':
		return Boolean, s.literal("true", from)
	case c == 'f':
		return Boolean, s.literal("false", from)
	case c == 'n':
		return Null, s.literal("null", from)
	case c == 'N' && python:
		return NotFinite, s.literal("NaN", from)
	case c == 'I' && python:
		return NotFinite, s.literal("Infinity", from)
	case numberSteps[numberStart][c] == notNumber:
		return 0, s.fail(NoValue, from)
	}
	state := numberStart
	if s.buf[s.pos] == '-' {
		s.pos++
		if python && s.more() && s.buf[s.pos] == 'I' {
			return NotFinite, s.literal("Infinity", from)
		}
		state = afterMinus
	}
	for s.more() {
		b, pos := s.buf, s.pos
		for pos < len(b) {
			next := numberSteps[state][b[pos]]
			if next == notNumber {
				break
			}
			state = next
			pos++
		}
		if s.pos = pos; pos < len(b) {
			break
		}
	}
	if !state.isWhole() {
		return Number, s.fail(BadNumber, from)
	}
	return Number, true
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// hexUnit returns the code unit of an escape \uXXXX at the start of b.
func hexUnit(b []byte) (unit rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		digit := hexDigit(c)
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}

// AppendUnescaped appends the meaning of a valid JSON string's inside; what is no Unicode becomes
// U+FFFD.
func AppendUnescaped(dst, raw []byte) []byte {
	valid := utf8.Valid(raw)
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			n = len(raw)
		}
		if valid {
			dst = append(dst, raw[:n]...)
		} else {
			for _, r := range string(raw[:n]) {
				dst = utf8.AppendRune(dst, r)
			}
		}
		raw = raw[n:]
		if len(raw) > 1 && shortEscaped[raw[1]] != 0 {
			dst, raw = append(dst, shortEscaped[raw[1]]), raw[2:]
		} else if len(raw) > 0 {
			r, size := Unescape(raw)
			dst, raw = utf8.AppendRune(dst, r), raw[size:]
		}
	}
	return dst
}

// shortEscaped has the character of each escape of two bytes, by its second byte.
var shortEscaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// Unescape returns the meaning and the length of the valid escape that b begins with.
func Unescape(b []byte) (r rune, size int) {
	if len(b) < 2 {
		return utf8.RuneError, len(b)
	}
	if c := b[1]; c != 'u' {
		return rune(cmp.Or(shortEscaped[c], c)), 2
	}
	unit, ok := hexUnit(b)
	if !ok {
		return utf8.RuneError, min(6, len(b))
	}
	if !utf16.IsSurrogate(unit) {
		return unit, 6
	}
	if low, ok := hexUnit(b[6:]); ok {
		if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// numberState is how far a number (RFC 8259, section 6) has been read, which may go on in another
// window.
type numberState uint8

const (
	notNumber    numberState = iota // the byte does not belong to the number
	numberStart                     // before the first byte
	afterMinus                      // behind the minus
	afterZero                       // behind a leading 0
	inWhole                         // behind a digit of the whole number
	afterPoint                      // behind the point
	inFraction                      // behind a digit of the fraction
	afterE                          // behind the e
	afterSign                       // behind the sign of the exponent
	inExponent                      // behind a digit of the exponent
	numberStates                    // how many there are
)

// isWhole reports whether the bytes up to here are a number.
func (s numberState) isWhole() bool {
	return s == afterZero || s == inWhole || s == inFraction || s == inExponent
}

// numberSteps has the state behind each byte in each state.
var numberSteps = func() (t [numberStates][256]numberState) {
	digits := func(from numberState, first byte, to numberState) {
		for c := first; c <= '9'; c++ {
			t[from][c] = to
		}
	}
	t[numberStart]['-'] = afterMinus
	for _, from := range []numberState{numberStart, afterMinus} {
		t[from]['0'] = afterZero
		digits(from, '1', inWhole)
	}
	digits(inWhole, '0', inWhole)
	for _, from := range []numberState{afterZero, inWhole} {
		t[from]['.'] = afterPoint
	}
	digits(afterPoint, '0', inFraction)
	digits(inFraction, '0', inFraction)
	for _, from := range []numberState{afterZero, inWhole, inFraction} {
		t[from]['e'], t[from]['E'] = afterE, afterE
	}
	t[afterE]['+'], t[afterE]['-'] = afterSign, afterSign
	for _, from := range []numberState{afterE, afterSign, inExponent} {
		digits(from, '0', inExponent)
	}
	return t
}()

// Problem is the fault of a text that is not JSON.
type Problem uint8

// The problems. A value, a name, a colon or a comma is missing where another
// byte is, or the end of the text.
const (
	NoValue    Problem = iota + 1
	NoName             // of a member
	NoColon            // behind a name
	NoComma            // behind an element, nor a bracket that closes
	ExtraComma         // before a bracket that closes
	BadWord            // begins like true, false, null, NaN or Infinity, and is not
	BadNumber          // lacks a digit
	OpenString         // is not closed
	BadControl         // a control character in a string
	BadEscape          // an escape that JSON does not have
	BadHex             // \u without four hexadecimal digits
	TooDeep            // more arrays and objects in one another than are read
	MoreText           // behind the end of the value
)

// SyntaxError is the place where a text is not JSON, and its fault.
type SyntaxError struct {
	Problem Problem
	At      int64  // offset of the byte that is wrong, or the end of the text
	From    int64  // offset of the token that At lies in: of its quote, its backslash or its first byte; of MoreText: the end of the value
	In      Kind   // of ExtraComma and NoComma: Array or Object; of MoreText: the kind of the value
	Ended   bool   // the text ends at At
	Byte    byte   // at At, unless the text ends
	Word    string // of BadWord: which word it begins like
}

// Error returns the offset and the problem.
func (e *SyntaxError) Error() string {
	what := [...]string{
		NoValue: "a value is missing", NoName: "a name is missing", NoColon: "a colon is missing after a name",
		NoComma: "a comma is missing", ExtraComma: "a comma that nothing follows", BadWord: "a word that is not a value",
		BadNumber: "a digit of a number is missing", OpenString: "a string is not closed",
		BadControl: "a control character in a string", BadEscape: "not an escape of JSON", BadHex: `\u needs four hexadecimal digits`,
		TooDeep: "nested too deep", MoreText: "text after the end of the value",
	}[e.Problem]
	return fmt.Sprintf("byte %d: %s", e.At, what)
}
