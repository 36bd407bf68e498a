package arguments

import (
	"bytes"
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
)

// ValidateLater returns the faults of an arguments object as the September 2026
// agent finds it. It differs from Validate in three ways: null fits where a schema
// with a type says nullable; a schema that is none by its own dialect, or that refers
// to another document, allows everything; and formats are not checked.
//
// Source: Hermes Agent by Nous Research (MIT), tool_search_validation.py of September
// 2026 over jsonschema 4.26.
func (v *Validator) ValidateLater(schema, args []byte) []Problem {
	list := v.ValidateNullable(schema, args)
	if slices.ContainsFunc(list, func(p Problem) bool { return p.Broken || p.Ref != "" }) {
		return slices.DeleteFunc(list, func(p Problem) bool { return !p.Uncheckable })
	}
	return slices.DeleteFunc(list, func(p Problem) bool { return p.Keyword == "format" })
}

// ValidateNullable is Validate where null fits a schema with a type that says nullable. That
// word is OpenAPI's, and JSON Schema does not know it; the agent converts to null by it.
func (v *Validator) ValidateNullable(schema, args []byte) []Problem {
	if bytes.Contains(schema, []byte("nullable")) {
		if root, err := jsontree.Parse(schema, jsontree.Python); err == nil && addNull(root) {
			schema = appendValue(nil, root)
		}
	}
	return v.Validate(schema, args)
}

// addNull adds null to the types of a schema that is nullable, and of those inside it,
// in place. It reports whether there was one.
func addNull(schema *jsontree.Node) (changed bool) {
	if !schema.Is(jsontree.Object) {
		return false
	}
	null := &jsontree.Node{Kind: jsontree.String, Text: "null"}
	want, nullable := schema.Member("type"), schema.Member("nullable")
	if want.Is(jsontree.String) && want.Text != "null" && nullable.Is(jsontree.Boolean) && nullable.Text == "true" {
		schema.Set("type", &jsontree.Node{Kind: jsontree.Array, Children: []jsontree.Child{{Node: want}, {Node: null}}})
		changed = true
	}
	for _, m := range schema.Children {
		keeps := model.SubschemasOf(m.Name)
		if keeps.Has(model.OneSchema) {
			changed = addNull(m.Node) || changed
		}
		if m.Kind == jsontree.Array && keeps.Has(model.SchemaList) || m.Kind == jsontree.Object && keeps.Has(model.NamedSchemas) {
			for _, c := range m.Children {
				changed = addNull(c.Node) || changed
			}
		}
	}
	return changed
}
