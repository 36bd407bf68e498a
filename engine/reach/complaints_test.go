package reach

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/engine/live"
	"caliper/model"
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

// TestFilesOf: subagents of Claude Code and profiles of Codex are sessions, each with the search
// that it has; other agents have none of their own.
func TestFilesOf(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		".claude/agents/a.md":      "---\nname: mate\n---\n",
		".claude/agents/b.md":      "---\nname: cook\ntools: Read, mcp__port__sink\n---\n",
		".codex/fast.config.toml":  "model = \"qwen\"\n",
		".codex/large.config.toml": "model = \"gpt-5.5\"\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, path), []byte(text), 0o600))
	}
	for host, want := range map[string]string{
		"claude-code": "mate subagent on , cook subagent off tools", "codex": "fast profile off model, large profile on model", "pi": "", "hermes-2026-06": "",
	} {
		f := FilesOf(live.ClientPlaces{Home: root, Work: filepath.Join(root, "none")}, hosts.Named(host), nil, nil)
		var got []string
		for _, s := range f.Sessions {
			kind := "profile"
			if s.Subagent != nil {
				kind = "subagent"
			}
			got = append(got, fmt.Sprintf("%s %s %s %s", s.Name, kind, s.Posture.Search, s.Posture.By.Key))
			if f.Session(s.Name).Name != s.Name || f.Session(s.Name).Posture != s.Posture {
				t.Errorf("%s: session %+v", host, f.Session(s.Name))
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %q, want %q", host, text, want)
		}
		if s := f.Session("none"); s.Name != "none" || s.Subagent != nil || s.Posture != f.Posture {
			t.Errorf("%s: a session of no file: %+v", host, s)
		}
	}
}

// TestConfigure: what files say of tools goes into the configuration: what is left out or off, what is
// always or never sent, and the sessions of the files with what their own lists leave out.
func TestConfigure(t *testing.T) {
	root := t.TempDir()
	agent := filepath.Join(root, ".claude", "agents", "a.md")
	require.NoError(t, os.MkdirAll(filepath.Dir(agent), 0o700))
	require.NoError(t, os.WriteFile(agent, []byte("---\nname: mate\ntools: mcp__port\n---\n"), 0o600))
	h := hosts.Named("claude-code")
	server := func(name string, enabled bool) live.Server {
		return live.Server{Name: name, Enabled: enabled, OffBy: live.Setting{Key: name + ".enabled"}}
	}
	first, second := live.ClientFile{Path: "first"}, live.ClientFile{Path: "second"}
	port, always, never := server("port", true), server("always", true), server("never", true)
	port.Exclude = []string{"sink"}
	always.AlwaysBy, always.Always, never.AlwaysBy = live.Setting{Key: "x"}, true, live.Setting{Key: "x"}
	first.Servers = []live.Server{server("off", false), server("twice", false), never}
	second.Servers = []live.Server{port, always, server("twice", true), server("off", false)}
	f := FilesOf(live.ClientPlaces{Home: root, Work: filepath.Join(root, "none")}, h, []live.ClientFile{first, second}, nil)
	var tools []*model.Tool
	for _, name := range []string{"port list", "port sink", "off x", "twice x", "always x", "never x", "gone x", " own"} {
		at, local, _ := strings.Cut(name, " ")
		tools = append(tools, &model.Tool{Name: "mcp__" + at + "__" + local, Server: at, OriginalName: local, Available: true})
	}
	model.NewRegistry(tools, nil)
	c := config.Default()
	c.Always, c.Never = []string{"before"}, []string{"before"}
	c.Sessions = []config.Session{{Name: "default"}, {Name: "mate", Enabled: []string{}}}
	withheld := func(s config.Session) string {
		var list []string
		for _, w := range s.Withheld {
			list = append(list, w.Tool+" by "+w.Key+" of "+filepath.Base(w.File))
		}
		return strings.Join(list, ", ")
	}
	for _, off := range []bool{false, true} {
		if f.Posture.Search = SearchOn; off {
			f.Posture.Search = SearchOff
		}
		got := f.Configure(c, h, tools)
		if a, n := strings.Join(got.Always, " "), strings.Join(got.Never, " "); a != "mcp__always__x" || n != "mcp__never__x" {
			t.Errorf("always %s, never %s", a, n)
		}
		if len(got.Sessions) != 2 || got.Sessions[0].InFull != off || got.Sessions[1].InFull != (f.Sessions[0].Posture.Search == SearchOff) || got.Sessions[1].Enabled != nil {
			t.Fatalf("sessions %+v", got.Sessions)
		}
		const left = "mcp__port__sink by  of second, mcp__off__x by off.enabled of first"
		const more = ", mcp__off__x by tools of a.md, mcp__twice__x by tools of a.md, mcp__always__x by tools of a.md, mcp__never__x by tools of a.md, mcp__gone__x by tools of a.md"
		if a, b := withheld(got.Sessions[0]), withheld(got.Sessions[1]); a != left || b != left+more {
			t.Errorf("left out of all: %s\nof mate: %s", a, b)
		}
		if c.Sessions[0].Withheld != nil || c.Sessions[0].InFull {
			t.Error("the configuration that was given has changed")
		}
	}
}
