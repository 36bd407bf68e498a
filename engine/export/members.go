package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// readMembers returns the members of the object that text begins with, in
// their order; of those with one name the last value stays in the place of the
// first. Values are slices of text. It returns false if text does not begin with
// an object.
func readMembers(text []byte) ([]Member, bool) {
	var list memberList
	ok := jsontree.Members(text, func(name string, value []byte) { list.set(name, value) })
	if !ok {
		return nil, false
	}
	return list.members, true
}

// memberList is the members of one object while they are read. Most objects have a
// few, which are compared one by one; the places of more are looked up.
type memberList struct {
	members []Member
	at      map[string]int // places by name; nil while there are few
}

// fewMembers is the largest number that is compared one by one.
const fewMembers = 16

// set adds a member, or gives another value to the one of this name.
func (l *memberList) set(name string, value json.RawMessage) {
	if i := l.place(name); i >= 0 {
		l.members[i].Value = value
		return
	}
	l.members = append(l.members, Member{name, value})
	switch {
	case l.at != nil:
		l.at[name] = len(l.members) - 1
	case len(l.members) > fewMembers:
		l.at = make(map[string]int, 2*len(l.members))
		for i, m := range l.members {
			l.at[m.Name] = i
		}
	}
}

// place returns the place of the member of a name; -1 for none.
func (l *memberList) place(name string) int {
	if l.at == nil {
		return slices.IndexFunc(l.members, func(m Member) bool { return m.Name == name })
	}
	if i, ok := l.at[name]; ok {
		return i
	}
	return -1
}

// understood are the members of an entry, of whatever form, that model.Tool
// holds.
var understood = []string{
	"type", "function", "name", "description", "parameters", "inputSchema", "input_schema", "parametersJsonSchema",
	"parameters_json_schema", "toolset", "source", "server", "original_name", "available", "defer_loading", "always_load", "tools",
}

// wraps are the members of an entry that hold the definition: of Bedrock's
// tools, and of those that an agent makes for every server.
var wraps = []string{"toolSpec", "schema"}

// besides returns what the source says of a tool besides what model.Tool
// holds, such as an MCP tool's annotations; nothing for an operation of an API, whose
// members are not a tool's. It returns false if the entry
// cannot be read again, as one that an event stream has on several lines.
func (w *writer) besides(t *model.Tool) (list []Member, ok bool) {
	text := w.registry.Entry(t)
	if text == nil {
		return nil, true
	}
	all, ok := readMembers(jsontree.Mend(text))
	if !ok {
		return nil, false
	}
	for _, m := range all {
		if slices.Contains(wraps, m.Name) {
			if inner, ok := readMembers(m.Value); ok {
				list = append(list, inner...)
				continue
			}
		}
		list = append(list, m)
	}
	for i, m := range list {
		if m.Name == "_meta" {
			list[i].Value = withoutOrigin(m.Value)
		}
	}
	list = slices.DeleteFunc(list, func(m Member) bool { return m.Value == nil || slices.Contains(understood, m.Name) })
	for i, m := range list {
		if n, err := jsontree.Parse(m.Value, jsontree.Strict); err == nil {
			list[i].Value = n.AppendTo(nil) // without repeated names
		}
	}
	return list, true
}

// Besides returns what the source of a registry says of one of its tools besides what
// model.Tool holds, by name: such as "outputSchema", which Gemini and some dumps spell
// otherwise. Values are compact.
func Besides(r *model.Registry, t *model.Tool) map[string]json.RawMessage {
	list, _ := (&writer{registry: r}).besides(t)
	out := make(map[string]json.RawMessage, len(list))
	for _, m := range list {
		if slices.Contains(outputSpellings, m.Name) {
			m.Name = outputSpellings[1]
		}
		out[m.Name] = m.Value
	}
	return out
}

// Defined returns what Breaches looks at of a tool of a registry, or of an edited
// copy of one.
func Defined(r *model.Registry, t *model.Tool) Definition {
	d := Definition{Server: t.Server, Tool: t.OriginalName, Description: t.Description, Parameters: t.Parameters, Deferred: t.Deferred}
	beside := Besides(r, r.Tools[t.Index])
	d.Output, d.Strict = beside[outputSpellings[1]], string(beside["strict"]) == "true"
	if d.Parameters == nil || bytes.Contains(t.Function, []byte("strict")) {
		jsontree.Members(t.Function, func(name string, value []byte) {
			if d.Parameters == nil && name == "parameters" && string(value) == "null" { // which clients refuse
				d.Parameters = value
			} else if name == "strict" {
				d.Strict = string(value) == "true"
			}
		})
	}
	d.Cached = len(beside["cache_control"]) > 0 && beside["cache_control"][0] == '{'
	for name, value := range beside {
		if name != outputSpellings[1] {
			d.Beside = append(d.Beside, Member{Name: name, Value: value})
		}
	}
	slices.SortFunc(d.Beside, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return d
}

// strict returns what a tool says of strictness, in its function or beside it:
// true, false, or nil for nothing of the two.
func (d *definition) strict() json.RawMessage {
	for _, m := range slices.Concat(d.members, d.beside) {
		if text := string(m.Value); m.Name == "strict" && (text == "true" || text == "false") {
			return m.Value
		}
	}
	return nil
}
