package explore

import (
	"slices"
	"strings"

	"caliper/engine/retrieval"
	"caliper/tui/ui"
)

// marks are the words of a query and those near to them in meaning, which are highlighted in
// the names and descriptions of tools.
type marks struct {
	tokens []string // of the query
	near   []string // stems of words near in meaning; nil with a ranker that compares none
	stems  []string // of tokens, where near is not nil: that ranker takes words of a stem as one
}

// newMarks returns the marks of a query, in which a ranker that compares meanings reads no
// stop words.
func newMarks(query string, near []string) marks {
	m := marks{tokens: retrieval.Tokens(query), near: near}
	if near != nil {
		m.tokens = slices.DeleteFunc(m.tokens, func(token string) bool { return retrieval.EnglishLexicon().Kind([]byte(token)) == retrieval.StopWord })
		for _, token := range m.tokens {
			m.stems = append(m.stems, retrieval.Stem(token))
		}
	}
	return m
}

// draw draws a text with its words of the query in one style, those near in another.
func (m marks) draw(l *ui.Line, st, same, near ui.Style, text string) {
	spans, exact := m.spans(text)
	l.SpansOf(st, text, spans, func(span int) ui.Style {
		if exact[span] {
			return same
		}
		return near
	})
}

// spans returns the byte ranges of a text that are words of the query, which are exact, or near
// to one in meaning. Tokens are lower-case runs of ASCII letters
// and digits, as in the ranker.
func (m marks) spans(text string) (spans [][2]int, exact []bool) {
	for from := 0; from < len(text); {
		to := from
		for to < len(text) && tokenByte(text[to]) {
			to++
		}
		word := strings.ToLower(text[from:to])
		same, alike := slices.Contains(m.tokens, word), false
		if !same && m.near != nil {
			root := retrieval.Stem(word)
			same, alike = slices.Contains(m.stems, root), slices.Contains(m.near, root)
		}
		if to > from && (same || alike) {
			spans, exact = append(spans, [2]int{from, to}), append(exact, same)
		}
		from = max(to, from+1)
	}
	return spans, exact
}

// tokenByte reports whether a byte is part of a token.
func tokenByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}
