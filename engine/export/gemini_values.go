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
		return "string" // as its values are; values tells of those that are not
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
			g.lose(at, "values in enum that are no text, written as text")
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
