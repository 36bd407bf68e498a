package fielded

import (
	"unicode"
	"unicode/utf8"

	"caliper/model/words"
)

// A tool that is described in Chinese is found by English words, and a Chinese query finds
// tools that are described in English: the terms of the glossary (retrieval.Lexicon) are
// looked for in a text from left to right, the longest first and none within another.
// A tool's are in the field Translations; a word of a query is expanded to the ones
// of the term that begins with it.

// spaceless reports whether a word is of a script without spaces between words.
func spaceless(word []byte) bool {
	first, _ := utf8.DecodeRune(word)
	return words.Spaceless(first)
}

// translate adds the English words for the Chinese terms of a text to the current tool.
func (a *analyser) translate(text []byte) {
	han := false // such a character has three bytes or more
	for at := 0; at < len(text) && !han; at++ {
		if text[at] >= 0xe3 {
			r, _ := utf8.DecodeRune(text[at:])
			han = unicode.Is(unicode.Han, r)
		}
	}
	if !han {
		return
	}
	a.low = words.AppendLower(a.low[:0], text)
	for at := 0; at < len(a.low); {
		english, size := a.lexicon.Glossary.Begins(a.low[at:])
		for _, w := range english {
			if id := a.wordID([]byte(w.Text)); a.known[id].term != stopWord {
				a.fieldWords[Translations] = append(a.fieldWords[Translations], id)
			}
		}
		if size == 0 {
			_, size = utf8.DecodeRune(a.low[at:])
		}
		at += size
	}
}

// glossed is a word of a query that begins a Chinese term.
type glossed struct {
	word uint32 // its index in queryWords
	stem uint32 // of an English word for the term, in the lexicon
}

// han is a run of Chinese characters in a query that is being read. The memory is used
// again by the next run.
type han struct {
	text   []byte   // in the form of words.Lower
	starts []uint32 // where each character begins in text
	words  []int32  // the query word that begins with each; the last has the one's before it
}

// addHan adds a word of a query to the run: two neighbours, or a character that stands
// alone. last is set for the last word of the run, word is its index in queryWords.
func (s *searcher) addHan(pair []byte, word int32, last bool) {
	h := &s.han
	for at := 0; at < len(pair); {
		r, size := utf8.DecodeRune(pair[at:])
		if at > 0 && (!last || unicode.IsMark(r)) {
			break
		}
		h.starts = append(h.starts, uint32(len(h.text)))
		h.words = append(h.words, word)
		h.text = append(h.text, pair[at:at+size]...)
		at += size
	}
	if last {
		end := uint32(0)
		for i, from := range h.starts {
			if from < end || h.words[i] < 0 {
				continue
			}
			english, size := s.x.lexicon.Glossary.Begins(h.text[from:])
			for _, w := range english {
				s.glossed = append(s.glossed, glossed{uint32(h.words[i]), w.Stem})
			}
			end = from + uint32(size)
		}
		h.text, h.starts, h.words = h.text[:0], h.starts[:0], h.words[:0]
	}
}
