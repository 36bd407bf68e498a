package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/internal/modeltest"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// drawn returns a tree as indented lines, one a node, to compare with.
func drawn(s *model.Schema) string {
	var b strings.Builder
	var draw func(s *model.Schema, indent string)
	draw = func(s *model.Schema, indent string) {
		b.WriteString(indent + s.Key)
		if s.Required {
			b.WriteByte('*')
		}
		b.WriteString(": " + s.Kind)
		if s.Description != "" {
			fmt.Fprintf(&b, " %q", s.Description)
		}
		if s.Enum != nil {
			fmt.Fprintf(&b, " {%s}", strings.Join(s.Enum, " "))
		}
		if s.Notes != nil {
			fmt.Fprintf(&b, " [%s]", strings.Join(s.NoteTexts(), "; "))
		}
		b.WriteByte('\n')
		for _, child := range s.Children {
			draw(child, indent+"  ")
		}
	}
	draw(s, "")
	return b.String()
}

func TestParseSchema(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", ``, "parameters: none\n"},
		{"empty", `{}`, "parameters: any\n"},
		{"true", `true`, "parameters: any\n"},
		{"false", ` false `, "parameters: never\n"},
		{"not a schema", `[1, 2]`, "parameters: invalid [not a schema: [1,2]]\n"},
		{"properties in order", `{"required":["b"],"type":"object","properties":{"b":{"type":"string","description":"Two\nlines"},"a":{"type":"integer"}}}`,
			"parameters: object\n  b*: string \"Two\\nlines\"\n  a: integer\n"},
		{"required and missing", `{"type":"object","properties":{"a":{}},"required":["a","nope"]}`,
			"parameters: object [required: \"nope\" is not among the properties]\n  a*: any\n"},
		{"required of another branch", `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			"parameters: any\n  anyOf[0]: any [required: \"a\"]\n  anyOf[1]: any [required: \"b\"]\n"},
		{"draft 3 required", `{"properties":{"a":{"required":true}}}`, "parameters: object\n  a: any [required: true]\n"},
		{"arrays", `{"properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"type":"array"},"c":{"items":{"type":["string","null"]}},"d":{"type":"array","items":{"type":"array","items":{"type":"number"}}}}}`,
			"parameters: object\n  a: array of string\n    items: string\n  b: array\n  c: array of (string|null)\n    items: string|null\n" +
				"  d: array of array of number\n    items: array of number\n      items: number\n"},
		{"tuples", `{"properties":{"a":{"type":"array","items":[{"type":"string"},{"type":"integer"}]},"b":{"prefixItems":[{"const":1}],"items":false}}}`,
			"parameters: object\n  a: array of [string, integer]\n    items[0]: string\n    items[1]: integer\n" +
				"  b: array of [const]\n    prefixItems[0]: const [const: 1]\n    items: never\n"},
		{"list of types with array", `{"type":["array","null"],"items":{"type":"string"}}`, "parameters: array of string|null\n  items: string\n"},
		{"nullable", `{"type":"string","nullable":true}`, "parameters: string|null\n"},
		{"not nullable", `{"type":"string","nullable":false}`, "parameters: string [nullable: false]\n"},
		{"unknown type", `{"type":"strnig"}`, "parameters: strnig [unknown type: \"strnig\"]\n"},
		{"type is a number", `{"type":7}`, "parameters: any [type: 7]\n"},
		{"enum", `{"enum":[1, 1.0, "1", true, null, [ ], {"a" : 1}]}`, `parameters: enum {1 1.0 "1" true null [] {"a":1}}` + "\n"},
		{"enum is no array", `{"enum":"a"}`, `parameters: any [enum: "a"]` + "\n"},
		{"numbers as written", `{"default":9007199254740993,"maximum":18446744073709551615,"minimum":-0.0,"multipleOf":1e+308}`,
			"parameters: any [default: 9007199254740993; maximum: 18446744073709551615; minimum: -0.0; multipleOf: 1e+308]\n"},
		{"draft 4 bounds", `{"type":"number","minimum":0,"exclusiveMinimum":true}`, "parameters: number [minimum: 0; exclusiveMinimum: true]\n"},
		{"unknown keywords", `{"x-mcp-header":"X", "format": "uri"}`, "parameters: any [x-mcp-header: \"X\"; format: \"uri\"]\n"},
		{"choice of words", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "parameters: string|null\n  anyOf[0]: string\n  anyOf[1]: null\n"},
		{"choice", `{"oneOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}`,
			"parameters: one of 2\n  oneOf[0]: array of string\n    items: string\n  oneOf[1]: null\n"},
		{"all of", `{"allOf":[{"not":{"required":["never"]}},true]}`,
			"parameters: all of 2\n  allOf[0]: any\n    not: any [required: \"never\"]\n  allOf[1]: any\n"},
		{"conditions", `{"if":{"properties":{"n":{"const":1}}},"then":{"required":["o"]},"else":false}`,
			"parameters: any\n  if: object\n    n: const [const: 1]\n  then: any [required: \"o\"]\n  else: never\n"},
		{"additional properties", `{"type":"object","additionalProperties":false}`, "parameters: object [additionalProperties: false]\n"},
		{"additional properties with a schema", `{"additionalProperties":{"type":"string"}}`, "parameters: object\n  additionalProperties: string\n"},
		{"groups", `{"patternProperties":{"^x-":{}},"dependentSchemas":{"t":{"required":["n"]}},"dependencies":{"a":["b"]},"$defs":{"":true}}`,
			"parameters: any\n  patternProperties: \n    ^x-: any\n  dependentSchemas: \n    t: any [required: \"n\"]\n" +
				"  dependencies: \n    a: requires [[\"b\"]]\n  $defs: \n    \"\": any\n"},
		{"properties named like keywords", `{"properties":{"properties":{"type":"object","properties":{"type":{"type":"string"}}},"$ref":{"type":"string"},"required":{"type":"boolean"},"":{},"\"q\"":{},"null":null}}`,
			"parameters: object\n  properties: object\n    type: string\n  $ref: string\n  required: boolean\n  \"\": any\n  \"q\": any\n  null: invalid [not a schema: null]\n"},
		{"properties is no object", `{"properties":[1]}`, "parameters: any [properties: [1]]\n"},
		{"reference", `{"$ref":"#/$defs/x","description":"d","$defs":{"x":{"type":"string"}}}`,
			"parameters: ref #/$defs/x \"d\"\n  $defs: \n    x: string\n"},
		{"unsafe text", "{\"properties\":{\"p\x7f\\u001b[31m\":{\"description\":\"\\u001b[5mblink\",\"enum\":[\"\u202e\"],\"pattern\":\"\u200b\",\"type\":\"\\u0007\",\"\\u001b\":1,\"$ref\":\"\\u001b\"}},\"required\":[\"\\u001b\"]}",
			"parameters: object [required: \"\\u001b\" is not among the properties]\n  p␡␛[31m: ref ␛ \"␛[5mblink\" {\"�\"} [pattern: \"�\"; unknown type: \"\\u0007\"; ␛: 1; unresolved: external reference, not fetched]\n"},
		{"repeated keyword", `{"type":"string","type":"integer"}`, "parameters: integer\n"},
		{"invalid UTF-8", "{\"description\":\"\xff\"}", "parameters: any \"�\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := model.ParseSchema([]byte(c.in))
			require.NoError(t, err)
			if got := drawn(s); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestParseSchemaErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"cut off", "{\n \"type\":", "2:9: type: unexpected end of input"},
		{"two values", `{} {}`, "1:4: more than one value"},
		{"bad value", `{"properties":{"a":{"type":strng}}}`, "1:28: properties.a.type: invalid character 's' at start of value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := model.ParseSchema([]byte(c.in))
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	s, err := model.ParseSchema([]byte(`{
		"$id": "https://example.invalid/s.json",
		"properties": {
			"tree": {"$ref": "#/$defs/node"}, "self": {"$ref": "#"}, "a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"},
			"slash": {"$ref": "#/definitions/a~1b"}, "tilde": {"$ref": "#/definitions/c~0d"}, "percent": {"$ref": "#/definitions/e%20f%25"},
			"anchor": {"$ref": "#here"}, "id": {"$ref": "inner.json"}, "own": {"$ref": "https://example.invalid/s.json#/$defs/node"},
			"note": {"$ref": "#/components/0/x"}, "none": {"$ref": "#/$defs/none"}, "url": {"$ref": "https://example.invalid/other.json"},
			"group": {"$ref": "#/$defs"}, "bad": {"$ref": "#/%zz"}
		},
		"$defs": {
			"node": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}},
			"anchored": {"$anchor": "here", "type": "string"},
			"inner": {"$id": "inner.json", "type": "number"}
		},
		"definitions": {"a/b": {"type": "string"}, "c~d": {"type": "boolean"}, "e f%": {"type": "null"}},
		"components": [{"x": {"type": "integer", "$ref": "#/components/0/y"}, "y": {"$ref": "#/components/0/x"}}]
	}`))
	require.NoError(t, err)
	for _, child := range s.Children {
		if !strings.HasPrefix(child.Pointer, "/properties/") {
			continue
		}
		want := map[string]string{
			"tree": "/$defs/node", "self": "", "a": "/properties/b", "b": "/properties/a", "slash": "/definitions/a~1b",
			"tilde": "/definitions/c~0d", "percent": "/definitions/e f%", "anchor": "/$defs/anchored", "id": "/$defs/inner",
			"own": "/$defs/node", "note": "/components/0/x",
		}
		target, err := child.Resolve(child.Ref)
		pointer, ok := want[child.Key]
		switch {
		case ok && err != nil:
			t.Errorf("%s: %v", child.Key, err)
		case ok && target.Pointer != pointer:
			t.Errorf("%s leads to %q, want %q", child.Key, target.Pointer, pointer)
		case ok && child.Notes != nil:
			t.Errorf("%s has notes %q", child.Key, child.Notes)
		case !ok && err == nil:
			t.Errorf("%s leads to %q, want an error", child.Key, target.Pointer)
		case !ok && (len(child.Notes) != 1 || child.Notes[0].String() != "unresolved: "+err.Error()):
			t.Errorf("%s: error %v, notes %q", child.Key, err, child.Notes)
		}
	}
	// Two references within a part that the tree keeps as a note lead to each
	// other, and out of it again.
	x, _ := s.Resolve("#/components/0/x")
	y, err := x.Resolve(x.Ref)
	if err != nil || y.Kind != "ref #/components/0/x" {
		t.Fatalf("got %v, %v", y, err)
	}
	if root, err := y.Resolve("#"); err != nil || root != s {
		t.Errorf("# leads to %v, %v", root, err)
	}
}

func TestSchemaDepth(t *testing.T) {
	nested := func(n int) []byte {
		return []byte(strings.Repeat(`{"type":"object","properties":{"p":`, n) + `{"type":"string"}` + strings.Repeat("}}", n))
	}
	depth := func(s *model.Schema) (n int, last *model.Schema) {
		for last = s; len(last.Children) > 0; last = last.Children[0] {
			n++
		}
		return n, last
	}
	s, err := model.ParseSchema(nested(120))
	require.NoError(t, err)
	if n, last := depth(s); n != 120 || last.Kind != "string" {
		t.Errorf("depth %d, kind %s", n, last.Kind)
	}
	s, err = model.ParseSchema(nested(4000))
	require.NoError(t, err)
	if n, last := depth(s); n != 201 || len(last.Notes) != 1 || last.Notes[0].Kind != model.NoteTooDeep {
		t.Errorf("depth %d, notes %q", n, last.Notes)
	}
}

func TestSchemaProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := modeltest.RandomJSON(t, 5)
		s, err := model.ParseSchema([]byte(raw))
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		modeltest.CheckSchema(t, s)
		if again, _ := model.ParseSchema([]byte(raw)); drawn(again) != drawn(s) {
			t.Fatalf("%s: two trees", raw)
		}
	})
}

func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"items":[true,false]}}}`))
	f.Add([]byte(`{"x":{"y":{"$ref":"#/x/y"}},"$ref":"#/x/y","anyOf":[{"type":["a","null"]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := model.ParseSchema(raw)
		if err != nil {
			if _, ok := err.(model.Diagnostic); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		modeltest.CheckSchema(t, s)
	})
}

// TestLongKinds: a kind of more than 60 bytes is cut to its outer part.
func TestLongKinds(t *testing.T) {
	for n, want := range map[int]string{6: "array of [string, string, string, string, string, number]", 7: "array of 7 elements"} {
		list := strings.Repeat(`{"type":"string"},`, n-1) + `{"type":"number"}`
		s, err := model.ParseSchema([]byte(`{"type":"array","prefixItems":[` + list + `]}`))
		if err != nil || s.Kind != want {
			t.Errorf("%d elements: %q, %v", n, s.Kind, err)
		}
	}
	const element = `{"type":"array","items":`
	for n, want := range map[int]string{6: strings.Repeat("array of ", 6) + "string", 7: "array"} {
		s, err := model.ParseSchema([]byte(strings.Repeat(element, n) + `{"type":"string"}` + strings.Repeat("}", n)))
		if err != nil || s.Kind != want {
			t.Errorf("%d in one another: %q, %v", n, s.Kind, err)
		}
	}
}

// TestSubschemas: where a keyword keeps schemas, whatever it makes of true and false.
func TestSubschemas(t *testing.T) {
	for keyword, want := range map[string]model.Subschemas{"then": model.OneSchema, "anyOf": model.SchemaList, "properties": model.NamedSchemas, "title": 0} {
		got := model.SubschemasOf(keyword)
		if got != want || got.Has(model.OneSchema|model.SchemaList|model.NamedSchemas) != (want != 0) || got.Has(0) {
			t.Errorf("%s: %b, want %b", keyword, got, want)
		}
	}
}

// parsedNames is PropertyNames by parsing.
func parsedNames(parameters []byte) []string {
	var names []string
	c := jsontree.NewCursor(parameters, 0)
	_, _ = c.Object(func(name []byte) error {
		if string(name) == "properties" && c.Next() == '{' {
			_, err := c.Object(func(name []byte) error {
				names = append(names, string(name))
				_, err := c.Value()
				return err
			})
			return err
		}
		_, err := c.Value()
		return err
	})
	return names
}

func TestPropertyNamesEqualParsing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := []byte(modeltest.RandomJSON(t, 4))
		if _, err := jsontree.NewCursor(raw, 0).Value(); err != nil || raw[0] != '{' {
			t.Skip("not an object, or one that repeats a name")
		}
		got, want := (&model.Tool{Parameters: raw}).PropertyNames(), parsedNames(raw)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %q, want %q", raw, got, want)
		}
	})
}

func FuzzPropertyNames(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a\n":{"x":[1,"]"]},"b":true}}`))
	f.Add([]byte(`{"properties":{"`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		(&model.Tool{Parameters: raw}).PropertyNames() // no bytes make it panic or run for ever
	})
}
