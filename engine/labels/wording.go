package labels

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/model/words"
)

// WordClass is how many words of the expected names a query has.
type WordClass uint8

// The classes.
const (
	NoWords WordClass = iota
	SomeWords
	AllWords
)

// WordClasses are all classes in order. It must not be changed.
var WordClasses = []WordClass{NoWords, SomeWords, AllWords}

// String returns none, some or all.
func (c WordClass) String() string { return [...]string{"none", "some", "all"}[c] }

// WordSplit is a recall by WordClass.
type WordSplit [3]WordPart

// WordPart is the mean recall of the queries of one class, 0 without any.
type WordPart struct {
	Queries int
	Recall  float64
}

// Add adds the recall of a query of a class to its sum, which Means divides.
func (s *WordSplit) Add(c WordClass, recall float64) {
	s[c].Queries++
	s[c].Recall += recall
}

// Means makes means of the sums of Add.
func (s *WordSplit) Means() {
	for i := range s {
		s[i].Recall /= float64(max(s[i].Queries, 1))
	}
}

// OwnName returns the name of a tool without its server's: fielded.OriginalName, without a
// server or a toolset that a dot, a slash, a colon or two underscores set apart.
func OwnName(t *model.Tool) string {
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

// WordClassOf returns the class of a query. needs are the own names of the tools that provide each
// needed capability; without any the class is NoWords.
func WordClassOf(query string, needs [][]string) WordClass {
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
		return NoWords
	case lacks:
		return SomeWords
	}
	return AllWords
}

// stems remembers the stems of words.
var stems retrieval.StemMemory

// wordsOf returns the stems of the words of a text, and those of its stop words.
func wordsOf(text string) (content, stop []string) {
	var c words.Cutter
	c.Cut([]byte(text))
	for w := c.Next(); w != nil; w = c.Next() {
		term := string(w)
		if !slices.ContainsFunc(w, func(b byte) bool { return b >= utf8.RuneSelf }) {
			term = stems.English(w)
		}
		if retrieval.EnglishLexicon().Kind(w) == retrieval.StopWord {
			stop = append(stop, term)
		} else {
			content = append(content, term)
		}
	}
	return content, stop
}
