package shapes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

const weather = `"name":"weather","description":"Tells the weather.","parameters":{"type":"object","properties":{"place":{"type":"string"}},"required":["place"]}`

// formSeeds are sources of every format, of our own making. They are also what
// fuzzing starts from.
var formSeeds = []struct{ name, in, want string }{
	{"responses", `[{"type":"function",` + weather + `,"strict":null}]`, "openai (none)\nweather in (none) \"Tells the weather.\" [\"place\"]\n"},
	{"responses, nothing but a name", `{"model":"m","tools":[{"type":"function","name":"ping","parameters":null,"description":null}]}`, "openai (none)\nping in (none)\n"},
	{"responses, namespace", `{"tools":[{"type":"namespace","name":"sky","description":"Above.","tools":[{"type":"function",` + weather + `,"defer_loading":true}]},{"type":"function","name":"ping"},{"type":"web_search"},{"type":"mcp","server_label":"x"}]}`,
		"openai sky (none)\nweather in sky deferred \"Tells the weather.\" [\"place\"]\nping in (none)\n" +
			"hosted_tool: a.json:1:298: tools[2]: 2 entries of kinds that their provider defines are skipped: web_search, mcp\n"},
	{"responses, namespace of a server", `{"tools":[{"type":"namespace","name":"mcp__sky","tools":[{"type":"function",` + weather + `}]}]}`,
		"openai mcp__sky\nweather in mcp__sky from sky/weather \"Tells the weather.\" [\"place\"]\n"},
	{"what a remote server lists in an answer", `{"request":{"model":"m","input":[],"tools":[{"type":"mcp","server_label":"sky"}]},"response":{"output":[{"type":"mcp_list_tools","server_label":"sky","tools":[{"name":"weather","input_schema":{"type":"object","properties":{"place":{}}}}]}]}}`,
		"anthropic mcp__sky\nweather in mcp__sky from sky/weather [\"place\"]\nhosted_tool: a.json:1:45: request.tools[0]: 1 entry of a kind that its provider defines is skipped: mcp\n"},
	{"an answer alone, which repeats the tools of its request", `{"model":"m","tools":[{"type":"function","name":"ping"}],"output":[{"type":"mcp_list_tools","server_label":"sky","tools":[{"name":"weather","input_schema":{}}]}]}`,
		"mixed (none) mcp__sky\nping in (none)\nweather in mcp__sky from sky/weather\n"},
	{"what a hosted search found", `{"request":{"model":"m","tools":[{"type":"tool_search"}],"input":[{"type":"tool_search_output","tools":[{"type":"namespace","name":"mcp__sky__","tools":[{"type":"function","name":"weather","parameters":{}}]}]}]}}`,
		"openai mcp__sky\nweather in mcp__sky from sky/weather\nhosted_tool: a.json:1:34: request.tools[0]: 1 entry of a kind that its provider defines is skipped: tool_search\n"},
	{"what is added in a conversation", `{"request":{"model":"m","tools":[{"name":"ping","input_schema":{}}],"messages":[{"role":"user","content":[{"type":"tool_addition","tools":[{"name":"weather","input_schema":{}}]}]}]}}`,
		"anthropic (none)\nping in (none)\nweather in (none)\n"},
	{"what is defined in a conversation", `{"model":"m","tools":[{"name":"ping","input_schema":{}}],"messages":[{"role":"user","content":[{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"weather","input_schema":{}}}},{"type":"tool_addition","tool":{"type":"tool_reference","name":"ping"}}]}]}`,
		"anthropic (none)\nping in (none)\nweather in (none)\n"},
	{"what a compaction keeps", `{"model":"m","tools":[],"messages":[{"role":"assistant","content":[{"type":"compaction","tool_changes":[{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"type":"mcp_toolset","mcp_server_name":"sky","tools":[{"name":"weather","input_schema":{}}]}}}]}]}]}`,
		"anthropic mcp__sky\nweather in mcp__sky from sky/weather\n"},
	{"names of tools beside servers that run, as Claude Code's stream begins", `{"type":"system","tools":["Task","mcp__sky__weather"],"mcp_servers":[{"name":"sky","status":"connected"}]}`,
		"names (none) mcp-sky\nTask in (none)\nmcp__sky__weather in mcp-sky from sky/weather\nnames_only: a.json:1:27: tools[0]: only 2 names, no definitions: descriptions and parameters are unknown\n" +
			"toolset_inferred: a.json:1:34: tools[1]: 1 tool names no toolset; taken for mcp-sky, by the first word after mcp: no known server's name begins theirs\n"},
	{"what a remote server lists in a message", `{"model":"m","tools":[{"type":"mcp_toolset","mcp_server_name":"sky"}],"mcp_servers":[{"name":"sky","url":"x"}],"messages":[{"role":"assistant","content":[{"type":"mcp_tool_listing","mcp_server_name":"sky","tools":[{"name":"weather","input_schema":{}}]}]}]}`,
		"anthropic mcp__sky\nweather in mcp__sky from sky/weather\nhosted_tool: a.json:1:23: tools[0]: 1 entry of a kind that its provider defines is skipped: mcp_toolset\n"},
	{"what a hosted search found, at the top", `{"model":"m","tools":[{"type":"tool_search"},{"type":"function","name":"ping","parameters":{},"defer_loading":true}],"input":[{"type":"tool_search_output","tools":[{"type":"function","name":"ping","parameters":{}}]},{"type":"additional_tools","tools":[{"type":"function","name":"pong","parameters":{}}]}]}`,
		"openai (none)\nping in (none) deferred\npong in (none)\nhosted_tool: a.json:1:23: tools[0]: 1 entry of a kind that its provider defines is skipped: tool_search\n"},
	{"a search that the client runs", `{"model":"m","tools":[{"type":"tool_search","execution":"client","description":"Find tools.","parameters":{"type":"object"}},{"type":"function","name":"ping","parameters":{}}]}`,
		"openai (none)\nping in (none)\nhosted_tool: a.json:1:23: tools[0]: 1 entry of a kind that its provider defines is skipped: tool_search\n"},
	{"a request without tools", `{"model":"m","input":[{"type":"additional_tools","tools":[{"type":"function","name":"pong","parameters":{}}]}]}`, "openai (none)\npong in (none)\n"},
	{"what searches found in a log of Codex", strings.ReplaceAll(`{"type":"session_meta","payload":{"id":"s"}}↵{"type":"response_item","payload":{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"mcp__sky","tools":[{"type":"function","name":"list","description":"d","parameters":{}}]}]}}↵{"type":"response_item","payload":{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"mcp__sea","tools":[{"type":"function","name":"list","description":"d","parameters":{}}]}]}}↵{"type":"response_item","payload":{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"mcp__sky","tools":[{"type":"function","name":"list","description":"d","parameters":{}}]}]}}↵{"type":"response_item","payload":{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"mcp__sky","tools":[{"type":"function","name":"list","description":"e","parameters":{}}]}]}}`, "↵", "\n"),
		"openai mcp__sky mcp__sea\nmcp__sky/list in mcp__sky from sky/list \"d\"\nmcp__sea/list in mcp__sea from sea/list \"d\"\nmcp__sky/list#2 in mcp__sky from sky/list \"e\"\n" +
			"duplicate_name: a.json:3:160: payload.tools[0].tools[0].name: another tool has this name, at a.json:2:160; this one is shown as mcp__sea/list\n" +
			"duplicate_name: a.json:5:160: payload.tools[0].tools[0].name: another tool has this name, at a.json:2:160; this one is shown as mcp__sky/list#2\n"},
	{"an answer alone", `{"id":"r","output":[{"type":"mcp_list_tools","server_label":"sky","tools":[{"name":"weather","input_schema":{}}]}]}`, "anthropic mcp__sky\nweather in mcp__sky from sky/weather\n"},
	{"wrapped without tools", `{"request":{"model":"m","input":[]},"response":{"output":[{"type":"tool_search_output","tools":[{"type":"function","name":"pong","parameters":{}}]}]}}`, "openai (none)\npong in (none)\n"},
	{"an array of requests", `[{"model":"m","tools":[],"input":[{"type":"additional_tools","tools":[{"type":"function","name":"pong","parameters":{}}]}]},{"model":"m","tools":[],"input":[{"type":"additional_tools","tools":[{"type":"function","name":"pong","parameters":{}}]}]}]`, "openai (none)\npong in (none)\n"},
	{"what a call and a result hold defines nothing", `{"model":"m","tools":[{"name":"ping","input_schema":{}}],"messages":[{"role":"assistant","content":[{"type":"tool_use","input":{"type":"additional_tools","tools":[{"name":"evil","input_schema":{}}]}}]},{"role":"user","content":[{"type":"tool_result","content":[{"type":"tool_definition","definition":{"name":"evil","input_schema":{}}}]}]}]}`,
		"anthropic (none)\nping in (none)\n"},
	{"a pinned toolset", `{"model":"m","messages":[],"tools":[{"type":"mcp_toolset","mcp_server_name":"sky","default_config":{"defer_loading":true},"configs":{"storm":{"enabled":false},"ping":{"defer_loading":false}},"tools":[{"name":"weather","description":"d","input_schema":{"type":"object","properties":{"place":{}}}},{"name":"storm","input_schema":{}},{"name":"ping","input_schema":{}}]}]}`,
		"anthropic mcp__sky\nweather in mcp__sky from sky/weather deferred \"d\" [\"place\"]\nping in mcp__sky from sky/ping\n" +
			"disabled_tool: a.json:1:297: tools[0].tools[1].name: \"storm\" is not enabled in the toolset of \"sky\", and is left out\n"},
	{"an allowlist of a pinned toolset", `{"model":"m","messages":[],"tools":[{"type":"mcp_toolset","mcp_server_name":"sky","default_config":{"enabled":false},"configs":{"weather":{"enabled":true}},"tools":[{"name":"weather","input_schema":{}},{"name":"storm","input_schema":{}}]}]}`,
		"anthropic mcp__sky\nweather in mcp__sky from sky/weather\n" +
			"disabled_tool: a.json:1:203: tools[0].tools[1].name: \"storm\" is not enabled in the toolset of \"sky\", and is left out\n"},
	{"custom tools", `{"model":"m","input":[],"tools":[{"type":"custom","name":"patch","description":"d","format":{"type":"text"},"defer_loading":true},{"type":"custom","custom":{"name":"grammar","description":"e"}}]}`,
		"openai (none)\npatch in (none) deferred \"d\"\ngrammar in (none) \"e\"\n" +
			"free_text: a.json:1:34: tools[0].format: the tool takes a free text, so that it has no parameters\n" +
			"free_text: a.json:1:131: tools[1].custom.format: the tool takes a free text, so that it has no parameters\n"},
	{"tools of another item", `{"request":{"model":"m","tools":[{"name":"ping","input_schema":{}}],"messages":[{"role":"user","content":[{"type":"tool_result","tools":[{"name":"weather","input_schema":{}}]}]}]}}`,
		"anthropic (none)\nping in (none)\n"},
	{"legacy functions", `{"messages":[],"functions":[{` + weather + `},{"name":"ping","description":"d"}]}`,
		"openai (none)\nweather in (none) \"Tells the weather.\" [\"place\"]\nping in (none) \"d\"\n"},
	{"Anthropic", `[{"name":"weather","description":"d","input_schema":{"type":"object","properties":{"place":{}}},"cache_control":{"type":"ephemeral"}}]`,
		"anthropic (none)\nweather in (none) \"d\" [\"place\"]\n"},
	{"Anthropic request", `{"max_tokens":1,"tools":[{"type":"custom","name":"weather","input_schema":{"type":"object"},"defer_loading":true},{"type":"bash_20250124","name":"bash"}]}`,
		"anthropic (none)\nweather in (none) deferred\nhosted_tool: a.json:1:115: tools[1]: 1 entry of a kind that its provider defines is skipped: bash_20250124\n"},
	{"Anthropic, server in the name", `[{"name":"mcp__sky__weather","input_schema":{}}]`, "anthropic mcp-sky\nmcp__sky__weather in mcp-sky from sky/weather\n" +
		"toolset_inferred: a.json:1:10: [0].name: 1 tool names no toolset; taken for mcp-sky, by the first word after mcp: no known server's name begins theirs\n"},
	{"Anthropic lines", "{\"name\":\"a\",\"input_schema\":{}}\n{\"name\":\"b\",\"input_schema\":{}}\n", "anthropic (none)\na in (none)\nb in (none)\n"},
	{"Gemini", `{"contents":[],"tools":[{"functionDeclarations":[{"name":"weather","parameters":{"type":"OBJECT","properties":{"place":{"type":"STRING","nullable":true}}}},{"name":"ping"}]},{"googleSearch":{}}]}`,
		"gemini (none)\nweather in (none) [\"place\"]\nping in (none)\nhosted_tool: a.json:1:175: tools[1]: 1 entry of a kind that its provider defines is skipped: googleSearch\n"},
	{"Gemini, JSON Schema", `{"functionDeclarations":[{"name":"weather","parametersJsonSchema":{"type":"object","properties":{"place":{}}}}]}`,
		"gemini (none)\nweather in (none) [\"place\"]\n"},
	{"Gemini, one tool", `{"tools":{"function_declarations":[{"name":"weather","parameters":{"type":"object"}}]}}`, "gemini (none)\nweather in (none)\n"},
	{"Bedrock", `{"toolConfig":{"tools":[{"toolSpec":{"name":"weather","description":"d","inputSchema":{"json":{"type":"object","properties":{"place":{}}}}}},{"cachePoint":{"type":"default"}}]}}`,
		"bedrock (none)\nweather in (none) \"d\" [\"place\"]\nhosted_tool: a.json:1:142: toolConfig.tools[1]: 1 entry of a kind that its provider defines is skipped: cachePoint\n"},
	{"Bedrock, no name", `[{"toolSpec":{"inputSchema":{"json":[]}}},{"toolSpec":{"name":"a","inputSchema":{"json":[]}}}]`,
		"bedrock (none)\na in (none)\nmissing_name: a.json:1:2: [0].toolSpec.name: missing; the definition is skipped\n" +
			"parameters_not_object: a.json:1:89: [1].toolSpec.inputSchema: parameters is not an object\n"},
	{"servers", `{"sky":{"tools":[{"name":"weather","inputSchema":{}}],"nextCursor":"2"},"sea level":{"result":{"tools":[{"name":"tide","inputSchema":{}}]}},"void":{"tools":[]}}`,
		"mcp mcp-sky mcp-sea level mcp-void\nmcp_sky_weather in mcp-sky from sky/weather\nmcp_sea_level_tide in mcp-sea level from sea level/tide\n" +
			"incomplete: a.json:1:68: sky.nextCursor: the list is incomplete: the server has more pages\n"},
	{"cache of schemas", `{"sky":{"fingerprint":"f","tools":[{"name":"weather","inputSchema":{}}],"utility_tools":[{"schema":{"name":"mcp_sky_list_prompts","description":"d","parameters":{"type":"object"}},"handler_key":"list_prompts"}]}}`,
		"mixed mcp-sky\nmcp__sky__weather in mcp-sky from sky/weather\nmcp_sky_list_prompts in mcp-sky from sky/list_prompts \"d\"\n"},
	{"cache of schemas, other names", `{"sky":{"fingerprint":"f","tools":[],"utility_tools":[{"schema":{"name":"mcp_sky_ask","parameters":{"type":"object"}},"handler_key":"list_prompts"},{"schema":{"description":"d"},"handler_key":"read"}]}}`,
		"hermes mcp-sky\nmcp_sky_ask in mcp-sky from sky/list_prompts\nmissing_name: a.json:1:149: sky.utility_tools[1].schema.name: missing; the definition is skipped\n"},
	{"our own export", `{"_meta":{"caliper/names":"final"},"tools":[{"name":"send","inputSchema":{},"_meta":{"caliper/toolset":"mail","caliper/source":"mcp","caliper/server":"post","caliper/original_name":" send-it "}},{"name":"ping","inputSchema":{},"_meta":{"other":1}}]}`,
		"mcp mail (none)\nsend in mail from post/send-it\nping in (none)\n"},
	{"marks of our own export in a server's answer", `{"sky":{"_meta":{"caliper/names":"final"},"tools":[{"name":"send","inputSchema":{},"_meta":{"caliper/toolset":"mail"}}]}}`,
		"mcp mcp-sky\nmcp_sky_send in mcp-sky from sky/send\n"},
	{"servers, then a file's own", `{"sky":{"tools":[{"name":"weather","inputSchema":{}}]}}{"tools":[{"name":"ping","inputSchema":{}}]}`,
		"mcp mcp-sky mcp-a\nmcp_sky_weather in mcp-sky from sky/weather\nmcp_a_ping in mcp-a from a/ping\n"},
	{"a map in a map", `{"sky":{"sea":{"tools":[{"name":"deep","inputSchema":{}}]},"tools":[{"name":"weather","inputSchema":{}}]}}`,
		"mcp mcp-sky\nmcp_sky_weather in mcp-sky from sky/weather\n"},
	{"names that are objects", `{"toolsets":{"s":{"title":"S","instructions":"Ask.","tools":[{"name":"a"},7,{"id":"b"}],"includes":["r"]},"r":["b"]},"tools":[{"function":{"name":"a"}},{"function":{"name":"b"}}]}`,
		"hermes s r\na in s\nb in r\n"},
	{"all switched off", `{"tools":[{"name":"off","inputSchema":{},"enabled":false}]}`,
		"\ndisabled_tool: a.json:1:11: tools[0].enabled: false: the tool is switched off, and is left out\n"},
	{"a definition behind another", `{"model":"m","tools":[{"name":"ping","input_schema":{}}],"messages":[{"content":[{"type":"tool_addition","tool":{"type":"tool_definition","definition":7}},{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"pong","input_schema":{}}}},{"type":"tool_addition","tool":7}]}]}`,
		"anthropic (none)\nping in (none)\npong in (none)\n"},
	{"Bedrock in a request with a model", `{"modelId":"m","messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{}}}}]}}`, "bedrock (none)\na in (none)\n"},
	{"event stream", ": hello\nevent: endpoint\ndata: /messages\n\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"result\":{\"tools\":[\r\ndata:{\"name\":\"weather\",\"inputSchema\":{}}]}}\r\n\r\ndata: [DONE]\n\n",
		"mcp mcp-a\nmcp_a_weather in mcp-a from a/weather\n"},
	{"wire log", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"sky"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"weather","inputSchema":{}}]}}
{"jsonrpc":"2.0","id":3,"result":{"content":[]}}
{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"no such method"}}`,
		"mcp mcp-a\nmcp_a_weather in mcp-a from a/weather\nserver_error: a.json:6:33: error: the server returned an error: -32601 \"no such method\"\n"},
	{"batch of pages", `[{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"2"}},{"tools":[{"name":"b","inputSchema":{}}]}]`,
		"mcp mcp-a\nmcp_a_a in mcp-a from a/a\nmcp_a_b in mcp-a from a/b\n"},
	{"names", `["ping","mcp__sky__weather"," "]`,
		"names (none) mcp-sky\nping in (none)\nmcp__sky__weather in mcp-sky from sky/weather\n" +
			"names_only: a.json:1:2: [0]: only 3 names, no definitions: descriptions and parameters are unknown\n" +
			"toolset_inferred: a.json:1:9: [1]: 1 tool names no toolset; taken for mcp-sky, by the first word after mcp: no known server's name begins theirs\n" +
			"missing_name: a.json:1:29: [2]: empty; the name is skipped\n"},
	{"MCP name with a blank", `{"tools":[{"name":"a ","inputSchema":{}}]}`, "mcp mcp-a\nmcp_a_a_ in mcp-a from a/a \n"},
	{"names beside definitions", `[{"function":{"name":"a"}},"b"]`,
		"openai (none)\na in (none)\nno_definition: a.json:1:28: [1]: 1 entry is only a name and is skipped\n"},
	{"toolset listing", `[{"name":"web","label":"Web","tools":["fetch"],"available":false},{"name":"file","tools":["read"]}]`,
		"names web file\nfetch in web unavailable\nread in file\n" +
			"names_only: a.json:1:39: [0].tools[0]: only 2 names, no definitions: descriptions and parameters are unknown\n"},
	{"listing by server", `{"web":{"tools":["fetch"]}}`,
		"names web\nfetch in web\nnames_only: a.json:1:18: web.tools[0]: only 1 name, no definitions: descriptions and parameters are unknown\n"},
	{"comments", "// ours\n{\"tools\":[ /* two */ {\"function\":{\"name\":\"a\",\"description\":\"// no comment, ]\"}}, ], }\n",
		"openai (none)\na in (none) \"// no comment, ]\"\njson_comments: a.json:1:1: comments or trailing commas, which are not JSON; read without them\n"},
}

func TestForms(t *testing.T) {
	for _, c := range formSeeds {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.in)
			if got := listing(r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			checkRegistry(t, r)
			for _, w := range r.Warnings {
				if w.Line == 0 {
					t.Errorf("no place: %+v", w)
				}
			}
		})
	}
}

// What a request carries is read as deep as twelve values in each other.
func TestCarriedDepth(t *testing.T) {
	for n, deep := range map[int]bool{9: false, 10: true} {
		text := `{"model":"m","input":[` + strings.Repeat(`{"a":`, n) + `{"type":"additional_tools","tools":[{"type":"function","name":"pong","parameters":{}}]}` + strings.Repeat("}", n) + `]}`
		if r, err := Parse(t.Context(), model.Source{Name: "x.json", Data: []byte(text)}); (err != nil) != deep || !deep && len(r.Tools) != 1 {
			t.Errorf("%d objects around it: %v", n, err)
		}
	}
}

// The function of a tool is the text that OpenAI's models are sent, whatever its source.
func TestBuiltFunctions(t *testing.T) {
	const want = `{"name":"weather","description":"d","parameters":{"type":"object"}}`
	for _, in := range []string{
		`[{"type":"function","name":"weather","description":"d","parameters":{"type":"object"},"strict":true}]`,
		`{"functions":[{"name":"weather","description":"d","parameters":{"type":"object"}}]}`,
		`[{"input_schema":{"type":"object"},"name":"weather","description":"d","type":"custom"}]`,
		`[{"function_declarations":[{"name":"weather","description":"d","parameters":{"type": "OBJECT"}}]}]`,
		`[{"functionDeclarations":[{"name":"weather","description":"d","parametersJsonSchema":{"type":"object"}}]}]`,
		`[{"name":"weather","description":"d","parametersJsonSchema":{"type":"object"}}]`,
		`[{"name":"weather","description":"d","parameters_json_schema":{"type":"object"}}]`,
		`[{"toolSpec":{"name":"weather","description":"d","inputSchema":{"json":{"type":"object"}}}}]`,
	} {
		tool := parse(t, in).Tools[0]
		if string(tool.Function) != want || string(tool.Parameters) != `{"type":"object"}` {
			t.Errorf("%s: function %s, parameters %s", in, tool.Function, tool.Parameters)
		}
	}
}

// A file of a folder gives its tools a toolset of its name where nothing else
// does.
func TestFolder(t *testing.T) {
	var sources []model.Source
	for _, f := range [][2]string{
		{"tools/a.json", `[{"function":{"name":"one"}},{"function":{"name":"mcp__sky__weather"}}]`},
		{"tools/b.jsonl", `{"function":{"name":"one"},"toolset":"s"}`},
		{"tools/sea.json", `{"tools":[{"name":"tide","inputSchema":{}}]}`},
		{"tools/z.json", `{"toolsets":{"s":["two"]},"tools":[{"function":{"name":"two"}},{"function":{"name":"three"}}]}`},
	} {
		sources = append(sources, model.Source{Name: f[0], Data: []byte(f[1]), Toolset: BaseName(f[0])})
	}
	r, err := Parse(context.Background(), sources...)
	require.NoError(t, err)
	want := "mixed s a mcp-sky mcp-sea z\na/one in a\nmcp__sky__weather in mcp-sky from sky/weather\ns/one in s\n" +
		"mcp_sea_tide in mcp-sea from sea/tide\ntwo in s\nthree in z\n" +
		"toolset_inferred: tools/a.json:1:50: [1].function.name: 1 tool names no toolset; taken for mcp-sky, by the first word after mcp: no known server's name begins theirs\n" +
		"duplicate_name: tools/b.jsonl:1:21: function.name: another tool has this name, at tools/a.json:1:22; this one is shown as s/one\n"
	if got := listing(r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTaskOnly: a tool that can only be called as a task is told from others.
func TestTaskOnly(t *testing.T) {
	for execution, want := range map[string]bool{`{"taskSupport":"required"}`: true, `{"taskSupport":"optional"}`: false, `{"other":"required"}`: false, `{}`: false, `"required"`: false} {
		for _, in := range []string{`{"tools":[{"name":"a","inputSchema":{},"execution":%}]}`, `{"toolsets":{},"tools":[{"type":"function","function":{"name":"a"},"toolset":"s","execution":%}]}`} {
			if tool := parse(t, strings.ReplaceAll(in, "%", execution)).Tools[0]; tool.TaskOnly != want {
				t.Errorf("%s in %s: %v", execution, in, tool.TaskOnly)
			}
		}
	}
	for name, want := range map[string]string{"a b": "a_b", "a_ b": "a_b", "a _b": "a_b", "_ b": "_b", " a. b. ": "a_b", "é": "é", "a-é-b": "a-_-b", "": ""} {
		if got := plainName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestBaseName(t *testing.T) {
	for file, want := range map[string]string{"": "", "-": "", "a/sky.json": "sky", "sky.wire.jsonl": "sky", "sky": "sky", ".json": ".json", "sky.v2.txt": "sky.v2"} {
		if got := BaseName(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	r, err := Parse(context.Background(), model.Source{Name: "-", Data: []byte(`{"result":{"protocolVersion":"1","serverInfo":{"name":"sky"}}}{"result":{"tools":[{"name":"tide","inputSchema":{}}]}}`)})
	if err != nil || r.Tools[0].Toolset != "mcp-sky" {
		t.Errorf("%v, %v", r, err)
	}
}

// Configurations say how many servers they list, and nothing else of them.
func TestConfigurations(t *testing.T) {
	for _, c := range []struct{ name, in, code, want string }{
		{"Claude", `{"mcpServers":{"a b":{"command":"hunter2","env":{"K":"hunter2"}}}}`, "client_config", "x:1:15: mcpServers: a client configuration: it lists 1 server and"},
		{"an agent of Kiro", `{"name":"k","tools":["*"],"mcpServers":{"a b":{"command":"hunter2"}}}`, "client_config", "x:1:40: mcpServers: a client configuration: it lists 1 server and"},
		{"comments", "{\n// hunter2\n\"servers\":{\"a\":{\"url\":\"hunter2\",},},}", "client_config", "x:3:11: servers: a client configuration: it lists 1 server and"},
		{"settings", `{"editor":{},"mcp":{"servers":{"a":{"command":"hunter2"},"b":{"url":"hunter2"}}}}`, "client_config", "it lists 2 servers and"},
		{"bare", `{"a":{"command":"hunter2"}}`, "client_config", "x:1:1: a client configuration: it lists 1 server and"},
		{"none", `{"mcpServers":{}}`, "client_config", "it lists no servers and"},
		{"list", `{"mcpServers":[{"name":"a","command":"hunter2"}]}`, "client_config", "it lists 1 server and"},
		{"other servers", `{"servers":{"a":{"port":1}}}`, "unknown_format", "no tool definitions found"},
		{"open comment", "{\"a\":1 /* hunter2 }", "json_syntax", "x:1:8: "},
		{"broken", `{"mcpServers":{"a":{"env":{"K":"hunter2"}`, "unexpected_end", "unexpected end of input"},
		{"broken by a value", `{"mcpServers":{"a":{"env":{"K":hunter2}}}}`, "json_syntax", "mcpServers.a.env.K: invalid character 'h'"},
		{"TOML", "# ours\nmodel = \"x\"\n[mcp_servers.a]\ncommand = \"hunter2\"\n[mcp_servers.a.env]\nK = \"hunter2\"\n[ mcp_servers.\"b c\" ]\n", "client_config", "x:3:1: a client configuration in TOML: it lists 2 servers and"},
		{"TOML of something else", "[package]\nname = \"hunter2\"\n", "unknown_format", "x:1:1: TOML, not a tool catalogue; understood are"},
		{"YAML", "---\nmodel: x\nmcp_servers:\n  # two\n  a:\n    env:\n      K: hunter2\n\n  'b c':\n    url: hunter2\nother:\n  c: 1\n", "client_config", "x:3:1: mcp_servers: a client configuration in YAML: it lists 2 servers and"},
		{"bare YAML", "a:\n  command: hunter2\n", "client_config", "x:1:1: a client configuration in YAML: it lists 1 server and"},
		{"YAML list", "mcpServers:\n- name: a\n  command: hunter2\n- name: b\n", "client_config", "it lists 2 servers and"},
		{"YAML of something else", "name: hunter2\n", "unknown_format", "x:1:1: YAML, not a tool catalogue; understood are"},
		{"Markdown", "# Title\n\nhunter2\n", "unknown_format", "x:1:1: not JSON; understood are"},
		{"JSON, not TOML", "[true]\nx", "json_syntax", "x:2:1: "},
		{"a request that failed", `{"jsonrpc":"2.0","error":{"code":1,"message":"down"}}`, "server_error", `the server returned an error: 1 "down"`},
		{"wraps without end", strings.Repeat(`{"result":`, 2000) + `{"tools":[]}` + strings.Repeat(`}`, 2000), "unknown_format", "no tool definitions found"},
		{"only hosted tools", `{"tools":[{"type":"web_search"}]}`, "unknown_format", "every entry is of a kind that its provider defines (web_search)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(context.Background(), model.Source{Name: "x", Data: []byte(c.in)})
			var d model.Diagnostic
			if !errors.As(err, &d) || d.Code != c.code || !strings.Contains(d.Error(), c.want) || strings.Contains(d.Error(), "hunter2") {
				t.Errorf("%s %v, want %s ...%s", d.Code, err, c.code, c.want)
			}
		})
	}
}

func TestGeminiSchema(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"type":"OBJECT","properties":{"a":{"type":"STRING"},"type":{"type":"INTEGER","nullable":false}}}`,
			`{"type":"object","properties":{"a":{"type":"string"},"type":{"type":"integer"}}}`},
		{`{"nullable":true,"type":"ARRAY","items":{"type":"NUMBER"},"minItems":"2","maxItems":"9007199254740993"}`,
			`{"type":["array","null"],"items":{"type":"number"},"minItems":2,"maxItems":9007199254740993}`},
		{`{"type":"STRING","enum":["A"],"nullable":true}`, `{"type":["string","null"],"enum":["A",null]}`},
		{`{"type":"STRING","enum":["A","STRING"],"nullable":true}`, `{"type":["string","null"],"enum":["A","STRING",null]}`},
		{`{"anyOf":[{"type":"BOOLEAN"},{"type":"OBJECT","nullable":true}],"nullable":true}`,
			`{"anyOf":[{"type":"boolean"},{"type":["object","null"]},{"type":"null"}]}`},
		{`{"properties":{"nullable":{"type":"BOOLEAN"}},"default":{"type":"STRING","nullable":true}}`,
			`{"properties":{"nullable":{"type":"boolean"}},"default":{"type":"STRING","nullable":true}}`},
		{`{"type":["string","null"],"minLength":"x","nullable":"yes","items":[{"type":"STRING"}],"properties":7,"anyOf":null}`,
			`{"type":["string","null"],"minLength":"x","nullable":"yes","items":[{"type":"STRING"}],"properties":7,"anyOf":null}`},
		{`{"type":"strnig","default":1.0e5, "const": -0.0}`, `{"type":"strnig","default":1.0e5,"const":-0.0}`},
	} {
		if got := string(geminiSchema([]byte(c.in))); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.in, got, c.want)
		}
	}
	deep := strings.Repeat(`{"nullable":true,"type":"OBJECT","items":`, 3000) + `{}` + strings.Repeat(`}`, 3000)
	if got := geminiSchema([]byte(deep)); !strictJSON(got) {
		t.Error("a deep schema is broken")
	}
}

// What stands beside "function" is sent with it, in the order of the source,
// but for what a dump adds.
func TestEnvelope(t *testing.T) {
	const usual = `{"type":"function","function":|}`
	for _, c := range []struct{ name, entry, want string }{
		{"nothing", `{"type":"function","function":{"name":"a"}}`, usual},
		{"no type", `{"function":{"name":"a"}}`, usual},
		{"behind", `{"type":"function","function":{"name":"a"},"strict":true,"x":[1, 2]}`, `{"type":"function","function":|,"strict":true,"x":[1, 2]}`},
		{"before", `{"strict":true,"function":{"name":"a"},"type":"function"}`, `{"strict":true,"function":|,"type":"function"}`},
		{"without type", `{"strict":true,"function":{"name":"a"}}`, `{"type":"function","strict":true,"function":|}`},
		{"another type", `{"type":"tool","function":{"name":"a"},"strict":null}`, `{"type":"function","function":|,"strict":null}`},
		{"an odd name", `{"function":{"name":"a"},"\u0022ä\n":1}`, `{"type":"function","function":|,"\"ä\n":1}`},
		{"a dump's", `{"type":"function","function":{"name":"a"},"toolset":"s","source":"builtin","server":"x","original_name":"y","available":true,"defer_loading":true}`, usual},
		{"an MCP server's", `{"type":"function","function":{"name":"a"},"title":"A","annotations":{},"output_schema":{},"outputSchema":{},"icons":[],"execution":{},"_meta":{}}`, usual},
		{"an MCP server's of tomorrow", `{"type":"function","function":{"name":"a"},"toolset":"mcp-s","source":"mcp","tomorrow":1}`, usual},
		{"a dump's, and strict", `{"type":"function","function":{"name":"a"},"toolset":"s","strict":true}`, `{"type":"function","function":|,"strict":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := model.Source{Name: "a.json", Data: []byte("[" + c.entry + `,{"function":{"name":"a"}}]`)}
			r, err := Parse(context.Background(), source)
			require.NoError(t, err)
			before, after := r.Tools[0].Around()
			if got := before + "|" + after; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if (r.Tools[0].Hash == r.Tools[1].Hash) != (c.want == usual) {
				t.Error("the hash does not tell what is sent")
			}
		})
	}
}

// Entries of one envelope share it.
func TestEnvelopesAreShared(t *testing.T) {
	r, err := Parse(context.Background(), model.Source{Data: []byte(`[{"function":{"name":"a"},"strict":true},{"function":{"name":"b"},"strict":true},{"function":{"name":"b"},"strict":false}]`)})
	if err != nil || r.Tools[0].Envelope != r.Tools[1].Envelope || r.Tools[1].Envelope == r.Tools[2].Envelope {
		t.Fatal(r, err)
	}
}

// A log of requests has a tool that each of them sends once, and every definition of a
// name that changed. Tools of one request are left as they are.
func TestRequestsOfALog(t *testing.T) {
	t.Parallel()
	tool := func(name, description string) string {
		return `{"type":"function","function":{"name":"` + name + `","description":"` + description + `","parameters":{"type":"object"}}}`
	}
	request := func(tools ...string) string {
		return `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[` + strings.Join(tools, ",") + "]}\n"
	}
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"again", request(tool("a", "x"), tool("b", "y")) + request(tool("a", "x"), tool("b", "y"), tool("c", "z")), []string{"a", "b", "c"}},
		{"changed", request(tool("a", "x")) + request(tool("a", "y")) + request(tool("a", "x")), []string{"a", "a"}},
		{"one request", request(tool("a", "x"), tool("a", "x")), []string{"a", "a"}},
		{"no requests", strings.Repeat(`{"tools":[`+tool("a", "x")+"]}\n", 2), []string{"a", "a"}},
	} {
		source := model.Source{Name: "log.jsonl", Data: []byte(c.in)}
		r, err := Parse(t.Context(), source)
		require.NoError(t, err)
		names := func(r *model.Registry) (names []string) {
			for _, t := range r.Tools {
				names = append(names, t.Name)
			}
			return names
		}
		if got := names(r); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A request in other members is read as a request: they are no servers.
func TestWrappedRequests(t *testing.T) {
	t.Parallel()
	const tools = `"tools":[{"name":"a","description":"A","input_schema":{"type":"object"}}]`
	for name, in := range map[string]string{
		"a batch of OpenAI":                `{"custom_id":"1","method":"POST","url":"/v1","body":{"model":"m","messages":[],` + tools + `}}` + "\n" + `{"custom_id":"2","body":{"model":"m","messages":[],` + tools + `}}`,
		"a batch of Anthropic":             `{"requests":[{"custom_id":"1","params":{"model":"m","messages":[],` + tools + `}},{"custom_id":"2","params":{"model":"m","messages":[],` + tools + `}}]}`,
		"a batch of Bedrock":               `{"recordId":"1","modelInput":{"anthropic_version":"v","messages":[],` + tools + `}}`,
		"a batch of Gemini":                `{"key":"1","request":{"contents":[],"tools":[{"functionDeclarations":[{"name":"a","description":"A","parameters":{"type":"OBJECT"}}]}]}}`,
		"a proxy":                          `{"request":{"headers":{},"body":{"messages":[],` + tools + `}},"response":{"status":200}}`,
		"a realtime session":               `{"type":"session.update","session":{"type":"realtime",` + tools + `}}`,
		"a trace with the model's request": `{"id":"1","run_type":"llm","trace_id":"2","extra":{"invocation_params":{"model":"m",` + tools + `}}}`,
		"an array of requests":             `[{"model":"m","messages":[],` + tools + `},{"model":"m","messages":[],` + tools + `}]`,
	} {
		r, err := Parse(t.Context(), model.Source{Name: "x", Data: []byte(in)})
		if err != nil || len(r.Tools) != 1 || r.Tools[0].Name != "a" || r.Tools[0].Server != "" || len(r.Toolsets) != 1 || r.Toolsets[0].Server != "" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	r, err := Parse(t.Context(), model.Source{Name: "x", Data: []byte(`{"harbour":{"serverInfo":{},` + tools + `}}`)})
	if err != nil || r.Tools[0].Server != "harbour" {
		t.Errorf("a map of servers: %v", err)
	}
}
