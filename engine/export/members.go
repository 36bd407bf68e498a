package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/shapes"
)

// readMembers returns the members of the object that text begins with, in
// their order; of those with one name the last value stays in the place of the
// first. Values are slices of text. It returns false if text does not begin with
// an object.
func readMembers(text []byte) (list []Member, ok bool) {
	at := map[string]int{} // places by name
	ok = jsontree.Members(text, func(name string, value []byte) {
		if i, known := at[name]; known {
			list[i].Value = value
			return
		}
		at[name] = len(list)
		list = append(list, Member{name, value})
	})
	if !ok {
		return nil, false
	}
	return list, true
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
func besides(r *model.Registry, t *model.Tool) (list []Member, ok bool) {
	text := r.Entry(t)
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
		if m.Name != "_meta" {
			continue
		}
		theirs, _ := readMembers(m.Value)
		kept := slices.DeleteFunc(slices.Clone(theirs), func(m Member) bool { return strings.HasPrefix(m.Name, shapes.MetaPrefix) })
		switch { // an export of ours says there where a tool comes from
		case len(kept) == 0 && len(theirs) > 0:
			list[i].Value = nil
		case len(kept) < len(theirs):
			list[i].Value = object(kept)
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

// Defined returns what Breaches looks at of a tool of a registry, or of an edited
// copy of one.
func Defined(r *model.Registry, t *model.Tool) Definition {
	d := Definition{Server: t.Server, Tool: t.OriginalName, Description: t.Description, Parameters: t.Parameters, Deferred: t.Deferred}
	list, _ := besides(r, r.Tools[t.Index])
	beside := map[string]json.RawMessage{}
	for _, m := range list {
		if slices.Contains(outputSpellings, m.Name) {
			m.Name = outputSchema
		}
		beside[m.Name] = m.Value
	}
	d.Output, d.Strict = beside[outputSchema], string(beside["strict"]) == "true"
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
		if name != outputSchema {
			d.Beside = append(d.Beside, Member{Name: name, Value: value})
		}
	}
	model.Sort(d.Beside, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
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
