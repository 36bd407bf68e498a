package embed

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedTokens are the tokens that are found in a text before it is cut into
// words: of those that begin at a place, the longest.
type addedTokens struct {
	tokens  map[string]addedToken
	lengths [256][]int // by first byte: the lengths of tokens, greatest first
}

type addedToken struct {
	id         int32
	singleWord bool // only where no part of a word is next to it
}

func (a *addedTokens) put(content string, t addedToken) {
	if content == "" {
		return
	}
	if a.tokens == nil {
		a.tokens = map[string]addedToken{}
	}
	a.tokens[content] = t
	lengths := &a.lengths[content[0]]
	place, found := slices.BinarySearchFunc(*lengths, len(content), func(have, want int) int { return want - have })
	if !found {
		*lengths = slices.Insert(*lengths, place, len(content))
	}
}

// split calls token for each token in text and other for each piece between
// them, in order, until one returns false. It says whether none did.
func (a *addedTokens) split(text string, token func(id int32) bool, other func(piece string) bool) bool {
	start := 0
	for i := 0; i < len(text) && len(a.tokens) > 0; {
		found, size := a.at(text, i)
		if size == 0 {
			i++
			continue
		}
		if found.singleWord && !standsAlone(text, i, i+size) {
			i += size
			continue
		}
		if start < i && !other(text[start:i]) || !token(found.id) {
			return false
		}
		i += size
		start = i
	}
	return start == len(text) || other(text[start:])
}

// at returns the longest token that begins at a place and its length, which
// is 0 when there is none.
func (a *addedTokens) at(text string, place int) (addedToken, int) {
	for _, size := range a.lengths[text[place]] {
		if place+size > len(text) {
			continue
		}
		if t, ok := a.tokens[text[place:place+size]]; ok {
			return t, size
		}
	}
	return addedToken{}, 0
}

// standsAlone tells whether no word character is before start or at end.
func standsAlone(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return (start == 0 || !isWord(before)) && (end == len(text) || !isWord(after))
}

// isWord tells what a regular expression's \w matches: letters, marks,
// decimal digits and connectors.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc) ||
		strings.ContainsRune("\u200c\u200d", r)
}
