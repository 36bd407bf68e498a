package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/model"
)

// fact is a property that several tools have and the shape cannot hold.
type fact struct {
	what, why string
	n         int
}

// losef notes a loss of the tool that is being written.
func (w *writer) losef(format string, args ...any) {
	w.lost = append(w.lost, Lost{Tool: w.tool, What: fmt.Sprintf(format, args...)})
}

// refusef notes that the provider refuses something of the tool that is being
// written.
func (w *writer) refusef(format string, args ...any) {
	w.losef(format, args...)
	w.lost[len(w.lost)-1].Refused = true
}

// count notes a loss that is listed once for all tools that have it. why goes
// behind their number.
func (w *writer) count(what, why string) {
	i := slices.IndexFunc(w.facts, func(f fact) bool { return f.what == what && f.why == why })
	if i < 0 {
		i = len(w.facts)
		w.facts = append(w.facts, fact{what: what, why: why})
	}
	w.facts[i].n++
}

// concludeLosses adds what concerns several tools or the whole export.
func (w *writer) concludeLosses() {
	w.tool = ""
	for _, f := range w.facts {
		noun := "tools"
		if f.n == 1 {
			noun = "tool"
		}
		w.losef("%s of %d %s%s", f.what, f.n, noun, f.why)
	}
	if w.shape == AsBedrock && w.written == 0 {
		w.refusef("no tools: Bedrock wants one at least")
	}
	if w.shape == AsHermes {
		return
	}
	for _, b := range RequestBreaches(w.written, w.deferred, false, w.shape.limiters()...) {
		w.refusef("%s", b)
	}
	sets := map[string]bool{}
	for _, t := range w.tools {
		sets[t.Toolset] = true
	}
	for _, s := range w.registry.Toolsets {
		if sets[s.Name] && s.Instructions != "" {
			w.losef("the server's instructions of toolset %s", s.Name)
		}
	}
}

// origin notes the facts about the source of a tool that only a dump can hold.
func (w *writer) origin(d definition) {
	if w.shape != AsMCP {
		if d.Toolset != "" && d.Toolset != model.NoToolset {
			w.count("the toolset", "")
		}
		if d.Server != "" {
			w.count("the server", "")
		}
		if d.OriginalName != "" && d.OriginalName != d.name {
			w.count("the name at the server", "")
		}
	}
	if !d.Available {
		w.count("the failed availability check", "")
	}
	if d.Always {
		w.count("always loading", "")
	}
	if d.Deferred && w.shape != AsAnthropic {
		w.count("deferred loading", "")
	}
	for _, m := range d.beside {
		if !w.holds(d, m.Name) {
			w.count(m.Name, "")
		}
	}
}

// unsaid notes the members of a function object that only OpenAI's shape and a dump
// can hold.
func (w *writer) unsaid(d definition) {
	for _, m := range d.members {
		switch m.Name {
		case "name":
		case "description":
			if m.Value[0] != '"' && m.Value[0] != 'n' {
				w.losef("the description, which is not text")
			}
		case "parameters":
			if m.Value[0] != '{' && m.Value[0] != 'n' {
				w.losef("parameters, which are not an object")
			}
		default:
			if !w.holds(d, m.Name) {
				w.losef("%s of the function", m.Name)
			}
		}
	}
}

// refuse notes what the provider does not take of a tool, by the table of limits.
func (w *writer) refuse(d definition) {
	given := Definition{Parameters: d.parameters, Deferred: d.Deferred, Strict: string(d.strict()) == "true"}
	for _, m := range d.beside {
		switch {
		case m.Name == "cache_control":
			given.Cached = w.holds(d, m.Name) && string(m.Value) != "null"
		case slices.Contains(outputSpellings, m.Name):
			given.Output = m.Value
		case w.shape == AsMCP:
			given.Beside = append(given.Beside, m)
		}
	}
	for _, b := range Breaches(given, w.shape.limiters()...) {
		w.refusef("%s", b)
	}
}

// checkName notes how a name breaks the provider's rule. Names stay as they
// are: the agent that answers the call knows no other.
func (w *writer) checkName(name string) {
	if w.shape == AsHermes {
		return
	}
	if w.named[name] {
		w.refusef("name: another tool has it too; %s takes each once", w.shape.provider())
	}
	w.named[name] = true
	rule, _ := model.NameRuleOf(w.shape.provider())
	verb := " takes "
	if rule.Advice {
		verb = " wants "
	}
	if _, odd := rule.Odd(name); odd {
		w.refusef("name: %s%sonly %s", w.shape.provider(), verb, rule.Characters())
	}
	if n := utf8.RuneCountInString(name); n > rule.Longest {
		w.refusef("name: %d characters; %s%s%d", n, w.shape.provider(), verb, rule.Longest)
	}
	if _, bad := rule.BadStart(name); bad {
		w.refusef("name: %s wants a letter or _ first", w.shape.provider())
	}
}

// leavesOut reports whether a tool is not written, and notes why: a name with a
// slash, as toolset/name that distinguishes two tools of one name, would have the
// provider refuse the whole request.
func (w *writer) leavesOut(name string) bool {
	rule, ok := model.NameRuleOf(w.shape.provider())
	if !ok || rule.Advice || !strings.Contains(name, "/") {
		return false
	}
	w.losef("the tool: %s refuses a request with a slash in a name", w.shape.provider())
	w.lost[len(w.lost)-1].LeftOut = true
	return true
}
