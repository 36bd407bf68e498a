package shapes

import (
	"context"
	"errors"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// catalogues are files that programs keep their tools in, and the tools read of them.
var catalogues = []struct{ name, file, in, want string }{
	{"toolbox", "tools.yaml", `sources:
  db: {kind: postgres}
tools:
  find-berth:
    kind: postgres-sql
    source: db
    description: Finds a berth.
    parameters:
      - {name: length, type: float, description: In metres.}
      - {name: quays, type: array, items: {name: quay, type: string}}
      - {name: limit, type: integer, default: 5}
      - {name: night, type: boolean, required: false}
  list-berths:
    type: postgres-list
    description: Lists them.
toolsets:
  berths:
    - find-berth
`, `toolbox
find-berth in berths "Finds a berth." {"type":"object","properties":{"length":{"type":"number","description":"In metres."},"quays":{"type":"array","items":{"name":"quay","type":"string"}},"limit":{"type":"integer","default":5},"night":{"type":"boolean"}},"required":["length","quays"]}
list-berths in (none) "Lists them." {"type":"object","properties":{}}
`},
	{"bundle", "manifest.json", `{"manifest_version":"0.3","name":"harbour","version":"1","server":{"type":"node"},"tools":[{"name":"dock","description":"Docks."}]}`, `mcp
mcp_harbour_dock in mcp-harbour "Docks." 
`},
	{"Docker, of names", "catalog.yaml", `version: 2
registry:
  harbour:
    image: example/harbour
    tools:
      - name: dock
      - name: sail
  tide:
    remote: {url: 'https://tide.example/mcp'}
`, `mcp
mcp_harbour_dock in mcp-harbour "" 
mcp_harbour_sail in mcp-harbour "" 
names_only
`},
	{"Docker, with programs", "catalog.yaml", `registry:
  harbour:
    longLived: true
    tools:
      - name: dock
        description: Docks.
        container: {image: example/dock}
        parameters: {type: object, properties: {ship: {type: string}}, required: [ship]}
`, `openai
dock in mcp-harbour "Docks." {"type":"object","properties":{"ship":{"type":"string"}},"required":["ship"]}
`},
	{"parameters in a list", "harbour.yaml", `tools:
  - name: list
    description: Lists.
    annotations: {readOnlyHint: true}
  - name: dock
    description: Docks.
    parameters:
      - {name: ship, type: string, required: true}
      - {name: berths, type: array, items: {type: number}}
`, `mixed
mcp_harbour_list in mcp-harbour "Lists." 
mcp_harbour_dock in mcp-harbour "Docks." {"type":"object","properties":{"ship":{"type":"string"},"berths":{"type":"array","items":{"type":"number"}}},"required":["ship"]}
`},
	{"tools by server", "x.json", `{"harbour":[{"name":"dock","description":"Docks.","inputSchema":{"type":"object"}}],"tide":[{"name":"now","inputSchema":{"type":"object"}}],"closed":[]}`, `mcp
mcp_harbour_dock in mcp-harbour "Docks." {"type":"object"}
mcp_tide_now in mcp-tide "" {"type":"object"}
`},
	{"Gemini, flat", "x.json", `[{"name":"dock","description":"Docks.","parameters":{"type":"OBJECT","properties":{"ship":{"type":"STRING"}},"required":["ship"]}}]`, `gemini
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}},"required":["ship"]}
`},
	{"smolagents", "x.json", `{"tools":[{"name":"dock","description":"Docks.","inputs":{"ship":{"type":"string","description":"Which."},"photo":{"type":"image","nullable":true},"cargo":{"type":"any"}},"output_type":"string"}]}`, `smolagents
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which."},"photo":{},"cargo":{}},"required":["ship","cargo"]}
`},
	{"inputs", "x.json", `[{"name":"dock","description":"Docks.","inputs":{"ship":{"type":"string"}},"endpoint":"POST /dock"}]`, `smolagents
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}}}
`},
	{"Cohere", "x.json", `{"tools":[{"name":"dock","description":"Docks.","parameter_definitions":{"ship":{"type":"str","description":"Which.","required":true},"n":{"type":"int"}}}]}`, `cohere
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which."},"n":{"type":"integer"}},"required":["ship"]}
`},
	{"Open WebUI", "x.json", `[{"id":"port","name":"Port","content":"def dock(): ...","specs":[{"name":"dock","description":"Docks.","parameters":{"type":"object"}}]}]`, `openai
dock in port "Docks." {"type":"object"}
`},
	{"VS Code", "package.json", `{"name":"port","version":"1","scripts":{},"contributes":{"languageModelTools":[{"name":"port_dock","displayName":"Dock","modelDescription":"Docks.","inputSchema":{"type":"object"}}]}}`, `vscode
port_dock in (none) "Docks." {"type":"object"}
`},
	{"a conversation in Python", "x.json", `[{"conversations":[{"from":"system","value":"Tools: <tools>\n[{'type': 'function', 'function': {'name': 'dock', 'description': \"The ship's berth\", 'strict': True, 'parameters': {'type': 'object', 'properties': {'n': {'type': 'integer', 'default': None}}}}}]\n</tools>"},{"from":"human","value":"Dock."}]}]`, `chat
dock in (none) "The ship's berth" {"type":"object","properties":{"n":{"type":"integer","default":null}}}
`},
	{"a prompt in Python", "x.txt", `You have <tools> [{'name': 'dock', 'description': 'Docks.', 'parameters': {'type': 'object'}}] </tools> now.`, `openai
dock in (none) "Docks." {"type": "object"}
`},
	{"a prompt that begins with its tools", "x.txt", `<tools> [{'name': 'dock', 'description': 'Docks.', 'parameters': {'type': 'object'}}] </tools>`, `openai
dock in (none) "Docks." {"type": "object"}
`},
	{"a body as JSON behind one that is a patch", "x.json", `{"openapi":"3.1.0","info":{"title":"Port"},"paths":{"/dock":{"post":{"operationId":"dock","requestBody":{"content":{"application/merge-patch+json":{"schema":{"type":"object","properties":{"patch":{}}}},"application/json":{"schema":{"type":"object","properties":{"ship":{}}}}}}}}}}`, `openapi
dock in Port "POST /dock" {"type":"object","properties":{"body":{"type":"object","properties":{"ship":{}}}}}
`},
	{"a conversation that cannot be read", "x.json", `[{"messages":[{"role":"system","content":"<tools>[dock(ship), sail()]</tools>"}]},{"messages":[{"role":"system","content":"<tools>{\"name\":\"dock\",\"description\":\"Docks.\",\"parameters\":{}}</tools>"}]}]`, `chat
dock in (none) "Docks." {"type":"object","properties":{}}
no_definition
`},
}

func TestCatalogues(t *testing.T) {
	for _, c := range catalogues {
		t.Run(c.name, func(t *testing.T) {
			r, err := Parse(context.Background(), model.Source{Name: c.file, Data: []byte(c.in)})
			require.NoError(t, err)
			if got := told(r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// What holds no tools is called what it is, with what to do with it.
func TestRecognisedFilesWithoutTools(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"ChatGPT", `{"name_for_model":"dock","description_for_model":"Docks.","api":{"type":"openapi","url":"https://port.example/api.yaml"}}`, "the manifest of a ChatGPT plugin: its tools are the operations"},
		{"bundle", `{"dxt_version":"0.1","name":"port","server":{"type":"node"},"tools_generated":true}`, "the manifest of an MCP bundle that lists no tools"},
		{"Docker, a server", "name: port\nimage: example/port\ntype: server\nabout:\n  title: Port\n", "the entry of a server in the catalogue of Docker"},
		{"Docker, a remote server", "name: port\ntype: remote\nremote:\n  url: https://port.example\n", "the entry of a server in the catalogue of Docker"},
		{"Docker, no tools", "registry:\n  port:\n    image: example/port\n    tools: []\n", "x:2:3: registry: this is a catalogue of Docker that names 1 server and none of their tools"},
		{"Docker, no list", "registry:\n  port:\n    remote: {url: u}\n  tide:\n    image: i\n", "names 2 servers and none of their tools"},
		{"Smithery", "startCommand:\n  type: stdio\n", "the configuration of Smithery"},
		{"A2A", `{"name":"p","url":"u","defaultInputModes":["text"],"skills":[{"id":"s","name":"S"}]}`, "an agent card (A2A)"},
		{"plugin", `{"name":"p","version":"1","mcpServers":"./.mcp.json"}`, "the manifest of a plugin of Claude Code"},
		{"marketplace", `{"name":"m","owner":{"name":"o"},"plugins":[{"name":"p","source":"./p"}]}`, "a marketplace of plugins"},
		{"Gemini CLI", `{"name":"p","version":"1","contextFileName":"GEMINI.md"}`, "the manifest of an extension of Gemini CLI, without MCP servers: list them under mcpServers"},
		{"OpenCode", `{"$schema":"https://opencode.ai/config.json","agent":{}}`, "the configuration of OpenCode, without MCP servers: list them under mcp,"},
		{"Crush", `{"$schema":"https://charm.land/crush.json","models":{}}`, "the configuration of Crush, without MCP servers"},
		{"Crush, as OpenCode", `{"$schema":"https://charm.land/crush.json","mcp":{"a":{"type":"stdio","command":["hunter2"]}}}`, "a client configuration of Crush: it lists 1 server"},
		{"Continue", "name: p\nschema: v1\nmodels:\n  - name: a\n", "the configuration of Continue, without MCP servers"},
		{"Claude Code", `{"permissions":{"allow":["Bash(ls:*)"]}}`, "a settings file of Claude Code, without MCP servers"},
		{"Goose, a recipe", "title: t\nextensions:\n  - {type: builtin, name: developer}\n  - {type: stdio, name: b, cmd: hunter2}\n", "a client configuration of Goose in YAML: it lists 2 servers"},
		{"a request", `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`, "this is a request to an MCP server, and not its answer"},
		{"entries without a definition", `{"tools":[{"name":"7z","id":"x.7z"},{"name":"go","id":"x.go"}]}`, "x:1:11: tools[0]: no tool definition: beside its name it needs parameters"},
		{"toolbox of something else", `{"tools":{"a":"https://a.example"}}`, "no tool definitions found"},
		{"Docker of something else", `{"registry":{"a":{"b":1}}}`, "no tool definitions found"},
		{"a conversation", `[{"messages":[{"role":"system","content":"<tools>[dock(ship)]</tools>"}]}]`, "no tool definitions found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(context.Background(), model.Source{Name: "x", Data: []byte(c.in)})
			var d model.Diagnostic
			if !errors.As(err, &d) || !strings.Contains(d.Error(), c.want) || strings.Contains(d.Error(), "hunter2") {
				t.Errorf("%v, want ...%s", err, c.want)
			}
		})
	}
}

func TestJSONOfPython(t *testing.T) {
	for in, want := range map[string]string{
		`{'a': [True, False, None, 1.5e3]}`: `{"a": [true, false, null, 1.5e3]}`,
		`"it's \"x\""`:                      `"it's \"x\""`,
		`'a\n\x41\u00e9\U0001F6A2\'\\'`:     "\"a\\nA\u00e9\U0001F6A2'\\\\\"",
		`'open`:                             "",
		`'open\`:                            "",
		`'\q'`:                              "",
		`'\x4'`:                             "",
		`'\UFFFFFFFF'`:                      "",
		`dock(ship)`:                        "",
		"{'a': Decimal('1')}":               "",
		`['a',]`:                            `["a",]`,
		"'" + strings.Repeat("\\t", 3) + "' None": `"\t\t\t" null`,
	} {
		if got := string(jsonOfPython([]byte(in))); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}
