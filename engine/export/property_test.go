package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/jsontree"
	_ "caliper/model/require"
	"caliper/model/shapes"
)

// drawnTool is a tool as a generator made it.
type drawnTool struct {
	name, description, parameters string // JSON; "" for what is left out
	deferred, unavailable         bool
	beside                        []string // names of what its entry says besides
}

// draw returns one of some values.
func draw(t *rapid.T, label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(t, label)
}

// often returns true in n of ten cases.
func often(t *rapid.T, n int, label string) bool { return rapid.IntRange(1, 10).Draw(t, label) <= n }

// drawTool draws a tool.
func drawTool(t *rapid.T) drawnTool {
	d := drawnTool{
		name: draw(t, "name", `"a"`, `"b_c"`, `"a.b:c"`, `"caf\u00e9"`, `"cafe\u0301"`, `"工具"`, `"mcp_s_t"`, `"mcp__s__t"`, `"x y"`, `"<&\u2028>"`, `"\ud83d\ude00"`, `"\"\\"`, `"__proto__"`,
			`"`+strings.Repeat("n", 130)+`"`),
		description: draw(t, "description", "", `""`, `null`, `"Reads <it> & more.\n"`, `"\u0000\u001b[31m\u202e"`, `"\ud800 half"`, `"\/ é \ud83d\ude00"`),
	}
	if often(t, 9, "has parameters") {
		d.parameters = drawSchema(t, 3)
		if often(t, 8, "of an object") {
			d.parameters = drawObject(t, 2)
		}
	}
	for _, name := range []string{"title", "annotations", "outputSchema", "cache_control", "x-own"} {
		if often(t, 3, name) {
			d.beside = append(d.beside, name)
		}
	}
	d.deferred = often(t, 2, "deferred")
	return d
}

// entry returns the entry of a tool in a form.
func (d *drawnTool) entry(t *rapid.T, form string) string {
	var list []string
	add := func(name, value string) {
		if value != "" {
			list = append(list, fmt.Sprintf("%q:%s", name, value))
		}
	}
	if form == "dump" {
		add("name", d.name)
		add("description", d.description)
		add("parameters", d.parameters)
		function := "{" + strings.Join(list, ", ") + "}"
		list = nil
		add("type", `"function"`)
		add("function", function)
		if often(t, 7, "in a toolset") {
			add("toolset", draw(t, "toolset", `"s"`, `"mcp-s"`, `"\u00fc"`))
			add("server", draw(t, "server", "", `"s"`))
			add("original_name", draw(t, "original", "", `"a"`, `"z"`))
		}
		if d.unavailable = often(t, 2, "unavailable"); d.unavailable {
			add("available", "false")
		}
	} else {
		add("name", d.name)
		add("description", d.description)
		add(form, d.parameters)
		if form == "parameters" {
			add("type", `"function"`)
		} else if d.parameters == "" {
			add(form, "null")
		}
	}
	if d.deferred {
		add("defer_loading", "true")
	}
	for _, name := range d.beside {
		add(name, draw(t, "value", `1e2`, `"x"`, `{"b":[null],"a":-0.0}`, `[18446744073709551615]`))
	}
	return "{" + strings.Join(list, ",\n") + "}"
}

func quote(s string) string { return string(jsontree.Encode(s)) }

// drawRegistry draws tools and the text of a registry of them.
func drawRegistry(t *rapid.T) ([]drawnTool, string) {
	form := draw(t, "form", "dump", "inputSchema", "input_schema", "parameters")
	tools := make([]drawnTool, rapid.IntRange(0, 4).Draw(t, "tools"))
	var entries []string
	for i := range tools {
		tools[i] = drawTool(t)
		entries = append(entries, tools[i].entry(t, form))
	}
	text := `"tools":[` + strings.Join(entries, ", ") + "]}"
	if form == "dump" {
		return tools, `{"toolsets":{"s":` + draw(t, "s", "[]", `{"tools":["a","ghost"],"version":"1"}`, `{"description":"D","includes":["mcp-s"],"title":"T"}`) + `},` + text
	}
	return tools, "{" + text
}

// drawObject draws a schema of an object.
func drawObject(t *rapid.T, depth int) string {
	var properties, names []string
	for _, name := range []string{"a", "b", "$ref", "type", "工 具"} {
		if often(t, 4, "property") {
			properties = append(properties, quote(name)+": "+drawSchema(t, depth-1))
			names = append(names, name)
		}
	}
	out := `{"type":"object","properties":{` + strings.Join(properties, ",") + "}"
	if len(names) > 0 && often(t, 5, "required") {
		out += `,"required":[` + quote(draw(t, "required name", names...)) + "]"
	}
	if often(t, 2, "description") {
		out += `,"description":"an \u00f6bject"`
	}
	if often(t, 1, "more") {
		out += `,"additionalProperties":` + drawSchema(t, 0)
	}
	if often(t, 3, "definitions") {
		out += `,"$defs":{"x":` + drawSchema(t, 1) + `,"y":{"type":"string","title":"Y"},"z":` + drawObject(t, 0) + `}`
	}
	return out + "}"
}

// drawSchema draws a schema of anything.
func drawSchema(t *rapid.T, depth int) string {
	simple := []string{
		`{"type":"string"}`, `{"type":"string","minLength":1,"description":"d"}`, `{"type":"integer","minimum":1,"default":1.0}`, `{"type":"number","maximum":2.5e0,"title":"T"}`,
		`{"type":"boolean"}`, `{"type":["string","null"],"default":null}`, `{"type":["integer","string"]}`, `{"type":["number","boolean","null"],"minimum":0}`, `{"enum":["a","b"]}`, `{"enum":["a",null]}`,
		`{"type":"string","enum":["a"]}`, `{"type":["string","null"],"enum":["a"]}`, `{"const":"a"}`, `{"enum":[1,"a"]}`, `{"type":"null"}`, `{}`, `true`, `false`, `{"type":"array"}`,
		`{"$ref":"#/$defs/x"}`, `{"$ref":"#/$defs/y","description":"mine"}`, `{"$ref":"#/$defs/z"}`, `{"$ref":"#"}`, `{"type":"string","format":"uri"}`, `{"type":"string","format":"date-time"}`,
		`{"type":"object"}`, `{"type":"array","items":{"type":"string"},"minItems":1}`, `{"minimum":1}`, `{"not":{"type":"string"}}`, `{"type":"integer","exclusiveMinimum":0}`,
	}
	if depth <= 0 || often(t, 4, "simple") {
		return draw(t, "schema", simple...)
	}
	several := func() string {
		out := []string{drawSchema(t, depth-1)}
		for often(t, 6, "another") && len(out) < 3 {
			out = append(out, drawSchema(t, depth-1))
		}
		return strings.Join(out, ",")
	}
	switch draw(t, "kind", "object", "array", "anyOf", "oneOf", "allOf", "nullable", "typed anyOf") {
	case "array":
		return `{"items":` + drawSchema(t, depth-1) + `,"type":"array","maxItems":2}`
	case "anyOf":
		return `{"anyOf":[` + several() + `],"description":"d"}`
	case "oneOf":
		return `{"oneOf":[` + several() + `]}`
	case "allOf":
		return `{"allOf":[` + several() + `]}`
	case "nullable":
		return `{"anyOf":[` + several() + `,{"type":"null"}],"default":null}`
	case "typed anyOf":
		return `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[` + several() + `]}`
	}
	return drawObject(t, depth-1)
}

// An import of an export has the same tools, but for what the list says; an
// export of that import is the same export.
func TestRoundTripProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn, text := drawRegistry(t)
		r := parse(t, text)
		if len(r.Tools) != len(drawn) {
			t.Fatalf("%d tools of %d: %s", len(r.Tools), len(drawn), text)
		}
		for _, shape := range Shapes() {
			data, lost := written(t, shape, r, Options{})
			back := parse(t, data)
			if len(back.Tools) != len(r.Tools) {
				t.Fatalf("%d tools of %d", len(back.Tools), len(r.Tools))
			}
			for i, tool := range r.Tools {
				got := back.Tools[i]
				if got.Name != tool.Name || got.Description != tool.Description {
					t.Fatalf("%s: %q %q, want %q %q", shape, got.Name, got.Description, tool.Name, tool.Description)
				}
				if shape == AsMCP && (got.Toolset != tool.Toolset || got.Server != tool.Server || got.OriginalName != tool.OriginalName) {
					t.Fatalf("%s of %s, %s: want %s of %s, %s", got.OriginalName, got.Toolset, got.Server, tool.OriginalName, tool.Toolset, tool.Server)
				}
				want := plain(tool.Parameters)
				if shape == AsAnthropic || shape == AsBedrock || shape == AsMCP || shape == AsGemini && want != "" {
					want = ofObject(want)
				}
				if plain(got.Parameters) != want {
					t.Fatalf("%s: parameters %s, want %s", shape, got.Parameters, want)
				}
			}
			if shape == AsHermes && (lost != nil || !sameRegistry(back, r)) {
				t.Fatalf("a dump lost %q:\n%s\nof\n%s", lost, data, text)
			}
			if again, lostAgain := written(t, shape, back, Options{}); again != data {
				t.Fatalf("%s\nexported again is\n%s, lost %q and %q", data, again, lost, lostAgain)
			}
		}
	})
}

// ofObject returns parameters for a provider that wants the schema of an
// object.
func ofObject(parameters string) string {
	var object map[string]json.RawMessage
	_ = json.Unmarshal([]byte(parameters), &object)
	switch {
	case parameters == "":
		return `{"type":"object","properties":{}}`
	case len(object) == 0:
		return `{"type":"object"}`
	case object["type"] == nil:
		return `{"type":"object",` + parameters[1:]
	}
	return parameters
}

// sameRegistry reports whether two registries hold the same.
func sameRegistry(got, want *model.Registry) bool {
	return slices.EqualFunc(got.Tools, want.Tools, func(g, w *model.Tool) bool {
		return plain(g.Function) == plain(w.Function) && g.Toolset == w.Toolset && g.Server == w.Server && g.Qualified == w.Qualified &&
			g.OriginalName == w.OriginalName && g.Available == w.Available && g.Deferred == w.Deferred
	}) && toolsets(got) == toolsets(want)
}

// FuzzWrite exports whatever package model reads: always JSON, the same each
// time, and with every tool under its name.
func FuzzWrite(f *testing.F) {
	for _, seed := range []string{
		`{"toolsets":{"s":{"tools":["a"],"version":1},"e":[]},"tools":[{"type":"function","function":{"name":"a","description":"d","parameters":{"type":"object"}},"toolset":"s","x":[1]}]}`,
		`[{"type":"function","name":"a","parameters":null,"strict":true},{"function":{"name":"a","name":"b"}}]`,
		`{"jsonrpc":"2.0","result":{"tools":[{"name":"x","title":"X","inputSchema":{"$ref":"#"},"outputSchema":{"a":1,"a":2}}]}}`,
		`{"tools":[{"name":"a","inputSchema":{"anyOf":[{"type":["null"]},{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"},true]}},"enum":[null,1]}}]}`,
		`{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"a":{"oneOf":[{"type":["string","integer","null"],"minimum":"1"}],"nullable":true}},"required":["a",1]}}]}`,
		"[/* c */{\"name\":\"\xff\",\"input_schema\":{\"items\":[],},\"cache_control\":{}},]", "data: {\"tools\":[{\"name\":\"a\",\"inputSchema\":{}}]}\n\n",
		`{"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{"const":1}},"strict":false}}]}}`, `["a","b"]`,
		`[{"functionDeclarations":[{"name":"a","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true,"enum":["A"]}}}}]}]`,
		`{"srv":{"tools":[{"name":"a","inputSchema":{}}],"utility_tools":[{"schema":{"name":"u"},"handler_key":"u"}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := shapes.Parse(context.Background(), model.Source{Data: data})
		if err != nil {
			return
		}
		for _, shape := range Shapes() {
			out, lost, err := Write(shape, r, Options{})
			if err != nil || !json.Valid(out) {
				t.Fatalf("%s of %q: %q, %v", shape, data, out, err)
			}
			again, _, _ := Write(shape, r, Options{})
			if !bytes.Equal(out, again) {
				t.Fatalf("%s of %q differs", shape, data)
			}
			for _, l := range lost {
				if l.What == "" {
					t.Fatalf("%s of %q: a loss without words", shape, data)
				}
			}
			back, err := shapes.Parse(context.Background(), model.Source{Data: out})
			tools := r.Tools
			if shape != AsMCP && shape != AsHermes { // whose providers refuse a slash
				tools = slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return strings.Contains(t.Name, "/") })
			}
			if err != nil || len(back.Tools) != len(tools) {
				t.Fatalf("%s of %q: %q is read as %v, %v", shape, data, out, back, err)
			}
			for i, tool := range tools {
				if got := back.Tools[i]; got.Name != tool.Name || got.Description != tool.Description {
					t.Fatalf("%s of %q: tool %d is %q, want %q", shape, data, i, got.Name, tool.Name)
				}
			}
			if shape == AsHermes && !sameRegistry(back, r) {
				t.Fatalf("%q has other tools than %q", out, data)
			}
		}
	})
}
