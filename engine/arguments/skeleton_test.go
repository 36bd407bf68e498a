package arguments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
	"caliper/model/safetext"
)

func TestSkeleton(t *testing.T) {
	var parts []string
	for i := range 70 { // 64 of them count, the schema itself among them
		parts = append(parts, fmt.Sprintf(`{"required":["p%d"]}`, i))
	}
	if got := Skeleton([]byte(`{"allOf":[` + strings.Join(parts, ",") + `]}`)); strings.Count(string(got), `"p`) != 63 {
		t.Errorf("of 70 parts: %s", got)
	}
	nested := `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`
	tests := []struct{ name, schema, want string }{
		{"no schema", ``, `{}`},
		{"not JSON", `{"a`, `{}`},
		{"not an object", `[1]`, `{}`},
		{"nothing required", `{"properties":{"a":{"type":"string"}}}`, `{}`},
		{"types", `{"properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"a":{"type":"array"},"o":{"type":"object"},"z":{"type":"null"},"u":{}},
			"required":["z","u","s","i","n","b","a","o"]}`, `{"s":"","i":0,"n":0,"b":false,"a":[],"o":{},"z":null,"u":""}`},
		{"order of the schema", `{"properties":{"b":{},"a":{}},"required":["a","b","c"]}`, `{"b":"","a":"","c":""}`},
		{"first type that is not null", `{"properties":{"v":{"type":["null","integer"]},"w":{"type":["null"]}},"required":["v","w"]}`, `{"v":0,"w":null}`},
		{"constant", `{"properties":{"v":{"const":{"a" : [1.50]}}},"required":["v"]}`, `{"v":{"a":[1.50]}}`},
		{"enum", `{"properties":{"v":{"enum":["x","y"]}},"required":["v"]}`, `{"v":"x"}`},
		{"default", `{"properties":{"v":{"type":"integer","default":10}},"required":["v"]}`, `{"v":10}`},
		{"default of an enum", `{"properties":{"v":{"enum":["x","y"],"default":"y"},"w":{"enum":["x"],"default":"z"}},"required":["v","w"]}`, `{"v":"y","w":"x"}`},
		{"default of null", `{"properties":{"v":{"type":"string","default":null}},"required":["v"]}`, `{"v":""}`},
		{"example", `{"properties":{"v":{"type":"string","pattern":"^[a-z]+/[a-z]+$","examples":["a/b"]}},"required":["v"]}`, `{"v":"a/b"}`},
		{"bounds", `{"properties":{"a":{"type":"integer","minimum":1},"b":{"type":"number","maximum":-2.5},"c":{"type":"integer","exclusiveMinimum":0.5},"d":{"type":"integer","exclusiveMaximum":0},"e":{"type":"integer","minimum":-5}},
			"required":["a","b","c","d","e"]}`, `{"a":1,"b":-2.5,"c":1,"d":-1,"e":0}`},
		{"nested", `{"properties":{"v":` + nested + `},"required":["v"]}`, `{"v":{"b":0}}`},
		{"items that must be", `{"properties":{"v":{"type":"array","minItems":2,"items":` + nested + `}},"required":["v"]}`, `{"v":[{"b":0},{"b":0}]}`},
		{"three items at most", `{"properties":{"v":{"minItems":1e9,"items":{"type":"null"}},"w":{"minItems":9,"items":{"type":"null"}}},"required":["v","w"]}`, `{"v":[],"w":[null,null,null]}`},
		{"tuple", `{"properties":{"v":{"minItems":2,"prefixItems":[{"const":1}],"items":{"const":2}},"w":{"minItems":2,"items":[{"const":1}],"additionalItems":{"const":2}}},"required":["v","w"]}`, `{"v":[1,2],"w":[1,2]}`},
		{"reference", `{"properties":{"v":{"$ref":"#/$defs/a~1b%20c"}},"required":["v"],"$defs":{"a/b c":` + nested + `}}`, `{"v":{"b":0}}`},
		{"reference that leads nowhere", `{"properties":{"v":{"$ref":"#/$defs/x"},"w":{"$ref":"file:///x"}},"required":["v","w"]}`, `{"v":"","w":""}`},
		{"first alternative", `{"properties":{"v":{"oneOf":[` + nested + `,{"type":"string"}]},"w":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["v","w"]}`, `{"v":{"b":0},"w":0}`},
		{"required by the first alternative", `{"properties":{"a":{},"b":{}},"anyOf":[{"required":["b"]},{"required":["a"]}]}`, `{"b":""}`},
		{"all of allOf", `{"allOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},{"required":["b"],"properties":{"b":{"const":1}}}]}`, `{"a":0,"b":1}`},
		{"type from keywords", `{"properties":{"v":{"properties":{}},"w":{"items":{}},"x":{"minimum":3}},"required":["v","w","x"]}`, `{"v":{},"w":[],"x":3}`},
		{"required and not described", `{"required":["v"],"additionalProperties":{"type":"integer"}}`, `{"v":0}`},
		{"circle", `{"properties":{"v":{"$ref":"#/properties/v"}},"required":["v"]}`, `{"v":""}`},
		{"characters", `{"properties":{"\u001b[2J\u202e\"\\\n\té🚢\u200b\udb40\udc41\udb40\udd00":{"const":"\u009b\u0000"}},"required":["\u001b[2J\u202e\"\\\n\té🚢\u200b\udb40\udc41\udb40\udd00"]}`,
			`{"\u001b[2J\u202e\"\\\n\té🚢\u200b\udb40\udc41\udb40\udd00":"\u009b\u0000"}`},
		{"keywords of wrong types", `{"properties":[1],"required":"v","allOf":{},"oneOf":[5],"$ref":[]}`, `{}`},
		{"wrong types inside", `{"properties":{"v":{"type":5,"enum":{},"minItems":"x","examples":[]},"w":5},"required":["v","w",1]}`, `{"v":"","w":""}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Skeleton([]byte(test.schema))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestSkeletonRecursion checks that schemas without a finite example, or with
// a very large one, end.
func TestSkeletonRecursion(t *testing.T) {
	doubling := `{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"l":{"$ref":"#/$defs/a"},"r":{"$ref":"#/$defs/a"}},"required":["l","r"]}}}`
	for _, schema := range []string{
		`{"properties":{"next":{"$ref":"#"}},"required":["next"]}`,
		doubling,
		`{"properties":{"v":{"minItems":3,"items":{"$ref":"#/properties/v"}}},"required":["v"]}`,
		`{"allOf":[{"$ref":"#"}]}`,
	} {
		got := Skeleton([]byte(schema))
		if !json.Valid(got) || len(got) > 2*maxSkeletonBytes {
			t.Errorf("%s: %d bytes: %.200s", schema, len(got), got)
		}
	}
}

// TestSkeletonFits checks that skeletons fit the schemas they are made for.
func TestSkeletonFits(t *testing.T) {
	v := NewValidator()
	rapid.Check(t, func(t *rapid.T) {
		schema, _ := drawSchema(t, 4)
		if schema["type"] == "string" {
			return // lengths of strings are not promised
		}
		whole := mustMarshal(map[string]any{"properties": map[string]any{"v": schema}, "required": []string{"v"}})
		got := Skeleton(whole)
		if text := string(got); text != safetext.Line(text) {
			t.Fatalf("%s: not safe for a terminal: %q", whole, text)
		}
		for _, p := range v.Validate(whole, got) {
			if !strings.Contains(p.Message, "character") {
				t.Fatalf("%s\n%s\n%s", whole, got, p)
			}
		}
	})
}

// TestRealSchemas checks the schemas of real servers: all compile whole, and
// every skeleton fits but for what no skeleton promises.
func TestRealSchemas(t *testing.T) {
	tools := realTools(t)
	v := NewValidator()
	unfit := 0
	for _, tool := range tools {
		got := Skeleton(tool.Parameters)
		if !json.Valid(got) || bytes.ContainsAny(got, "\x1b\x9b") {
			t.Errorf("%s: %s", tool.Name, got)
		}
		found := v.Validate(tool.Parameters, got)
		for _, p := range found {
			switch {
			case p.Uncheckable:
				t.Errorf("%s: %s", tool.Name, p)
			case strings.Contains(p.Message, "character"), strings.Contains(p.Message, "must match"),
				strings.Contains(p.Message, "is not a valid"), strings.Contains(p.Message, "fits none"):
			default:
				t.Errorf("%s: %s: %s", tool.Name, got, p)
			}
		}
		if len(found) > 0 {
			unfit++
		}
	}
	t.Logf("%d of %d skeletons need text that fits a length, pattern or format", unfit, len(tools))
	if unfit > len(tools)/10 {
		t.Errorf("%d of %d skeletons do not fit", unfit, len(tools))
	}
}

// realTool is a tool of a real server.
type realTool struct {
	Name       string
	Parameters json.RawMessage
}

// realTools reads the tools of real servers. The test is skipped where they
// are not at hand.
func realTools(t testing.TB) []realTool {
	t.Helper()
	data, err := os.ReadFile("../../../shared/registries/registry.json")
	if err != nil {
		t.Skip("no shared registry")
	}
	var dump struct{ Tools []struct{ Function realTool } }
	require.NoError(t, json.Unmarshal(data, &dump))
	var out []realTool
	for _, tool := range dump.Tools {
		out = append(out, tool.Function)
	}
	return out
}

func TestSkeletonText(t *testing.T) {
	tests := []struct{ schema, want string }{
		{`{"type":"string","format":"date"}`, `{"x":"2026-01-31"}`},
		{`{"type":"string","format":"uuid"}`, `{"x":"00000000-0000-4000-8000-000000000000"}`},
		{`{"type":"string","minLength":3}`, `{"x":"xxx"}`},
		{`{"type":"string","minLength":-1}`, `{"x":""}`},
		{`{"type":"string","format":"unknown"}`, `{"x":""}`},
	}
	for _, test := range tests {
		schema := []byte(`{"type":"object","properties":{"x":` + test.schema + `},"required":["x"]}`)
		if got := string(Skeleton(schema)); got != test.want {
			t.Errorf("%s: %s, want %s", test.schema, got, test.want)
		}
	}
	for format, example := range exampleOf {
		schema := []byte(`{"properties":{"x":{"type":"string","format":"` + format + `"}}}`)
		if problems := NewValidator().Validate(schema, []byte(`{"x":"`+example+`"}`)); len(problems) > 0 {
			t.Errorf("the example of %s: %v", format, problems)
		}
	}
}

// TestUnfit: what of some arguments a program that reads them would not get, and where.
func TestUnfit(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"integer"},"l":{"items":{"properties":{"x":{}}}},"o":{"additionalProperties":{}},"r":{"$ref":"#/$defs/d"},"e":{"properties":{}}},
		"anyOf":[{"properties":{"any":{}}}],"if":{"properties":{"if":{}}},"then":{"properties":{"then":{}}},"dependentSchemas":{"a":{"properties":{"dep":{}}}},
		"required":["a"],"$defs":{"d":{"properties":{"y":{}}}}}`
	for args, want := range map[string]string{
		`{"a":1}`: "", `{"a":1,"any":1,"if":2,"then":3,"dep":4}`: "", `{"a":1,"b":2}`: "b: no such parameter", `{"a":1,"l":[{"x":1},{"z":1}]}`: "l[1].z: no such parameter",
		`{"a":1,"o":{"z":1},"e":{"z":1}}`: "", `{"a":1,"r":{"y":1,"z":1}}`: "r.z: no such parameter", `{"a":1,"a":2}`: `: "a" is given twice`, `{"a":1,"o":{"n":[0,NaN]}}`: "o.n[1]: NaN is not a number of JSON",
		`{"any":1}`: "a: required",
	} {
		var got []string
		for _, p := range NewValidator().unfit([]byte(schema), []byte(args)) {
			got = append(got, p.Path+": "+p.Message)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
