package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fuzzyMatch reports whether text contains the letters of query in the same
// order, with any letters between, and scores the match: letters at the
// beginning of a word and adjacent letters count more, and earlier matches
// break ties. A match of the whole query scores higher than all of these. The
// spans are the matched byte ranges of text. An empty query matches every text
// with the same score.
func fuzzyMatch(query, text string) (score int, spans [][2]int, ok bool) {
	if score, spans, ok = WholeMatch(strings.TrimSpace(query), text); ok {
		return score, spans, true
	}
	query = strings.ToLower(strings.Join(strings.Fields(query), ""))
	at := 0
	adjacent := false
	for _, want := range query {
		found := false
		for at < len(text) {
			r, size := utf8.DecodeRuneInString(text[at:])
			if unicode.ToLower(r) == want {
				switch {
				case adjacent:
					score += 6
				case wordStart(text, at):
					score += 8
				default:
					score++
				}
				spans = appendSpan(spans, at, at+size)
				at += size
				adjacent, found = true, true
				break
			}
			at += size
			adjacent = false
		}
		if !found {
			return 0, nil, false
		}
	}
	if len(spans) > 0 {
		score -= min(spans[0][0], 5)
	}
	return score, spans, true
}

// WholeMatch matches the whole query as a substring. It scores higher than any
// match of scattered letters, and highest at the beginning of a word.
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

// appendSpan adds a span, and joins it to the previous one when they touch.
func appendSpan(spans [][2]int, from, to int) [][2]int {
	if n := len(spans); n > 0 && spans[n-1][1] == from {
		spans[n-1][1] = to
		return spans
	}
	return append(spans, [2]int{from, to})
}
