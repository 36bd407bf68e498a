package fuzzy

import (
	"unicode"
	"unicode/utf8"

	"caliper/engine/words"
)

// wordRoom is memory for a word in lower case.
type wordRoom [utf8.UTFMax * maxWord]byte

// each calls visit with the words of a text, in lower case, until it returns
// false. A word is valid until visit returns.
//
//   - A word is a run of letters and digits of any script; marks continue it.
//   - Of a script without spaces, each two neighbours with their marks are a
//     word, and one that stands alone; such a script does not share a run with
//     others.
//   - A run with a capital is cut where capitals, digits and other letters
//     meet, the last of several capitals going with the small letters behind
//     it: getHTTPFile2 is get, http, file, 2.
//   - Of a word longer than maxWord runes, the first are the word.
func (m *wordRoom) each(text string, visit func(word []byte) bool) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !words.Begins(r) {
			at += size
			continue
		}
		end, capitals := runEnd(text, at, !words.Spaceless(r))
		run := text[at:end]
		at = end
		for run != "" {
			var word, rest string
			switch {
			case words.Spaceless(r):
				word, rest = pair(run)
			case capitals:
				word, rest = piece(run)
			default:
				word = run
			}
			if !visit(appendLower(m[:0], word)) {
				return
			}
			run = rest
		}
	}
}

// runEnd returns where the run ends that begins at from, and whether it has a
// capital.
func runEnd(text string, from int, spaced bool) (end int, capitals bool) {
	for end = from; end < len(text); {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !(end > from && unicode.IsMark(r)) && !(words.Begins(r) && words.Spaceless(r) != spaced) {
			break
		}
		capitals = capitals || words.IsCapital(r)
		end += size
	}
	return end, capitals
}

// pair returns the first two letters of a run, each with its marks, and the
// run from the second on, or nothing when there is no third.
func pair(run string) (word, rest string) {
	first := marked(run)
	second := first + marked(run[first:])
	if second == len(run) {
		return run, ""
	}
	return run[:second], run[first:]
}

// marked returns how long the first letter of a run is with its marks, 0 when
// there is none.
func marked(run string) int {
	_, end := utf8.DecodeRuneInString(run)
	for end < len(run) {
		r, size := utf8.DecodeRuneInString(run[end:])
		if !unicode.IsMark(r) {
			break
		}
		end += size
	}
	return end
}

// piece returns the first word of a run with capitals, and what is behind it.
func piece(run string) (word, rest string) {
	var before words.Class
	last := 0
	for at, r := range run {
		class := words.ClassOf(r)
		switch {
		case class == words.Mark:
			continue // goes with what it marks
		case before == words.Other:
		case before == words.Capital && class == words.Small:
			if last > 0 {
				return run[:last], run[last:]
			}
		case before != class:
			return run[:at], run[at:]
		}
		before, last = class, at
	}
	return run, ""
}

// appendLower appends the first maxWord runes of a word in lower case.
func appendLower(dst []byte, word string) []byte {
	n := 0
	for _, r := range word {
		if n++; n > maxWord {
			break
		}
		dst = utf8.AppendRune(dst, words.Lower(r))
	}
	return dst
}
