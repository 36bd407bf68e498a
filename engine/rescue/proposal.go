package rescue

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/model/safetext"
)

// The requests that a handle proposes are tried on the blob: their words stand in
// it, so that none of them finds nothing.

// LeastAnswer is the least fetch_max_chars with which the modes that have words
// of their own answer, in characters.
const LeastAnswer = 200

// The lengths of a word worth looking for, and of the longest one that is
// proposed, in characters.
const (
	leastWord     = 4
	usualWord     = 20
	longestWanted = 60
)

// propose sets the words to search for: the word that made the first line look like an error, or
// else the first word of the blob that is worth looking for.
func (x *excerpt) propose() {
	x.search = strings.ToLower(x.errors.token)
	head := x.data[:min(len(x.data), sample)]
	if len(head) < len(x.data) { // the last word may be cut
		head = WholeChars(head)
		for len(head) > 0 && isTokenByte(head[len(head)-1]) {
			head = head[:len(head)-1]
		}
	}
	first := firstToken(head)
	if x.search == "" {
		x.search = first
	}
	for _, word := range []string{regexp.QuoteMeta(x.errors.word), first, firstLetters(head)} {
		n := charsOf(word)
		// SECURITY: it stands in a line of ours, so only what shows as it is passes.
		if n > 0 && n <= longestWanted && (x.limits.GrepMaxPatternLen <= 0 || n <= x.limits.GrepMaxPatternLen) && safetext.Line(word) == word {
			x.grep = word
			break
		}
	}
}

// isTokenByte reports whether mode search takes a byte for a part of a word.
func isTokenByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// firstToken returns the first word of ASCII letters and digits that has a usual
// length and a letter, or else the first of at most longestWanted bytes.
func firstToken(b []byte) string {
	other := ""
	for i := 0; i < len(b); {
		start, letter := i, false
		for ; i < len(b) && isTokenByte(b[i]); i++ {
			letter = letter || b[i] > '9'
		}
		switch n := i - start; {
		case n == 0:
			i++
		case letter && leastWord <= n && n <= usualWord:
			return string(b[start:i])
		case other == "" && n <= longestWanted:
			other = string(b[start:i])
		}
	}
	return other
}

// firstLetters returns the first letters of any script, at most usualWord.
func firstLetters(b []byte) string {
	var out []rune
	for len(b) > 0 && len(out) < usualWord {
		c, size := utf8.DecodeRune(b)
		switch {
		case unicode.IsLetter(c):
			out = append(out, c)
		case len(out) > 0:
			return string(out)
		}
		b = b[size:]
	}
	return string(out)
}

// tokenAround returns the word of ASCII letters and digits that contains b[from] or,
// if b[from] is not in a word, the first word inside b[from:to]. It returns "" if
// there is no word, or if the word is too long.
func tokenAround(b []byte, from, to int) string {
	for from < to && !isTokenByte(b[from]) {
		from++
	}
	start, end := from, from
	for start > 0 && isTokenByte(b[start-1]) {
		start--
	}
	for end < len(b) && isTokenByte(b[end]) {
		end++
	}
	if from == to || end-start > longestWanted {
		return ""
	}
	return string(b[start:end])
}
