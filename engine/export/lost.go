package export

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
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
	if w.shape == OpenAI && w.written > maxOpenAITools {
		w.refusef("%d tools; OpenAI takes %d in a request", w.written, maxOpenAITools)
	}
	if w.shape == Bedrock && w.written == 0 {
		w.refusef("no tools: Bedrock wants one at least")
	}
	if w.shape == Hermes {
		return
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
	if w.shape != MCP {
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
	if d.Deferred && w.shape != Anthropic {
		w.count("deferred loading", "")
	}
	for _, m := range d.beside {
		if !w.holds(d, m.name) {
			w.count(m.name, "")
		}
	}
}

// unsaid notes the members of a function object that only OpenAI's shape and a dump
// can hold.
func (w *writer) unsaid(d definition) {
	for _, m := range d.members {
		switch m.name {
		case "name":
		case "description":
			if m.value[0] != '"' && m.value[0] != 'n' {
				w.losef("the description, which is not text")
			}
		case "parameters":
			if m.value[0] != '{' && m.value[0] != 'n' {
				w.losef("parameters, which are not an object")
			}
		default:
			if !w.holds(d, m.name) {
				w.losef("%s of the function", m.name)
			}
		}
	}
}

// oddParameters notes which names of properties a provider does not take.
func (w *writer) oddParameters(properties *node, rule *regexp.Regexp, takes string) {
	first, more := "", 0
	for _, m := range properties.members {
		switch {
		case rule.MatchString(m.name):
		case first == "":
			first = string(jsontree.Encode(m.name))
		default:
			more++
		}
	}
	if first == "" {
		return
	}
	if more > 0 {
		first += fmt.Sprintf(" and %d more", more)
	}
	w.refusef("parameter %s: %s takes names of %s", first, w.shape.provider(), takes)
}

// rootKeywords notes what a provider does not take at the top of parameters.
func (w *writer) rootKeywords(d definition, refused ...string) {
	members, _ := readMembers(d.parameters)
	for _, m := range members {
		switch {
		case slices.Contains(refused, m.name):
			w.refusef("%s at the top of the parameters: %s refuses it", m.name, w.shape.provider())
		case m.name == "type" && readNode(m.value).text() != "object":
			w.refusef("parameters of type %s: %s wants an object", brief(readNode(m.value)), w.shape.provider())
		}
	}
}

// maxOpenAITools is the most functions that a request may have (API reference,
// chat completions, tools).
const maxOpenAITools = 128

// checkName notes how a name breaks the provider's rule. Names stay as they
// are: the agent that answers the call knows no other.
func (w *writer) checkName(name string) {
	if w.shape == Hermes {
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
		also := ""
		for _, c := range rule.Extra {
			also += ", " + string(c)
		}
		w.refusef("name: %s%sonly letters, digits%s, _ and -", w.shape.provider(), verb, also)
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

// refuseBareArrays notes the arrays of a schema that say nothing of their items.
// OpenAI answers with "array schema missing items", VS Code does not take such
// a tool of an MCP server ("array type must have items").
func (w *writer) refuseBareArrays(d definition, refuses string) {
	if !mayHoldArray(d.parameters) {
		return
	}
	first, count := "", 0
	bareArrays(readNode(d.parameters), place{}, func(at place) {
		if count++; count == 1 {
			if first = words.Clip(at.String(), 120); first == "" {
				first = "the top of the parameters"
			}
		}
	})
	switch {
	case count == 1:
		w.refusef("an array without items at %s: %s refuses it", first, refuses)
	case count > 1:
		w.refusef("arrays without items at %s and %d more: %s refuses them", first, count-1, refuses)
	}
}

// mayHoldArray reports whether a schema may say of anything that it is an array. It
// does not without the word, which an escape can hide; so most schemas need no tree.
func mayHoldArray(schema []byte) bool {
	return bytes.Contains(schema, []byte("array")) || bytes.Contains(schema, []byte(`\u`))
}

// bareArrays visits the schemas of arrays, down to model.MaxSchemaDepth, that say
// nothing of their items.
func bareArrays(n *node, at place, visit func(place)) {
	if n.kind != '{' || at.depth >= model.MaxSchemaDepth {
		return
	}
	at.depth++
	if n.member("type").says("array") && n.member("items") == nil {
		visit(at)
	}
	for _, m := range n.members {
		keeps := model.SubschemasOf(m.name)
		held, named := keeps.Has(model.OneSchema|model.SchemaList), keeps.Has(model.NamedSchemas)
		in := at.in(m.name)
		switch {
		case held && m.value.kind == '{':
			bareArrays(m.value, in, visit)
		case held && m.value.kind == '[':
			for i, v := range m.value.items {
				bareArrays(v, in.in(strconv.Itoa(i)), visit)
			}
		case named && m.value.kind == '{':
			for _, p := range m.value.members {
				bareArrays(p.value, in.in(p.name), visit)
			}
		}
	}
}
