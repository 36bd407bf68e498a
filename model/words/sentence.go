package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Capitalized returns a text whose first letter is a capital.
func Capitalized(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// And joins words as a sentence lists them: a, b and c.
func And(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
