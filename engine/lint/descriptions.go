package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine"
	"caliper/model"
)

// The budgets of descriptions, in code points.
const (
	// shownDescription is what tool_search shows of a description in a match;
	// see package engine.
	shownDescription = 400
	// longestDescription is what OpenAI takes as tools[].function.description;
	// a longer one ends the request with "string_above_max_length". Its own
	// service has let longer ones pass since 2025; others that speak its
	// protocol, Azure's among them, refuse them still.
	longestDescription = 1024
)

// placeholders are the words of descriptions that nobody has written yet.
var placeholders = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`todo tbd fixme xxx n na null nil none undefined placeholder description desc
		docstring lorem ipsum provided available missing empty coming soon tool function string here insert add write`) {
		set[w] = true
	}
	return set
}()

// description looks at the description of a tool.
func (c *check) description(t *model.Tool) []draft {
	text := strings.TrimSpace(t.Description)
	words := textWords(text)
	subjects := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return functionWords[w] })
	var out []draft
	switch {
	case text == "":
		out = append(out, found(NoDescription, Warning, t, "search and model have its name and parameters only"))
	case isPlaceholder(words, subjects):
		out = append(out, found(Placeholder, Warning, t, "the description is %q", headOf(text, 60)))
	case c.repeats(t, subjects):
		out = append(out, found(RepeatsName, Info, t, "%q says no more than the name", headOf(text, 60)))
	case tooShort(text, words):
		out = append(out, found(ShortDescription, Info, t, "%q does not tell it from others", headOf(text, 60)))
	}
	n := utf8.RuneCountInString(t.Description)
	if n <= shownDescription {
		return out
	}
	d := found(CutDescription, Info, t, "%d characters, of which tool_search shows %d", n, shownDescription)
	if n > longestDescription {
		d = found(LongDescription, Warning, t, "%d characters; tool_search shows %d, and OpenAI's limit is %d, which many that speak its protocol enforce",
			n, shownDescription, longestDescription)
	}
	short, change := shorten(text)
	return append(out, d.with(c.about(plan{change: change, edits: description(t, short)}, t, NameQuery(t))))
}

// isPlaceholder reports whether a description only holds the place of one.
func isPlaceholder(words, subjects []string) bool {
	if len(words) == 0 {
		return true // nothing but punctuation
	}
	if words[0] == "todo" || words[0] == "fixme" || words[0] == "tbd" {
		return true
	}
	return len(subjects) > 0 && !slices.ContainsFunc(subjects, func(w string) bool { return !placeholders[w] })
}

// repeats reports whether every word of a description that carries a subject
// stands in the tool's name or is its toolset's.
func (c *check) repeats(t *model.Tool, subjects []string) bool {
	known := map[string]bool{"tool": true, "api": true}
	for _, from := range []string{t.Name, ownName(t), t.Toolset} {
		for _, w := range nameWords(from) {
			known[singular(strings.ToLower(w))] = true
		}
	}
	return !slices.ContainsFunc(subjects, func(w string) bool { return !known[singular(w)] })
}

// singular returns a word without an s at its end.
func singular(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		return w[:len(w)-1]
	}
	return w
}

// tooShort reports whether a description has fewer than three words; where
// words are not set apart by spaces, fewer than six letters.
func tooShort(text string, words []string) bool {
	if len(words) >= 3 {
		return false
	}
	return len(text) == utf8.RuneCountInString(text) || utf8.RuneCountInString(text) < 6
}

// shorten returns the first sentences of a description that tool_search shows
// whole, or what it shows of the first, up to a space.
func shorten(text string) (short, change string) {
	end := 0
	for end < len(text) {
		next := end + sentenceEnd(text[end:])
		if utf8.RuneCountInString(strings.TrimSpace(text[:next])) > shownDescription || next == end {
			break
		}
		end = next
		// A line break ends a sentence and stands before the next one.
		for end < len(text) && (text[end] == '\n' || text[end] == '\r' || text[end] == ' ' || text[end] == '\t') {
			end++
		}
	}
	if short = strings.TrimSpace(text[:end]); short != "" {
		return short, fmt.Sprintf("end the description behind its first %d characters, where a sentence ends", utf8.RuneCountInString(short))
	}
	short = headOf(text, shownDescription)
	if space := strings.LastIndexByte(short, ' '); space > len(short)/2 && text[len(short)] != ' ' {
		short = strings.TrimSpace(short[:space])
	}
	return short, fmt.Sprintf("cut the description to its first %d characters", utf8.RuneCountInString(short))
}

// shared returns the tools whose description is that of others too.
func (c *check) shared() []draft {
	var out []draft
	for _, t := range c.s.Registry.Tools {
		same := c.sameText[strings.TrimSpace(t.Description)]
		if len(same) < 2 {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(same), func(o *model.Tool) bool { return o == t })
		d := found(SharedDescription, Warning, t, "the same text as %s", some(others))
		if lacks := c.ownWords(t); len(lacks) > 0 {
			words := strings.Join(lacks, " ")
			d = d.with(c.about(plan{change: fmt.Sprintf(`add "%s" to the description`, words),
				edits: description(t, engine.WithWords(t.Description, words))}, t, NameQuery(t)))
		}
		out = append(out, d)
	}
	return out
}

// ownWords returns the words of the tool's name that its description lacks.
func (c *check) ownWords(t *model.Tool) []string {
	has := map[string]bool{}
	for _, w := range textWords(t.Description) {
		has[w] = true
	}
	var lacks []string
	for _, w := range nameWords(t.Name) {
		if w = strings.ToLower(w); !has[w] && !functionWords[w] && w != "mcp" {
			has[w] = true
			lacks = append(lacks, w)
		}
	}
	return lacks
}
