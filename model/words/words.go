// Package words says what a word is, once for everything that cuts text into
// words: which characters belong to one, where an identifier is cut, and in
// which letters words are compared.
//
// Invariants:
//   - a word in lower case is cut nowhere, so that words that are cut again
//     stay as they are;
//   - a mark belongs to the letter before it, and never begins a piece of a
//     word that has a letter.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Class says where an identifier is cut: where two classes meet.
type Class uint8

// The classes of the characters of a word.
const (
	Other   Class = iota // part of no word
	Small                // a letter that has no small form of its own: small ones, and those of scripts without capitals
	Capital              // a letter that has a small form
	Digit
	Mark // belongs to the letter before it
)

// ClassOf returns the class of a character. A capital is what has a small form:
// ℂ is called upper case by Unicode and has none, and if it were a capital here
// a word in lower case would be cut before it.
func ClassOf(r rune) Class {
	switch {
	case unicode.IsLetter(r):
		if unicode.ToLower(r) != r {
			return Capital
		}
		return Small
	case unicode.IsDigit(r):
		return Digit
	case unicode.IsMark(r):
		return Mark
	}
	return Other
}

// ascii has the classes of the ASCII characters.
var ascii = func() (table [utf8.RuneSelf]Class) {
	for b := range table {
		table[b] = ClassOf(rune(b))
	}
	return table
}()

// IsCapital reports whether a character is a letter that has a small form.
func IsCapital(r rune) bool { return unicode.ToLower(r) != r && unicode.IsLetter(r) }

// Begins reports whether a word can begin with a character: a letter or a digit.
func Begins(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Continues reports whether a word can go on with a character.
func Continues(r rune) bool { return Begins(r) || unicode.IsMark(r) }

// Spaceless reports whether a letter is of a script that writes no spaces
// between words.
func Spaceless(r rune) bool {
	const thai = 0x0e00 // the first such block
	return r >= thai && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// Identifier returns the words of an identifier, as they are written: cut at
// everything that is no letter, digit or mark, before a capital behind a small
// letter or digit, and before the last of several capitals when a small letter
// follows. "createIssue", "create_issue" and "create-issue" are two words each;
// "parseHTTPResponse2" is "parse", "HTTP", "Response2".
func Identifier(name string) []string {
	var all []string
	from, last := -1, 0 // where the word begins, -1 between words; where its last letter or digit begins
	var before Class    // of that
	several := false    // that is a capital behind a capital
	cut := func(to int) {
		if from >= 0 && to > from {
			all = append(all, name[from:to])
		}
	}
	for at, r := range name {
		class := ClassOf(r)
		switch {
		case class == Other:
			cut(at)
			from, before = -1, Other
			continue
		case from < 0:
			from = at
		case class == Mark:
			continue
		case class == Capital && (before == Small || before == Digit):
			cut(at)
			from = at
		case class == Small && several:
			cut(last)
			from = last
		}
		several = class == Capital && before == Capital
		before, last = class, at
	}
	cut(len(name))
	return all
}

// Set returns the words of a list with white space between them.
func Set(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
