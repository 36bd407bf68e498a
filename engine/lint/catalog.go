package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// leastCatalog is the number of tools from which on it means something that
// half of them have a word.
const leastCatalog = 10

// weightless returns the words of more than half of the catalog, but for
// function words, sorted: a query gains next to nothing by them. A word that half of the
// catalog needs in its prose is nothing to take out, so there is no remedy.
func (c *check) weightless() []draft {
	catalog := c.s.Catalog()
	if len(catalog) < leastCatalog {
		return nil
	}
	var common []string
	for w, n := range c.words {
		if 2*n > len(catalog) && !functionWords[w] {
			common = append(common, w)
		}
	}
	slices.Sort(common)
	var out []draft
	for _, w := range common {
		out = append(out, found(WeightlessWord, Info, nil, `"%s" is in %d of %d tools`, w, c.words[w], len(catalog)))
	}
	return out
}

// nextWord returns where the next word of a text begins and ends. Behind the last
// word, both are the end of the text.
func nextWord(text string, from int) (start, end int) {
	start = indexRune(text, from, true)
	return start, indexRune(text, start, false)
}

// indexRune returns where the next rune stands that words have or do not have.
func indexRune(text string, from int, inWord bool) int {
	for from < len(text) {
		if c := text[from]; c < utf8.RuneSelf {
			if asciiWord[c] == inWord {
				break
			}
			from++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[from:])
		if isWordRune(r) == inWord {
			break
		}
		from += size
	}
	return from
}

// asciiWord has the ASCII characters of words.
var asciiWord = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = isWordRune(rune(c))
	}
	return set
}()

// lower returns words in lower case.
func lower(list []string) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = strings.ToLower(w)
	}
	return out
}

// policy returns the rules of the policy that cannot do what they were written
// for. No change of a tool is a remedy.
func (c *check) policy() []draft {
	var out []draft
	for _, f := range c.s.RuleFaults() {
		code, severity := IdleRule, Warning
		if f.Malformed != nil {
			code, severity = MalformedGlob, Error
		}
		where := fmt.Sprintf("policy[%d]", f.Index)
		if f.Rule.Line > 0 {
			where += fmt.Sprintf(" at %d:%d of the configuration", f.Rule.Line, f.Rule.Col)
		}
		out = append(out, found(code, severity, nil, "%s: %s", where, f.Message()))
	}
	return out
}
