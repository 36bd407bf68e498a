package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/trial"
	"caliper/model"
	"caliper/model/words"
)

// leastCatalog is the number of tools from which on it means something that
// half of them have a word.
const leastCatalog = 10

// weightless returns the words of more than half of the catalog, but for
// function words, sorted: a query gains next to nothing by them.
func (c *check) weightless() []draft {
	catalog := c.s.Catalog()
	if len(catalog) < leastCatalog {
		return nil
	}
	common := slices.SortedFunc(maps.Keys(c.df), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.df[b], c.df[a]), strings.Compare(a, b))
	})
	var out []draft
	for _, w := range common {
		if 2*c.df[w] <= len(catalog) {
			break
		}
		if functionWords[w] {
			continue
		}
		d := found(WeightlessWord, Info, nil, `"%s" stands in %d of %d tools`, w, c.df[w], len(catalog))
		var edits []trial.Edit
		left := 0 // tools that hold the word still, in names
		for _, t := range catalog {
			if text := withoutWord(t.Description, w); text != t.Description {
				edits = append(edits, trial.Edit{Tool: t, Description: &text})
				if rest := *t; slices.Contains(withText(rest, text), w) {
					left++
				}
			} else if _, has := slices.BinarySearch(c.words[t.Index], w); has {
				left++
			}
		}
		if len(edits) > 0 {
			d = d.with(plan{change: fmt.Sprintf(`take "%s" out of %s`, w, words.Count(len(edits), "description")), edits: edits,
				settles: func() bool { return 2*left <= len(catalog) }})
		}
		out = append(out, d)
	}
	return out
}

// withText returns the words of a tool that has another description.
func withText(t model.Tool, text string) []string {
	t.Description = text
	return toolWords(&t)
}

// withoutWord returns a text without a word of lower case, in whatever case it
// stands, each with the space before it. A text that would be left empty stays
// as it is.
func withoutWord(text, word string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) {
			b.WriteString(text[i : i+size])
			i += size
			continue
		}
		end := i
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !isWordRune(r) {
				break
			}
			end += size
		}
		if strings.ToLower(text[i:end]) == word {
			kept := strings.TrimRight(b.String(), " \t")
			b.Reset()
			b.WriteString(kept)
			if kept == "" || strings.HasSuffix(kept, "\n") {
				end += len(text[end:]) - len(strings.TrimLeft(text[end:], " \t"))
			}
		} else {
			b.WriteString(text[i:end])
		}
		i = end
	}
	if strings.TrimSpace(b.String()) == "" {
		return text
	}
	return b.String()
}

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
