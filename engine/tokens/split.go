package tokens

import (
	"unicode"
	"unicode/utf8"
)

// The splitters below find the pieces that the regular expressions of the two vocabularies cut a
// text into. The expressions, as published with OpenAI's tiktoken, are for cl100k_base
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// where the first that matches counts, and for o200k_base the same, with the
// first two replaced by
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//
// and / among what may follow symbols. A byte that is no UTF-8 counts as a symbol.

// kind is the kind of a character to the splitters: a set of the following.
type kind byte

const (
	letter  kind = 1 << iota // \p{L}
	number                   // \p{N}
	space                    // \s
	newline                  // \r or \n, which are space too
	raised                   // may stand among the capitals that begin a word: Lu, Lt, Lm, Lo, M
	small                    // may stand in the rest of a word: Ll, Lm, Lo, M
)

// asciiKinds are the kinds of the characters of ASCII, which most texts consist of.
var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for c := range kinds {
		kinds[c] = kindOf(rune(c))
	}
	return kinds
}()

// kindAt returns the kind of the character at an offset of a text and the
// offset behind it; no kind and the offset itself at the end.
func kindAt(text []byte, at int) (kind, int) {
	if at >= len(text) {
		return 0, at
	}
	if c := text[at]; c < utf8.RuneSelf {
		return asciiKinds[c], at + 1
	}
	r, size := utf8.DecodeRune(text[at:])
	return kindOf(r), at + size
}

func kindOf(r rune) kind {
	switch {
	case r == '\r' || r == '\n':
		return space | newline
	case unicode.IsSpace(r):
		return space
	case unicode.IsUpper(r), unicode.Is(unicode.Lt, r):
		return letter | raised
	case unicode.IsLower(r):
		return letter | small
	case unicode.IsLetter(r):
		return letter | raised | small
	case unicode.IsMark(r):
		return raised | small
	case unicode.IsNumber(r):
		return number
	}
	return 0
}

// runOf returns where the run of characters of some kind that begins at an
// offset ends.
func runOf(text []byte, at int, want kind) int {
	for {
		k, next := kindAt(text, at)
		if k&want == 0 {
			return at
		}
		at = next
	}
}

// splitO200k returns the end of the piece of o200k_base at an offset of a text.
func splitO200k(text []byte, at int) int {
	first, next := kindAt(text, at)
	prefixed := first&(letter|number|newline) == 0
	starts := [2]int{next, at} // of the word: behind another character, else at once
	words := starts[:]
	if !prefixed {
		words = starts[1:]
	}
	for _, from := range words {
		capitals := runOf(text, from, raised)
		end := runOf(text, capitals, small)
		if end == capitals { // the last of them that may stand in the rest of a word
			end = from
			for at := from; at < capitals; {
				k, next := kindAt(text, at)
				if k&small != 0 {
					end = next
				}
				at = next
			}
		}
		if end > from {
			return end + contractionAt(text, end)
		}
	}
	for _, from := range words {
		if end := runOf(text, from, raised); end > from {
			return end + contractionAt(text, end)
		}
	}
	return splitOther(text, at, true)
}

// splitCl100k returns the end of the piece of cl100k_base at an offset of a text.
func splitCl100k(text []byte, at int) int {
	if n := contractionAt(text, at); n > 0 {
		return at + n
	}
	first, next := kindAt(text, at)
	from := at
	if first&(letter|number|newline) == 0 {
		from = next
	}
	if end := runOf(text, from, letter); end > from {
		return end
	}
	return splitOther(text, at, false)
}

// splitOther returns the end of a piece that is no word: digits, symbols with
// line breaks, and slashes if asked, behind them, or white space.
func splitOther(text []byte, at int, slashes bool) int {
	first, next := kindAt(text, at)
	if first&number != 0 {
		for range 2 {
			if k, after := kindAt(text, next); k&number != 0 {
				next = after
			}
		}
		return next
	}
	from := at
	if text[at] == ' ' {
		from = next
	}
	symbols := from // their end
	for symbols < len(text) {
		k, behind := kindAt(text, symbols)
		if k&(letter|number|space) != 0 {
			break
		}
		symbols = behind
	}
	if symbols > from {
		for symbols < len(text) && (text[symbols] == '\r' || text[symbols] == '\n' || slashes && text[symbols] == '/') {
			symbols++
		}
		return symbols
	}
	// White space: all of a run up to its last line break; without one, all but the last character, which
	// goes with what follows, unless it is alone or at the end of the text.
	end, last, broken := at, at, -1
	for {
		k, next := kindAt(text, end)
		if k&space == 0 {
			break
		}
		if k&newline != 0 {
			broken = next
		}
		last, end = end, next
	}
	switch {
	case broken > 0:
		return broken
	case end == len(text) || last == at:
		return end
	}
	return last
}

// contractionAt returns the length of the English contraction at an offset, 0
// when there is none. The long s counts as an s.
func contractionAt(text []byte, at int) int {
	if at+1 >= len(text) || text[at] != '\'' {
		return 0
	}
	rest := text[at+1:]
	switch rest[0] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v', 'l':
		if len(rest) < 2 {
			return 0
		}
		switch pair := [2]byte{rest[0] | 0x20, rest[1] | 0x20}; pair {
		case [2]byte{'r', 'e'}, [2]byte{'v', 'e'}, [2]byte{'l', 'l'}:
			return 3
		}
	}
	const longS = "ſ"
	if len(rest) >= len(longS) && string(rest[:len(longS)]) == longS {
		return 1 + len(longS)
	}
	return 0
}
