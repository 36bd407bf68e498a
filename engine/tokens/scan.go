package tokens

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// eachByte times b is a word of eight bytes b.
const eachByte = 0x0101010101010101

// plainRun returns the end of the run of plain string text that starts at an
// offset: printable ASCII but quote and backslash, and DEL.
func plainRun(src []byte, at int) int {
	for at+8 <= len(src) {
		// The high bit marks the bytes of a little-endian word at which the run ends. Marks above the first
		// one may be wrong, by borrows; the first is right. The method is the one of "Bit Twiddling Hacks"
		// (hasless, haszero) by S. E. Anderson.
		word := binary.LittleEndian.Uint64(src[at:])
		quote, slash := word^eachByte*'"', word^eachByte*'\\'
		if stop := ((word - eachByte*' ') | (quote - eachByte) | (slash - eachByte) | word) & (eachByte * 0x80); stop != 0 {
			return at + bits.TrailingZeros64(stop)/8
		}
		at += 8
	}
	for at < len(src) {
		if c := src[at]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
		at++
	}
	return at
}

// unescape returns the character of the escape sequence at an offset, and the
// offset after it. A surrogate that has no partner is returned as it is; the
// offset is -1 when the sequence is not valid.
func unescape(src []byte, at int) (r rune, next int) {
	if at+1 >= len(src) {
		return 0, -1
	}
	switch c := src[at+1]; c {
	case '"', '\\', '/':
		return rune(c), at + 2
	case 'b':
		return '\b', at + 2
	case 'f':
		return '\f', at + 2
	case 'n':
		return '\n', at + 2
	case 'r':
		return '\r', at + 2
	case 't':
		return '\t', at + 2
	case 'u':
		r, ok := hex4(src, at+2)
		if !ok {
			return 0, -1
		}
		if 0xD800 <= r && r <= 0xDBFF && bytes.HasPrefix(src[at+6:], []byte(`\u`)) {
			if low, ok := hex4(src, at+8); ok && 0xDC00 <= low && low <= 0xDFFF {
				return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, at + 12
			}
		}
		return r, at + 6
	}
	return 0, -1
}

// hex4 returns the number that the four digits at an offset stand for.
func hex4(src []byte, at int) (rune, bool) {
	if at+4 > len(src) {
		return 0, false
	}
	var r rune
	for _, c := range src[at : at+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// appendEscaped appends one character of a string as Python's json module
// writes it. A surrogate is written as three bytes, which valid UTF-8 never
// holds, so that names that differ in it still differ.
func appendEscaped(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	if r < ' ' {
		const digits = "0123456789abcdef"
		return append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
	}
	if utf16.IsSurrogate(r) {
		return append(dst, 0xED, byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
	}
	return utf8.AppendRune(dst, r)
}
