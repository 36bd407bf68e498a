// Package words has the rules of plain text that every package above goes by: what a
// word is, which characters belong to one, where an identifier is cut and in which
// letters words are compared; how globs match names; how the reference agent's
// language reads numbers; and how figures and sentences are written.
//
// Invariants:
//   - a word in lower case is cut nowhere, so that words that are cut again
//     stay as they are;
//   - a mark belongs to the letter before it, and never begins a piece of a
//     word that has a letter.
//
// # Numbers and white space of Python
//
// Strip, and a function with Python in its name, reads or writes text as the
// language of the reference agent does, where that is seen from outside: what its
// float and int take for a number, and what its strip takes off.
//
// A number may have white space around it, decimal digits of any script, and
// single underscores between digits. A float is also inf, infinity or nan in any
// case; neither is hexadecimal. " 1_0 " is ten, "١٠" is ten, and "1__0" and
// "0x10" are no numbers.
//
// Non-goals: the rest of the language, and the literals of its source.
//
// Invariants:
//   - what PythonInt takes, PythonFloat takes, up to PythonDigits digits
//   - Strip takes off more than these skip: the separators U+001C to
//     U+001F are white space to strip, and refused in a number
//
// # Globs
//
// A Glob matches names of tools against the globs that policies and the
// filters of clients are written in.
//
// A glob stands for a set of names and matches a whole name, case-sensitively:
//
//   - any characters, none among them, and slashes too
//     ?         any one character
//     [abc]     one of the characters; a-z is a range
//     [!abc]    any one character but these; [^abc] is the same
//     {ab,c*}   one of the alternatives, which are globs and may be empty
//     \x        the character x
//
// The first ] of brackets and a - at either end of them are characters, as in
// the shell. Brackets bind stronger than braces: {[,],x} has two alternatives.
//
// The language L of a glob, with · for one character after another:
//
//	L(*) = every name        L(?) = every character
//	L([s]) = s               L([!s]) = every character that is not in s
//	L({a,b}) = L(a) ∪ L(b)   L(xy) = { u·v : u ∈ L(x), v ∈ L(y) }
//
// Example: mcp_{github,gitlab}_[!rl]* has mcp_github_delete_repo and
// mcp_gitlab_get, and neither mcp_github_read_file nor mcp_linear_get.
//
// Some notations of shells mean nothing here and are refused, because a rule
// that is read otherwise than it was meant lets through what it should stop:
// [[:digit:]], {1..9}, a } without its {, a range from a later character to an
// earlier one.
//
// Invariants:
//   - a glob without any of *?[]{}\ matches its own text and nothing else
//   - [!s] and [s] together match every character once
//   - {a,b} matches what a matches and what b matches
//   - CompileGlob never returns both a Glob and an error
//
// Cost: a Glob becomes a regular expression of package regexp, which matches in time that is
// linear in the glob times the name.
//
// A byte that is not UTF-8 counts as one character, equal to itself alone.
//
// # Sentences
//
// Every sentence that the program says to people and to models passes through
// Message: why a gate refuses a call, what lint found, why a result is rescued.
//
// A sentence is made last, from values, and nothing is learned from it again.
// A test replaces every sentence by another text and sees that codes, verdicts,
// ranks and figures stay the same; it fails when code reads a sentence.
package words

import (
	"iter"
	"regexp"
	"strings"
	"sync"
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

// ClassOf returns the class of a character. A capital is a letter with a small form:
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

// Each yields the words of a text in lower case, in order: runs of letters, digits and marks.
func Each(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !Continues(r) }) {
			if !yield(strings.ToLower(word)) {
				return
			}
		}
	}
}

// Distinct returns words in their order, each once.
func Distinct(list iter.Seq[string]) []string {
	var all []string
	seen := map[string]bool{}
	for w := range list {
		if !seen[w] {
			seen[w] = true
			all = append(all, w)
		}
	}
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

// LazyRegexp returns a function that returns the expression, which it compiles when
// it is called first. It panics then when the expression is wrong.
//
//go:noinline // or each caller has a copy
func LazyRegexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
