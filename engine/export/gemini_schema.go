package export

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model"
)

// schema returns a schema in Gemini's dialect. around is the type of the
// schema whose choice this is, "" for none.
func (g *geminiWriter) schema(n *node, at place, around string) *node {
	if at.depth >= model.MaxSchemaDepth {
		g.lose(at, "what is nested deeper than %d levels, written as a string", model.MaxSchemaDepth)
		return stringSchema()
	}
	if n.kind != '{' {
		g.lose(at, "a schema that is %s, written as a string", brief(n))
		return stringSchema()
	}
	at.depth++
	null := g.nullity(n)
	n, at = g.flatten(n, at)
	kind := g.kind(n, at, around)
	values := g.values(n, at)
	if values != nil && kind != "string" {
		if kind != "" {
			g.lose(at, "type %s of an enum, written as strings", kind)
		}
		kind = "string"
	}
	out := &node{kind: '{'}
	add := func(name string, value *node) { out.members = append(out.members, branch{name, value}) }
	typed := func() {
		if kind != "" && out.member("type") == nil {
			add("type", textNode(strings.ToUpper(kind)))
		}
	}
	if n.member("type") == nil {
		typed()
	}
	for _, m := range n.members {
		switch m.name {
		case "type":
			typed()
		case "enum", "const":
			if values != nil && out.member("enum") == nil {
				add("enum", values)
			}
		case "properties":
			// Gemini refuses an empty list, and takes an object without one.
			if kind == "object" && m.value.kind == '{' && len(m.value.members) > 0 {
				add(m.name, g.properties(m.value, at.in(m.name)))
			}
		case "required":
			if kind != "object" {
				break // says nothing of other types
			}
			if list := g.required(n, at.in(m.name)); list != nil {
				add(m.name, list)
			}
		case "items":
			switch {
			case kind != "array": // says nothing of other types
			case m.value.kind == '[':
				g.lose(at, "items one by one")
			default:
				add(m.name, g.schema(m.value, at.in(m.name), ""))
			}
		case "anyOf":
			choices := g.branches(m.value, at.in(m.name), kind)
			if null == forbidsNull {
				choices.forbidNull() // what else the schema has about it may be lost
			}
			add(m.name, choices)
		case "nullable", "$defs", "definitions": // nothing is lost with them
		default:
			g.keyword(m, kind, at, add)
		}
	}
	if kind == "array" && out.member("items") == nil {
		g.lose(at, "items of any type, written as strings")
		add("items", stringSchema())
	}
	if null == saysNull {
		add("nullable", &node{kind: 't', raw: []byte("true")})
	}
	return out
}

// stringSchema returns the schema that replaces what Gemini cannot express.
func stringSchema() *node { return (&node{}).with("type", textNode("STRING")) }

// properties returns the schemas of properties.
func (g *geminiWriter) properties(n *node, at place) *node {
	out := &node{kind: '{'}
	for _, p := range n.members {
		out.members = append(out.members, branch{p.name, g.schema(p.value, at.in(p.name), "")})
	}
	return out
}

// branches returns the schemas of choices, in a schema of a type.
func (g *geminiWriter) branches(n *node, at place, around string) *node {
	out := &node{kind: '['}
	for i, v := range n.items {
		out.items = append(out.items, g.schema(v, at.in(strconv.Itoa(i)), around))
	}
	return out
}

// forbidNull takes nullable out of choices that are written, at any depth.
func (n *node) forbidNull() {
	for _, choice := range n.items {
		choice.members = slices.DeleteFunc(choice.members, func(b branch) bool { return b.name == "nullable" })
		if inner := choice.member("anyOf"); inner != nil {
			inner.forbidNull()
		}
	}
}

// required returns the required names that have a property, each once, nil for
// none: Gemini refuses others.
func (g *geminiWriter) required(n *node, at place) *node {
	names, properties := n.member("required"), n.member("properties")
	if names.kind != '[' {
		g.lose(at, "required, which is %s", brief(names))
		return nil
	}
	known, seen := map[string]bool{}, map[string]bool{}
	if properties != nil {
		for _, p := range properties.members {
			known[p.name] = true
		}
	}
	out := &node{kind: '['}
	for _, v := range names.items {
		name := v.text()
		switch {
		case v.kind != '"' || !known[name]:
			g.lose(at, "a required name without a property")
		case !seen[name]:
			out.items = append(out.items, v)
		}
		seen[name] = true
	}
	if len(out.items) == 0 {
		return nil
	}
	return out
}

// A replacer makes its tables once, which costs more than all its uses for one tool.
var (
	escapes  = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// escaped returns a name as part of a JSON pointer (RFC 6901).
func escaped(name string) string { return escapes.Replace(name) }
