package live

import (
	"strings"
	"testing"
)

// Each client's file, as its own documentation writes it, in small files of ours.
func TestFilesOfClients(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, data, client, want string }{
		{"OpenCode", "opencode.jsonc", `{"$schema":"https://opencode.ai/config.json", // ours
			"mcp":{"files":{"type":"local","command":["bun","x","files"],"environment":{"K":"v"},"timeout":4000},"far":{"type":"remote","url":"https://h/mcp","headers":{"A":"b"},"enabled":false}},
			"tools":{"files_rm":false,"far*":false}}`, "opencode",
			"files stdio bun [\"x\" \"files\"] env [\"K\"] exclude [\"rm\"]\nfar http https://h/mcp headers [\"A\"] exclude [\"*\"] off"},
		{"OpenCode, again allowed", "opencode.json", `{"mcp":{"a":{"type":"local","command":["x"]}},"tools":{"a_*":false,"a_read":true,"write":true,"*e":false}}`, "opencode",
			`a stdio x [] exclude ["*" "!read" "*e"]`},
		{"OpenCode, the last rule", "opencode.json", `{"mcp":{"a b":{"type":"local","command":["x"]}},"tools":{"a_b_*":false,"a_b_read":true},"permission":{"a_b_r*":"deny","a_b_read":"ask","bash":{"*":"deny"}}}`, "opencode",
			`a b stdio x [] exclude ["*" "!read" "r*"]`},
		{"OpenCode, by arguments", "opencode.json", `{"mcp":{"a":{"type":"local","command":["x"]}},"permission":{"a_rm":{"x":"allow","*":"deny"},"a_cp":{"*":"deny","x":"allow"},"a_mv":{"x":"deny"},"a_ls":7}}`, "opencode",
			`a stdio x [] exclude ["rm" "!cp" "!mv"] unread ["permission.a_ls"]`},
		{"OpenCode, switches", "opencode.json", `{"mcp":{"a":{"enabled":false},"b":{"type":"local","command":["x"]}}}`, "opencode", "a   off\nb stdio x []"},
		{"OpenCode, only switches", "opencode.jsonc", `{"mcp":{"a":{"enabled":true}}}`, "opencode", "a"},
		{"OpenCode, all denied", "opencode.json", `{"mcp":{"a":{"type":"local","command":["x"]}},"permission":"deny"}`, "opencode", `a stdio x [] exclude ["*"]`},
		{"OpenCode, single agents", "opencode.json", `{"mcp":{"a":{"type":"local","command":["x"]}},"agent":{"build":{"tools":{"a_*":false,"bash":false}},"plan":{"permission":{"edit":"deny"}},"ask":{"permission":"deny"}},"mode":{"old":{"tools":{"a*":true}}}}`, "opencode",
			`a stdio x [] unread ["agent.build.tools" "agent.ask.permission" "mode.old.tools"]`},
		{"OpenCode, version 2", "opencode.json", `{"mcp":{"servers":{"a":{"type":"local","command":["x","y"],"disabled":true},"b":{"type":"remote","url":"https://h"}}},"permissions":[{"action":"*","resource":"*","effect":"ask"},{"action":"b_*","resource":"*","effect":"deny"}]}`, "opencode",
			"a stdio x [\"y\"] off\nb http https://h unread [\"permissions\"]"},
		{"Crush", "crush.json", `{"mcp":{"a":{"type":"stdio","command":"x","args":["y"],"disabled_tools":["rm"],"timeout":5},"b":{"type":"sse","url":"u","disabled":true}},"options":{"disabled_tools":["mcp_a_cp","bash"]}}`, "crush",
			"a stdio x [\"y\"] exclude [\"rm\" \"cp\"]\nb sse u off"},
		{"Goose", "config.yaml", "GOOSE_MODEL: m\nextensions:\n  a:\n    enabled: true\n    type: stdio\n    cmd: x\n    args: [y]\n    envs: {K: v}\n    env_keys: [T]\n    available_tools: [read]\n  b: {type: streamable_http, uri: 'https://h/mcp', enabled: false, available_tools: []}\n  c: {type: builtin, name: c}\n", "goose",
			"a stdio x [\"y\"] env [\"K\" \"T\"] include [\"read\"]\nb http https://h/mcp off\nc "},
		{"Goose, older", "config.yaml", "extensions:\n  a:\n    enabled: false\n    config: {type: stdio, cmd: x}\n", "goose", "a stdio x [] off"},
		{"Continue", "config.yaml", "name: c\nmcpServers:\n  - name: a b\n    command: x\n    args: [y]\n  - name: far\n    type: streamable-http\n    url: https://h\n    requestOptions: {headers: {A: b}}\n", "continue",
			"a b stdio x [\"y\"]\nfar http https://h headers [\"A\"]"},
		{"Continue, a block of its hub", "config.yaml", "name: c\nmcpServers:\n  - uses: owner/port-mcp\n", "continue", "port-mcp "},
		{"Continue, older", "config.json", `{"experimental":{"modelContextProtocolServers":[{"transport":{"type":"stdio","command":"x","args":["y"]}}]}}`, "continue", `server-1 stdio x ["y"]`},
		{"Gemini CLI", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x","includeTools":["read","run(ls)"],"excludeTools":["rm"],"trust":true},"b":{"url":"https://h/sse"},"c":{"httpUrl":"https://h/mcp","url":"no"}},"mcp":{"excluded":["b"]}}`, "gemini",
			"a stdio x [] include [\"read\" \"run\"] exclude [\"rm\"]\nb sse https://h/sse off\nc http https://h/mcp"},
		{"Gemini CLI, tools of all servers", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}},"tools":{"exclude":["a__rm","mcp_b_*","cp","run_shell_command(rm -rf)"],"allowed":["read"],"core":["ReadFileTool"]}}`, "gemini",
			"a stdio x [] exclude [\"rm\" \"mcp_b_*\" \"cp\"] unread [\"tools.core\"]\nb stdio y [] exclude [\"a__rm\" \"*\" \"cp\"] unread [\"tools.core\"]"},
		{"Gemini CLI, older", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x"}},"excludeTools":["rm"],"coreTools":[]}`, "gemini", `a stdio x [] exclude ["rm"] unread ["coreTools"]`},
		{"Gemini CLI, in another folder", "settings.json", `{"mcpServers":{"a":{"command":"x"}},"excludeTools":["rm"]}`, "gemini", `a stdio x [] exclude ["rm"]`},
		{"Gemini CLI, servers left out, in another folder", "settings.json", `{"mcpServers":{"a":{"command":"x"}},"mcp":{"excluded":["a"]}}`, "gemini", `a stdio x [] off`},
		{"LiteLLM, names with the server", "config.yaml", "model_list: []\nmcp_servers:\n  a: {url: 'https://h/mcp', allowed_tools: [a-read, list], disallowed_tools: [list]}\n  b: {url: 'https://h/mcp', transport: http, disallowed_tools: [b-rm, cp]}\n", "litellm",
			"a sse https://h/mcp include [\"a-read\" \"list\" \"read\"] exclude [\"list\"]\nb http https://h/mcp exclude [\"b-rm\" \"cp\" \"rm\"]"},
		{"LiteLLM, an empty list, other names", "config.yaml", "model_list: []\nmcp_servers:\n  a: {url: 'https://h/mcp', transport: http, allowed_tools: [], tool_name_to_display_name: {read: x}}\n", "litellm",
			"a http https://h/mcp unread [\"tool_name_to_display_name\"]"},
		{"LiteLLM", "config.yaml", "model_list: []\nmcp_servers:\n  a: {url: 'https://h/mcp', transport: http, auth_type: bearer_token, auth_value: os.environ/TOKEN, allowed_tools: [read]}\n  b: {url: 'https://h/sse', disallowed_tools: [rm], static_headers: {X: y}, auth_type: oauth2}\n  c: {transport: stdio, command: x, allowed_params: {read: [a]}}\n  d: {url: 'https://h/d', transport: http, auth_type: api_key, authentication_token: secret}\n", "litellm",
			"a http https://h/mcp headers [\"Authorization\"] include [\"read\"]\nb sse https://h/sse headers [\"X\"] exclude [\"rm\"] unread [\"auth_type\"]\nc stdio x []\nd http https://h/d headers [\"X-API-Key\"]"},
		{"Zed", "settings.json", `{"context_servers":{"a":{"source":"custom","command":"x"}},"agent":{"profiles":{"ask":{"context_servers":{"a":{"tools":{"rm":false}}}}}}}`, "zed", `a stdio x [] unread ["agent.profiles.ask"]`},
		{"Windsurf", "/h/.codeium/windsurf/mcp_config.json", `{"mcpServers":{"a":{"serverUrl":"https://h/mcp","disabledTools":["rm"],"alwaysAllow":["read"]}}}`, "windsurf", `a http https://h/mcp exclude ["rm"]`},
		{"Cline", "cline_mcp_settings.json", `{"mcpServers":{"a":{"type":"streamableHttp","url":"u","autoApprove":["x"],"disabled":true}}}`, "cline", "a http u off"},
		{"Roo", "/p/.roo/mcp.json", `{"mcpServers":{"a":{"command":"x","disabledTools":["rm"],"watchPaths":["y"]}}}`, "roo", `a stdio x [] exclude ["rm"]`},
		{"Amp", "settings.json", `{"amp.mcpServers":{"a":{"command":"x","includeTools":["read_*"]}},"amp.tools.disable":["mcp__a__read_all","bash","mcp__*__rm","builtin:edit","*_cp"]}`, "amp",
			`a stdio x [] include ["read_*"] exclude ["read_all" "bash" "*__rm" "_rm" "rm" "*_cp" "cp"]`},
		{"Amp, other settings", "settings.json", `{"amp.mcpServers":{"a":{"command":"x"}},"amp.tools.disable":["mcp__{a,b}__rm","mcp__b__rm"],"amp.permissions":[{"tool":"mcp__*","action":"reject"}],"amp.mcpPermissions":[{"matches":{"command":"x"},"action":"allow"}]}`, "amp",
			`a stdio x [] unread ["mcp__{a,b}__rm" "amp.permissions"]`},
		{"Copilot", "mcp-config.json", `{"mcpServers":{"a":{"type":"local","command":"x","tools":["read","g*"]},"b":{"type":"local","command":"y","tools":["*"],"excludeTools":["rm","g*"],"enabled":false},"c":{"type":"local","command":"z","disabled":true}}}`, "copilot",
			`a stdio x [] include ["read" "g\\*"]` + "\n" + `b stdio y [] include ["*"] exclude ["rm" "g\\*"] foreign ["enabled"]` + "\nc stdio z [] off"},
		{"Copilot, entries that it leaves out", "mcp-config.json", `{"mcpServers":{"a":{"command":"x","tools":"read"},"b":{"command":"x","excludeTools":null},"c":{"command":"x","tools":["read",5]},"d":{"command":"x","args":"y"},"e":{"command":"x","env":{"A":5}},"f":{"command":"x","tools":[],"env":{"A":"5"}}}}`, "copilot",
			"a   include [\"read\"]\nb  \nc   include [\"read\"] unread [\"tools\"]\nd  \ne   env [\"A\"]\nf stdio x [] env [\"A\"]"},
		{"Gemini CLI, names that read as patterns", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x","excludeTools":["\\a","!b","\\!c","*"]}},"tools":{"exclude":["\\d","[e]","!f","a__g"]}}`, "gemini",
			`a stdio x [] exclude ["\\\\a" "\\!b" "\\\\!c" "\\*" "\\\\d" "\\[e\\]" "\\!f" "g"]`},
		{"Claude Code, filters and switches of others", ".mcp.json", `{"mcpServers":{"a":{"command":"x","allowedTools":["mcp__a__read"],"disallowedTools":["rm"],"tools":["read"],"disabled":true},"b":{"command":"x","disabledTools":["rm"],"enabled":false,"includeTools":null,"excludeTools":[]},"c":{"command":"x","enabled":true,"disabled":false}}}`, "claude-code",
			"a stdio x [] foreign [\"disabled\" \"tools\" \"allowedTools\" \"disallowedTools\"]\nb stdio x [] foreign [\"enabled\" \"excludeTools\" \"disabledTools\"]\nc stdio x []"},
		{"Claude Desktop", "claude_desktop_config.json", `{"mcpServers":{"a":{"command":"x","disabledTools":["rm"],"disabled":true}}}`, "claude-desktop", `a stdio x [] foreign ["disabledTools"] off`},
		{"Cursor", "/h/.cursor/mcp.json", `{"mcpServers":{"a":{"command":"x","disabledTools":["rm"],"enabled_tools":["read"]}}}`, "cursor", `a stdio x [] foreign ["enabled_tools" "disabledTools"]`},
		{"VS Code, filters of others", "mcp.json", `{"servers":{"a":{"command":"x","allowedTools":["read"]}}}`, "vscode", `a stdio x [] foreign ["allowedTools"]`},
		{"Zed, filters of others", "settings.json", `{"context_servers":{"a":{"command":"x","disabledTools":["rm"]}}}`, "zed", `a stdio x [] foreign ["disabledTools"]`},
		{"Codex, filters of others", "config.toml", "[mcp_servers.a]\ncommand='x'\ndisabledTools=['rm']\ndisabled_tools=['cp']\n", "codex", `a stdio x [] exclude ["cp"] foreign ["disabledTools"]`},
		{"Gemini CLI, filters of others", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x","disabledTools":["rm"],"excludeTools":["cp"]}}}`, "gemini", `a stdio x [] exclude ["cp"] foreign ["disabledTools"]`},
		{"Gemini CLI, switches of others", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x","disabled":true},"b":{"command":"x","enabled":false}}}`, "gemini", "a stdio x [] foreign [\"disabled\"]\nb stdio x [] foreign [\"enabled\"]"},
		{"Qwen Code", "/h/.qwen/settings.json", `{"mcpServers":{"a":{"command":"x","includeTools":["read"]},"b":{"command":"y"}},"mcp":{"excluded":["b"]}}`, "qwen", "a stdio x [] include [\"read\"]\nb stdio y [] off"},
		{"switches of Jan and Cherry Studio", "x.json", `{"mcpServers":{"a":{"command":"x","active":false},"b":{"command":"x","isActive":false},"c":{"command":"x","active":true,"isActive":true}}}`, "",
			"a stdio x [] off\nb stdio x [] off\nc stdio x []"},
		{"mcp-proxy", "x.json", `{"mcpProxy":{"addr":":9090"},"mcpServers":{"a":{"command":"x","options":{"disabled":true}},"b":{"command":"x","options":{"toolFilter":{"mode":"Block","list":["rm"]}}},"c":{"transportType":"sse","url":"u","options":{"disabled":false,"toolFilter":{"mode":"allow","list":["read"]}}},"d":{"command":"x","options":{"toolFilter":{"mode":"allow","list":[]}}},"e":{"command":"x","options":{"toolFilter":{"list":["rm"]}}},"f":{"command":"x","options":{"logEnabled":true}}}}`, "",
			"a stdio x [] off\nb stdio x [] exclude [\"rm\"]\nc sse u include [\"read\"]\nd stdio x []\ne stdio x [] unread [\"options.toolFilter\"]\nf stdio x []"},
		{"MetaMCP", "x.json", `{"mcpServers":{"a":{"type":"STDIO","command":"x","status":"INACTIVE"},"b":{"type":"STREAMABLE_HTTP","url":"u","status":"ACTIVE"},"c":{"type":"SSE","url":"u"}}}`, "",
			"a stdio x [] off\nb http u\nc sse u"},
		{"an agent of Kiro", "x.json", `{"name":"k","mcpServers":{"a":{"command":"x"}},"tools":["@a/b"]}`, "",
			`a stdio x [] unread ["tools"]`},
		{"mcpproxy", "mcp_config.json", `{"listen":"127.0.0.1:8080","mcpServers":[{"name":"a","protocol":"stdio","command":"x","working_dir":"/w","disabled_tools":["rm"],"enabled":true},{"name":"b","protocol":"http","url":"u","quarantined":true,"enabled":true},{"name":"c","command":"x","enabled":false,"enabled_tools":[]}]}`, "mcpproxy",
			"a stdio x [] exclude [\"rm\"]\nb http u off: quarantined\nc stdio x [] off"},
		{"VS Code, a workspace", "x.code-workspace", `{"folders":[{"path":"."}], // ours
			"settings":{"mcp":{"servers":{"a":{"command":"x"}}}}}`, "vscode", `a stdio x []`},
		{"VS Code, a dev container", "devcontainer.json", `{"image":"x","customizations":{"vscode":{"mcp":{"servers":{"a":{"type":"http","url":"u"}}}}}}`, "vscode", `a http u`},
		{"VS Code, both of a dev container", "devcontainer.json", `{"customizations":{"vscode":{"mcp":{"servers":{"a":{"command":"x"}}},"settings":{"mcp":{"servers":{"b":{"command":"y"}}}}}}}`, "vscode", `a stdio x [] unread ["customizations.vscode.settings.mcp.servers"]`},
		{"VS Code, settings of a dev container", "devcontainer.json", `{"customizations":{"vscode":{"settings":{"mcp":{"servers":{"a":{"command":"x"}}}}}}}`, "vscode", `a stdio x []`},
		{"VS Code, one setting of a dev container", "devcontainer.json", `{"customizations":{"vscode":{"settings":{"mcp.servers":{"a":{"command":"x"}}}}}}`, "vscode", `a stdio x []`},
		{"VS Code, one setting of a workspace", "a.code-workspace", `{"settings":{"mcp.servers":{"a":{"command":"x"}}}}`, "vscode", `a stdio x []`},
		{"VS Code, one setting", "settings.json", `{"mcp.servers":{"a":{"command":"x"}}}`, "vscode", `a stdio x []`},
		{"Open WebUI", "x.json", `[{"type":"openapi","url":"http://h/api","config":{"enable":true},"info":{"name":"api"}},{"type":"mcp","url":"https://h/mcp","auth_type":"bearer","key":"sesame","config":{"enable":true,"function_name_filter_list":"read, !rm*"},"info":{"id":"a","name":"A"}},{"type":"mcp","url":"https://h/b","auth_type":"session","config":{"enable":false,"function_name_filter_list":["x"]},"info":{"name":"b"}}]`, "open-webui",
			"api  http://h/api\na http https://h/mcp headers [\"Authorization\"] include [\"*read\"] exclude [\"*rm\\\\*\"]\nb http https://h/b include [\"*x\"] unread [\"auth_type\"] off"},
		{"Open WebUI, its export", "x.json", `{"TOOL_SERVER_CONNECTIONS":[{"type":"mcp","url":"u","auth_type":"none","config":{"function_name_filter_list":""}}]}`, "open-webui", `server-1 http u`},
		{"a filter of a later version", "x.json", `{"mcpServers":{"a":{"command":"x","toolFilter":{"deny":["rm"]}}}}`, "", `a stdio x [] unread ["toolFilter"]`},
		{"a switch that is a text", "/p/.mcp.json", `{"mcpServers":{"a":{"command":"x","alwaysLoad":"true"}}}`, "claude-code", `a stdio x [] unread ["alwaysLoad"]`},
		{"a key of Claude Code", "/p/.cursor/mcp.json", `{"mcpServers":{"a":{"command":"x","alwaysLoad":true,"defer_loading":true}}}`, "cursor", `a stdio x [] foreign ["alwaysLoad" "defer_loading"]`},
		{"other words for a filter", "opencode.json", `{"mcp":{"a":{"type":"local","command":["x"],"filter":["rm"],"deny":"rm","hidden":true,"alwaysAllow":["read"],"permissions":{}}}}`, "opencode", `a stdio x [] unread ["filter" "deny" "permissions"]`},
		{"Codex, approval of a tool", "config.toml", "[mcp_servers.a]\ncommand='x'\ndefault_tools_approval_mode='prompt'\n[mcp_servers.a.tools.read]\napproval_mode='approve'\n[mcp_servers.a.tools.rm]\nenabled=false\n", "codex", `a stdio x [] unread ["tools.rm"]`},
		{"Zed, a profile without servers", "settings.json", `{"context_servers":{"a":{"command":"x"}},"agent":{"profiles":{"ask":{"enable_all_context_servers":false}}}}`, "zed", `a stdio x [] unread ["agent.profiles.ask"]`},
		{"MCP registry, packages", "server.json", `{"name":"io.example/port","version":"1.2.0","packages":[
			{"registryType":"npm","identifier":"@example/port","version":"1.3.0","runtimeArguments":[{"type":"positional","value":"-y"},{"type":"named","name":"--quiet"}],"packageArguments":[{"type":"named","name":"--port","default":"80"},{"type":"positional","value":"/x"},{"type":"positional","valueHint":"more"}],"environmentVariables":[{"name":"KEY","isRequired":true},{"name":"UNITS","default":"m"},{"name":"OTHER"}]},
			{"registryType":"oci","registryBaseUrl":"https://ghcr.io","identifier":"example/port","runtimeArguments":[{"type":"named","name":"-v","value":"{from}:/d","variables":{"from":{"default":"/s"}}}],"environmentVariables":[{"name":"KEY","isRequired":true}]},
			{"registryType":"oci","identifier":"docker.io/example/port:9"},
			{"registryType":"nuget","identifier":"Example.Port","packageArguments":[{"type":"positional","value":"mcp"}]}]}`, "mcp-registry",
			"port-npm stdio npx [\"-y\" \"--quiet\" \"@example/port@1.3.0\" \"--port\" \"80\" \"/x\"] env [\"UNITS\" \"KEY\"]\n" +
				"port-oci stdio docker [\"run\" \"-i\" \"--rm\" \"-v\" \"/s:/d\" \"-e\" \"KEY\" \"ghcr.io/example/port:1.2.0\"] env [\"KEY\"]\n" +
				"port-oci-2 stdio docker [\"run\" \"-i\" \"--rm\" \"docker.io/example/port:9\"]\n" +
				"port-nuget stdio dnx [\"Example.Port@1.2.0\" \"--yes\" \"--\" \"mcp\"]"},
		{"MCP registry, older", "server.json", `{"name":"io.example/port","version_detail":{"version":"2"},"packages":[{"registry_type":"pypi","identifier":"port","runtime_hint":"uvx","environment_variables":[{"name":"KEY","is_required":true}]}]}`, "mcp-registry", "port stdio uvx [\"port@2\"] env [\"KEY\"]"},
		{"MCP registry, remotes", "server.json", `{"name":"io.example/port","remotes":[{"type":"streamable-http","url":"https://h/mcp","headers":[{"name":"X","value":"y"},{"name":"Z"}]},{"type":"sse","url":"https://{t}.h/sse","variables":{"t":{"default":"eu"}}}]}`, "mcp-registry",
			"port-http http https://h/mcp headers [\"X\"]\nport-sse sse https://eu.h/sse"},
		{"MCP registry, a page", "page.json", `{"servers":[{"server":{"name":"io.example/port","remotes":[{"type":"sse","url":"https://h/sse"}]},"_meta":{}},{"server":{"name":"org.example/port","remotes":[{"type":"sse","url":"https://i/sse"}]}}]}`, "mcp-registry",
			"port sse https://h/sse\nport-2 sse https://i/sse"},
		{"servers in a section of settings", "settings.json", `{"mcp":{"servers":{"a":{"command":"x"}}}}`, "vscode", `a stdio x []`},
		{"a command as an object", "old zed.json", `{"context_servers":{"a":{"command":{"path":"x","args":["1"],"env":{"K":"v"}}}}}`, "zed", `a stdio x ["1"] env ["K"]`},
		{"a name twice", "x.json", "\uFEFF{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"y\"},\"a\":{\"command\":\"z\",\"disabled\":true}}}\r\n", "", "a stdio z [] off\nb stdio y []"},
		{"an address, a newer transport", "x.json", `{"mcpServers":{"a":{"url":"https://me:pw@h/p?key=abc&x=1#f"},"b":{"type":"newer","url":"u"}}}`, "", "a http https://h/p?key=…&x=…\nb http u"},
		{"comments in names", "x.json", `{"mcpServers":{"s//not a comment":{"command":"/*x*/",},},}`, "", `s//not a comment stdio /*x*/ []`},
		{"TOML in all forms", "x.toml", "mcp_servers.z.command='x'\n[mcp_servers.a]\nurl='u'\nbearer_token_env_var='T'\nenv_http_headers={X='Y'}\n[mcp_servers.b]\ncommand='c'\nenv_vars=['P']\ndisabled_tools=['q']\n[mcp_servers.b.env]\nE='1'\n", "codex",
			"z stdio x []\na http u headers [\"X\" \"Authorization\"]\nb stdio c [] env [\"E\" \"P\"] exclude [\"q\"]"},
		{"TOML inline", "x.toml", "mcp_servers = { z = { command = 'x' }, a = { command = 'y' } }", "codex", "z stdio x []\na stdio y []"},
		{"YAML with an anchor", "x.yaml", "mcp_servers:\n  a: &a\n    command: x\n    env: {K: 1}\n  b:\n    <<: *a\n    enabled: no\n    tools: {exclude: q}\n", "hermes", "a stdio x [] env [\"K\"]\nb stdio x [] env [\"K\"] exclude [\"q\"] off"},
		{"YAML, arguments as text", "x.yaml", "mcp_servers:\n  a:\n    command: x\n    args: -y 'b c'\n    tools: {include: [q], exclude: [q]}\n", "hermes", "a stdio x [\"-y\" \"b c\"] include [\"q\"]"},
		{"no servers", "empty.json", `{"mcpServers":{}}`, "", ""},
		{"projects", ".claude.json", `{"mcpServers":{"a":{"command":"x"}},"projects":{"/p":{"mcpServers":{"a":{"command":"y"},"b":{"url":"u"}}},"/q":{"mcpServers":{}}}}`, "claude-code",
			"a stdio x []\na (/p) stdio y []\nb http u"},
		{"projects in another file", "x", `{"projects":{"/p":{"mcpServers":{"a":{"command":"x"}}}}}`, "claude-code", "a stdio x []"},
		{"the section alone", "x.json", `{"a":{"command":"x"},"b":{"url":"u"}}`, "", "a stdio x []\nb http u"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseClientConfig(c.file, []byte(c.data))
			var lines []string
			for _, s := range got.Servers {
				lines = append(lines, describe(s))
			}
			if text := strings.TrimSpace(strings.Join(lines, "\n")); err != nil || got.Client != c.client || text != strings.TrimSpace(c.want) {
				t.Errorf("client %q, %v\n%s\nwant %q\n%s", got.Client, err, text, c.client, c.want)
			}
		})
	}
}

// What sends a server's tools always counts where it says so, each in its client.
func TestAlwaysSent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, entry, by string }{
		{".mcp.json", `"alwaysLoad":true`, "alwaysLoad"},
		{".mcp.json", `"deferTools":"never"`, ""},
		{"mcp-config.json", `"deferTools":"never"`, "deferTools"},
		{"mcp-config.json", `"deferTools":"always"`, ""},
		{"/h/.pi/mcp.json", `"exposure":"direct"`, "exposure"},
	} {
		s := parsed(t, c.file, []byte(`{"mcpServers":{"a":{"command":"x",`+c.entry+`}}}`)).Servers[0]
		if s.Always != (c.by != "") || s.Always && (!strings.HasSuffix(s.AlwaysBy.Key, "."+c.by) || s.Unread != nil) {
			t.Errorf("%s %s: always %v, by %q", c.file, c.entry, s.Always, s.AlwaysBy.Key)
		}
	}
	if s := parsed(t, ".mcp.json", []byte(`{"mcpServers":{"a":{"command":"x","alwaysLoad":false}}}`)).Servers[0]; s.Always || s.AlwaysBy.Key == "" {
		t.Errorf("alwaysLoad: false is %v, by %q", s.Always, s.AlwaysBy.Key)
	}
}

// Each client's variables are replaced as it does, and no command is run.
func TestVariablesOfClients(t *testing.T) {
	t.Parallel()
	lookup := func(name string) (string, bool) { return "1", name == "A" }
	for _, c := range []struct{ data, want, fault string }{
		{`{"mcp":{"s":{"type":"local","command":["x","{env:A}-${A}-{env:}"]}}}`, "1-${A}-{env:}", ""},
		{`{"mcp":{"s":{"type":"local","command":["x","{file:~/.key}"]}}}`, "", "the client reads it from a file"},
		{`{"mcp":{"s":{"type":"stdio","command":"x","args":["$A-${A}-$-$1"]}}}`, "1-1-$-$1", ""},
		{`{"mcp":{"s":{"type":"stdio","command":"x","args":["$(cat sesame)"]}}}`, "", "the client runs a command for it"},
		{`{"mcp":{"s":{"type":"stdio","command":"x","args":["$NONE"]}}}`, "", "variable NONE is not set"},
	} {
		config := parsed(t, "x.json", []byte(c.data))
		s, err := config.Servers[0].Expand(lookup)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "sesame") {
				t.Errorf("%s: error is %v, want %s", c.data, err, c.fault)
			}
			continue
		}
		if err != nil || s.hidden().args[0] != c.want {
			t.Errorf("%s: %v", c.data, err)
		}
	}
	config := parsed(t, "config.yaml", []byte("litellm_settings: {}\nmcp_servers: {a: {url: u, auth_type: bearer_token, auth_value: os.environ/A}}"))
	s, err := config.Servers[0].Expand(lookup)
	if err != nil || s.hidden().headers[0].value != "Bearer 1" {
		t.Errorf("%v", err)
	}
}

// A filter that is of another kind than its client writes is read where it can mean one
// thing only, and is told of where not: nothing widens the choice without a word.
func TestFiltersOfAnotherKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, filter, want string }{
		{"an object that leaves out", `"disabledTools":{"rm":true,"read":false}`, `exclude ["rm"]`},
		{"an object with more", `"disabledTools":{"rm":true,"cp":"sometimes"}`, `exclude ["rm"] unread ["disabledTools"]`},
		{"an object that takes", `"includeTools":{"read":true}`, `unread ["includeTools"]`},
		{"a number to take", `"includeTools":5`, `unread ["includeTools"]`},
		{"a number to leave out", `"disabledTools":5`, `unread ["disabledTools"]`},
		{"a truth", `"excludeTools":true`, `unread ["excludeTools"]`},
		{"one name", `"enabled_tools":"read","disabledTools":"5"`, `include ["read"] exclude ["5"]`},
		{"objects in a list to take", `"includeTools":[{"name":"read"}]`, `unread ["includeTools"]`},
		{"objects in lists beside names", `"includeTools":["read",{"name":"rm"}],"excludeTools":[7,"rm"]`, `include ["read"] exclude ["rm"] unread ["includeTools" "excludeTools"]`},
		{"another filter that can be read", `"tools":5,"enabled_tools":["read"]`, `include ["read"] unread ["tools"]`},
		{"one that no client has", `"allowedTools":["read"]`, `foreign ["allowedTools"]`},
		{"tools as a number", `"tools":5`, `unread ["tools"]`},
		{"tools of Hermes", `"tools":{"include":5,"exclude":{"rm":true},"resources":false,"rm":false}`, `exclude ["rm"] unread ["tools.include" "tools.rm"]`},
		{"tools of Goose", `"available_tools":7`, `unread ["available_tools"]`},
		{"no filter", `"includeTools":null,"disabledTools":null,"tools":null`, ""},
		{"an empty list", `"enabled_tools":[],"disabledTools":[]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := parsed(t, "x.json", []byte(`{"mcpServers":{"a":{"command":"x",`+c.filter+`}}}`))
			s := got.Servers[0]
			if line := strings.TrimSpace(strings.TrimPrefix(describe(s), "a stdio x []")); line != c.want {
				t.Errorf("%s, want %s", line, c.want)
			}
			if takes := s.Allows("other"); takes != (s.Include == nil) {
				t.Errorf("another tool: %v, by %q", takes, s.Include)
			}
		})
	}
	// An empty list takes nothing, but where every client that has such a list takes all by it.
	for filter, all := range map[string]bool{`"enabled_tools":[]`: false, `"includeTools":[]`: false, `"tools":[]`: false, `"allowed_tools":[]`: true, `"available_tools":[]`: true, `"disabled_tools":[]`: true} {
		got := parsed(t, "x.json", []byte(`{"mcpServers":{"a":{"command":"x",`+filter+`}}}`))
		if takes := got.Servers[0].Allows("other"); takes != all {
			t.Errorf("%s takes all: %v", filter, takes)
		}
	}
	for file, want := range map[[2]string]string{
		{"c.toml", "[mcp_servers.a]\ncommand='x'\nenabled_tools=5\n"}:                                  `unread ["enabled_tools"]`,
		{"c.yaml", "mcp_servers:\n  a: {command: x, tools: {exclude: {rm: true}}}\n"}:                  `exclude ["rm"]`,
		{"s.json", `{"amp.mcpServers":{"a":{"command":"x"}},"amp.tools.disable":{"mcp__a__rm":true}}`}: `exclude ["rm"]`,
		{"s.jsonc", `{"amp.mcpServers":{"a":{"command":"x"}},"amp.tools.disable":5}`}:                  `unread ["amp.tools.disable"]`,
		{"crush.json", `{"mcp":{"a":{"type":"stdio","command":"x"}},"options":{"disabled_tools":9}}`}:  `unread ["options.disabled_tools"]`,
		{"opencode.json", `{"mcp":{"a":{"type":"local","command":["x"]}},"tools":["a_rm"]}`}:           `unread ["tools"]`,
	} {
		got, err := ParseClientConfig(file[0], []byte(file[1]))
		if err != nil || len(got.Servers) != 1 {
			t.Fatal(err)
		}
		if line := strings.TrimSpace(strings.TrimPrefix(describe(got.Servers[0]), "a stdio x []")); line != want {
			t.Errorf("%s: %s, want %s", file[0], line, want)
		}
	}
}

// What an entry of the MCP registry leaves to its user is told of, in words of ours, and
// none of its texts is replaced by a variable of the environment.
func TestRegistryEntryThatAsks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, entry, want string }{
		{"an argument", `"packages":[{"registryType":"npm","identifier":"a","packageArguments":[{"type":"positional","valueHint":"dir","isRequired":true}]}]`, "needs an argument that is asked of the user"},
		{"a part of an argument", `"packages":[{"registryType":"oci","identifier":"a","runtimeArguments":[{"type":"named","name":"-v","value":"{s}:/d","isRequired":true,"variables":{"s":{"isRequired":true}}}]}]`, "needs an argument that is asked of the user"},
		{"a bundle", `"packages":[{"registryType":"mcpb","identifier":"https://h/a.mcpb"}]`, "it is a bundle"},
		{"another registry", `"packages":[{"registryType":"cargo","identifier":"a"}]`, "how a package of its registry is started is not known"},
		{"HTTP", `"packages":[{"registryType":"npm","identifier":"a","transport":{"type":"streamable-http","url":"http://localhost:1"}}]`, "it answers over HTTP where it was started"},
		{"a header", `"remotes":[{"type":"sse","url":"u","headers":[{"name":"X","isRequired":true}]}]`, "needs a header that is asked of the user"},
		{"a part of an address", `"remotes":[{"type":"sse","url":"https://{t}.h"}]`, "its address has a part that is asked of the user"},
	} {
		config, err := ParseClientConfig("server.json", []byte(`{"name":"io.example/a",`+c.entry+`}`))
		if err != nil || len(config.Servers) != 1 || !strings.Contains(config.Servers[0].Problem, c.want) {
			t.Errorf("%s: %v %+v", c.name, err, config.Servers)
		}
	}
	config := parsed(t, "server.json", []byte(`{"name":"a","packages":[{"registryType":"npm","identifier":"a","packageArguments":[{"type":"positional","value":"${SECRET}"}]}]}`))
	s, err := config.Servers[0].Expand(func(string) (string, bool) { return "sesame", true })
	if err != nil || strings.Contains(strings.Join(s.hidden().args, " "), "sesame") {
		t.Errorf("a text of an entry takes a variable of the environment: %v %v", s.hidden().args, err)
	}
}
