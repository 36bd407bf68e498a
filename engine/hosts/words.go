package hosts

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// beforeCapital is where camelCase is cut: between a small letter or digit of ASCII and a
// capital.
var beforeCapital = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([a-z0-9])([A-Z])`) })

// camelWords returns runs of letters and digits in lower case, camelCase cut before its
// capitals.
func camelWords(text string) []string {
	text = lower(beforeCapital().ReplaceAllString(text, "$1 $2"))
	return strings.FieldsFunc(text, func(c rune) bool { return !isAlphanumeric(c) })
}

// lower returns a text in lower case as JavaScript and Python write it: İ is two characters
// then, and Σ at the end of a word is ς.
func lower(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return cases.Lower(language.Und).String(text)
}

// isAlphanumeric reports whether a character is a letter or a number of any script, as \p{L}
// and \p{N} of a regular expression.
func isAlphanumeric(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

// isWordByte reports whether a byte is a word character of a regular expression, \w.
func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// hasWord reports whether a text has a word between two word boundaries, as \bword\b finds
// it.
func hasWord(text, w string) bool {
	boundary := func(at int) bool {
		return (at > 0 && isWordByte(text[at-1])) != (at < len(text) && isWordByte(text[at]))
	}
	for from := 0; w != ""; from++ {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		if from += i; boundary(from) && boundary(from+len(w)) {
			return true
		}
	}
	return false
}

// masked returns a name in which _ stands for every character outside of A-Z, a-z, 0-9, _
// and the others that are kept.
func masked(name, others string) string {
	return strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII && isWordByte(byte(c)) || strings.ContainsRune(others, c) {
			return c
		}
		return '_'
	}, name)
}

// units returns the length of a text in UTF-16, which JavaScript counts in.
func units(text string) (n int) {
	for _, c := range text {
		n += utf16.RuneLen(c)
	}
	return n
}

// cutUnits returns the first n units of UTF-16 of a text, and no half of a character.
func cutUnits(text string, n int) string {
	for i, c := range text {
		if n -= utf16.RuneLen(c); n < 0 {
			return text[:i]
		}
	}
	return text
}

// compareLetters compares names as localeCompare does in English (the root collation of
// CLDR): underscores, hyphens, digits and letters in this order, and of equal names small
// letters first.
func compareLetters(a, b string) int {
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
