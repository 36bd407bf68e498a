package lint

import (
	"regexp"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// Texts that command the model are no attack: most were written because a
// model got something wrong once. But they shout down what stands beside them,
// and steer it away from the tools of others. Two kinds are told:
//
//   - shouted: MUST, NEVER, ALWAYS, and IMPORTANT, CRITICAL and MANDATORY as
//     the head of what follows, in capitals. A MUST that says what a value is
//     ("MUST be an integer") speaks of the value, and is left alone, and so is
//     a word that stands for a value ("one of LOW, CRITICAL").
//   - steering: which tool to call first, always, or instead of another one
var (
	shouted = regexp.MustCompile(`\b(?:NEVER|ALWAYS)\b|\bMUST\b` +
		`|\b(?:IMPORTANT|CRITICAL|MANDATORY)\b(?:\*\*)?(?:\s*[:!]|\s+[-–—]|\s*—|(?:\s+[A-Z][A-Za-z]*){1,5}\s*:)`)
	ofValue = regexp.MustCompile(`^(?:\*\*)?\s+(?:not\s+|NOT\s+|also\s+)?(?:be|match|have|contain|equal|exist|start|end|begin|follow the)\b`)
	// addressee is who a MUST before a verb of values is addressed at still.
	addressee = regexp.MustCompile(`(?i)\b(?:you|agents?|llms?|model|assistant|AI)\s+(?:\*\*)?$`)
	steering  = regexp.MustCompile(`(?i)\b(?:` +
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
	if mayShout(text) {
		if at := shout(text); at != nil {
			return text[at[0]:at[1]]
		}
	}
	return steer(text)
}

// mayShout and maySteer are quick, and true of every text that does: regular
// expressions are slow.
func mayShout(text string) bool {
	for _, w := range []string{"MUST", "NEVER", "ALWAYS", "IMPORTANT", "CRITICAL", "MANDATORY"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

func maySteer(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] | 0x20 {
		case 't':
			if len(text)-i >= 5 && strings.EqualFold(text[i:i+5], "this ") {
				return true
			}
		case 'o':
			if len(text)-i >= 6 && strings.EqualFold(text[i:i+6], "other ") {
				return true
			}
		}
	}
	return false
}

// steer returns the part of a text that steers the model to a tool.
func steer(text string) string {
	if !maySteer(text) {
		return ""
	}
	return steering.FindString(text)
}

// shout returns where the first shouted command of a text stands.
func shout(text string) []int {
	for _, at := range shouted.FindAllStringIndex(text, -1) {
		if text[at[0]:at[1]] != "MUST" || !ofValue.MatchString(text[at[1]:]) || addressee.MatchString(text[:at[0]]) {
			return at
		}
	}
	return nil
}

// calmed returns a text without sentences that steer, and with shouted
// commands in lower case: what they ask for may be needed, the shouting is
// not.
func calmed(text string) string {
	if mayShout(text) {
		text = softened(text)
	}
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
			word = capitalised(word)
		}
		text = text[:at[0]] + word + text[end:]
	}
	return text
}

// commands tells of texts that command the model.
func (c *check) commands(t *model.Tool) []draft {
	part := commandIn(t.Description)
	where := "the description"
	if raw := string(t.Parameters); part == "" && (mayShout(raw) || maySteer(raw)) {
		where = "the description of a parameter"
		for _, text := range descriptionsIn(t.Parameters) {
			if part = commandIn(text); part != "" {
				break
			}
		}
	}
	if part == "" {
		return nil
	}
	d := found(CommandsModel, Info, t, "%s commands the model: %q", where, part)
	d.plans = func() []plan {
		soft := c.retold(t, softened, "write what is shouted in lower case")
		cut := c.retold(t, calmed, "cut what steers the model to a tool, and write what is shouted in lower case")
		return []plan{soft, cut}
	}
	return []draft{d}
}

// retold plans to tell every text of a tool in another way. A description that
// would be empty is made of the tool's names; one of a parameter is deleted.
func (c *check) retold(t *model.Tool, f func(string) string, change string) plan {
	e := engine.Edit{Tool: t}
	if text := f(t.Description); text != t.Description {
		if text == "" {
			text = described(t)
		}
		e.Description = &text
	}
	if parameters, changed := rewriteDescriptions(t.Parameters, f); changed {
		e.Parameters = parameters
	}
	return c.about(plan{change: change, edits: []engine.Edit{e}}, t, NameQuery(t))
}
