package embed

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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

// words cuts text at white space, and sets punctuation apart (Unicode's category P and
// every ASCII sign), as the BertPreTokenizer of github.com/huggingface/tokenizers does.
func (e *encoding) words(text string) bool {
	start, chars := 0, 0
	for i, r := range text {
		space, single := unicode.IsSpace(r), unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r)
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

// normalizer prepares text as BERT does, in this order: clean, set Chinese
// characters apart, strip accents, lower case. Source: the BertNormalizer of
// github.com/huggingface/tokenizers.
type normalizer struct {
	clean        bool // drop control characters, make every white space a space
	chinese      bool // a space before and after each ideograph
	stripAccents bool // decompose canonically (NFD), drop nonspacing marks
	lowercase    bool
}

// normalize returns the prepared text. Bytes that are not UTF-8 count as
// U+FFFD, which cleaning drops.
func (n normalizer) normalize(text string) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	ascii := true
	for _, r := range text {
		if n.clean {
			switch {
			case r == 0 || r == utf8.RuneError || r != '\t' && r != '\n' && r != '\r' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
				continue // control, format and private use
			case unicode.IsSpace(r):
				r = ' '
			}
		}
		if r < utf8.RuneSelf {
			if n.lowercase && 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			out = append(out, byte(r))
			continue
		}
		ascii = false
		if n.chinese && unicode.Is(chinese, r) {
			out = append(out, ' ')
			out = utf8.AppendRune(out, r)
			out = append(out, ' ')
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	if ascii || !n.stripAccents && !n.lowercase {
		return out
	}
	if n.stripAccents {
		out = norm.NFD.Bytes(out)
	}
	folded := make([]byte, 0, len(out))
	for _, r := range string(out) {
		if n.stripAccents && unicode.Is(unicode.Mn, r) {
			continue
		}
		if n.lowercase {
			if r == 'İ' { // the one character whose small form is two
				folded = append(folded, "i\u0307"...)
				continue
			}
			r = unicode.ToLower(r)
		}
		folded = utf8.AppendRune(folded, r)
	}
	return folded
}

// chinese are the ideographs, by the blocks that BERT lists: CJK unified,
// extensions A to E, the compatibility ideographs and their supplement. The
// start of extension E is the one the tokenizers library uses.
var chinese = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x2a6df, Stride: 1}, {Lo: 0x2a700, Hi: 0x2b81f, Stride: 1}, {Lo: 0x2b920, Hi: 0x2ceaf, Stride: 1}, {Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1}},
}

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
		var found addedToken // the longest that begins here
		end := i
		for _, size := range a.lengths[text[i]] {
			if i+size <= len(text) {
				if t, ok := a.tokens[text[i:i+size]]; ok {
					found, end = t, i+size
					break
				}
			}
		}
		if end == i {
			i++
			continue
		}
		if found.singleWord {
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if i > 0 && isWord(before) || end < len(text) && isWord(after) {
				i = end
				continue
			}
		}
		if start < i && !other(text[start:i]) || !token(found.id) {
			return false
		}
		i, start = end, end
	}
	return start == len(text) || other(text[start:])
}

// isWord tells what a regular expression's \w matches: letters, marks,
// decimal digits and connectors.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc) ||
		strings.ContainsRune("\u200c\u200d", r)
}
