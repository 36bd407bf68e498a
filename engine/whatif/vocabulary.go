package whatif

import (
	"slices"
	"strings"
	"sync"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// Of the words that many tools have. A registry of few tools has no common words that
// leastCommon tools or fewer have.
const (
	commonShare = 10 // a word is common when more than one in so many tools have it
	leastCommon = 3
)

// Common reports whether a word is common that so many of size tools have.
func Common(tools, size int) bool { return tools > leastCommon && commonShare*tools > size }

// moreFillers are fillers besides the stop words and the request words of the ranker
// fielded: adverbs, prepositions and praise.
var moreFillers = sync.OnceValue(func() map[string]bool {
	return words.Set(`
above across along although always among another anybody anything apart around based because behind below best better between beyond
down during e either else enough especially etc ever every everyone everything exactly first g good great however
instead last least less many maybe much must never nobody nothing often one out over per quite rather really recently say says
several simply since somebody someone something soon still through together toward under unless until up using via whether
while within without yet
`)
})

// Filler reports whether a word in lower case describes no tool: articles, pronouns,
// auxiliaries, quantities and polite phrases. Numbers are fillers, because hardly any
// query has the defaults and bounds of a description.
func Filler(word string) bool {
	return moreFillers()[word] || strings.Trim(word, "0123456789") == "" ||
		retrieval.EnglishLexicon().Kind([]byte(word)) != retrieval.ContentWord
}

// Vocabulary counts the tools that have each word. It never changes and is safe for
// concurrent use.
type Vocabulary struct {
	form  func(word string) string
	tools map[string]int // by form
	size  int
}

// New returns the vocabulary of tools. Words that form maps to the same are one word,
// such as those of one stem; nil tells all words apart.
func NewVocabulary(tools []*model.Tool, form func(word string) string) *Vocabulary {
	if form == nil {
		form = func(word string) string { return word }
	}
	v := &Vocabulary{form: form, tools: map[string]int{}, size: len(tools)}
	last := map[string]int{} // the number of the last tool with a word, from 1
	forms := map[string]string{}
	for i, t := range tools {
		for _, w := range Words(t) {
			f, ok := forms[w]
			if !ok {
				f = form(w)
				forms[w] = f
			}
			if last[f] != i+1 {
				last[f] = i + 1
				v.tools[f]++
			}
		}
	}
	return v
}

// Tools returns how many tools have a word in lower case.
func (v *Vocabulary) Tools(word string) int { return v.tools[v.form(word)] }

// Known reports whether a tool has a word in lower case.
func (v *Vocabulary) Known(word string) bool { return v.Tools(word) > 0 }

// Slip reports whether a word in lower case that no tool has is one edit away from a
// form that tools have: a letter more, less or other, or two neighbours exchanged.
func (v *Vocabulary) Slip(word string) bool {
	if v.Known(word) {
		return false
	}
	for form := range v.tools {
		if words.Alignment([]byte(word), []byte(form), 1) == 1 {
			return true
		}
	}
	return false
}

// Common reports whether a word in lower case is common among the tools.
func (v *Vocabulary) Common(word string) bool { return Common(v.Tools(word), v.size) }

// Words returns the words of a tool's name, description and parameters, in lower case
// and in their order.
func Words(t *model.Tool) []string {
	return slices.Concat(retrieval.Tokens(t.Name), retrieval.Tokens(t.Description), retrieval.Tokens(strings.Join(t.PropertyNames(), " ")))
}

// Mention returns a description that mentions words: in brackets at the end of its last
// sentence, or alone if the text is blank. A ranker reads the same words as behind a space.
//
// Example: "Mark a page as reviewed." with confirm is "Mark a page as reviewed (confirm)."
func Mention(description, missing string) string {
	text := words.Strip(description)
	if text == "" {
		return missing
	}
	end := ""
	if n := len(text) - 1; text[n] == '.' {
		text, end = text[:n], "."
	}
	return text + " (" + missing + ")" + end
}
