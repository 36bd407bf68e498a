package tokens

import (
	"cmp"
	"strings"

	"caliper/model/jsontree"
)

// step is how far a nested object is indented.
const step = "    "

// remark writes a text as one comment; nothing for none. The lines of a text with several
// are not marked apart, as OpenAI does it.
func remark(b *strings.Builder, indent, what string) {
	if what != "" {
		b.WriteString(indent + "// " + what + "\n")
	}
}

// typeOf returns the type that a schema describes.
func typeOf(schema *jsontree.Node, indent string) string {
	if variants := schema.Member("oneOf"); variants.Is(jsontree.Array) {
		var types []string
		for _, v := range variants.Elements() {
			types = append(types, remarked(typeOf(v.Node, indent), v.Node))
		}
		return strings.Join(types, "\n"+indent+" | ")
	}
	kind := schema.Member("type")
	if kind.Is(jsontree.Array) {
		var names []string
		for _, k := range kind.Elements() {
			if name := k.Node.AsText(); name != "" {
				names = append(names, simple(name))
			}
		}
		return strings.Join(names, " | ")
	}
	switch name := kind.AsText(); name {
	case "object":
		var b strings.Builder
		remark(&b, indent, schema.Member("description").AsText())
		b.WriteString("{\n")
		required := map[string]bool{}
		for _, r := range schema.Member("required").Elements() {
			required[r.Node.AsText()] = true
		}
		for _, p := range schema.Member("properties").Members() {
			property(&b, indent, p.Name, p.Node, required[p.Name])
		}
		b.WriteString(indent + "}")
		return b.String()
	case "array":
		if items := schema.Member("items"); items != nil {
			return typeOf(items, indent) + "[]"
		}
		return "Array<any>"
	case "string":
		var values []string
		for _, v := range schema.Member("enum").Elements() {
			if v.Is(jsontree.String) {
				values = append(values, `"`+v.Text+`"`)
			}
		}
		return cmp.Or(strings.Join(values, " | "), name)
	case "number", "integer", "boolean":
		return simple(name)
	}
	return "any"
}

// simple returns the name of a type without parts.
func simple(name string) string {
	if name == "integer" {
		return "number"
	}
	return name
}

// property writes a property of an object.
func property(b *strings.Builder, indent, name string, schema *jsontree.Node, required bool) {
	if title := schema.Member("title").AsText(); title != "" {
		remark(b, indent, title)
		b.WriteString(indent + "//\n")
	}
	remark(b, indent, schema.Member("description").AsText())
	for i, e := range schema.Member("examples").Elements() {
		if i == 0 {
			b.WriteString(indent + "// Examples:\n")
		}
		if e.Is(jsontree.String) {
			b.WriteString(indent + `// - "` + e.Text + "\"\n")
		}
	}
	mark := "?"
	if required {
		mark = ""
	}
	if variants := schema.Member("oneOf"); variants.Is(jsontree.Array) {
		if value, ok := standard(schema); ok {
			b.WriteString(indent + "// default: " + value + "\n")
		}
		b.WriteString(indent + name + mark + ":\n")
		for _, v := range variants.Elements() {
			b.WriteString(indent + " | " + remarked(nullable(typeOf(v.Node, indent+"   "), v.Node), v.Node) + "\n")
		}
		b.WriteString(indent + ",\n")
		return
	}
	b.WriteString(indent + name + mark + ": " + nullable(typeOf(schema, indent+step), schema) + ",")
	if value, ok := standard(schema); ok {
		b.WriteString(" // default: " + value)
	}
	b.WriteString("\n")
}

// remarked returns a type with the description and the default of its schema behind it.
func remarked(name string, schema *jsontree.Node) string {
	var remarks []string
	if what := schema.Member("description").AsText(); what != "" {
		remarks = append(remarks, what)
	}
	if value, ok := standard(schema); ok {
		remarks = append(remarks, "default: "+value)
	}
	if remarks == nil {
		return name
	}
	return name + " // " + strings.Join(remarks, " ")
}

// nullable adds null to a type whose schema has OpenAPI's "nullable".
func nullable(name string, schema *jsontree.Node) string {
	if n := schema.Member("nullable"); n.Is(jsontree.Boolean) && n.Text == "true" && !strings.Contains(name, "null") {
		return name + " | null"
	}
	return name
}

// standard returns the default of a schema as it is shown: a string in quotes, unless it
// is one of an enumeration.
func standard(schema *jsontree.Node) (string, bool) {
	value := schema.Member("default")
	switch {
	case value == nil:
		return "", false
	case value.Is(jsontree.String) && schema.Member("enum") != nil:
		return value.Text, true
	case value.Is(jsontree.String):
		return `"` + value.Text + `"`, true
	}
	return string(value.AppendTo(nil)), true
}
