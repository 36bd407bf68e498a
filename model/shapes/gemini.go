package shapes

import (
	"cmp"
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
)

// declarationLists are the members of a Gemini tool that hold its declarations,
// in the two spellings that its interfaces take.
var declarationLists = []string{"functionDeclarations", "function_declarations"}

// geminiEntry is a tool of Gemini, which is a list of function declarations:
// {"functionDeclarations":[...]}.
var geminiEntry = &form{
	name:  "gemini",
	match: func(e *entry) bool { return declarations(&e.object).IsArray() },
	read: func(r *reader, f *form, e *entry) error {
		m := declarations(&e.object)
		return r.readList(m.Value, jsontree.JoinName(f.path(*e.prefix, e.index, ""), m.Name), geminiDeclaration)
	},
}

// declarations returns the member that holds the declarations of a Gemini tool.
func declarations(o *object) jsontree.Member {
	for _, name := range declarationLists {
		if v := o.member(name); v.IsArray() {
			return jsontree.Member{Name: name, Value: v}
		}
	}
	return jsontree.Member{}
}

// geminiDeclaration is one function declaration, by itself one with a type in capitals,
// as only Gemini writes them. Its schema is JSON Schema as
// "parametersJsonSchema", or as "parameters" a dialect of its own, which is
// read as JSON Schema (geminiSchema).
var geminiDeclaration = &form{
	name: "gemini",
	match: func(e *entry) bool {
		return e.member("parametersJsonSchema").First() != 0 || e.member("parameters_json_schema").First() != 0 ||
			e.member("name").IsString() && e.member("parameters").Member("type").Text() == "OBJECT"
	},
	read: func(r *reader, f *form, e *entry) error {
		p := parts{name: e.member("name"), description: e.member("description")}
		for _, p.schema = range []string{"parametersJsonSchema", "parameters_json_schema", "parameters"} {
			if p.parameters = e.member(p.schema); p.parameters.First() != 0 {
				break
			}
		}
		if p.schema == "parameters" && p.parameters.IsObject() {
			p.parameters.Raw = geminiSchema(p.parameters.Raw)
		}
		r.addBuilt(f, e, p)
		return nil
	},
}

// geminiTools is a request, or a part of one, in which "tools" is one tool and
// not an array of them.
var geminiTools = shape{
	match: func(o *object) bool {
		v := o.member("tools")
		return v.HoldsArray(declarationLists[0]) || v.HoldsArray(declarationLists[1])
	},
	read: func(r *reader, o *object) error {
		return r.within(o.member("tools"), jsontree.JoinName(o.path, "tools"))
	},
}

// geminiTypes are the types of Gemini's schemas (API reference, Schema.Type)
// as JSON Schema spells them.
var geminiTypes = map[string]string{
	`"STRING"`: `"string"`, `"NUMBER"`: `"number"`, `"INTEGER"`: `"integer"`,
	`"BOOLEAN"`: `"boolean"`, `"ARRAY"`: `"array"`, `"OBJECT"`: `"object"`, `"NULL"`: `"null"`,
}

// geminiSchema returns a schema of Gemini's dialect as JSON Schema: types in
// lower case, nullable as the type null, and bounds as numbers, which Gemini
// may write as strings because they are 64 bits wide. All else stays as it is
// written, so that a schema which is JSON Schema already loses only white space.
// raw is a validated object.
func geminiSchema(raw []byte) []byte {
	c := jsontree.Borrow(raw, 0)
	defer c.Release()
	g := geminiReader{c, make([]byte, 0, len(raw))}
	g.schema(0)
	return g.out
}

// geminiReader translates the schemas at its cursor, which were validated, so
// that no error can come of reading them.
type geminiReader struct {
	c   *jsontree.Cursor
	out []byte
}

// schema translates the schema that comes next. A value that is no object, or deeper
// than MaxSchemaDepth, stays.
func (g *geminiReader) schema(depth int) {
	if g.c.Next() != '{' || depth > model.MaxSchemaDepth {
		g.keep()
		return
	}
	nullable := false
	var admits []insertion // that make the schema admit null
	g.object(func(name string) {
		if next := g.c.Next(); name == "nullable" && (next == 't' || next == 'f') {
			nullable = next == 't'
			_, _ = g.c.Value()
			return
		}
		g.name(name)
		start, next := len(g.out), g.c.Next()
		switch name {
		case "type":
			v, _ := g.c.Value()
			g.out = append(g.out, cmp.Or(geminiTypes[string(v.Raw)], string(jsontree.Compact(v.Raw)))...)
			if next == '"' {
				admits = append(admits, insertion{start, "["}, insertion{len(g.out), `,"null"]`})
			}
		case "enum":
			g.keep()
			if next == '[' && len(g.out)-start > len("[]") {
				admits = append(admits, insertion{len(g.out) - 1, ",null"})
			}
		case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
			v, _ := g.c.Value()
			g.out = append(g.out, bound(v)...)
		default:
			g.subschemas(model.SubschemasOf(name), next, depth)
			if name == "anyOf" && next == '[' && len(g.out)-start > len("[]") {
				admits = append(admits, insertion{len(g.out) - 1, `,{"type":"null"}`})
			}
		}
	})
	if nullable {
		for _, in := range slices.Backward(admits) {
			g.out = slices.Insert(g.out, in.at, []byte(in.text)...)
		}
	}
}

// subschemas translates the schemas that the value of a keyword keeps, if it
// keeps them as the keyword does; any other value stays.
func (g *geminiReader) subschemas(keeps model.Subschemas, next byte, depth int) {
	switch {
	case next == '{' && keeps.Has(model.NamedSchemas):
		g.object(func(name string) {
			g.name(name)
			g.schema(depth + 1)
		})
	case next == '[' && keeps == model.SchemaList: // items are one schema in this dialect
		g.array(func() { g.schema(depth + 1) })
	case keeps.Has(model.OneSchema):
		g.schema(depth + 1)
	default:
		g.keep()
	}
}

// insertion is a text and the offset at which it belongs.
type insertion struct {
	at   int
	text string
}

// bound returns the number that v holds as a string of digits, else v.
func bound(v jsontree.Value) []byte {
	text := v.Text()
	if text == "" || len(text) > 1 && text[0] == '0' {
		return jsontree.Compact(v.Raw)
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return v.Raw
		}
	}
	return []byte(text)
}

// keep copies the value that comes next, without white space.
func (g *geminiReader) keep() {
	v, _ := g.c.Value()
	g.out = append(g.out, jsontree.Compact(v.Raw)...)
}

// object writes the object that comes next; member writes each name and value,
// or neither.
func (g *geminiReader) object(member func(name string)) {
	g.out = append(g.out, '{')
	_, _ = g.c.Object(func(name []byte) error {
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
	g.out = append(jsontree.AppendQuoted(g.out, name), ':')
}

// array writes the array that comes next; element writes each element.
func (g *geminiReader) array(element func()) {
	g.out = append(g.out, '[')
	_, _ = g.c.Array(func(i int) error {
		if i > 0 {
			g.out = append(g.out, ',')
		}
		element()
		return nil
	})
	g.out = append(g.out, ']')
}
