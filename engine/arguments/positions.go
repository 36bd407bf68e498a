package arguments

import (
	"strconv"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// location is where a schema is inside another.
type location struct {
	pointer []string // tokens of its JSON pointer
	path    string   // of the arguments that it speaks of, as far as that is known
	value   any
	inner   bool // in a schema resource of its own, with an embedded $id
}

// inside returns the locations of the schemas directly inside a schema, in a fixed order.
func (p location) inside() []location {
	schema, ok := p.value.(map[string]any)
	if !ok {
		return nil
	}
	var out []location
	add := func(value any, path string, tokens ...string) {
		pointer := append(append([]string(nil), p.pointer...), tokens...)
		out = append(out, location{pointer, path, value, p.inner})
	}
	for _, keyword := range sortedNames(schema) {
		value, path, keeps := schema[keyword], p.pathOf(keyword, ""), model.SubschemasOf(keyword)
		if keyword == namesKeyword { // our own
			keeps = model.SubschemasOf("propertyNames")
		}
		items, isList := value.([]any)
		switch {
		case isList && keeps.Has(model.SchemaList):
			for i, item := range items {
				add(item, path, keyword, strconv.Itoa(i))
			}
		case keeps.Has(model.OneSchema):
			add(value, path, keyword)
		case keeps.Has(model.NamedSchemas):
			members, _ := value.(map[string]any)
			for _, name := range sortedNames(members) {
				if _, list := members[name].([]any); list && keyword == "dependencies" {
					continue
				}
				add(members[name], p.pathOf(keyword, name), keyword, name)
			}
		}
	}
	return out
}

// pathOf returns the path that the schemas in a keyword speak of, or the one of a name in it.
func (p location) pathOf(keyword, name string) string {
	switch keyword {
	case "items", "additionalItems", "prefixItems", "contains", "unevaluatedItems":
		return p.path + "[]"
	case "additionalProperties", "unevaluatedProperties", "propertyNames", "patternProperties", namesKeyword:
		return strings.TrimPrefix(p.path+".*", ".")
	case "properties":
		return into(p.path, name)
	case "definitions", "$defs":
		return into(keyword, name)
	}
	return p.path
}

// lookup returns the value that a JSON pointer's tokens lead to.
func lookup(root any, pointer []string) (any, bool) {
	for _, token := range pointer {
		switch v := root.(type) {
		case map[string]any:
			next, ok := v[token]
			if !ok {
				return nil, false
			}
			root = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			root = v[i]
		default:
			return nil, false
		}
	}
	return root, true
}

// Place returns the place of a value in the text of the arguments: the offset of its first
// byte, and the offset behind its last. The path is a Problem's. Ok is false where the
// text is not JSON, or has no such value, and for a long path whose middle is left out.
func Place(text, path string) (start, end int, ok bool) {
	root, err := jsontree.Parse([]byte(text), jsontree.Python)
	if err != nil {
		return 0, 0, false
	}
	n := valueAt(root, "", path)
	if n == nil {
		return 0, 0, false
	}
	return n.At, n.At + len(n.Raw), true
}

// valueAt returns the value with a path in a value that has the path here, nil for none.
func valueAt(n *jsontree.Node, here, path string) *jsontree.Node {
	if here == path {
		return n
	}
	for i, c := range n.Children {
		at := here + "[" + strconv.Itoa(i) + "]"
		if n.Kind == jsontree.Object {
			at = into(here, c.Name)
		}
		if found := valueAt(c.Node, at, path); found != nil {
			return found
		}
	}
	return nil
}
