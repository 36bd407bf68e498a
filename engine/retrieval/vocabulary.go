package retrieval

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/words"
)

// A word is common when more than one tool in commonShare has it, and more than leastCommon
// tools: few tools share a word by chance.
const (
	commonShare = 10
	leastCommon = 3
)

// Common reports whether a word is common. Tools is how many of size tools have it.
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
		EnglishLexicon().Kind([]byte(word)) != ContentWord
}

// Vocabulary counts the tools that have each word. It never changes and is safe for
// concurrent use.
type Vocabulary struct {
	form  func(word string) string
	words map[string]*wordCount // by form
	size  int                   // tools
}

// wordCount counts the tools that have a word.
type wordCount struct{ tools, last int } // last is the number of the last one, from 1

// NewVocabulary returns the vocabulary of tools. Words that form maps to the same are one word,
// such as those of one stem; nil tells all words apart.
func NewVocabulary(tools []*model.Tool, form func(word string) string) *Vocabulary {
	if form == nil {
		form = func(word string) string { return word }
	}
	v := &Vocabulary{form: form, words: map[string]*wordCount{}, size: len(tools)}
	for i, t := range tools {
		for w := range eachWord(t) {
			f := form(w)
			c := v.words[f]
			if c == nil {
				c = new(wordCount)
				v.words[f] = c
			}
			if c.last != i+1 {
				c.tools, c.last = c.tools+1, i+1
			}
		}
	}
	return v
}

// Frequent returns the words that more than half of the tools have, sorted.
func (v *Vocabulary) Frequent() []string {
	var out []string
	for w, c := range v.words {
		if 2*c.tools > v.size {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// Tools returns how many tools have a word in lower case.
func (v *Vocabulary) Tools(word string) int {
	if c := v.words[v.form(word)]; c != nil {
		return c.tools
	}
	return 0
}

// Known reports whether a tool has a word in lower case.
func (v *Vocabulary) Known(word string) bool { return v.Tools(word) > 0 }

// Slip reports whether a word in lower case that no tool has is one edit away from a
// form that tools have: a letter more, less or other, or two neighbours exchanged.
func (v *Vocabulary) Slip(word string) bool {
	if v.Known(word) {
		return false
	}
	for form := range v.words {
		if words.Alignment([]byte(word), []byte(form), 1) == 1 {
			return true
		}
	}
	return false
}

// Common reports whether a word in lower case is common among the tools.
func (v *Vocabulary) Common(word string) bool { return Common(v.Tools(word), v.size) }

// Subjects returns the words of a text that name something, each once, those that the fewest
// tools have first. A text of fillers alone has all of its words.
func (v *Vocabulary) Subjects(text string) []string {
	all := words.Distinct(words.Each(text))
	if subjects := slices.DeleteFunc(slices.Clone(all), Filler); len(subjects) > 0 {
		all = subjects
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(v.Tools(a), v.Tools(b)) })
	return all
}

// Missing returns the words of a query that a tool does not have and that belong in its
// description: those that other tools have first, the rarest of them before others, then
// those that no tool has, in the order of the query, without single letters. Slips are words
// that no tool has, but for one edit: nobody should write them into a description.
func (v *Vocabulary) Missing(t *model.Tool, query string) (missing, slips []string) {
	var foreign []string
	has := ToolWords(t)
	for _, w := range v.Subjects(query) {
		switch {
		case slices.Contains(has, w) || Filler(w) || v.Common(w):
		case v.Known(w):
			missing = append(missing, w)
		case utf8.RuneCountInString(w) == 1:
		case v.Slip(w):
			slips = append(slips, w)
		default:
			foreign = append(foreign, w)
		}
	}
	return append(missing, foreign...), slips
}

// InOrder returns words of a text in the order in which the text has them.
func InOrder(list []string, text string) []string {
	all, out := slices.Collect(words.Each(text)), slices.Clone(list)
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(slices.Index(all, a), slices.Index(all, b)) })
	return out
}

// ToolWords returns the words of a tool's name, description and parameters, in lower case
// and in their order.
func ToolWords(t *model.Tool) []string { return slices.Collect(eachWord(t)) }

// eachWord yields what ToolWords returns.
func eachWord(t *model.Tool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, text := range append([]string{t.Name, t.Description}, t.PropertyNames()...) {
			for w := range words.Each(text) {
				if !yield(w) {
					return
				}
			}
		}
	}
}
