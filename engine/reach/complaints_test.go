package reach

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/engine/live"
	"caliper/model/require"
)

// tool returns an entry of a dump for a tool of a server.
func tool(server, local, description, schema string) string {
	return fmt.Sprintf(`{"type":"function","function":{"name":"mcp_%[1]s_%[2]s","description":%[3]q,"parameters":%[4]s},"toolset":"mcp-%[1]s","server":%[1]q,"original_name":%[2]q}`, server, local, description, schema)
}

// object is a schema that every client takes.
const object = `{"type":"object","properties":{"day":{"type":"string"}}}`

// ships is a tool that every case but those with dumps of their own asks about.
var ships = tool("port", "list_ships", "List the ships in the harbour.", object)

// TestComplaints asks about tools that users of other agents could not call: the step
// that says why, its code, and the setting that changes it.
func TestComplaints(t *testing.T) {
	const entry = `{"command":"port"}`
	long := strings.Repeat("long", 16)
	many := []string{ships}
	for i := range 130 {
		many = append(many, tool("port", fmt.Sprintf("berth_%d", i), "Book a berth.", object))
	}
	twins := make([]string, 9)
	for i := range twins {
		twins[i] = tool("port", fmt.Sprintf("twin%d", i), "Twin.", object)
	}
	called := func(name, server string) string {
		return strings.Replace(tool(server, "list_ships", "List the ships.", object), "mcp_"+server+"_list_ships", name, 1)
	}
	tests := map[string]struct {
		host, file, text string
		settings         string // of Claude Code, for the folder of the file
		state            string // of Claude Code, for the project /w
		failed           string // why the server gave no list
		tools            []string
		ask              string
		posture          Posture
		step             Name
		code             Code
		key              string
		mends            any // what the key is to have in the file of the agent, or a name that its list is not to have
	}{
		"another client has the server":            {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"quay":` + entry + `}}`, step: Configured, code: NoEntry},
		"the entry starts nothing":                 {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":{}}}`, step: Configured, code: BadEntry, key: "mcpServers.port"},
		"the entry is off":                         {host: "codex", file: "config.toml", text: "[mcp_servers.port]\ncommand = \"port\"\nenabled = false\n", step: Configured, code: SwitchedOff, key: "mcp_servers.port.enabled", mends: true},
		"a list of allowed servers lacks it":       {host: "claude-code", file: ".gemini/settings.json", text: `{"mcp":{"allowed":["quay"]},"mcpServers":{"port":` + entry + `}}`, step: Configured, code: SwitchedOff, key: "mcp.allowed"},
		"the server does not start":                {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":` + entry + `}}`, failed: "exit status 1", step: Listed, code: NotStarted},
		"the server lists others":                  {host: "claude-code", ask: "mcp__port__sail_away", step: Listed, code: NotListed},
		"one schema takes the whole list":          {host: "claude-code", tools: []string{ships, tool("port", "bad", "Bad.", `{"type":"string"}`)}, step: Listed, code: ListRefused},
		"a filter of tools to take":                {host: "codex", file: "config.toml", text: "[mcp_servers.port]\ncommand = \"port\"\nenabled_tools = [\"sink\"]\n", step: Kept, code: FilteredOut, key: "mcp_servers.port.enabled_tools", mends: []string{"sink", "list_ships"}},
		"a filter of tools to leave out":           {host: "codex", file: "config.toml", text: "[mcp_servers.port]\ncommand = \"port\"\ndisabled_tools = [\"list_ships\"]\n", step: Kept, code: FilteredOut, key: "mcp_servers.port.disabled_tools", mends: []string{}},
		"a list of Goose, in YAML":                 {host: "ai-sdk", file: "config.yaml", text: "extensions:\n  port: # ships\n    cmd: port\n    type: stdio\n    available_tools:\n      - sink\n", step: Kept, code: FilteredOut, key: "extensions.port.available_tools", mends: []string{"sink", "list_ships"}},
		"an entry of Goose that is off":            {host: "ai-sdk", file: "config.yaml", text: "extensions:\n  port:\n    cmd: port\n    type: stdio\n    enabled: false\n", step: Configured, code: SwitchedOff, key: "extensions.port.enabled", mends: true},
		"a filter of Hermes":                       {host: "ai-sdk", file: "config.yaml", text: "mcp_servers:\n  port:\n    command: port\n    tools: {exclude: [list_ships]}\n", step: Kept, code: FilteredOut, key: "mcp_servers.port.tools.exclude", mends: []string{}},
		"settings reject the server":               {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":` + entry + `}}`, settings: `{"disabledMcpjsonServers":["quay","port"]}`, step: Configured, code: SwitchedOff, key: "disabledMcpjsonServers", mends: "port"},
		"the project's state has the server off":   {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":` + entry + `}}`, state: `{"projects":{"/w":{"disabledMcpServers":["quay","port"]}}}`, step: Configured, code: SwitchedOff, key: "projects./w.disabledMcpServers", mends: "port"},
		"settings deny the tool":                   {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":` + entry + `}}`, settings: `{"permissions":{"deny":["mcp__port__sink","mcp__port__list_ships"]}}`, step: Kept, code: FilteredOut, key: "permissions.deny", mends: "mcp__port__list_ships"},
		"settings deny the whole server":           {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":` + entry + `}}`, settings: `{"permissions":{"deny":["mcp__port"]}}`, step: Kept, code: FilteredOut, key: "permissions.deny"},
		"a filter of another client does nothing":  {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":{"command":"port","allowedTools":["sink"]}}}`, step: Kept, code: NoFilter},
		"a filter that is not understood":          {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":{"command":"port","toolFilter":{"a":"b"}}}}`, step: Kept, code: NotRead},
		"a name cut by the client":                 {host: "copilot-cli", tools: []string{tool("port", long, "Book a berth.", object)}, ask: "mcp_port_" + long, step: Named, code: CutName},
		"a name that Claude Code leaves out":       {host: "claude-code", tools: []string{tool("port", strings.Repeat("long", 30), "Book a berth.", object)}, ask: "mcp_port_" + strings.Repeat("long", 30), step: Named, code: LeftOut},
		"a parameter for which it is left out":     {host: "claude-code", tools: []string{tool("port", "book", "Book a berth.", `{"type":"object","properties":{"the day":{"type":"string"}}}`)}, ask: "mcp_port_book", step: Named, code: LeftOut},
		"a name that is too long":                  {host: "codex", tools: []string{tool("port", long, "Book a berth.", object)}, ask: "mcp_port_" + long, step: Named, code: LongName},
		"two servers of one name":                  {host: "claude-code", tools: []string{called("one", "p.rt"), called("two", "p_rt")}, ask: "one", step: Named, code: SharedName},
		"nothing is deferred: too many are sent":   {host: "codex", tools: many, posture: Posture{Search: SearchOff, By: live.Setting{Key: "model"}}, step: Exposed, code: TooMany, key: "model"},
		"nothing is deferred: too few":             {host: "copilot-cli", step: Exposed, code: SentInFull},
		"the source says it is always sent":        {host: "claude-code", tools: []string{strings.Replace(ships, `"type"`, `"always_load":true,"type"`, 1)}, step: Exposed, code: SentInFull},
		"the entry says it is always sent":         {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":{"command":"port","alwaysLoad":true}}}`, step: Exposed, code: SentInFull, key: "mcpServers.port.alwaysLoad"},
		"the entry says it is never sent":          {host: "claude-code", file: ".mcp.json", text: `{"mcpServers":{"port":{"command":"port","alwaysLoad":false}}}`, tools: []string{strings.Replace(ships, `"type"`, `"always_load":true,"type"`, 1)}, step: Exposed, code: OnModel},
		"a search that depends on the size":        {host: "claude-code", posture: Posture{Search: SearchBySize, By: live.Setting{Key: "env.ENABLE_TOOL_SEARCH"}}, step: Exposed, code: OnSize, key: "env.ENABLE_TOOL_SEARCH"},
		"a model that runs programs":               {host: "codex", posture: Posture{Search: SearchInCode, By: live.Setting{Key: "model"}}, step: Searchable, code: InFull},
		"a search that is off":                     {host: "claude-code", posture: Posture{Search: SearchOff, By: live.Setting{Key: "env.ENABLE_TOOL_SEARCH"}}, step: Exposed, code: SentInFull, key: "env.ENABLE_TOOL_SEARCH"},
		"a search that is on":                      {host: "claude-code", posture: Posture{Search: SearchOn, By: live.Setting{Key: "env.ENABLE_TOOL_SEARCH"}}, step: Exposed, code: SearchLeads, key: "env.ENABLE_TOOL_SEARCH"},
		"a search that depends on the model":       {host: "codex", step: Exposed, code: OnModel},
		"pi hides the server":                      {host: "pi", file: ".pi/mcp.json", text: `{"mcpServers":{"port":{"command":"port","exposure":"hidden"}}}`, step: Configured, code: SwitchedOff, key: "mcpServers.port.exposure", mends: "codemode"},
		"pi sends the server":                      {host: "pi", file: ".pi/mcp.json", text: `{"mcpServers":{"port":{"command":"port","exposure":"direct"}}}`, step: Exposed, code: SentInFull, key: "mcpServers.port.exposure"},
		"pi has neither search nor programs":       {host: "pi", posture: Posture{By: live.Setting{Key: "autoEnableCodemode"}}, step: Exposed, code: NoSearch, key: "autoEnableCodemode"},
		"a search that depends on the program":     {host: "ai-sdk", step: Exposed, code: OnCode},
		"by its description, below the limit":      {host: "ai-sdk", tools: append([]string{}, many[1:8]...), ask: "mcp_port_berth_6", step: Found, code: BelowLimit},
		"by its description, by chance":            {host: "codex", tools: twins, ask: "mcp_port_twin3", step: Found, code: ByChance},
		"no description":                           {host: "pi", tools: []string{tool("port", "mute", "", object)}, ask: "mcp_port_mute", step: Found, code: NoText},
		"the parameters are no object":             {host: "pi", tools: []string{tool("port", "odd", "Do odd things.", `"text"`)}, ask: "mcp_port_odd", step: Described, code: NoSchema},
		"rules of a call that were not read":       {host: "claude-code", step: Authorized, code: NoRules},
		"search finds it and a gate refuses":       {host: "hermes-2026-06", tools: []string{tool("port", "sink", "Sink a ship.", object)}, ask: "mcp_port_sink", step: Authorized, code: RuleDenies, key: "policy"},
		"a name that nothing has, nor its server":  {host: "hermes-2026-06", ask: "sail_away", step: Configured, code: NoTool},
		"a session that is not granted the server": {host: "hermes-2026-06", ask: "mcp_quay_moor", tools: []string{tool("quay", "moor", "Moor a ship.", object)}, step: Granted, code: NotEnabled, key: "sessions.crew.enabled_toolsets"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.tools == nil {
				tt.tools = []string{ships}
			}
			if tt.ask == "" {
				tt.ask = "mcp_port_list_ships"
			}
			settings := fixture.Config(func(c *config.Config) {
				c.Sessions = []config.Session{{Name: "crew", Line: 1, Enabled: []string{"mcp-port", "mcp-p.rt", "mcp-p_rt"}}}
				c.Policy = []config.Rule{{Match: "mcp_port_sink", Action: config.Deny}}
			})
			s, err := engine.Build(context.Background(), engine.Inputs{Registry: fixture.Registry(t, tt.tools...), Config: settings, Session: "crew"})
			require.NoError(t, err)
			q := Question{Tool: tt.ask, Snapshot: s, Config: "own.yaml", Host: hosts.Named(tt.host), Files: Files{Posture: tt.posture}}
			if tt.failed != "" {
				q.Failed = map[string]string{"port": tt.failed}
			}
			if tt.file != "" {
				c, err := live.ParseClientConfig(tt.file, []byte(tt.text))
				require.NoError(t, err)
				if tt.settings+tt.state != "" {
					rules, _ := live.ReadClaudeRules("/w", live.ClaudeFile{Name: ".claude.json", Data: []byte(tt.state)}, []live.ClaudeFile{{Name: "settings.json", Data: []byte(tt.settings)}})
					rules.Heed(&c, true)
				}
				q.Clients = []live.ClientFile{{Path: tt.file, Config: c}}
			}
			c := Find(q)
			switch r := c.Remedy; {
			case tt.mends == nil:
				if r != nil && r.Path != nil {
					t.Errorf("mended by %+v, want nothing", r)
				}
			case r == nil || fmt.Sprint(r.Value) != fmt.Sprint(tt.mends) && r.Without != tt.mends || strings.Join(r.Path, ".") != tt.key:
				t.Errorf("mended by %+v, want %v", r, tt.mends)
			default:
				text := cmp.Or(tt.settings, tt.state, tt.text)
				out, err := r.Write([]byte(text))
				if err != nil || strings.ReplaceAll(string(out), "# ships", "") == string(out) == strings.Contains(text, "# ships") {
					t.Fatalf("written: %s, %v", out, err)
				}
				if tt.settings+tt.state != "" {
					if strings.Contains(string(out), r.Without) || !strings.Contains(string(out), ":[\"") {
						t.Errorf("%s, which still has %s or nothing else", out, r.Without)
					}
				} else if q.Clients[0].Config, err = live.ParseClientConfig(tt.file, out); err != nil || Find(q).Steps[2].Verdict != Pass {
					t.Errorf("%s does not mend it: %v, %+v", out, err, Find(q).Steps)
				}
			}
			for i, step := range c.Steps {
				if step.Name != tt.step {
					continue
				}
				if step.Code != tt.code || step.Key != tt.key {
					t.Errorf("%s: %s (%s), want %s (%s); the chain: %+v", step.Name, step.Code, step.Key, tt.code, tt.key, c.Steps)
				}
				for _, later := range c.Steps[i+1:] {
					if (step.Verdict == Fail) != (later.Code == NotReached) {
						t.Errorf("%s is %s behind a step that says %s", later.Name, later.Code, step.Verdict)
						break
					}
				}
			}
		})
	}
}
