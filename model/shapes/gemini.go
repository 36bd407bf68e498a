package shapes

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// declarationLists are the spellings of the member that holds a Gemini tool's declarations.
var declarationLists = []string{"functionDeclarations", "function_declarations"}

// geminiEntry is a tool of Gemini, a list of declarations: {"functionDeclarations":[...]}.
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

// geminiDeclaration is one function declaration, which stands alone where its type is in capitals.
// Its schema is JSON Schema as "parametersJsonSchema", or a dialect as "parameters"
// (geminiSchema).
var geminiDeclaration = &form{
	name: "gemini",
	match: func(e *entry) bool {
		return e.member("parametersJsonSchema").First() != 0 || e.member("parameters_json_schema").First() != 0 ||
			e.member("name").IsString() && e.member("parameters").Member("type").Text() == "OBJECT"
	},
	read: func(r *reader, f *form, e *entry) error {
		var p parts
		for _, schema := range []string{"parametersJsonSchema", "parameters_json_schema", "parameters"} {
			if p = e.parts(schema); p.parameters.First() != 0 {
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

// geminiTools is a request, or a part of one, in which "tools" is one tool.
var geminiTools = shape{
	match: func(o *object) bool {
		v := o.member("tools")
		return v.HoldsArray(declarationLists[0]) || v.HoldsArray(declarationLists[1])
	},
	read: func(r *reader, o *object) error {
		return r.within(o.member("tools"), jsontree.JoinName(o.path, "tools"))
	},
}

// geminiTypes are the types of Gemini's schemas (API reference, Schema.Type) in capitals.
var geminiTypes = []string{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}

// geminiSchema returns a schema of Gemini's dialect as JSON Schema: types in lower case, nullable
// as the type null, 64-bit bounds as numbers. All else stays as it is written. raw is a valid
// object.
func geminiSchema(raw []byte) []byte {
	n := treeOf(jsontree.Value{Raw: raw})
	if n == nil {
		return raw // nested too deep
	}
	fromGemini(n, 0)
	return n.AppendWith(make([]byte, 0, len(raw)), func(dst []byte, scalar *jsontree.Node) []byte {
		if scalar.Raw != nil {
			return append(dst, scalar.Raw...)
		}
		return scalar.AppendTo(dst)
	})
}

// fromGemini translates a schema in its place, down to MaxSchemaDepth.
func fromGemini(n *jsontree.Node, depth int) {
	if !n.Is(jsontree.Object) || depth > model.MaxSchemaDepth {
		return
	}
	nullable := isTrue(n.Member("nullable"))
	n.Children = slices.DeleteFunc(n.Children, func(c jsontree.Child) bool { return c.Name == "nullable" && c.Is(jsontree.Boolean) })
	for _, m := range n.Children {
		switch keeps := model.SubschemasOf(m.Name); m.Name {
		case "type":
			if slices.Contains(geminiTypes, m.Text) {
				*m.Node = *textNode(strings.ToLower(m.Text))
			}
		case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
			if t := m.Text; t != "" && strings.Trim(t, "0123456789") == "" && (t[0] != '0' || t == "0") { // as JSON writes it
				*m.Node = jsontree.Node{Kind: jsontree.Number, Text: m.Text}
			}
		default:
			if keeps.Has(model.OneSchema) {
				fromGemini(m.Node, depth+1)
			}
			if m.Is(jsontree.Object) && keeps.Has(model.NamedSchemas) || m.Is(jsontree.Array) && keeps == model.SchemaList { // items are one schema in this dialect
				for _, c := range m.Children {
					fromGemini(c.Node, depth+1)
				}
			}
		}
	}
	if nullable {
		if t := n.Member("type"); t.Is(jsontree.String) {
			n.Set("type", &jsontree.Node{Kind: jsontree.Array, Children: []jsontree.Child{{Node: t}, {Node: textNode("null")}}})
		}
		for name, null := range map[string]*jsontree.Node{"enum": {Kind: jsontree.Null, Text: "null"}, "anyOf": typeNode("null")} {
			if l := n.Member(name); l.Is(jsontree.Array) && len(l.Children) > 0 {
				l.Children = append(l.Children, jsontree.Child{Node: null})
			}
		}
	}
}
