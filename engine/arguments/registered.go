package arguments

import (
	"slices"
	"strings"

	"caliper/model/jsontree"
)

// Registered returns the parameters of a tool of an MCP server as the June
// 2026 agent registers them: references into definitions lead into $defs, a
// union of null and one other type becomes that type with nullable, and
// objects have a type, properties, and no required names besides these.
// Parameters that are registered already stay as they are. The result is one
// line of JSON.
func Registered(schema []byte) []byte {
	nothing := []byte(`{"type":"object","properties":{}}`)
	v, err := jsontree.Parse(schema, jsontree.Python)
	if len(schema) == 0 || err != nil || falsy(v) {
		return nothing
	}
	v = shaped(withoutNull(inDefs(v)))
	if v.Kind != jsontree.Object {
		return nothing
	}
	return appendValue(nil, v)
}

// each returns a copy of v with f applied to its children.
func each(v *jsontree.Node, f func(*jsontree.Node) *jsontree.Node) *jsontree.Node {
	if v.Kind != jsontree.Array && v.Kind != jsontree.Object {
		return v
	}
	out := &jsontree.Node{Kind: v.Kind}
	for _, c := range v.Children {
		out.Children = append(out.Children, jsontree.Child{Name: c.Name, Node: f(c.Node)})
	}
	return out
}

// inDefs renames definitions to $defs, and the references into them. The
// agent renames every member of that name, parameters too.
func inDefs(v *jsontree.Node) *jsontree.Node {
	const old, now = "#/definitions/", "#/$defs/"
	out := each(v, inDefs)
	if out.Kind != jsontree.Object || len(out.Children) == 0 {
		return out
	}
	renamed := &jsontree.Node{Kind: jsontree.Object}
	for _, m := range out.Children {
		if m.Name == "definitions" {
			m.Name = "$defs"
		}
		renamed.Set(m.Name, m.Node)
	}
	if ref := renamed.Member("$ref"); ref.Is(jsontree.String) {
		if rest, ok := strings.CutPrefix(ref.Text, old); ok {
			renamed.Set("$ref", &jsontree.Node{Kind: jsontree.String, Text: now + rest})
		}
	}
	return renamed
}

// withoutNull folds unions of null and one alternative into that alternative.
func withoutNull(v *jsontree.Node) *jsontree.Node {
	out := each(v, withoutNull)
	if out.Kind != jsontree.Object {
		return out
	}
	for _, keyword := range unions {
		union := out.Member(keyword)
		others := slices.DeleteFunc(slices.Clone(union.Elements()), admitsOnlyNull)
		if len(others) != 1 || len(others) == len(union.Elements()) {
			continue
		}
		folded := &jsontree.Node{Kind: jsontree.Object, Children: slices.Clone(others[0].Members())}
		if folded.Member("nullable") == nil {
			folded.Set("nullable", &jsontree.Node{Kind: jsontree.Boolean, Text: "true"})
		}
		for _, about := range []string{"title", "description", "default", "examples"} {
			if text := out.Member(about); text != nil && folded.Member(about) == nil {
				folded.Set(about, text)
			}
		}
		return withoutNull(folded)
	}
	return out
}

// shaped gives objects what they lack.
func shaped(v *jsontree.Node) *jsontree.Node {
	out := each(v, shaped)
	if out.Kind != jsontree.Object {
		return out
	}
	if falsy(out.Member("type")) && (out.Member("properties") != nil || out.Member("required") != nil) {
		out.Set("type", &jsontree.Node{Kind: jsontree.String, Text: "object"})
	}
	if !is(out.Member("type"), "object") {
		return out
	}
	properties := out.Member("properties")
	if !properties.Is(jsontree.Object) {
		properties = &jsontree.Node{Kind: jsontree.Object}
		out.Set("properties", properties)
	}
	if required := out.Member("required"); required.Is(jsontree.Array) {
		named := &jsontree.Node{Kind: jsontree.Array, Children: slices.DeleteFunc(slices.Clone(required.Children), func(name jsontree.Child) bool {
			return name.Kind != jsontree.String || properties.Member(name.Text) == nil
		})}
		if out.Set("required", named); len(named.Children) == 0 {
			out.Children = slices.DeleteFunc(out.Children, func(c jsontree.Child) bool { return c.Name == "required" })
		}
	}
	return out
}
