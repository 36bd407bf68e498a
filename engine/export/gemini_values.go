package export

import (
	"slices"
	"strings"
)

// geminiTypes are the types of Gemini's schemas (API reference, Type).
var geminiTypes = []string{"string", "number", "integer", "boolean", "array", "object"}

// geminiKeyword is a keyword that stays as it is.
type geminiKeyword struct {
	values string   // the first characters that its values may have
	types  []string // the types that it says something of; nil for all
}

const (
	anyValue = "{[\"tfn-0123456789"
	numbers  = "-0123456789"
	counts   = "0123456789"
)

var (
	ofText    = []string{"string"}
	ofNumbers = []string{"number", "integer"}
	ofArrays  = []string{"array"}
	ofObjects = []string{"object"}
)

// geminiKeywords are those that stay as they are (API reference, Schema). The
// others are translated or lost.
var geminiKeywords = map[string]geminiKeyword{
	"title": {`"`, nil}, "description": {`"`, nil}, "default": {anyValue, nil}, "example": {anyValue, nil},
	"pattern": {`"`, ofText}, "minLength": {counts, ofText}, "maxLength": {counts, ofText},
	"minimum": {numbers, ofNumbers}, "maximum": {numbers, ofNumbers},
	"minItems": {counts, ofArrays}, "maxItems": {counts, ofArrays},
	"minProperties": {counts, ofObjects}, "maxProperties": {counts, ofObjects},
	"propertyOrdering": {"[", ofObjects},
}

// geminiFormats are the formats of each type (API reference, Schema.format).
var geminiFormats = map[string][]string{
	"string": {"enum", "date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"},
}

// keyword adds a keyword of a schema of some type, or notes that it is lost.
// One that says nothing of the type goes: JSON Schema has it mean nothing.
func (g *geminiWriter) keyword(m branch, kind string, at place, add func(string, *node)) {
	known, ok := geminiKeywords[m.name]
	switch {
	case m.name == "format":
		if f := m.value.text(); slices.Contains(geminiFormats[kind], f) {
			add(m.name, m.value)
		} else {
			g.lose(at, "format %s", brief(m.value))
		}
	case !ok:
		g.lose(at, "%s", m.name)
	case kind != "" && known.types != nil && !slices.Contains(known.types, kind):
	case strings.IndexByte(known.values, m.value.kind) < 0:
		g.lose(at, "%s, which is %s", m.name, brief(m.value))
	default:
		add(m.name, m.value)
	}
}

// types returns the types that a schema names, but null.
func (g *geminiWriter) types(n *node, at place) (types []string) {
	t := n.member("type")
	given := []*node{t}
	switch {
	case t == nil:
		return nil
	case t.kind == '[':
		given = t.items
	}
	for _, v := range given {
		name := v.text()
		switch {
		case name == "null" || slices.Contains(types, name):
		case slices.Contains(geminiTypes, name):
			types = append(types, name)
		default:
			g.lose(at, "type %s", brief(v))
		}
	}
	return types
}

// kind returns the type of a schema, "" where choices say it.
func (g *geminiWriter) kind(n *node, at place, around string) string {
	types := g.types(n, at)
	guess := func(kind string) string {
		g.lose(at, "no type, written as %s", kind)
		return kind
	}
	switch {
	case len(types) > 1: // flatten has made choices of those that can be
		g.lose(at, "type %s, written as %s", strings.Join(types, " or "), types[0])
		return types[0]
	case len(types) == 1:
		return types[0]
	case n.member("type").says("null"):
		g.lose(at, "type null, written as a string")
		return "string"
	case around != "":
		return around
	case n.member("properties") != nil:
		return guess("object")
	case n.member("items") != nil:
		return guess("array")
	case n.member("anyOf") != nil:
		return ""
	case n.member("enum") != nil, n.member("const") != nil:
		return "string" // as its values are; values reports those that are not
	case at.up == nil:
		return "object" // without properties, and so left out
	}
	return guess("string")
}

// values returns the values of enum or const as strings, nil for none.
func (g *geminiWriter) values(n *node, at place) *node {
	given := n.member("enum")
	if c := n.member("const"); c != nil {
		if given != nil {
			g.lose(at, "enum beside const")
		}
		given = &node{kind: '[', items: []*node{c}}
	}
	switch {
	case given == nil:
		return nil
	case given.kind != '[':
		g.lose(at, "enum, which is %s", brief(given))
		return nil
	}
	list := &node{kind: '['}
	for _, v := range given.items {
		switch {
		case v.kind == 'n': // nullable says it
		case v.kind == '"' && v.text() == "":
			g.lose(at, "the empty text in enum")
		case v.kind == '"':
			list.items = append(list.items, v)
		default:
			g.lose(at, "values in enum that are not text, written as text")
			list.items = append(list.items, textNode(string(v.write(nil))))
		}
	}
	if len(list.items) == 0 {
		g.lose(at, "enum without text")
		return nil
	}
	return list
}

// says reports whether a type, or a list of them, has one.
func (n *node) says(kind string) bool {
	if n == nil {
		return false
	}
	return n.text() == kind || slices.ContainsFunc(n.items, func(v *node) bool { return v.text() == kind })
}

// nullity is whether a schema allows null.
type nullity int

const (
	silent      nullity = iota // null fits, as every value does where no keyword excludes it
	forbidsNull                // null does not fit
	saysNull                   // null fits, and the schema says so
)

// nullity returns whether a schema allows null. OpenAPI's nullable counts, although
// it is not a keyword of JSON Schema.
func (g *geminiWriter) nullity(n *node) nullity {
	if n.kind == 'f' {
		return forbidsNull
	}
	if v := n.member("nullable"); v != nil && v.kind == 't' {
		return saysNull
	}
	out := silent
	for _, m := range n.members {
		says := silent
		switch v := m.value; m.name {
		case "type":
			says = listed(v.says("null"))
		case "const":
			says = listed(v.kind == 'n')
		case "enum":
			says = listed(slices.ContainsFunc(v.items, func(v *node) bool { return v.kind == 'n' }))
		case "$ref":
			says = g.targetNullity(v.text())
		case "allOf":
			for _, v := range v.items {
				says = both(says, g.nullity(v))
			}
		case "anyOf", "oneOf":
			for i, v := range v.items {
				if i == 0 {
					says = forbidsNull
				}
				says = either(says, g.nullity(v))
			}
		}
		out = both(out, says)
	}
	return out
}

// targetNullity returns the nullity of the schema that a reference leads to. For a
// reference that leads back to itself it is silent.
func (g *geminiWriter) targetNullity(ref string) nullity {
	if known, ok := g.nulls[ref]; ok {
		return known
	}
	target := g.target(ref)
	if target == nil {
		return silent
	}
	g.nulls[ref] = silent
	g.nulls[ref] = g.nullity(target)
	return g.nulls[ref]
}

// listed returns the nullity of a list of types or values, by whether it has null.
func listed(has bool) nullity {
	if has {
		return saysNull
	}
	return forbidsNull
}

// both returns the nullity of two schemas that must both hold.
func both(a, b nullity) nullity {
	switch {
	case a == forbidsNull || b == forbidsNull:
		return forbidsNull
	case a == silent:
		return b
	}
	return a
}

// either returns the nullity of two schemas of which one must hold.
func either(a, b nullity) nullity {
	switch {
	case a == saysNull || b == saysNull:
		return saysNull
	case a == forbidsNull:
		return b
	}
	return a
}
