// Package wording says how far a labelled query has the words of the tools that it
// expects. Where a query repeats a name, finding the tool proves only that words were
// compared; so every figure on labelled queries is split by it.
//
// A name is the tool's own (Name): that of mcp_forge_create_issue and of forge.create_issue
// is create_issue, because no request has to say mcp or forge. An underscore alone sets no
// server apart, so that weather_forecast of the server weather has both words.
//
// A text is cut into words by words.Cutter: createIssue is two. Stop words (package
// lexicon) count only in a name that has no others. Words are compared by English stem; the
// stem of a word beyond ASCII is the word.
//
// With W(x) the stems of a name or of the query, and the needed capabilities of a query,
// each a list of tools any of which provides it, a query is in the class
//
//	none  W(name) ∩ W(query) = ∅ for every tool of every need
//	all   every need has a tool with ∅ ≠ W(name) ⊆ W(query)
//	some  otherwise
//
// # Example
//
// The query "creates an issue for the crash" has the stems creat, issu and crash.
//
//	[[create_issue]]                       all: creat and issu
//	[[report_issue, create_issue]]         all: one tool of the need is enough
//	[[create_issue], [label_issue]]        some: the second need lacks label
//	[[open_ticket]]                        none
//
// Invariants:
//   - a query is in one class, whatever the order of its needs, of their tools and of words
//   - one more word in the query never lowers the class, in the order none, some, all; one
//     more tool in a need does not either
//   - a query made of the names of its tools is in all, one without words in none
//
// Non-goals: synonyms, misspellings, the words of descriptions.
package wording

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/lexicon"
	"caliper/model"
	"caliper/model/words"
)

// Class is how many words of the expected names a query has.
type Class uint8

// The classes.
const (
	None Class = iota
	Some
	All
)

// Classes are all classes in order. It must not be changed.
var Classes = []Class{None, Some, All}

// String returns none, some or all.
func (c Class) String() string { return [...]string{"none", "some", "all"}[c] }

// Split is a recall by Class.
type Split [3]Part

// Part is the mean recall of the queries of one class, 0 without any.
type Part struct {
	Queries int
	Recall  float64
}

// Add adds the recall of a query of a class to its sum, which Means divides.
func (s *Split) Add(c Class, recall float64) {
	s[c].Queries++
	s[c].Recall += recall
}

// Means makes means of the sums of Add.
func (s *Split) Means() {
	for i := range s {
		s[i].Recall /= float64(max(s[i].Queries, 1))
	}
}

// Name returns the name of a tool without its server's: fielded.OriginalName, without a
// server or a toolset that a dot, a slash, a colon or two underscores set apart.
func Name(t *model.Tool) string {
	name := cmp.Or(fielded.OriginalName(t), t.Name)
	for _, owner := range []string{t.Server, strings.TrimPrefix(t.Toolset, "mcp-")} {
		rest, found := strings.CutPrefix(name, owner)
		own := strings.TrimLeft(rest, "._:/")
		if between := rest[:len(rest)-len(own)]; found && owner != "" && own != "" && between != "" && between != "_" {
			return own
		}
	}
	return name
}

// Of returns the class of a query. needs are the own names of the tools that provide each
// needed capability; without any the class is None.
func Of(query string, needs [][]string) Class {
	has := map[string]bool{}
	said, stopped := wordsOf(query)
	for _, w := range append(said, stopped...) {
		has[w] = true
	}
	shares, lacks := false, false
	for _, need := range needs {
		whole := false
		for _, name := range need {
			words, stopped := wordsOf(name)
			if len(words) == 0 {
				words = stopped
			}
			n := 0
			for _, w := range words {
				if has[w] {
					n++
				}
			}
			shares, whole = shares || n > 0, whole || n > 0 && n == len(words)
		}
		lacks = lacks || !whole
	}
	switch {
	case !shares:
		return None
	case lacks:
		return Some
	}
	return All
}

// stems remembers the stems of words.
var stems lexicon.StemMemory

// wordsOf returns the stems of the words of a text, and those of its stop words.
func wordsOf(text string) (content, stop []string) {
	var c words.Cutter
	c.Cut([]byte(text))
	for w := c.Next(); w != nil; w = c.Next() {
		term := string(w)
		if !slices.ContainsFunc(w, func(b byte) bool { return b >= utf8.RuneSelf }) {
			term = stems.English(w)
		}
		if lexicon.English().Kind(w) == lexicon.Stop {
			stop = append(stop, term)
		} else {
			content = append(content, term)
		}
	}
	return content, stop
}
