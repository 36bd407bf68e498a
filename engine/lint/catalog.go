package lint

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/whatif"
	"caliper/model/safetext"
	"caliper/model/words"
)

// leastCatalog is the number of tools from which on it means something that
// half of them have a word.
const leastCatalog = 10

// weightless returns the words of more than half of the catalog, but for
// function words, sorted: a query gains next to nothing by them.
func (c *check) weightless(ctx context.Context) []draft {
	catalog := c.s.Catalog()
	if len(catalog) < leastCatalog {
		return nil
	}
	var common []string
	for w := range c.words.numbers {
		if 2*c.words.tools(w) > len(catalog) && !functionWords[w] {
			common = append(common, w)
		}
	}
	slices.Sort(common)
	var out []draft
	var named [][]uint32 // words of tools but for their descriptions'
	for _, w := range common {
		d := found(WeightlessWord, Info, nil, `"%s" is in %d of %d tools`, w, c.words.tools(w), len(catalog))
		if named == nil {
			named = c.namedWords(ctx)
		}
		left := 0 // tools that hold the word still, in names
		number := c.words.numbers[w]
		for i := range catalog {
			if _, has := slices.BinarySearch(named[i], number); has {
				left++
			}
		}
		if 2*left <= len(catalog) {
			d.plans = func() []plan { return c.takenOut(w, named) }
		}
		out = append(out, d)
	}
	return out
}

// namedWords returns for each tool of the catalog the numbers of the words of its name
// and of the names of its parameters, sorted. Run ends with the error when ctx does.
func (c *check) namedWords(ctx context.Context) [][]uint32 {
	catalog := c.s.Catalog()
	out := make([][]uint32, len(catalog))
	_ = parallel(ctx, len(catalog), func(i int) {
		undescribed := *catalog[i]
		undescribed.Description = ""
		numbers := make([]uint32, 0, 8)
		for w := range eachToolWord(&undescribed) {
			numbers = append(numbers, c.words.numbers[w])
		}
		slices.Sort(numbers)
		out[i] = slices.Clone(slices.Compact(numbers))
	})
	return out
}

// takenOut plans to take a word out of every description of the catalog, if few
// enough tools hold it then. named are their other words.
func (c *check) takenOut(w string, named [][]uint32) []plan {
	number := c.words.numbers[w]
	edits := make([]whatif.Edit, 0, c.words.tools(w))
	texts := map[string]*string{} // equal descriptions share what they become
	left := 0                     // tools that hold the word still: in names, or as the whole description
	for i, t := range c.s.Catalog() {
		if !c.words.has(t, w) {
			continue
		}
		_, inName := slices.BinarySearch(named[i], number)
		text := texts[t.Description]
		if text == nil {
			without := withoutWord(t.Description, w)
			text = &without
			texts[t.Description] = text
		}
		if *text != t.Description {
			edits = append(edits, whatif.Edit{Tool: t, Description: text})
		}
		if inName || *text == t.Description {
			left++
		}
	}
	if len(edits) == 0 || 2*left > len(named) {
		return nil
	}
	return []plan{{change: safetext.Line(fmt.Sprintf(`take "%s" out of %s`, w, words.Count(len(edits), "description"))), edits: edits}}
}

// withoutWord returns a text without a word of lower case, in whatever case it
// stands, each with the space before it. A text that would be left empty stays
// as it is.
func withoutWord(text, word string) string {
	var out []byte
	kept := 0 // text up to here is in out, or taken out
	next := func(from int) (start, end int) { return nextWord(text, from) }
	if isASCII(text) && isASCII(word) && word != "" {
		next = func(from int) (start, end int) { return indexWord(text, word, from) }
	}
	for i := 0; i < len(text); {
		from, end := next(i)
		if i = end; !isWord(text[from:end], word) {
			continue
		}
		out = bytes.TrimRight(append(out, text[kept:from]...), " \t")
		if kept = end; len(out) == 0 || out[len(out)-1] == '\n' {
			kept += len(text[end:]) - len(strings.TrimLeft(text[end:], " \t"))
			i = kept
		}
	}
	if kept == 0 {
		return text
	}
	if out = append(out, text[kept:]...); len(bytes.TrimSpace(out)) == 0 {
		return text
	}
	return string(out)
}

// indexWord returns where a word, which is in lower case, next begins and ends in some
// case; both are the end of the text when it does not. Text and word are ASCII.
func indexWord(text, word string, from int) (start, end int) {
	for ; from+len(word) <= len(text); from++ {
		if text[from]|0x20 != word[0]|0x20 || from > 0 && asciiWord[text[from-1]] {
			continue
		}
		if end = from + len(word); (end == len(text) || !asciiWord[text[end]]) && isWord(text[from:end], word) {
			return from, end
		}
	}
	return len(text), len(text)
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

// isWord reports whether a text is a word, which is in lower case, in some case.
func isWord(text, word string) bool {
	if !isASCII(text) {
		return strings.ToLower(text) == word
	}
	if len(text) != len(word) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
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
