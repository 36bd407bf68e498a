package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fuzzyMatch reports whether the letters of query stand in text in this
// order, whatever lies between, and how well: letters at the beginning of a
// word and letters side by side count more, earlier matches break ties. The
// spans are the bytes of text that matched. An empty query matches all alike.
func fuzzyMatch(query, text string) (score int, spans [][2]int, ok bool) {
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

// wordStart reports whether a word begins at a place in text.
func wordStart(text string, at int) bool {
	if at == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return !unicode.IsLetter(before) && !unicode.IsDigit(before)
}

// appendSpan adds a span, joining it to the one before when they touch.
func appendSpan(spans [][2]int, from, to int) [][2]int {
	if n := len(spans); n > 0 && spans[n-1][1] == from {
		spans[n-1][1] = to
		return spans
	}
	return append(spans, [2]int{from, to})
}
