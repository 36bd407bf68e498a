package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fuzzyMatch reports whether a query abbreviates a text, and scores the match. The
// letters of an abbreviation stand in the text in the same order, each behind the one
// before it or at the beginning of a word: "goq" for "Go to Queries". Letters at the
// beginning of a word count more than others, and earlier matches break ties. A match of
// the whole query scores higher than all of these. The spans are the matched byte ranges
// of text. An empty query matches every text with the same score.
func fuzzyMatch(query, text string) (score int, spans [][2]int, ok bool) {
	if score, spans, ok = WholeMatch(strings.TrimSpace(query), text); ok {
		return score, spans, true
	}
	m := abbreviation{text: text, failed: map[[2]int]bool{}}
	if !m.match([]rune(strings.ToLower(strings.Join(strings.Fields(query), ""))), 0, false) {
		return 0, nil, false
	}
	for i := len(m.at) - 1; i >= 0; i-- {
		at := m.at[i]
		_, size := utf8.DecodeRuneInString(text[at:])
		if n := len(spans); wordStart(text, at) {
			score += 8
		} else if n > 0 {
			score += 6
		}
		if n := len(spans); n > 0 && spans[n-1][1] == at {
			spans[n-1][1] = at + size
		} else {
			spans = append(spans, [2]int{at, at + size})
		}
	}
	if len(spans) > 0 {
		score -= min(spans[0][0], 5)
	}
	return score, spans, true
}

// abbreviation looks for the letters of a query in a text.
type abbreviation struct {
	text   string
	at     []int           // where the letters of a match are, the last first
	failed map[[2]int]bool // rests of the query, by their length, that do not match from a place on
}

// match reports whether the rest of a query matches from a place on. With inside the
// place is right behind a letter that matched, so that the next may be there.
func (m *abbreviation) match(rest []rune, from int, inside bool) bool {
	if len(rest) == 0 {
		return true
	}
	if m.failed[[2]int{len(rest), from}] {
		return false
	}
	for at := from; at < len(m.text); {
		r, size := utf8.DecodeRuneInString(m.text[at:])
		if unicode.ToLower(r) == rest[0] && (inside && at == from || wordStart(m.text, at)) && m.match(rest[1:], at+size, true) {
			m.at = append(m.at, at)
			return true
		}
		at += size
	}
	m.failed[[2]int{len(rest), from}] = true // inside does not count: a query's rest is only looked for behind a letter
	return false
}

// WholeMatch matches the whole query as a substring. It scores higher than any
// abbreviation, and highest at the beginning of a word.
func WholeMatch(query, text string) (score int, spans [][2]int, ok bool) {
	const whole, atWord = 1000, 2000
	lower := strings.ToLower(text)
	if query == "" || len(lower) != len(text) { // offsets differ when lower case changes the length
		return 0, nil, false
	}
	query = strings.ToLower(query)
	best := -1
	for at := 0; ; at++ {
		i := strings.Index(lower[at:], query)
		if i < 0 {
			break
		}
		at += i
		if wordStart(text, at) {
			return atWord - min(at, 500), [][2]int{{at, at + len(query)}}, true
		}
		if best < 0 {
			best = at
		}
	}
	if best < 0 {
		return 0, nil, false
	}
	return whole - min(best, 500), [][2]int{{best, best + len(query)}}, true
}

// wordStart reports whether a word begins at offset at.
func wordStart(text string, at int) bool {
	if at == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before)
}
