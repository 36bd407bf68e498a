package arguments

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// wholly reports whether Validate finds nothing in a schema that it cannot check.
func wholly(schema []byte) bool {
	for _, p := range NewValidator().Validate(schema, []byte("{}")) {
		if p.Uncheckable {
			return false
		}
	}
	return true
}

func TestCheckable(t *testing.T) {
	deep := strings.Repeat(`{"items":`, plainDepth+2) + "{}" + strings.Repeat("}", plainDepth+2)
	tests := []struct {
		schema string
		want   bool
	}{
		{`{}`, true},
		{` { "type" : [ "object", "null" ], "properties": {"a\u0062": {"type":"string","enum":["x","y",1,-2.5]}}, "required": ["a"] } `, true},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","additionalProperties":false}`, true},
		{`{"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"number","minimum":-1.5}},{"type":"null"}],"default":{"x":[null,true,1]}}}}`, true},
		{`{"properties":{"$ref":{"type":"string","format":"date","minLength":1}}}`, true},
		{`{"$ref":"#/$defs/a"}`, false},
		{`{"$schema":"nothing"}`, false},
		{`{"items":{"$schema":"http://json-schema.org/draft-07/schema#"}}`, false},
		{`{"type":"any"}`, false},
		{`{"type":["string","string"]}`, false},
		{`{"type":[]}`, false},
		{`{"properties":{"a":"string"}}`, false},
		{`{"properties":[]}`, false},
		{`{"required":"a"}`, false},
		{`{"required":["a","\u0061"]}`, false},
		{`{"minLength":-1}`, false},
		{`{"minLength":1.5}`, false},
		{`{"maximum":"3"}`, false},
		{`{"maximum":1e400}`, false},
		{`{"enum":[1e400]}`, false},
		{`{"default":1e400}`, false},
		{`{"anyOf":[]}`, false},
		{`{"anyOf":{}}`, false},
		{`{"description":1}`, false},
		{`{"additionalProperties":"no"}`, false},
		{`{"items":[{}]}`, false},
		{`{"pattern":"(?=a)"}`, false},
		{`{"not":{}}`, false},
		{`[]`, false},
		{`{"properties":{"a":{"pattern":{"b":"\\\""}}},"required":["\\"]}`, false}, // where the walk ends, nothing is a string
		{``, false},
		{deep, false},
		{`{"properties":{` + strings.Repeat(`"a":{"enum":["b"]},`, 1000) + `"c":{}}}`, false},
	}
	for _, tt := range tests {
		if got := Checkable([]byte(tt.schema)); got != tt.want || got && !wholly([]byte(tt.schema)) {
			t.Errorf("%.100s: %t, want %t; validated %t", tt.schema, got, tt.want, wholly([]byte(tt.schema)))
		}
	}
}

// A checkable schema is checked, whatever the values of keywords are.
func TestCheckableIsChecked(t *testing.T) {
	value := rapid.SampledFrom([]string{`"string"`, `"object"`, `["string","null"]`, `["a","b"]`, `["a","a"]`, `1`, `-1`, `2.5`, `0.0`,
		`1e2`, `123456789012`, `true`, `null`, `{}`, `[]`, `[{}]`, `[1,"1",1.0]`, `{"a":{}}`, `{"a":1}`, `{"type":"integer"}`})
	keywords := []string{"type", "description", "title", "format", "properties", "items", "anyOf", "additionalProperties", "required", "enum",
		"default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "$schema", "$ref", "pattern", "oneOf"}
	rapid.Check(t, func(t *rapid.T) {
		var schema func(depth int) string
		schema = func(depth int) string {
			var members []string
			for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom(keywords), 0, 3, rapid.ID).Draw(t, "keywords") {
				v := value.Draw(t, "value")
				if depth < 3 && rapid.Bool().Draw(t, "inside") {
					v = schema(depth + 1)
					switch k {
					case "properties":
						v = `{"p":` + v + `}`
					case "anyOf":
						v = `[` + v + `]`
					}
				}
				members = append(members, fmt.Sprintf("%q:%s", k, v))
			}
			return "{" + strings.Join(members, ", ") + "}"
		}
		if s := schema(0); Checkable([]byte(s)) && !wholly([]byte(s)) {
			t.Fatalf("%s is not checked", s)
		}
	})
}

// Most schemas of real servers are plain, and the verdicts on them are true.
func TestCheckableServers(t *testing.T) {
	data, err := os.ReadFile("../../../shared/registries/registry.json")
	if err != nil {
		t.Skip("the shared registry is not here")
	}
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: data})
	require.NoError(t, err)
	plain := 0
	for i, tool := range r.Tools {
		if !Checkable(tool.Parameters) {
			continue
		}
		if plain++; i%8 == 0 && !wholly(tool.Parameters) {
			t.Errorf("%s is not checked", tool.Name)
		}
	}
	if 2*plain < len(r.Tools) {
		t.Errorf("%d of %d schemas are plain", plain, len(r.Tools))
	}
	t.Logf("%d of %d schemas are plain", plain, len(r.Tools))
}
