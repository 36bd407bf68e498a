package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// texts returns the findings about the texts of a tool, of its own and of its
// parameters.
func (c *check) texts(t *model.Tool) []draft {
	inSchema := descriptionsIn(t.Parameters)
	out := c.text(t, inSchema)
	where, part := "the description", commandIn(t.Description)
	for _, text := range inSchema {
		if part == "" {
			where, part = "the description of a parameter", commandIn(text)
		}
	}
	if part == "" {
		return out
	}
	d := found(CommandsModel, Info, t, "%s commands the model: %q", where, part)
	d.plans = func() []Remedy {
		soft := c.rewritten(t, softened, "write what is shouted in lower case")
		cut := c.rewritten(t, calmed, "cut what steers the model to a tool, and write what is shouted in lower case")
		return []Remedy{soft, cut}
	}
	return append(out, d)
}

// text returns the findings about hidden characters and instructions to the model in
// the texts of a tool. inSchema are the texts of its parameters.
func (c *check) text(t *model.Tool, inSchema []string) []draft {
	var out []draft
	of, text := "", safetext.Injection(t.Description)
	if text == "" {
		of, text = " of a parameter", safetext.Injection(strings.Join(inSchema, "\n"))
	}
	if text != "" {
		d := found(TalksToModel, Error, t, "the description%s talks to the model like an attack: %s", of, text)
		cut := func(text string) string {
			if !talks(text) {
				return text
			}
			return without(text, talks)
		}
		d.plans = func() []Remedy {
			return []Remedy{
				c.rewritten(t, cut, "cut the sentences that talk to the model"),
				c.rewritten(t, func(text string) string { return calmed(cut(text)) }, "cut what talks to the model and steers it, and write what is shouted in lower case"),
			}
		}
		out = append(out, d)
	}
	visible, hidden := withoutHidden(t.Description)
	var parameters []byte
	rewritten := false
	if slices.ContainsFunc(inSchema, hasHidden) {
		parameters, rewritten = rewriteDescriptions(t.Parameters, func(text string) string {
			clean, found := withoutHidden(text)
			hidden = append(hidden, found...)
			return clean
		})
	}
	plainName, inName := withoutHidden(t.Name)
	if len(hidden)+len(inName) == 0 {
		return out
	}
	d := found(HiddenCharacters, Warning, t, "%s", count(append(inName, hidden...)))
	e := whatif.Edit{Tool: t}
	change := "take them out of the descriptions"
	if len(inName) > 0 {
		to := c.free(cleanName(plainName))
		e.Name = &to
		change = "rename it to " + to
		if len(hidden) > 0 {
			change += ", and take them out of the descriptions"
		}
	}
	if visible != t.Description {
		e.Description = &visible
	}
	if rewritten {
		e.Parameters = parameters
	}
	return append(out, d.with(c.about(Remedy{Change: change, Edits: []whatif.Edit{e}}, t, NameQuery(t))))
}

// withoutHidden returns a text without its invisible characters, and those
// characters: what safetext.Line holds to be unsafe, but for line
// breaks and tabs, which layout needs, and variation selectors and joiners,
// which honest emoji have in many forms.
func withoutHidden(text string) (visible string, hidden []rune) {
	if plain := layout.Replace(text); safetext.Line(plain) == plain {
		return text, nil
	}
	var b strings.Builder
	for _, r := range text {
		if isHidden(r) {
			hidden = append(hidden, r)
			continue
		}
		b.WriteRune(r)
	}
	if len(hidden) == 0 {
		return text, nil
	}
	return b.String(), hidden
}

// layout replaces what layout needs.
var layout = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")

// hasHidden reports whether a text has invisible characters.
func hasHidden(text string) bool {
	_, hidden := withoutHidden(text)
	return len(hidden) > 0
}

// isHidden reports whether a character draws nothing, whatever stands beside
// it.
func isHidden(r rune) bool {
	switch {
	case r == '\n', r == '\r', r == '\t', r == '\u200c', r == '\u200d', r == '\ufe0e', r == '\ufe0f', r == utf8.RuneError:
		return false
	}
	alone := safetext.Line("x" + string(r))
	return alone != "x"+string(r)
}

// count says which hidden characters there are.
func count(hidden []rune) string {
	text := fmt.Sprintf("%d characters that nobody sees, the first U+%04X", len(hidden), hidden[0])
	if len(hidden) == 1 {
		text = fmt.Sprintf("a character that nobody sees, U+%04X", hidden[0])
	}
	for _, r := range hidden {
		if r >= 0xE0000 && r <= 0xE007F {
			return text + "; they are tags, which spell hidden text"
		}
	}
	return text
}

// talks reports whether a text talks to the model as attacks do.
func talks(text string) bool { return safetext.Injection(text) != "" }

// unquote returns the text of a JSON string; empty for anything else.
func unquote(raw []byte) string {
	s, _ := stringOf(raw)
	return s
}

// stringOf returns the text of a JSON string; ok is false for anything else.
func stringOf(raw []byte) (text string, ok bool) {
	if len(raw) > 1 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1]), true
	}
	err := json.Unmarshal(raw, &text)
	return text, err == nil
}

// Texts that command the model are no attack: most were written because a
// model got something wrong once. But they shout down what stands beside them,
// and steer it away from the tools of others. Two kinds are reported:
//
//   - shouted: MUST, NEVER, ALWAYS, and IMPORTANT, CRITICAL and MANDATORY as
//     the head of what follows, in capitals. A MUST about a value
//     ("MUST be an integer") speaks of the value, and is left alone, and so is
//     a word that stands for a value ("one of LOW, CRITICAL").
//   - steering: which tool to call first, always, or instead of another one
var (
	shouted = words.LazyRegexp(`^(?:(?:NEVER|ALWAYS|MUST)\b` +
		`|(?:IMPORTANT|CRITICAL|MANDATORY)\b(?:\*\*)?(?:\s*[:!]|\s+[-–—]|\s*—|(?:\s+[A-Z][A-Za-z]*){1,5}\s*:))`)
	ofValue = words.LazyRegexp(`^(?:\*\*)?\s+(?:not\s+|NOT\s+|also\s+)?(?:be|match|have|contain|equal|exist|start|end|begin|follow the)\b`)
	// addressee is who a MUST before a verb of values is addressed at still.
	addressee = words.LazyRegexp(`(?i)\b(?:you|agents?|llms?|model|assistant|AI)\s+(?:\*\*)?$`)
	steering  = words.LazyRegexp(`(?i)\b(?:` +
		`(?:use|call|invoke|run|prefer) this (?:tool |function )?(?:first|instead of|before|whenever|always|over)\b` +
		`|(?:use|call|invoke|run) this (?:tool|function) (?:and no other|only)\b` +
		`|always (?:use|call|invoke|run|prefer|start with) this (?:tool|function)\b` +
		`|(?:do not|don't|never|must not) (?:use|call|invoke|run) (?:any |an)?other (?:tools?|functions?)\b` +
		`|before (?:any|all|every) other (?:tools?|functions?)\b` +
		`|before (?:using|calling|invoking) (?:any|an)? ?other (?:tools?|functions?)\b` +
		`|instead of (?:any |all )?other (?:tools?|functions?)\b)`)
)

// commandIn returns the part of a text that commands the model; empty when none
// does.
func commandIn(text string) string {
	if at := shout(text); at != nil {
		return text[at[0]:at[1]]
	}
	return steer(text)
}

// steer returns the part of a text that steers the model to a tool.
func steer(text string) string {
	upper := strings.ToUpper(text) // regular expressions are slow
	may := strings.Contains(upper, "OTHER TOOL") || strings.Contains(upper, "OTHER FUNCTION")
	for before, rest, found := strings.Cut(upper, " THIS "); found && !may; before, rest, found = strings.Cut(rest, " THIS ") {
		may = strings.Contains(before[max(0, len(before)-len("ALWAYS START WITH")):], "ALWAYS ")
		behind := strings.TrimPrefix(strings.TrimPrefix(rest, "TOOL "), "FUNCTION ")
		for _, word := range []string{"FIRST", "INSTEAD", "BEFORE", "WHENEVER", "ALWAYS", "OVER", "AND NO", "ONLY"} {
			may = may || strings.HasPrefix(behind, word)
		}
	}
	if !may {
		return ""
	}
	return steering().FindString(text)
}

// shout returns where the first shouted command of a text stands.
func shout(text string) []int {
	inWord := false
	for i := range len(text) {
		c, begins := text[i], !inWord
		inWord = c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !begins || strings.IndexByte("ACIMN", c) < 0 { // regular expressions are slow
			continue
		}
		at := shouted().FindStringIndex(text[i:])
		if at != nil && (text[i:i+at[1]] != "MUST" || !ofValue().MatchString(text[i+at[1]:]) || addressee().MatchString(text[:i])) {
			return []int{i, i + at[1]}
		}
	}
	return nil
}

// calmed returns a text without sentences that steer, and with shouted
// commands in lower case: what they ask for may be needed, the shouting is
// not.
func calmed(text string) string {
	text = softened(text)
	if steer(text) == "" {
		return text
	}
	return without(text, func(s string) bool { return steer(s) != "" })
}

// softened writes shouted commands small, with a capital where they begin a
// line or a sentence.
func softened(text string) string {
	for at := shout(text); at != nil; at = shout(text) {
		end := at[0]
		for end < len(text) && 'A' <= text[end] && text[end] <= 'Z' {
			end++
		}
		word := strings.ToLower(text[at[0]:end])
		if before := strings.TrimRight(text[:at[0]], " \t*-#•"); before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:\n") {
			word = words.Capitalized(word)
		}
		text = text[:at[0]] + word + text[end:]
	}
	return text
}

// without returns a text without the sentences that a predicate holds for; if
// it holds of the rest still, as of an order that runs over two sentences,
// nothing is left of the text.
func without(text string, holds func(string) bool) string {
	var kept strings.Builder
	for text != "" {
		end := sentenceEnd(text)
		end += len(text[end:]) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		if end == 0 {
			end = len(text)
		}
		if !holds(text[:end]) {
			kept.WriteString(text[:end])
		}
		text = text[end:]
	}
	rest := strings.TrimSpace(kept.String())
	if holds(rest) {
		return ""
	}
	return rest
}

// rewritten plans to replace every text of a tool by what f makes of it. A
// description of a parameter that would be empty is deleted.
func (c *check) rewritten(t *model.Tool, f func(string) string, change string) Remedy {
	e := whatif.Edit{Tool: t}
	if text := f(t.Description); text != t.Description {
		e.Description = &text
	}
	if parameters, changed := rewriteDescriptions(t.Parameters, f); changed {
		e.Parameters = parameters
	}
	return c.about(Remedy{Change: change, Edits: []whatif.Edit{e}}, t, NameQuery(t))
}
