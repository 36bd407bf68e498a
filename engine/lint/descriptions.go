package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/export"
	"caliper/model"
	"caliper/model/words"
)

// shownDescription is how many code points of a description tool_search shows in a match;
// see package engine.
const shownDescription = 400

// placeholders are the words of descriptions that nobody has written yet.
var placeholders = words.Set(`todo tbd fixme xxx n na null nil none undefined placeholder description desc
	docstring lorem ipsum provided available missing empty coming soon tool function string here insert add write`)

// description returns the findings about the description of a tool.
func (c *check) description(t *model.Tool) []draft {
	text := strings.TrimSpace(t.Description)
	var out []draft
	switch {
	case text == "":
		out = append(out, found(NoDescription, Warning, t, "search and model have its name and parameters only"))
	case isPlaceholder(text):
		out = append(out, found(Placeholder, Warning, t, "the description is %q", headOf(text, 60)))
	case repeats(t, text):
		out = append(out, found(RepeatsName, Info, t, "%q says no more than the name", headOf(text, 60)))
	case tooShort(text):
		out = append(out, found(ShortDescription, Info, t, "%q does not tell it from others", headOf(text, 60)))
	}
	n := utf8.RuneCountInString(t.Description)
	if n <= shownDescription {
		return out
	}
	d := found(CutDescription, Info, t, "%d characters, of which tool_search shows %d", n, shownDescription)
	if most := export.Most(export.OpenAIProtocol, export.RuleDescription); n > most {
		// OpenAI itself has let longer ones pass since 2025; others that speak its protocol,
		// Azure's among them, end the request with "string_above_max_length".
		cut := ""
		if most := export.Most(export.ClaudeApp, export.RuleDescription); n > most {
			cut = fmt.Sprintf(", and %s cuts it at %d", export.ClaudeApp, most)
		}
		d = found(LongDescription, Warning, t, "%d characters; tool_search shows %d, OpenAI's limit is %d, which many that speak its protocol enforce%s",
			n, shownDescription, most, cut)
	}
	d.plans = func() []Remedy {
		short, change := shorten(text, shownDescription)
		return []Remedy{c.about(Remedy{Change: change, Edits: description(t, short)}, t, NameQuery(t))}
	}
	return append(out, d)
}

// isPlaceholder reports whether a description is a placeholder, such as TODO.
func isPlaceholder(text string) bool {
	first, subject := "", false
	for w := range words.Each(text) {
		if first == "" {
			if first = w; w == "todo" || w == "fixme" || w == "tbd" {
				return true
			}
		}
		switch {
		case functionWords[w]:
		case !placeholders[w]:
			return false
		default:
			subject = true
		}
	}
	return subject || first == "" // nothing but punctuation
}

// repeats reports whether every word of a description that carries a subject
// stands in the tool's name or is its toolset's.
func repeats(t *model.Tool, text string) bool {
	known := []string{"tool", "api"}
	for _, from := range []string{t.Name, ownName(t), t.Toolset} {
		for _, w := range words.Identifier(from) {
			known = append(known, singular(strings.ToLower(w)))
		}
	}
	for w := range words.Each(text) {
		if !functionWords[w] && !slices.Contains(known, singular(w)) {
			return false
		}
	}
	return true
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
func tooShort(text string) bool {
	n := 0
	for range words.Each(text) {
		if n++; n == 3 {
			return false
		}
	}
	return len(text) == utf8.RuneCountInString(text) || utf8.RuneCountInString(text) < 6
}

// shorten returns the first sentences of a description that most code points
// hold whole, or what they hold of the first, up to a space.
func shorten(text string, most int) (short, change string) {
	end := 0
	for end < len(text) {
		next := end + sentenceEnd(text[end:])
		if utf8.RuneCountInString(strings.TrimSpace(text[:next])) > most || next == end {
			break
		}
		end = next
		// A line break ends a sentence and stands before the next one.
		for end < len(text) && (text[end] == '\n' || text[end] == '\r' || text[end] == ' ' || text[end] == '\t') {
			end++
		}
	}
	if short = strings.TrimSpace(text[:end]); short != "" {
		return short, fmt.Sprintf("end the description after its first %d characters, where a sentence ends", utf8.RuneCountInString(short))
	}
	short = headOf(text, most)
	if space := strings.LastIndexByte(short, ' '); space > len(short)/2 && text[len(short)] != ' ' {
		short = strings.TrimSpace(short[:space])
	}
	return short, fmt.Sprintf("cut the description to its first %d characters", utf8.RuneCountInString(short))
}

// sharing reports a tool, which may be the result of an edit, whose description
// others have.
func (c *check) sharing(t, registered *model.Tool) (draft, bool) {
	text := strings.TrimSpace(t.Description)
	same := c.sameText[text]
	in := strings.TrimSpace(registered.Description) == text
	if len(same) == 0 || in && len(same) == 1 {
		return draft{}, false
	}
	d := found(SharedDescription, Warning, t, "the same text as %s", others(same, registered, in))
	d.plans = func() []Remedy {
		var plans []Remedy
		has := slices.Collect(words.Each(t.Description))
		var lacks []string // words of the name that the description lacks
		for _, w := range words.Identifier(t.Name) {
			if w = strings.ToLower(w); !slices.Contains(has, w) && !slices.Contains(lacks, w) && !functionWords[w] && w != "mcp" {
				lacks = append(lacks, w)
			}
		}
		if len(lacks) > 0 {
			plans = append(plans, c.about(mentioning(t, lacks), t, NameQuery(t)))
		}
		if first := same[0]; first != t {
			plans = append(plans, c.leftOut(t, first))
		}
		return plans
	}
	return d, true
}
