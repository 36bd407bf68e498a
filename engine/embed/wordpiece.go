package embed

import (
	"unicode"
	"unicode/utf8"
)

// tokenizer turns text into the numbers of a WordPiece vocabulary. It is
// immutable.
type tokenizer struct {
	normalizer
	added    addedTokens // found in the text as it is
	addedLow addedTokens // found in the normalized text

	heads    map[string]int32 // the vocabulary: what a word may begin with
	tails    map[string]int32 // what a word may go on with, without the prefix
	longest  int              // bytes in the longest entry
	maxChars int              // a word of more characters is unknown
	unknown  int32
	top      int32 // the greatest number there is
}

// ids returns the numbers of the tokens of text, without unknown ones, at most
// limit of them.
func (t *tokenizer) ids(text string, limit int) []int32 {
	e := encoding{tokenizer: t, limit: limit, ids: make([]int32, 0, min(limit, len(text)/3+1))}
	t.added.split(text, e.add, func(piece string) bool {
		low := string(t.normalize(piece))
		return t.addedLow.split(low, e.add, e.words)
	})
	return e.ids
}

// encoding is the state of one text. Its methods return false when the text
// has all the numbers it may have.
type encoding struct {
	*tokenizer
	limit int
	ids   []int32
}

func (e *encoding) add(id int32) bool {
	if id != e.unknown && len(e.ids) < e.limit {
		e.ids = append(e.ids, id)
	}
	return len(e.ids) < e.limit
}

// words cuts text at white space, and sets punctuation apart, as the
// BertPreTokenizer of github.com/huggingface/tokenizers does.
func (e *encoding) words(text string) bool {
	start, chars := 0, 0
	for i, r := range text {
		space, single := unicode.IsSpace(r), isPunctuation(r)
		if !space && !single {
			chars++
			continue
		}
		if !e.word(text[start:i], chars) {
			return false
		}
		start, chars = i+utf8.RuneLen(r), 0
		if single && !e.word(text[i:start], 1) {
			return false
		}
	}
	return e.word(text[start:], chars)
}

// word adds the pieces of a word of so many characters: the longest entry that
// it begins with, then the longest that the rest begins with, and so on. A
// word that does not come out even is one unknown token.
func (e *encoding) word(word string, chars int) bool {
	if word == "" {
		return true
	}
	if chars > e.maxChars {
		return e.add(e.unknown)
	}
	// A full list is cut later, so that a word is either known or not.
	first := len(e.ids)
	pieces := e.heads
	for len(word) > 0 {
		end := min(len(word), e.longest)
		id, ok := pieces[word[:end]]
		for !ok && end > 0 {
			_, size := utf8.DecodeLastRuneInString(word[:end])
			end -= size
			id, ok = pieces[word[:end]]
		}
		if !ok {
			e.ids = e.ids[:first]
			return e.add(e.unknown)
		}
		if id != e.unknown {
			e.ids = append(e.ids, id)
		}
		word, pieces = word[end:], e.tails
	}
	e.ids = e.ids[:min(len(e.ids), e.limit)]
	return len(e.ids) < e.limit
}
