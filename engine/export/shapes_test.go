package export

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// Each shape has a tool as its provider takes it, and says what it does not
// have or the provider does not take.
func TestShapes(t *testing.T) {
	const (
		lamp   = `{"name":"lamp","description":"Lights <it>.","parameters":{"type":"object","properties":{"b":{"type":"integer","default":1.0},"a":{}},"required":["b"]}}`
		schema = `{"type":"object","properties":{"b":{"type":"integer","default":1.0},"a":{}},"required":["b"]}`
	)
	chat := func(function string) string { return `[{"type":"function","function":` + function + `}]` }
	for _, c := range []struct {
		name  string
		shape Shape
		in    string
		want  string
		lost  []string
	}{
		{"plain", AsOpenAI, chat(lamp), chat(lamp), nil},
		{"plain", AsAnthropic, chat(lamp), `[{"name":"lamp","description":"Lights <it>.","input_schema":` + schema + `}]`, nil},
		{"plain", AsBedrock, chat(lamp), `{"toolConfig":{"tools":[{"toolSpec":{"name":"lamp","description":"Lights <it>.","inputSchema":{"json":` + schema + `}}}]}}`, nil},
		{"plain", AsMCP, chat(lamp), `{"tools":[{"name":"lamp","description":"Lights <it>.","inputSchema":` + schema + `}]}`, nil},
		{"plain", AsGemini, chat(lamp), `[{"functionDeclarations":[{"name":"lamp","description":"Lights <it>.","parametersJsonSchema":` + schema + `}]}]`, nil},
		{"plain", AsHermes, chat(lamp), "{\n \"generator\": \"caliper\",\n \"toolsets\": {\n },\n \"tools\": [\n  " + chat(lamp)[1:len(chat(lamp))-1] + "\n ]\n}", nil},

		{"white space goes, escapes stay", AsOpenAI, chat("{ \"name\" : \"a\",\n\"description\":\"\\u00e9\\/\",\"parameters\":{ \"type\":\"object\" } }"), chat(`{"name":"a","description":"\u00e9\/","parameters":{"type":"object"}}`), nil},
		{"no tools", AsOpenAI, `{"tools":[]}`, `[]`, nil},
		{"no tools", AsBedrock, `{"tools":[]}`, `{"toolConfig":{"tools":[]}}`, []string{"!no tools: Bedrock wants one at least"}},
		{"no tools", AsMCP, `{"tools":[]}`, `{"tools":[]}`, nil},
		{"no tools", AsHermes, `{"tools":[]}`, "{\n \"generator\": \"caliper\",\n \"toolsets\": {\n },\n \"tools\": [\n ]\n}", nil},

		{"no parameters", AsOpenAI, chat(`{"name":"a"}`), chat(`{"name":"a"}`), nil},
		{"no parameters", AsAnthropic, chat(`{"name":"a"}`), `[{"name":"a","input_schema":{"type":"object","properties":{}}}]`,
			[]string{"a: no parameters; written as an object without properties, which Anthropic wants"}},
		{"no parameters", AsGemini, chat(`{"name":"a","description":null,"parameters":null}`), `[{"functionDeclarations":[{"name":"a"}]}]`, nil},
		{"no type", AsAnthropic, chat(`{"name":"a","parameters":{}}`), `[{"name":"a","input_schema":{"type":"object"}}]`, []string{"a: parameters have no type; written as an object, which Anthropic wants"}},
		{"no type", AsMCP, chat(`{"name":"a","parameters":{"title":"T"}}`), `{"tools":[{"name":"a","inputSchema":{"type":"object","title":"T"}}]}`, []string{"a: parameters have no type; written as an object, which MCP wants"}},
		{"no type", AsOpenAI, chat(`{"name":"a","parameters":{}}`), chat(`{"name":"a","parameters":{}}`), []string{"!a: parameters have no type: OpenAI wants an object"}},
		{"another type", AsBedrock, chat(`{"name":"a","parameters":{"type":["object","null"]}}`), `{"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{"type":["object","null"]}}}}]}}`,
			[]string{`!a: parameters of type ["object","null"]: Bedrock takes an object`}},
		{"choices at the top", AsOpenAI, chat(`{"name":"a","parameters":{"type":"object","anyOf":[],"not":{}}}`), chat(`{"name":"a","parameters":{"type":"object","anyOf":[],"not":{}}}`),
			[]string{"!a: anyOf at the top of the parameters: OpenAI refuses it", "!a: not at the top of the parameters: OpenAI refuses it"}},
		{"choices at the top", AsMCP, chat(`{"name":"a","parameters":{"type":"object","anyOf":[]}}`), `{"tools":[{"name":"a","inputSchema":{"type":"object","anyOf":[]}}]}`, nil},
		{"odd parameters", AsAnthropic, chat(`{"name":"a","parameters":{"type":"object","properties":{"a.b-c":{},"a[]":{},"$top":{}}}}`), `[{"name":"a","input_schema":{"type":"object","properties":{"a.b-c":{},"a[]":{},"$top":{}}}}]`,
			[]string{`!a: parameter "a[]" and 1 more: Anthropic takes names of letters, digits, _, . and -, and 64 characters`}},
		{"wrong kinds", AsAnthropic, chat(`{"name":"a","description":["x"],"parameters":true}`), `[{"name":"a","input_schema":{"type":"object","properties":{}}}]`,
			[]string{"a: no parameters; written as an object without properties, which Anthropic wants", "a: the description, which is not text", "a: parameters, which are not an object"}},
		{"wrong kinds", AsOpenAI, chat(`{"name":"a","description":["x"],"parameters":true}`), chat(`{"name":"a","description":["x"],"parameters":true}`), nil},

		{"strict", AsAnthropic, chat(`{"name":"a","strict":true,"parameters":{"type":"object"}}`), `[{"name":"a","input_schema":{"type":"object"},"strict":true}]`, nil},
		{"strict", AsBedrock, chat(`{"name":"a","strict":false,"parameters":{"type":"object"}}`), `{"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{"type":"object"}},"strict":false}}]}}`, nil},
		{"strict", AsMCP, chat(`{"name":"a","strict":true,"parameters":{"type":"object"}}`), `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`, []string{"a: strict of the function"}},
		{"strict that is neither", AsAnthropic, chat(`{"name":"a","strict":"yes","parameters":{"type":"object"}}`), `[{"name":"a","input_schema":{"type":"object"}}]`, []string{"a: strict of the function"}},
		{"strict of a flat function", AsOpenAI, `[{"type":"function","name":"a","parameters":{"type":"object"},"strict":true}]`, chat(`{"name":"a","description":"","parameters":{"type":"object"},"strict":true}`), nil},
		{"strict of a flat function", AsMCP, `[{"type":"function","name":"a","parameters":{"type":"object"},"strict":true}]`, `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`, []string{"strict of 1 tool"}},

		{"deferred", AsAnthropic, `[{"name":"a","input_schema":{"type":"object"},"defer_loading":true,"cache_control":{"type":"ephemeral"},"other":1}]`,
			`[{"name":"a","input_schema":{"type":"object"},"defer_loading":true,"cache_control":{"type":"ephemeral"}}]`,
			[]string{"!a: cache_control beside defer_loading: Anthropic refuses it", "other of 1 tool", "!every tool is deferred, and no search tool is among them: Anthropic refuses it"}},
		{"deferred", AsOpenAI, `[{"name":"a","input_schema":{"type":"object"},"defer_loading":true,"cache_control":{"type":"ephemeral"}}]`,
			chat(`{"name":"a","description":"","parameters":{"type":"object"}}`), []string{"deferred loading of 1 tool", "cache_control of 1 tool"}},
		{"what MCP says", AsMCP, `{"tools":[{"name":"a","title":"A","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"},"outputSchema":{"type":"object","x":1e3},"_meta":{},"own":0}]}`,
			`{"tools":[{"name":"a","inputSchema":{"type":"object"},"title":"A","annotations":{"readOnlyHint":true},"outputSchema":{"type":"object","x":1e3},"_meta":{}}]}`, []string{"own of 1 tool"}},
		{"what MCP says", AsBedrock, `{"tools":[{"name":"a","title":"A","inputSchema":{"type":"object"}},{"name":"b","title":"B","inputSchema":{"type":"object"}}]}`,
			`{"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{"type":"object"}}}},{"toolSpec":{"name":"b","inputSchema":{"json":{"type":"object"}}}}]}}`, []string{"title of 2 tools"}},
		{"what dumps spell otherwise", AsMCP, `[{"type":"function","function":{"name":"a","parameters":{"type":"object"}},"output_schema":{"type":"object","b":1}},{"type":"function","function":{"name":"b","parameters":{"type":"object"}},"output_schema":1,"outputSchema":{"type":"object"}}]`,
			`{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","b":1}},{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}`, []string{"output_schema of 1 tool"}},
		{"what Bedrock says", AsHermes, `{"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{"type":"object"}},"strict":true}}]}}`,
			"{\n \"generator\": \"caliper\",\n \"toolsets\": {\n },\n \"tools\": [\n  " + `{"type":"function","function":{"name":"a","description":"","parameters":{"type":"object"}},"strict":true}` + "\n ]\n}", nil},
		{"beside a comment", AsMCP, "{\"tools\":[{\"name\":\"a\", // first\n\"inputSchema\":{},\"title\":\"\xff\\ud800\",\"_meta\":{\"x\":1,\"x\":2},}, {\"name\":\"b\",\"inputSchema\":{}}]}",
			`{"tools":[{"name":"a","inputSchema":{"type":"object"},"title":"` + "\uFFFD\uFFFD" + `","_meta":{"x":2}},{"name":"b","inputSchema":{"type":"object"}}]}`,
			[]string{"a: parameters have no type; written as an object, which MCP wants", "b: parameters have no type; written as an object, which MCP wants"}},
		{"a dump", AsMCP, `{"toolsets":{"mcp-s":{"server":"s","instructions":"Be kind."}},"tools":[{"type":"function","function":{"name":"mcp_s_a","parameters":{"type":"object"}},"toolset":"mcp-s","source":"mcp","server":"s","original_name":"a","available":false}]}`,
			`{"tools":[{"name":"mcp_s_a","inputSchema":{"type":"object"},"_meta":{"caliper/toolset":"mcp-s","caliper/server":"s","caliper/original_name":"a"}}]}`,
			[]string{"the failed availability check of 1 tool", "the server's instructions of toolset mcp-s"}},
		{"a dump", AsHermes, `{"toolsets":{"e":[],"mcp-s":{"version":"1.2","server":"s","label":"S","instructions":"Be kind.","tools":["mcp_s_a","ghost"],"includes":["e"]}},"tools":[{"type":"function","function":{"name":"mcp_s_a","parameters":{"type":"object"}},"toolset":"mcp-s","source":"mcp","server":"s","original_name":"a","available":false,"defer_loading":true,"own":[1]}]}`,
			"{\n \"generator\": \"caliper\",\n \"toolsets\": {\n  \"e\":{\"tools\":[]},\n  \"mcp-s\":{\"title\":\"S\",\"server\":\"s\",\"version\":\"1.2\",\"instructions\":\"Be kind.\",\"tools\":[\"mcp_s_a\",\"ghost\"],\"includes\":[\"e\"]}\n },\n \"tools\": [\n  " +
				`{"type":"function","function":{"name":"mcp_s_a","parameters":{"type":"object"}},"toolset":"mcp-s","server":"s","original_name":"a","available":false,"defer_loading":true,"own":[1]}` + "\n ]\n}", nil},

		{"a dump", AsOpenAI, `{"toolsets":{"s":{}},"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object"}},"toolset":"s","source":"mcp","server":"s","original_name":"a","always_load":true}]}`,
			chat(`{"name":"a","parameters":{"type":"object"}}`), []string{"the toolset of 1 tool", "the server of 1 tool", "always loading of 1 tool"}},

		{"beside _meta", AsMCP, `{"toolsets":{"s":{"source":"mcp"}},"tools":[
			{"type":"function","function":{"name":"a","parameters":{"type":"object"}},"toolset":"s","_meta":{"x":1,"caliper/toolset":"liar"}},
			{"type":"function","function":{"name":"b","parameters":{"type":"object"}},"toolset":"s","_meta":7},
			{"type":"function","function":{"name":"c","parameters":{"type":"object"}},"_meta":{"caliper/toolset":"liar"}}]}`,
			`{"tools":[{"name":"a","inputSchema":{"type":"object"},"_meta":{"x":1,"caliper/toolset":"s","caliper/source":"mcp"}},` +
				`{"name":"b","inputSchema":{"type":"object"},"_meta":{"caliper/toolset":"s","caliper/source":"mcp"}},{"name":"c","inputSchema":{"type":"object"}}]}`,
			[]string{"b: _meta, which is not an object"}},
		{"a dump with comments", AsHermes, "{\"toolsets\":{\"s\":{\"version\":{\"x\":\"\\ud800\"},}}, // ours\n\"tools\":[\"a\"]}",
			"{\n \"generator\": \"caliper\",\n \"toolsets\": {\n  \"s\":{\"version\":{\"x\":\"\uFFFD\"}}\n },\n \"tools\": [\n  {\"type\":\"function\",\"function\":{\"name\":\"a\",\"description\":\"\"}}\n ]\n}", nil},

		{"names", AsOpenAI, chat(`{"name":"a.b"}`), chat(`{"name":"a.b"}`), []string{"!a.b: name: OpenAI takes only letters, digits, _ and -"}},
		{"names", AsMCP, `{"tools":[{"name":"a b","inputSchema":{"type":"object"}}]}`, `{"tools":[{"name":"a b","inputSchema":{"type":"object"}}]}`, []string{"!a b: name: MCP wants only letters, digits, ., _ and -"}},
		{"names", AsGemini, chat(`{"name":"1.b","description":"d"}`), `[{"functionDeclarations":[{"name":"1.b","description":"d"}]}]`, []string{"!1.b: name: Gemini wants a letter or _ first"}},
		{"long names", AsOpenAI, chat(`{"name":"` + strings.Repeat("x", 65) + `"}`), chat(`{"name":"` + strings.Repeat("x", 65) + `"}`), []string{"!" + strings.Repeat("x", 65) + ": name: 65 characters; OpenAI takes 64"}},
		{"long names", AsAnthropic, chat(`{"name":"` + strings.Repeat("x", 128) + `","parameters":{"type":"object"}}`), `[{"name":"` + strings.Repeat("x", 128) + `","input_schema":{"type":"object"}}]`, nil},
		{"names twice", AsOpenAI, chat(`{"name":"a"}},{"function":{"name":"a"}`), chat(`{"name":"a"}},{"type":"function","function":{"name":"a"}`), []string{"!a: name: another tool has it too; OpenAI takes each once"}},
		{"a slash", AsOpenAI, chat(`{"name":"s/a"}},{"function":{"name":"b"}},{"function":{"name":"s/c"}`), chat(`{"name":"b"}`),
			[]string{"s/a: the tool: OpenAI refuses a request with a slash in a name", "s/c: the tool: OpenAI refuses a request with a slash in a name"}},
		{"a slash", AsAnthropic, chat(`{"name":"s/a"}`), `[]`, []string{"s/a: the tool: Anthropic refuses a request with a slash in a name"}},
		{"a slash", AsBedrock, chat(`{"name":"s/a"}`), `{"toolConfig":{"tools":[]}}`, []string{"s/a: the tool: Bedrock refuses a request with a slash in a name", "!no tools: Bedrock wants one at least"}},
		{"a slash", AsMCP, chat(`{"name":"s/a","parameters":{"type":"object"}}`), `{"tools":[{"name":"s/a","inputSchema":{"type":"object"}}]}`, []string{"!s/a: name: MCP wants only letters, digits, ., _ and -"}},
		{"an array without items", AsOpenAI, chat(`{"name":"a","parameters":{"type":"object","properties":{"x":{"type":"array"}}}}`), chat(`{"name":"a","parameters":{"type":"object","properties":{"x":{"type":"array"}}}}`),
			[]string{"!a: an array without items at /properties/x: OpenAI refuses it"}},
		{"arrays without items", AsOpenAI, chat(`{"name":"a","parameters":{"type":"object","default":{"type":"array"},"properties":{"x":{"anyOf":[{"type":["array","null"]}]},"y":{"type":"array","items":{"type":"array"}},"z":{"type":"array","items":{}}}}}`),
			chat(`{"name":"a","parameters":{"type":"object","default":{"type":"array"},"properties":{"x":{"anyOf":[{"type":["array","null"]}]},"y":{"type":"array","items":{"type":"array"}},"z":{"type":"array","items":{}}}}}`),
			[]string{"!a: an array without items at /properties/x/anyOf/0 and 1 more: OpenAI refuses it"}},
		{"an array without items", AsMCP, chat(`{"name":"a","parameters":{"type":"object","$defs":{"x":{"type":"array"}}}}`), `{"tools":[{"name":"a","inputSchema":{"type":"object","$defs":{"x":{"type":"array"}}}}]}`,
			[]string{"!a: an array without items at /$defs/x: VS Code refuses it"}},
		{"an array without items", AsAnthropic, chat(`{"name":"a","parameters":{"type":"object","properties":{"x":{"type":"array"}}}}`), `[{"name":"a","input_schema":{"type":"object","properties":{"x":{"type":"array"}}}}]`, nil},
		{"JSON Schema stays", AsGemini, `{"tools":[{"name":"a","inputSchema":{"type":"object","anyOf":[{"$ref":"#/$defs/x"}],"$defs":{"x":{"const":1}},"properties":{"$a":{"type":["string","null"]}}},"outputSchema":{"type":"object"}}]}`,
			`[{"functionDeclarations":[{"name":"a","parametersJsonSchema":{"type":"object","anyOf":[{"$ref":"#/$defs/x"}],"$defs":{"x":{"const":1}},"properties":{"$a":{"type":["string","null"]}}},"responseJsonSchema":{"type":"object"}}]}]`, nil},
		{"no type", AsGemini, chat(`{"name":"a","parameters":{"title":"T"}}`), `[{"functionDeclarations":[{"name":"a","parametersJsonSchema":{"type":"object","title":"T"}}]}]`, []string{"a: parameters have no type; written as an object, which Gemini wants"}},
		{"an answer of Gemini", AsMCP, `[{"functionDeclarations":[{"name":"a","parametersJsonSchema":{"type":"object"},"responseJsonSchema":{"type":"object"}}]}]`,
			`{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}`, nil},
		{"a union", AsBedrock, `[{"name":"a","input_schema":{"type":"object","oneOf":[{"required":["b"]}],"properties":{"b c":{}}}}]`,
			`{"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{"type":"object","oneOf":[{"required":["b"]}],"properties":{"b c":{}}}}}}]}}`,
			[]string{"!a: oneOf at the top of the parameters: Claude on Bedrock refuses it", `!a: parameter "b c": Claude on Bedrock takes names of letters, digits, _, . and -, and 64 characters`}},
		{"all deferred", AsAnthropic, `[{"name":"a","input_schema":{"type":"object"},"defer_loading":true,"cache_control":{"type":"ephemeral"}},{"name":"b","input_schema":{"type":"object"},"defer_loading":true}]`,
			`[{"name":"a","input_schema":{"type":"object"},"defer_loading":true,"cache_control":{"type":"ephemeral"}},{"name":"b","input_schema":{"type":"object"},"defer_loading":true}]`,
			[]string{"!a: cache_control beside defer_loading: Anthropic refuses it", "!every tool is deferred, and no search tool is among them: Anthropic refuses it"}},
		{"some deferred", AsAnthropic, `[{"name":"a","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}},{"name":"b","input_schema":{"type":"object"},"defer_loading":true}]`,
			`[{"name":"a","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}},{"name":"b","input_schema":{"type":"object"},"defer_loading":true}]`, nil},
		{"outputs", AsMCP, `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":true}},"outputSchema":{"type":"array"}},{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/y"}}}}]}`,
			`{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":true}},"outputSchema":{"type":"array"}},{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/y"}}}}]}`,
			[]string{`!a: inputSchema has a property whose schema is not an object, x: MCP's TypeScript SDK refuses it`, `!a: outputSchema is not that of an object: MCP's TypeScript SDK refuses it`,
				"!b: $ref #/$defs/y of the output schema, which leads to nothing: MCP's TypeScript SDK refuses it"}},
	} {
		t.Run(c.name+" "+string(c.shape), func(t *testing.T) {
			data, lost := written(t, c.shape, parse(t, c.in), Options{})
			if c.shape == AsMCP {
				data = unmarked(t, data)
			}
			if data != c.want {
				t.Errorf("%s, want\n%s", data, c.want)
			}
			if !slices.Equal(lost, c.lost) {
				t.Errorf("lost %q, want %q", lost, c.lost)
			}
		})
	}
}

// unmarked returns a tools/list result without the mark that it must end in.
func unmarked(t *testing.T, data string) string {
	t.Helper()
	list, ok := strings.CutSuffix(data, `],"_meta":{"caliper/names":"final"}}`)
	if !ok {
		t.Errorf("%s has no mark", data)
	}
	return list + "]}"
}

func TestManyTools(t *testing.T) {
	many := `["` + strings.Join(strings.Split(strings.Repeat("x", 129), ""), `","`) + `"]`
	_, lost := written(t, AsOpenAI, parse(t, many), Options{})
	if want := "!129 tools: OpenAI takes 128 in a request"; lost[len(lost)-1] != want {
		t.Errorf("%q", lost[len(lost)-1])
	}
}

// A part of the tools, under other names.
func TestOptions(t *testing.T) {
	r := parse(t, `{"toolsets":{"s":{"tools":["a","b"]},"u":{"includes":["s","v"]},"v":{}},"tools":[
		{"type":"function","function":{"description":"A","name":"a"}},
		{"type":"function","function":{"name":"b"},"toolset":"u","other":1},
		{"type":"function","function":{"name":"c"}}]}`)
	o := Options{
		Tools: []*model.Tool{r.Tools[1], r.Tools[0]},
		Name:  func(t *model.Tool) string { return "x_" + t.Name },
	}
	data, lost := written(t, AsHermes, r, o)
	want := `{
 "generator": "caliper",
 "toolsets": {
  "s":{"tools":["x_a","x_b"]},
  "u":{"includes":["s"]}
 },
 "tools": [
  {"type":"function","function":{"name":"x_b"},"toolset":"u","other":1},
  {"type":"function","function":{"description":"A","name":"x_a"},"toolset":"s"}
 ]
}`
	if data != want || lost != nil {
		t.Errorf("%s, lost %q, want\n%s", data, lost, want)
	}
	data, _ = written(t, AsOpenAI, r, o)
	if want := `[{"type":"function","function":{"name":"x_b"}},{"type":"function","function":{"description":"A","name":"x_a"}}]`; data != want {
		t.Errorf("%s, want\n%s", data, want)
	}
	data, lost = written(t, AsMCP, r, Options{Tools: []*model.Tool{}})
	if unmarked(t, data) != `{"tools":[]}` || lost != nil {
		t.Errorf("%s, lost %q", data, lost)
	}
	foreign := parse(t, `{"tools":[{"name":"z","inputSchema":{"type":"object"},"title":"Z"}]}`)
	data, lost = written(t, AsMCP, r, Options{Tools: foreign.Tools})
	if unmarked(t, data) != `{"tools":[{"name":"z","inputSchema":{"type":"object"}}]}` || lost != nil {
		t.Errorf("%s, lost %q", data, lost)
	}
}

// Of an entry on several lines of an event stream only the definition is known.
func TestUnreadableBeside(t *testing.T) {
	r := parse(t, "data: {\"tools\":[{\"name\":\"a\",\ndata: \"inputSchema\":{\"type\":\"object\"},\"title\":\"A\"}]}\n\n")
	_, lost := written(t, AsMCP, r, Options{})
	if want := []string{"what is beside the definition of 1 tool, which cannot be read again"}; !slices.Equal(lost, want) {
		t.Errorf("lost %q", lost)
	}
	two, err := shapes.Parse(context.Background(), model.Source{Data: []byte(`{"tools":[{"name":"a","inputSchema":{"type":"object"},"title":"A"}]}`)},
		model.Source{Data: []byte(`{"tools":[{"name":"b","inputSchema":{"type":"object"},"title":"B"}]}`)})
	require.NoError(t, err)
	if data, lost := written(t, AsMCP, two, Options{}); lost != nil || !strings.Contains(data, `"title":"A"`) || !strings.Contains(data, `"title":"B"`) {
		t.Errorf("%s, lost %q", data, lost)
	}
}

// An export as a tools/list result is the same registry again, from standard
// input as from a file, whose name would else be taken for a server.
func TestMCPFromAFile(t *testing.T) {
	const dump = `{"toolsets":{"mcp-house":{"source":"mcp","server":"house"},"lights":{"source":"plugin"}},"tools":[
		{"type":"function","function":{"name":"mcp_house_door_shut","description":"D","parameters":{"type":"object"}},"toolset":"mcp-house","source":"mcp","server":"house","original_name":"door.shut","annotations":{"readOnlyHint":true}},
		{"type":"function","function":{"name":"lamp_on","description":"D","parameters":{"type":"object"}},"toolset":"lights","source":"plugin"},
		{"type":"function","function":{"name":"terminal","description":"D","parameters":{"type":"object"}}}]}`
	want := parse(t, dump)
	data, _ := written(t, AsMCP, want, Options{})
	for _, name := range []string{"", "-", "m.json"} {
		back, err := shapes.Parse(context.Background(), model.Source{Name: name, Data: []byte(data)})
		require.NoError(t, err)
		for _, shape := range []Shape{AsMCP, AsHermes} {
			again, _ := written(t, shape, back, Options{})
			if first, _ := written(t, shape, want, Options{}); again != first {
				t.Errorf("%q: %s is\n%s, want\n%s", name, shape, again, first)
			}
		}
	}
	// A server's answer has no member for the mark.
	answer, err := shapes.Parse(context.Background(), model.Source{Name: "m.json", Data: []byte(`{"jsonrpc":"2.0","id":1,"result":` + data + `}`)})
	if err != nil || answer.Tools[2].Name != "mcp_m_terminal" || answer.Tools[2].Toolset != "mcp-m" {
		t.Errorf("%v", err)
	}
}

// TestReadMembersRepeated: a name that is repeated has its last value, in the place of its first,
// in small and large objects.
func TestReadMembersRepeated(t *testing.T) {
	for _, n := range []int{1, 80} {
		var text strings.Builder
		text.WriteByte('{')
		for i := range n {
			fmt.Fprintf(&text, `"m%d":%d,`, i, i)
		}
		for i := range n {
			fmt.Fprintf(&text, `"m%d":%d,`, i, 1000+i)
		}
		members, ok := readMembers([]byte(strings.TrimSuffix(text.String(), ",") + "}"))
		if !ok || len(members) != n {
			t.Fatalf("%d members, %v; want %d", len(members), ok, n)
		}
		for i, m := range members {
			if name, value := fmt.Sprintf("m%d", i), fmt.Sprint(1000+i); m.Name != name || string(m.Value) != value {
				t.Errorf("of %d, number %d is %s: %s; want %s: %s", n, i, m.Name, m.Value, name, value)
			}
		}
	}
}

// The operations of an API stand in a dump as they were made, under their own names or
// others, however their document is spaced.
func TestOperationsInDump(t *testing.T) {
	const document = ` { "openapi" : "3.1.0", "paths" : { "/ships" : { "post" : { "operationId" : "dock", "requestBody" : { "content" : { "application/json" :
		{ "schema" : { "$ref" : "#/components/schemas/Ship" , "description" : "a  b" } } } } } } },
		"components" : { "schemas" : { "Ship" : { "type" : "object", "enum" : [ { "a" : 1 } , [ ] ] } } } }`
	r, err := shapes.Parse(t.Context(), model.Source{Name: "api.json", Data: []byte(document)})
	require.NoError(t, err)
	for name, want := range map[string]string{
		"dock": `{"name":"dock","description":"POST /ships","parameters":{"type":"object","properties":{"body":{"$ref":"#/$defs/Ship","description":"a  b"}},"$defs":{"Ship":{"type":"object","enum":[{"a":1},[]]}}}}`,
		"land": `{"name":"land","description":"POST /ships","parameters":{"type":"object","properties":{"body":{"$ref":"#/$defs/Ship","description":"a  b"}},"$defs":{"Ship":{"type":"object","enum":[{"a":1},[]]}}}}`,
	} {
		out, _, err := Write(AsHermes, r, Options{Name: func(*model.Tool) string { return name }})
		if err != nil || !bytes.Contains(out, []byte(`{"type":"function","function":`+want+`}`)) {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}
