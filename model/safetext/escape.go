package safetext

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// EscapeUnseen returns JSON text with every character escaped that can act on
// a terminal or hide in one. It is the same value still: such characters stand
// nowhere but in strings.
//
// SECURITY: standard output may be a terminal, and JSON lets DEL, the C1
// controls, U+2028, bidi controls and invisible characters through as they are.
func EscapeUnseen(text []byte) []byte {
	if !bytes.ContainsFunc(text[asciiPrefix(text, true):], unseen) {
		return text
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if unseen(r) {
			out = appendEscape(out, r)
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// EscapeMasked is EscapeUnseen for a terminal: it also escapes what Line
// puts a marker for, such as private use and marks that pile up, and a mark at
// the beginning of a string, which would join the quotation mark.
//
// SECURITY: JSON shows a terminal no more than text does.
func EscapeMasked(text []byte) []byte {
	text = EscapeUnseen(text)
	s := string(text)
	if asciiPrefix(s, true) == len(s) {
		return text
	}
	out := make([]byte, 0, len(s)+len(s)/8)
	c := cleaner{keepLines: true}
	for i := 0; i < len(s); {
		if s[i] == '"' {
			c = cleaner{keepLines: true}
			out = append(out, s[i])
			i++
			continue
		}
		size, _, keep := c.next(s[i:])
		if keep {
			out = append(out, s[i:i+size]...)
		} else {
			for _, r := range s[i : i+size] {
				out = appendEscape(out, r)
			}
		}
		i += size
	}
	return out
}

// appendEscape appends a character as an escape of JSON.
func appendEscape(out []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}

// unseen reports whether a character of JSON text is written as an escape: controls but for line
// feed, formatting characters, line separators, and whatever shows nothing or is no UTF-8.
func unseen(r rune) bool {
	switch {
	case r < 0x7f:
		return r < 0x20 && r != '\n'
	case r < 0xa0, r == utf8.RuneError:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
