package model

import (
	"cmp"
	"slices"
)

// geminiTypes are the types of Gemini's schemas (API reference, Schema.Type)
// as JSON Schema spells them.
var geminiTypes = map[string]string{
	`"STRING"`: `"string"`, `"NUMBER"`: `"number"`, `"INTEGER"`: `"integer"`,
	`"BOOLEAN"`: `"boolean"`, `"ARRAY"`: `"array"`, `"OBJECT"`: `"object"`, `"NULL"`: `"null"`,
}

// geminiSchema returns a schema of Gemini's dialect as JSON Schema: types in
// lower case, nullable as the type null, and bounds as numbers, which Gemini
// may write as strings because they are 64 bits wide. All else stays as it is
// written, so that of a schema which is JSON Schema already only white space
// goes. raw is a validated object.
func geminiSchema(raw []byte) []byte {
	c := borrowCursor(raw, 0)
	defer c.giveBack()
	g := geminiReader{c, make([]byte, 0, len(raw))}
	g.schema(0)
	return g.out
}

// geminiReader translates the schemas at its cursor, which were validated, so
// that no error can come of reading them.
type geminiReader struct {
	c   *cursor
	out []byte
}

// schema translates the schema that comes next. What is no object, or deeper
// than MaxSchemaDepth, stays.
func (g *geminiReader) schema(depth int) {
	if g.c.next() != '{' || depth > MaxSchemaDepth {
		g.keep()
		return
	}
	nullable := false
	var admits []insertion // that make the schema admit null
	g.object(func(name string) {
		if next := g.c.next(); name == "nullable" && (next == 't' || next == 'f') {
			nullable = next == 't'
			_, _ = g.c.value()
			return
		}
		g.name(name)
		start, next := len(g.out), g.c.next()
		switch name {
		case "type":
			v, _ := g.c.value()
			g.out = append(g.out, cmp.Or(geminiTypes[string(v.raw)], string(compact(v.raw)))...)
			if next == '"' {
				admits = append(admits, insertion{start, "["}, insertion{len(g.out), `,"null"]`})
			}
		case "properties", "patternProperties", "$defs", "definitions":
			if next != '{' {
				g.keep()
				return
			}
			g.object(func(name string) {
				g.name(name)
				g.schema(depth + 1)
			})
		case "items", "additionalProperties", "not":
			g.schema(depth + 1)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			if next != '[' {
				g.keep()
				return
			}
			g.array(func() { g.schema(depth + 1) })
			if name == "anyOf" && len(g.out)-start > len("[]") {
				admits = append(admits, insertion{len(g.out) - 1, `,{"type":"null"}`})
			}
		case "enum":
			g.keep()
			if next == '[' && len(g.out)-start > len("[]") {
				admits = append(admits, insertion{len(g.out) - 1, ",null"})
			}
		case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
			v, _ := g.c.value()
			g.out = append(g.out, bound(v)...)
		default:
			g.keep()
		}
	})
	if nullable {
		for _, in := range slices.Backward(admits) {
			g.out = slices.Insert(g.out, in.at, []byte(in.text)...)
		}
	}
}

// insertion is a text and the offset at which it belongs.
type insertion struct {
	at   int
	text string
}

// bound returns the number that v holds as a string of digits, else v.
func bound(v value) []byte {
	text := v.text()
	if text == "" || len(text) > 1 && text[0] == '0' {
		return compact(v.raw)
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return v.raw
		}
	}
	return []byte(text)
}

// keep copies the value that comes next, without white space.
func (g *geminiReader) keep() {
	v, _ := g.c.value()
	g.out = append(g.out, compact(v.raw)...)
}

// object writes the object that comes next; member writes each name and value,
// or neither.
func (g *geminiReader) object(member func(name string)) {
	g.out = append(g.out, '{')
	_, _ = g.c.object(func(name []byte) error {
		member(string(name))
		return nil
	})
	g.out = append(g.out, '}')
}

// name writes the name of a member.
func (g *geminiReader) name(name string) {
	if g.out[len(g.out)-1] != '{' {
		g.out = append(g.out, ',')
	}
	g.out = append(appendQuoted(g.out, name), ':')
}

// array writes the array that comes next; element writes each element.
func (g *geminiReader) array(element func()) {
	g.out = append(g.out, '[')
	_, _ = g.c.array(func(i int) error {
		if i > 0 {
			g.out = append(g.out, ',')
		}
		element()
		return nil
	})
	g.out = append(g.out, ']')
}
