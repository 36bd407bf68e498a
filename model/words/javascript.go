package words

import (
	"cmp"
	"strings"
	"unicode/utf16"
)

// Units returns the length of a text in UTF-16, which JavaScript counts in.
func Units(text string) (n int) {
	for _, c := range text {
		n += utf16.RuneLen(c)
	}
	return n
}

// CutUnits returns the first n Units of UTF-16 of a text, and no half of a character.
func CutUnits(text string, n int) string {
	for i, c := range text {
		if n -= utf16.RuneLen(c); n < 0 {
			return text[:i]
		}
	}
	return text
}

// CompareLetters compares names as localeCompare does in English (the root collation of
// CLDR): underscores, hyphens, digits and letters in this order, and of equal names small
// letters first.
func CompareLetters(a, b string) int {
	weight := func(c byte) int {
		switch {
		case c == '_':
			return 0
		case c == '-':
			return 1
		case 'A' <= c && c <= 'Z':
			return int(c - 'A' + 'a')
		}
		return int(c)
	}
	for i := range min(len(a), len(b)) {
		if c := weight(a[i]) - weight(b[i]); c != 0 {
			return c
		}
	}
	return cmp.Or(len(a)-len(b), strings.Compare(b, a))
}
