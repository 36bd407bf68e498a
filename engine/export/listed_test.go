package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// kinds returns the kinds of changes, and the names in them.
func kinds(changes []Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, strings.TrimSpace(string(c.Kind)+" "+c.Name))
	}
	return strings.Join(out, ", ")
}

// TestInputSchema: each form that a TypeScript client refuses, and the one listed for it.
func TestInputSchema(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ given, want, kinds string }{
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, "", ""},
		{`{ "type":"object", "maximum":9007199254740993 }`, "", ""},
		{`{"type":"object","properties":{"a":{"properties":{"b":true}}}}`, "", ""}, // further in
		{`{"type":"object","anyOf":[{"required":["a"]}]}`, "", ""},
		{``, AnySchema, ""},
		{`{}`, AnySchema, ""},
		{`true`, AnySchema, "no_schema"},
		{`null`, AnySchema, "no_schema"},
		{`{"type":"object","properties":{"a":true,"b":false,"c":null,"d":"string","e":[],"f":{"x":1}}}`,
			`{"type":"object","properties":{"a":{},"b":{"not":{}},"c":{},"d":{},"e":{},"f":{"x":1}}}`, "property a, property b, property c, property d, property e"},
		{`{"properties":{}}`, `{"properties":{},"type":"object"}`, "root_type"},
		{`{"type":"string"}`, `{"type":"object"}`, "root_type"},
		{`{"type":["object","null"]}`, `{"type":"object"}`, "root_type"},
		{`{"anyOf":[{"type":"object"}]}`, `{"anyOf":[{"type":"object"}],"type":"object"}`, "root_type"},
		{`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"a":true}}}}`,
			`{"$defs":{"A":{"type":"object","properties":{"a":{}}}},"type":"object","properties":{"a":{}}}`, "root_ref, property a"},
		{`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B~1"},"B/":{"type":"object"}}}`, `{"$defs":{"A":{"$ref":"#/$defs/B~1"},"B/":{"type":"object"}},"type":"object"}`, "root_ref"},
		{`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}}`, `{"$defs":{"A":{"$ref":"#/$defs/A"}},"type":"object"}`, "root_ref, root_type"},
		{`{"$ref":"https://example.com/a"}`, `{"$ref":"https://example.com/a","type":"object"}`, "root_type"},
		{`{"type":"object","$ref":"#"}`, "", ""},
		{`{"type":"object","$ref":"#/$defs/A","$defs":{"A":{"required":["a"]}}}`, `{"type":"object","$defs":{"A":{"required":["a"]}},"required":["a"]}`, "root_ref"},
		{`{"type":"object","x\u002dmcp-header":"A"}`, `{"type":"object"}`, "header"},
		{`{"type":"object","properties":null}`, `{"type":"object"}`, "properties"},
		{`{"type":"object","properties":[]}`, `{"type":"object"}`, "properties"},
		{`{"type":"object","required":null}`, `{"type":"object"}`, "required"},
		{`{"type":"object","required":"a"}`, `{"type":"object"}`, "required"},
		{`{"type":"object","required":["a",1]}`, `{"type":"object","required":["a"]}`, "required"},
		{`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"integer","x-mcp-header":"A-1"}}}}}`, "", ""},
		{`{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"boolean","x-mcp-header":"B"},"d":{"type":"boolean","x-mcp-header":"b"}}},"e":{"type":"string","x-mcp-header":"E:"},"f":{"type":"string","x-mcp-header":7},"g":{"x-mcp-header":"G"}}}`,
			`{"type":"object","properties":{"a":{"type":"number"},"b":{"properties":{"c":{"type":"boolean","x-mcp-header":"B"},"d":{"type":"boolean"}}},"e":{"type":"string"},"f":{"type":"string"},"g":{}}}`, "header a, header d, header e, header f, header g"},
		{`{"type":"object","x-mcp-header":"R","properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"I"}},"b":{"anyOf":[{"properties":{"c":{"type":"string","x-mcp-header":"C"}}}],"default":{"x-mcp-header":"D"}}},"$defs":{"e":{"type":"string","x-mcp-header":"E"}}}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"anyOf":[{"properties":{"c":{"type":"string"}}}],"default":{"x-mcp-header":"D"}}},"$defs":{"e":{"type":"string"}}}`, "header, header items, header c, header e"},
		{`{"type":"object","$schema":1}`, `{"type":"object"}`, "dialect"},
		{`{"type":"object","properties":{"a":true},"maximum":9007199254740993}`, `{"type":"object","properties":{"a":{}},"maximum":9007199254740993}`, "property a"},
	} {
		want := c.want
		if want == "" {
			want = c.given
		}
		got, changes := ListedInput(json.RawMessage(c.given))
		if string(got) != want || kinds(changes) != c.kinds {
			t.Errorf("%s: %s, %s; want %s, %s", c.given, got, kinds(changes), want, c.kinds)
		}
		if again, more := ListedInput(got); string(again) != string(got) || len(more) > 0 {
			t.Errorf("%s: the second time %s, %s", c.given, again, kinds(more))
		}
	}
}

// TestOutputSchema: what clients of 1.x cannot compile they are not listed.
func TestOutputSchema(t *testing.T) {
	t.Parallel()
	of := func(property string) string { return `{"type":"object","properties":{"a":` + property + `}}` }
	for _, c := range []struct{ given, want, kinds string }{
		{of(`{"type":"integer"}`), "same", ""},
		{of(`{"type":"string","pattern":"^[a-z}]{2,3}\\d(?:x|y)\\{$"}`), "same", ""},
		{of(`{"type":"array","items":[{"type":"string"}]}`), "", "not_compiled"}, // of draft 7, which it does not name
		{of(`{"type":"string","format":"uint64","example":1}`), "same", ""},
		{of(`{"$ref":"#/properties/b"},"b":{"type":"string"}`), "same", ""},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, "same", ""},
		{`{"type":"object","properties":{"id":{"type":"string"}}}`, "same", ""}, // a property of that name
		{of(`true`), of(`{}`), "property a"},
		{`{"properties":{"a":{}}}`, `{"properties":{"a":{}},"type":"object"}`, "root_type"},
		{`null`, "", "no_schema"},
		{`true`, "", "no_schema"},
		{`{}`, "", "not_object"},
		{`{"type":"array","items":{}}`, "", "not_object"},
		{`{"anyOf":[{"type":"object"}]}`, "", "not_object"},
		{of(`{"type":"strin"}`), "", "not_compiled"},
		{of(`{"pattern":"(?i)x"}`), "", "not_compiled"},
		{of(`{"pattern":"(?P<y>x)"}`), "", "not_compiled"},
		{of(`{"pattern":"\\A\\_x"}`), "", "not_compiled"},
		{of(`{"pattern":"a{,3}}"}`), "", "not_compiled"},
		{of(`{"patternProperties":{"(?i)x":{}}}`), "", "not_compiled"},
		{of(`{"$ref":"#/$defs/B"}`), "", "not_compiled"},
		{of(`{"$ref":"https://example.com/s.json"}`), "", "not_compiled"},
		{of(`{"type":"object","required":null}`), "", "not_compiled"},
		{of(`{"type":"object","properties":null}`), "", "not_compiled"},
		{of(`{"exclusiveMinimum":true}`), "", "not_compiled"},
		{of(`{"enum":[]}`), "", "not_compiled"},
		{of(`{"nullable":true}`), "", "not_compiled"},
		{of(`{"anyOf":[{"id":["x"]}]}`), "", "not_compiled"},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"minimum":1,"exclusiveMinimum":true}}}`, "", "not_compiled"},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","properties":{"a":{"type":["strin"],"minimum":"1"}}}`, "", "not_compiled"},
		{of(`{"dependencies":[]}`), "", "not_compiled"},
		{of(`{"type":"array","prefixItems":[{"type":"string"}],"items":false}`), "", "misread"},
		{of(`{"anyOf":[{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}]}`), "", "misread"},
		{of(`{"type":"array","prefixItems":[{"type":"string"}],"items":{}}`), "same", ""},
		{of(`{"type":"array","contains":{"type":"number"},"minContains":0}`), "", "misread"},
		{of(`{"type":"array","prefixItems":[{"type":"string"}],"items":true,"contains":{"type":"string"},"minContains":1}`), "same", ""},
		{of(`{"items":{"additionalItems":null}}`), "", "not_compiled"},
		{of(`{"type":"string","format":null}`), "", "not_compiled"},
		{of(`{"type":"string","nullable":"true"}`), "", "not_compiled"},
		{of(`{"type":["null"],"nullable":false}`), "", "not_compiled"},
		{of(`{"type":"string","nullable":false}`), "same", ""},
		{of(`{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"enum":{},"minimum":{"type":"string"}}}}`), "same", ""},
		{of(`{"formatMinimum":"2026-01-01"}`), "", "not_compiled"},
		{of(`{"$id":1}`), "", "not_compiled"},
		{of(`{"$anchor":"#a"}`), "", "not_compiled"},
		{of(`{"$anchor":"a","$dynamicAnchor":null,"x":{"minimum":"1"}}`), "same", ""},
		{of(`{"$async":true}`), "", "not_compiled"},
		{`{"type":"object","id":"https://example.com/a"}`, "", "not_compiled"},
	} {
		want := c.want
		if want == "same" {
			want = c.given
		}
		if got, changes := listedOutput(json.RawMessage(c.given)); string(got) != want || kinds(changes) != c.kinds {
			t.Errorf("%s: %s, %s; want %s, %s", c.given, got, kinds(changes), want, c.kinds)
		}
	}
}

// TestTakesTheSame: arguments that fit a schema fit the one listed for it.
func TestTakesTheSame(t *testing.T) {
	t.Parallel()
	v := arguments.NewValidator()
	pick := func(values ...string) *rapid.Generator[string] { return rapid.SampledFrom(values) }
	rapid.Check(t, func(t *rapid.T) {
		schema := fmt.Sprintf(`{%s"properties":{"a":%s,"b":%s},"required":%s,%s"$defs":{"A":{"type":"object","properties":{"c":true},"required":["c"]}}}`,
			pick(`"type":"object",`, `"type":["object","null"],`, ``).Draw(t, "type"), pick(`true`, `false`, `{"type":"string"}`).Draw(t, "a"), pick(`true`, `{"type":"integer"}`).Draw(t, "b"),
			pick(`[]`, `["a"]`, `["a","b"]`).Draw(t, "required"), pick(``, `"$ref":"#/$defs/A",`, `"anyOf":[{"required":["b"]},{}],`).Draw(t, "more"))
		args := fmt.Sprintf(`{%s"b":%s}`, pick(``, `"a":"x",`, `"a":1,`, `"c":1,`, `"a":"x","c":1,`).Draw(t, "args"), pick(`1`, `"x"`, `null`).Draw(t, "args of b"))
		listed, _ := ListedInput(json.RawMessage(schema))
		if len(v.Validate([]byte(schema), []byte(args))) == 0 {
			if wrong := v.Validate(listed, []byte(args)); len(wrong) > 0 {
				t.Fatalf("%s fits %s and not %s: %v", args, schema, listed, wrong)
			}
		}
	})
}

// said parses a registry and returns the server's words about its first tool.
func said(t *testing.T, name, registry string) (string, []Change) {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: name, Data: []byte(registry)})
	require.NoError(t, err)
	members, changes := ListedBesides(r, r.Tools[0])
	for _, m := range Defined(r, r.Tools[0]).Beside {
		if slices.Contains(outputSpellings, m.Name) {
			t.Errorf("%s is spelled %s", outputSchema, m.Name)
		}
	}
	out := ""
	for _, m := range members {
		out += m.Name + "=" + string(m.Value) + " "
	}
	return strings.TrimSpace(out), changes
}

// TestSaid: what a server says of a tool is read from a dump and from a listing, and what
// is of another type than MCP has is left out by itself.
func TestSaid(t *testing.T) {
	t.Parallel()
	const all = `"title":"T","annotations":{"readOnlyHint":true,"x":[1]},"_meta":{"a":1},"icons":[{"src":"https://example.com/a.png","sizes":["48x48"],"theme":"dark"}],` +
		`"execution":{"taskSupport":"optional"},"outputSchema":{"type":"object"},"newer":1`
	const want = `title="T" icons=[{"src":"https://example.com/a.png","sizes":["48x48"],"theme":"dark"}] outputSchema={"type":"object"} annotations={"readOnlyHint":true,"x":[1]} ` +
		`execution={"taskSupport":"optional"} _meta={"a":1}`
	listing := func(members string) string {
		return `{"tools":[{"name":"moor","inputSchema":{"type":"object"},` + members + `},{"name":"tow","title":"Tow","inputSchema":{}}]}`
	}
	for name, c := range map[string]struct{ registry, want, kinds string }{
		"a listing":                {listing(all), want, ""},
		"a dump":                   {`{"tools":[{"type":"function","function":{"name":"mcp_a_moor"},"toolset":"mcp-a","source":"mcp",` + all + `}]}`, want, ""},
		"a dump of an agent":       {`{"tools":[{"type":"function","function":{"name":"moor"},"toolset":"a","output_schema":{"type":"object"}}]}`, `outputSchema={"type":"object"}`, ""},
		"tools of a request":       {`[{"type":"function","function":{"name":"moor"}}]`, "", ""},
		"nothing":                  {listing(`"description":"M"`), "", ""},
		"an export":                {`{"tools":[{"name":"moor","inputSchema":{"type":"object"},"_meta":{"caliper/server":"a","b":2}}],"_meta":{"caliper/names":"final"}}`, `_meta={"b":2}`, ""},
		"a title of no text":       {listing(`"title":7`), "", "bad_member"},
		"null":                     {listing(`"title":null,"annotations":null,"_meta":null,"icons":null,"execution":null,"outputSchema":null`), "", "bad_member, bad_member, no_schema, bad_member, bad_member, bad_member"},
		"a hint of no boolean":     {listing(`"annotations":{"readOnlyHint":"yes","destructiveHint":false,"title":null}`), `annotations={"destructiveHint":false}`, "bad_member readOnlyHint, bad_member title"},
		"lists for objects":        {listing(`"annotations":[],"_meta":[],"execution":[]`), "", "bad_member, bad_member, bad_member"},
		"an icon of nothing":       {listing(`"icons":[{"src":"https://example.com/a"},{},{"src":"x","sizes":"48x48"},{"src":"x","theme":"blue"},{"src":"x","mimeType":null}]`), `icons=[{"src":"https://example.com/a"}]`, "bad_member icon"},
		"a support of no kind":     {listing(`"execution":{"taskSupport":"always"}`), "", "bad_member"},
		"an outputSchema of lists": {listing(`"outputSchema":{"type":"array"}`), "", "not_object"},
	} {
		if got, changes := said(t, "a.json", c.registry); got != c.want || kinds(changes) != c.kinds {
			t.Errorf("%s: %s, %s; want %s, %s", name, got, kinds(changes), c.want, c.kinds)
		}
	}
}

// FuzzSchemas: whatever a schema is, the listed one is taken by clients, and is JSON.
func FuzzSchemas(f *testing.F) {
	for _, s := range []string{`{}`, `{"$ref":"#/a/b","a":{"b":{"$ref":"#"}}}`, `{"properties":{"a":null},"required":[1]}`, `[`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		got, _ := ListedInput(raw)
		if _, again := ListedInput(got); !json.Valid(got) || len(again) > 0 && !strings.Contains(string(got), `$ref`) {
			t.Errorf("%s is listed as %s", raw, got)
		}
		if out, _ := listedOutput(raw); out != nil && !json.Valid(out) {
			t.Errorf("%s is listed as %s", raw, out)
		}
	})
}

// TestChangeMessages: every change says what clients do not take, and what is listed.
func TestChangeMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		Change
		want string
	}{
		{Change{Kind: changeNoSchema, Member: "inputSchema"}, "inputSchema is not an object: one that takes anything is listed"},
		{Change{Kind: changeNoSchema, Member: outputSchema}, "outputSchema is not an object: none is listed"},
		{Change{Kind: changeRootType, Member: "inputSchema"}, `inputSchema has another type than "object", or none: "object" is listed`},
		{Change{Kind: changeRootRef, Member: "inputSchema"}, "inputSchema is a $ref: what it leads to is listed"},
		{Change{Kind: changeProperties, Member: "inputSchema"}, "inputSchema has properties that are not an object: none are listed"},
		{Change{Kind: changeProperty, Member: "inputSchema", Name: "p"}, "inputSchema has a property whose schema is not an object, p: an object that takes the same is listed"},
		{Change{Kind: changeRequired, Member: "inputSchema"}, "inputSchema has a required that is not a list of names: the names in it are listed"},
		{Change{Kind: changeDialect, Member: "inputSchema"}, "inputSchema has a $schema that is not a text: none is listed"},
	} {
		if got := c.Message(); got != c.want {
			t.Errorf("%s: %s, want %s", c.Kind, got, c.want)
		}
	}
}
