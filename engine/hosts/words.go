package hosts

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

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
