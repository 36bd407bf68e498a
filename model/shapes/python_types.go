package shapes

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"caliper/model/jsontree"
)

// Data sets of functions in Python write the type of a parameter as its annotation. What
// that means as JSON Schema:
//
//	List[int], Sequence[int], list of int   {"type":"array","items":{"type":"integer"}}
//	Set[int]                                 the same, with "uniqueItems":true
//	Tuple[int, str]                          {"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2}
//	Tuple[int, ...]                          {"type":"array","items":{"type":"integer"}}
//	Dict[str, int]                           {"type":"object","additionalProperties":{"type":"integer"}}
//	Optional[int], int | None                {"type":["integer","null"]}
//	Union[int, str], int | str, int or str   {"type":["integer","string"]}
//	Union[int, List[str]]                    {"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"string"}}]}
//	Literal["a", "b"]                        {"enum":["a","b"]}
//
// What stands behind a comma, as in "int, optional", is no type. Any says nothing, and a
// name that is not known is a text.

// maxTypeDepth bounds how deep a type is read: deeper parts count as any value.
const maxTypeDepth = 16

// maxAlternatives bounds how many types a union has: one of more says nothing.
//
// SECURITY: each is compared with the others.
const maxAlternatives = 100

func typeSchema(text string, depth int) *jsontree.Node {
	schema := &jsontree.Node{Kind: jsontree.Object}
	parts := splitType(text, ",")
	if len(parts) == 0 || depth == maxTypeDepth {
		return schema
	}
	text = strings.TrimSpace(parts[0])
	if alternatives := splitType(text, "|"); len(alternatives) > 1 {
		return unionOf(alternatives, depth)
	}
	if alternatives := splitType(text, " or "); len(alternatives) > 1 {
		return unionOf(alternatives, depth)
	}
	name, inner, generic := strings.Cut(text, "[")
	var arguments []string
	if generic {
		inner = strings.TrimSpace(inner)
		arguments = splitType(strings.TrimSuffix(inner, "]"), ",")
	}
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "typing."), "collections.abc.")
	if generic && inner == "]" { // int[] of Java
		name, arguments = "list", []string{name}
	}
	if of, item, ok := strings.Cut(name, " of "); ok && !generic && slices.Contains([]string{"list", "array", "set"}, of) {
		if _, known := types[strings.TrimSuffix(item, "s")]; known {
			item = strings.TrimSuffix(item, "s")
		}
		name, arguments = of, []string{item}
	}
	switch {
	case slices.Contains([]string{"any", "image", "audio"}, name): // of any type, or one that JSON has no name for
	case name == "union" && len(arguments) > 0:
		return unionOf(arguments, depth)
	case name == "optional" && len(arguments) > 0:
		return unionOf(append(arguments, "none"), depth)
	case name == "literal" && len(arguments) > 0:
		values := &jsontree.Node{Kind: jsontree.Array}
		for _, a := range arguments {
			n, err := jsontree.Parse(jsonOfPython([]byte(strings.TrimSpace(a))), jsontree.Strict)
			if err != nil {
				return typeNode("string") // a name of the program
			}
			values.Children = append(values.Children, jsontree.Child{Node: n})
		}
		schema.Set("enum", values)
	default:
		schema = typeNode(cmp.Or(types[strings.TrimSpace(strings.ToLower(name))], "string"))
		appendArguments(schema, name, arguments, depth)
	}
	return schema
}

// typeNode returns a schema that has a type and nothing else.
func typeNode(name string) *jsontree.Node {
	schema := &jsontree.Node{Kind: jsontree.Object}
	schema.Set("type", textNode(name))
	return schema
}

// textNode returns a text of JSON.
func textNode(text string) *jsontree.Node { return &jsontree.Node{Kind: jsontree.String, Text: text} }

// numberNode returns a number of JSON.
func numberNode(n int) *jsontree.Node {
	return &jsontree.Node{Kind: jsontree.Number, Text: strconv.Itoa(n)}
}

// appendArguments adds to a type's schema what the types in its brackets say.
func appendArguments(schema *jsontree.Node, name string, arguments []string, depth int) {
	of := func(text string) *jsontree.Node { return typeSchema(text, depth+1) }
	one := ""
	if len(arguments) > 0 {
		one = strings.TrimSpace(arguments[0])
	}
	switch kind := textOf(schema.Member("type")); {
	case kind == "array" && name == "tuple" && len(arguments) == 2 && strings.TrimSpace(arguments[1]) == "...":
		schema.Set("items", of(one))
	case kind == "array" && name == "tuple" && one != "":
		list := &jsontree.Node{Kind: jsontree.Array}
		for _, a := range arguments {
			list.Children = append(list.Children, jsontree.Child{Node: of(a)})
		}
		schema.Set("prefixItems", list)
		schema.Set("minItems", numberNode(len(arguments)))
		schema.Set("maxItems", numberNode(len(arguments)))
	case kind == "array":
		if items := of(one); one != "" && len(items.Children) > 0 {
			schema.Set("items", items)
		}
		if strings.HasSuffix(name, "set") {
			schema.Set("uniqueItems", &jsontree.Node{Kind: jsontree.Boolean, Text: "true"})
		}
	case kind == "object" && len(arguments) == 2:
		if values := of(arguments[1]); len(values.Children) > 0 {
			schema.Set("additionalProperties", values)
		}
	}
}

// unionOf returns the schema of a value of any of some types.
func unionOf(texts []string, depth int) *jsontree.Node {
	var alternatives, names []jsontree.Child
	if len(texts) > maxAlternatives {
		return &jsontree.Node{Kind: jsontree.Object}
	}
	for _, text := range texts {
		s := typeSchema(text, depth+1)
		if len(s.Children) == 0 {
			return s // one that says nothing takes all
		}
		known := func(c jsontree.Child) bool { return c.Equal(s) }
		if slices.ContainsFunc(alternatives, known) {
			continue
		}
		alternatives = append(alternatives, jsontree.Child{Node: s})
		if t := s.Member("type"); len(s.Children) == 1 && t.Is(jsontree.String) {
			names = append(names, jsontree.Child{Node: t})
		}
	}
	union := &jsontree.Node{Kind: jsontree.Object}
	switch {
	case len(alternatives) == 1:
		return alternatives[0].Node
	case len(names) == len(alternatives):
		union.Set("type", &jsontree.Node{Kind: jsontree.Array, Children: names})
	default:
		union.Set("anyOf", &jsontree.Node{Kind: jsontree.Array, Children: alternatives})
	}
	return union
}

// splitType returns the non-empty parts between separators outside of brackets and quotes.
func splitType(text, separator string) []string {
	var parts []string
	depth, from := 0, 0
	var quote byte
	add := func(part string) {
		if strings.TrimSpace(part) != "" {
			parts = append(parts, part)
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], separator):
			add(text[from:i])
			from = i + len(separator)
			i = from - 1
		}
	}
	add(text[from:])
	return parts
}
