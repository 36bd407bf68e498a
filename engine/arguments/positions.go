package arguments

import (
	"strconv"
	"strings"

	"caliper/model"
)

// subschemasOf returns where a keyword keeps schemas, our own keyword too.
func subschemasOf(keyword string) model.Subschemas {
	if keyword == namesKeyword {
		keyword = "propertyNames"
	}
	return model.SubschemasOf(keyword)
}

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
		value, path := schema[keyword], p.pathInto(keyword)
		keeps := subschemasOf(keyword)
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
				add(members[name], p.pathOfName(keyword, name), keyword, name)
			}
		}
	}
	return out
}

// pathInto returns the path that the schemas in a keyword speak of.
func (p location) pathInto(keyword string) string {
	switch keyword {
	case "items", "additionalItems", "prefixItems", "contains", "unevaluatedItems":
		return p.path + "[]"
	case "additionalProperties", "unevaluatedProperties", "propertyNames", namesKeyword:
		return strings.TrimPrefix(p.path+".*", ".")
	}
	return p.path
}

// pathOfName returns the path that the schema of a name in a keyword speaks
// of.
func (p location) pathOfName(keyword, name string) string {
	switch keyword {
	case "properties":
		return into(p.path, name)
	case "patternProperties":
		return strings.TrimPrefix(p.path+".*", ".")
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
