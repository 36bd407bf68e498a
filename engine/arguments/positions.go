package arguments

import (
	"strconv"
	"strings"
)

// form says what the value of a keyword is, as far as schemas are in it.
type form int

const (
	noSchema  form = iota
	oneSchema      // a schema
	schemas        // an array of schemas
	either         // a schema or an array of schemas
	named          // an object of schemas by any name
)

// keywords are the keywords of all dialects that hold schemas.
var keywords = map[string]form{
	"not": oneSchema, "if": oneSchema, "then": oneSchema, "else": oneSchema,
	"additionalProperties": oneSchema, "additionalItems": oneSchema, "contains": oneSchema,
	"propertyNames": oneSchema, namesKeyword: oneSchema, "contentSchema": oneSchema,
	"unevaluatedItems": oneSchema, "unevaluatedProperties": oneSchema,
	"allOf": schemas, "anyOf": schemas, "oneOf": schemas, "prefixItems": schemas,
	"items":      either,
	"properties": named, "patternProperties": named, "definitions": named, "$defs": named,
	"dependentSchemas": named, "dependencies": named,
}

// place is a place in a schema where a schema stands.
type place struct {
	pointer []string // tokens of its JSON pointer
	path    string   // of the arguments that it speaks of, as far as that is known
	value   any
	inner   bool // in a schema resource of its own, with an embedded $id
}

// inside returns the places right inside a schema, in a fixed order.
func (p place) inside() []place {
	schema, ok := p.value.(map[string]any)
	if !ok {
		return nil
	}
	var out []place
	add := func(value any, path string, tokens ...string) {
		pointer := append(append([]string(nil), p.pointer...), tokens...)
		out = append(out, place{pointer, path, value, p.inner})
	}
	for _, keyword := range sortedNames(schema) {
		value, path := schema[keyword], p.pathInto(keyword)
		switch f := keywords[keyword]; f {
		case oneSchema, either, schemas:
			if items, ok := value.([]any); ok && f != oneSchema {
				for i, item := range items {
					add(item, path, keyword, strconv.Itoa(i))
				}
			} else if f != schemas {
				add(value, path, keyword)
			}
		case named:
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
func (p place) pathInto(keyword string) string {
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
func (p place) pathOfName(keyword, name string) string {
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

// pointerTokens returns the tokens of a JSON pointer, RFC 6901.
func pointerTokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range tokens {
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return tokens
}

// pointerString returns the JSON pointer of tokens.
func pointerString(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
