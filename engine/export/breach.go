package export

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// Definition is the input of the checks. Schemas are valid JSON; nil is for none.
type Definition struct {
	Server, Tool string // of an MCP server, by their own names
	Description  string
	Parameters   []byte
	Output       []byte   // schema of what the tool answers
	Beside       []Member // what else a server of MCP says of it
	Deferred     bool
	Cached       bool // it bears cache_control
	Strict       bool
}

// Breach is a row that a definition or a request does not keep; joined, several rows alike.
type Breach struct {
	Limit
	By    []string // who says so, in the order of the table; nil: Who alone
	What  string   // that is not taken, as "anyOf at the top of the parameters"; as untrusted as the definition
	Takes string   // what who takes in its place; "" where the row refuses it and no more is to be said
	Names []string
}

// String returns the breach as a sentence without its full stop: "anyOf at the top of the
// parameters: OpenAI and Anthropic refuse it".
func (b Breach) String() string {
	verb, takes := "take ", b.Takes
	if takes == "" {
		verb, takes = "refuse ", "it"
	}
	by := b.By
	if len(by) == 0 {
		by = []string{b.Who}
	}
	if len(by) == 1 {
		verb = strings.TrimSuffix(verb, " ") + "s "
	}
	return b.What + ": " + words.And(by) + " " + verb + takes
}

// Breaches returns the breaches of a definition, in the order of the table; of all rows if
// nobody is named, else of theirs.
func Breaches(d Definition, who ...string) []Breach {
	var out, found []Breach
	var checked Limit // what found is of
	for _, r := range limits {
		if len(who) > 0 && !slices.Contains(who, r.Who) {
			continue
		}
		if r.Rule != checked.Rule || r.Most != checked.Most || !slices.Equal(r.Words, checked.Words) {
			found, checked = d.check(r), r
		}
		for _, b := range found {
			b.Limit = r
			out = append(out, b)
		}
	}
	return out
}

// check returns the breaches of a row.
func (d Definition) check(r Limit) []Breach {
	switch r.Rule {
	case RuleTogether:
		if n := utf8.RuneCountInString(d.Server + d.Tool); d.Server != "" && n > r.Most {
			return []Breach{{What: fmt.Sprintf("server and tool name of %d characters", n), Takes: strconv.Itoa(r.Most)}}
		}
	case RuleRoot:
		var out []Breach
		jsontree.Value{Raw: d.Parameters}.Each(func(m jsontree.Member) {
			if slices.Contains(r.Words, m.Name) && !slices.ContainsFunc(out, func(b Breach) bool { return b.Names[0] == m.Name }) {
				out = append(out, Breach{What: m.Name + " at the top of the parameters", Names: []string{m.Name}})
			}
		})
		return out
	case RuleRootType:
		// A schema without a type is no breach: most writers of requests add the type, and lint
		// reports its absence by another rule.
		if kind := (jsontree.Value{Raw: d.Parameters}).Member("type"); kind.First() != 0 && kind.Text() != objectType {
			brief := words.Clip(strings.TrimSpace(string(jsontree.Compact(kind.Raw))), 60)
			return []Breach{{What: "parameters of type " + brief, Takes: "an object"}}
		}
	case RuleMembers:
		_, changes := ListedInput(d.Parameters)
		return unread(changes)
	case RuleBeside:
		var changes []Change
		for _, m := range d.Beside {
			_, more := listedBeside(m.Name, m.Value)
			changes = append(changes, more...)
		}
		return unread(changes)
	case RuleKeys:
		var odd []string
		(&model.Tool{Parameters: d.Parameters}).EachPropertyName(func(name []byte) {
			if !parameterName().Match(name) {
				odd = append(odd, string(name))
			}
		})
		if len(odd) == 0 {
			return nil
		}
		first := string(jsontree.Encode(odd[0])) + andMore(len(odd)-1)
		return []Breach{{What: "parameter " + first, Takes: "names of letters, digits, _, . and -, and 64 characters", Names: odd}}
	case RuleItems:
		return d.items()
	case RuleEnum:
		return d.enums(r.Most)
	case RuleOutput:
		return d.output()
	case RuleCache:
		if d.Cached && d.Deferred {
			return []Breach{{What: "cache_control beside defer_loading"}}
		}
	case RuleDescription:
		if n := utf8.RuneCountInString(d.Description); n > r.Most {
			return []Breach{{What: fmt.Sprintf("a description of %d characters", n), Takes: strconv.Itoa(r.Most)}}
		}
	}
	return nil
}

// unread reports the changes of a listing that are made because clients do not take it, once for
// each kind. The type of the parameters is a rule of its own, and a reference is taken.
func unread(changes []Change) (out []Breach) {
	count := map[ChangeKind]int{}
	for _, c := range changes {
		count[c.Kind]++
	}
	for _, c := range changes {
		if n := count[c.Kind]; n > 0 && c.Kind != changeRootRef && (c.Kind != changeRootType || c.Member != "inputSchema") {
			out = append(out, Breach{What: c.Fault() + andMore(n-1)})
		}
		count[c.Kind] = 0
	}
	return out
}

// parameterName is the form of parameter names at Anthropic.
var parameterName = words.LazyRegexp(`^[a-zA-Z0-9_.-]{1,64}$`)

// IsParameter reports whether every provider takes the name of a parameter.
func IsParameter(name string) bool { return parameterName().MatchString(name) }

// items reports the arrays that say nothing of their items, down to model.MaxSchemaDepth.
func (d Definition) items() []Breach {
	if !bytes.Contains(d.Parameters, []byte("array")) && !bytes.Contains(d.Parameters, []byte(`\u`)) {
		return nil // without the word, which an escape can hide, nothing is an array
	}
	first, count := "", 0
	walk(d.Parameters, func(at string, schema *jsontree.Node) {
		kind := schema.Member("type")
		isArray := isText(kind, "array") || slices.ContainsFunc(kind.Elements(), func(e jsontree.Child) bool { return isText(e.Node, "array") })
		if !isArray || schema.Member("items") != nil {
			return
		}
		if count++; count == 1 {
			if first = words.Clip(at, 120); first == "" {
				first = "the top of the parameters"
			}
		}
	})
	if count == 0 {
		return nil
	}
	return []Breach{{What: "an array without items at " + first + andMore(count-1)}}
}

// andMore returns how many there are beside the first, as the end of a text.
func andMore(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// The bounds of one large enumeration of a strict tool.
const (
	manyValues    = 250
	mostCharacter = 15_000
)

// enums reports enumerations of a strict tool that are too large.
func (d Definition) enums(most int) (out []Breach) {
	if !d.Strict || !bytes.Contains(d.Parameters, []byte("enum")) {
		return nil
	}
	all := 0
	walk(d.Parameters, func(at string, schema *jsontree.Node) {
		list := schema.Member("enum").Elements()
		all += len(list)
		characters := 0
		for _, v := range list {
			characters += utf8.RuneCountInString(v.Text)
		}
		if len(list) > manyValues && characters > mostCharacter {
			out = append(out, Breach{What: fmt.Sprintf("an enum of %d characters at %s, strict", characters, words.Clip(at, 120)),
				Takes: fmt.Sprintf("%d where there are more than %d values", mostCharacter, manyValues)})
		}
	})
	if all > most {
		out = append(out, Breach{What: fmt.Sprintf("%d values of enums, strict", all), Takes: strconv.Itoa(most)})
	}
	return out
}

// output reports a schema of the output that clients do not take, or whose references
// lead to nothing.
func (d Definition) output() (out []Breach) {
	if d.Output == nil {
		return nil
	}
	_, changes := listedOutput(d.Output)
	if len(changes) == 0 {
		return nil
	}
	if root, err := model.ParseSchema(d.Output); err == nil {
		for _, ref := range dangling(root) {
			out = append(out, Breach{What: "$ref " + words.Clip(ref, 60) + " of the output schema, which leads to nothing", Names: []string{ref}})
		}
	}
	if changes[0].Kind == changeNotCompiled && out != nil {
		return out
	}
	return append(unread(changes), out...)
}

// dangling returns the references of a schema that lead to nothing in it, each once.
func dangling(root *model.Schema) (refs []string) {
	for _, n := range root.Notes {
		if n.Kind == model.NoteDanglingReference && !slices.Contains(refs, root.Ref) {
			refs = append(refs, root.Ref)
		}
	}
	for _, c := range root.Children {
		for _, ref := range dangling(c) {
			if !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

// Joined returns breaches, those that say the same of the same as one, by the first.
func Joined(breaches []Breach) (out []Breach) {
	for _, b := range breaches {
		i := slices.IndexFunc(out, func(j Breach) bool { return j.What == b.What && j.Takes == b.Takes })
		if i < 0 {
			out = append(out, b)
			i = len(out) - 1
		}
		out[i].By = append(out[i].By, b.Who)
	}
	return out
}

// Told returns the breaches to report of a definition that is served or imported: all but
// mere advice, and but for who is left out.
func Told(d Definition, without ...string) []Breach {
	who := make([]string, 0, len(limits))
	for _, r := range limits {
		if r.Effect != Advised && !slices.Contains(without, r.Who) {
			who = append(who, r.Who)
		}
	}
	return Joined(slices.DeleteFunc(Breaches(d, who...), func(b Breach) bool { return b.Effect == Advised }))
}

// RequestBreaches returns the breaches of a request with a number of tools, of which so many
// are deferred, by the rows of those who are named, or by all. search: a search
// tool of the provider is among the others.
func RequestBreaches(tools, deferred int, search bool, who ...string) (out []Breach) {
	for _, r := range limits {
		switch {
		case len(who) > 0 && !slices.Contains(who, r.Who):
		case r.Rule == RuleTools && tools > r.Most:
			out = append(out, Breach{Limit: r, What: fmt.Sprintf("%d tools", tools), Takes: fmt.Sprintf("%d in a request", r.Most)})
		case r.Rule == RuleDeferral && tools > 0 && tools == deferred && !search:
			out = append(out, Breach{Limit: r, What: "every tool is deferred, and no search tool is among them"})
		}
	}
	return out
}

// InstructionBreaches returns the breaches of the instructions that a server gives.
func InstructionBreaches(text string) (out []Breach) {
	for _, r := range limits {
		if n := utf8.RuneCountInString(text); r.Rule == RuleInstructions && n > r.Most {
			out = append(out, Breach{Limit: r, What: fmt.Sprintf("instructions of %d characters", n), Takes: strconv.Itoa(r.Most)})
		}
	}
	return out
}

// walk visits every schema in a schema, down to model.MaxSchemaDepth, with its place as a
// JSON pointer.
func walk(schema []byte, visit func(at string, schema *jsontree.Node)) {
	root, err := jsontree.Parse(schema, jsontree.Strict)
	if err != nil {
		return
	}
	var down func(n *jsontree.Node, at string, depth int)
	down = func(n *jsontree.Node, at string, depth int) {
		if !n.Is(jsontree.Object) || depth >= model.MaxSchemaDepth {
			return
		}
		visit(at, n)
		for _, m := range n.Members() {
			in := at + "/" + jsontree.EscapeToken(m.Name)
			switch keeps := model.SubschemasOf(m.Name); {
			case m.Is(jsontree.Array) && keeps.Has(model.OneSchema|model.SchemaList):
				for i, v := range m.Elements() {
					down(v.Node, in+"/"+strconv.Itoa(i), depth+1)
				}
			case keeps.Has(model.OneSchema | model.SchemaList):
				down(m.Node, in, depth+1)
			case keeps.Has(model.NamedSchemas):
				for _, p := range m.Members() {
					down(p.Node, in+"/"+jsontree.EscapeToken(p.Name), depth+1)
				}
			}
		}
	}
	down(root, "", 0)
}
