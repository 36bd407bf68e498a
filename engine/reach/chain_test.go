package reach

import (
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
	"caliper/engine/labels"
	"caliper/engine/live"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"

	"pgregory.net/rapid"
)

// harbour are tools of a server and of the agent, written name|toolset|description|more.
var harbour = []string{
	`mcp_port_list_ships|mcp-port|List the ships in the harbour.|{"type":"object","properties":{"day":{"type":"string"}}}`, `mcp_port_sink|mcp-port|Sink a ship for good.|`, `mcp_port_dredge|mcp-port|Dredge the fairway.|`, `mcp_port_mute|mcp-port||`,
	`mcp_port_berth_a|mcp-port|Book a berth. For yachts.|`, `mcp_port_berth_b|mcp-port|Book a berth.|`, `mcp_port_odd|mcp-port|Odd.|[1]`,
	`lighthouse|terminal|Turn the light.|gone`, `terminal|terminal|Run a command.|`, `tool_call|other|A tool of the bridge's name.|`,
}

// question returns a question about a tool of the harbour in a session of a configuration.
func question(t *testing.T, tool, host, yaml, session string) Question {
	t.Helper()
	var entries []string
	for _, line := range harbour {
		p := strings.Split(line, "|")
		more := `"available":true`
		if p[1] == "mcp-port" {
			more += `,"server":"port","original_name":"` + strings.TrimPrefix(p[0], "mcp_port_") + `"`
		}
		if p[3] == "gone" {
			more, p[3] = `"available":false`, ""
		}
		if p[3] == "" {
			p[3] = `{"type":"object"}`
		}
		entries = append(entries, fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":%q,"parameters":%s},"toolset":%q,%s}`, p[0], p[2], p[3], p[1], more))
	}
	f, err := config.Parse("c.yaml", []byte(yaml))
	require.NoError(t, err)
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: f.Config, Session: session})
	require.NoError(t, err)
	h := hosts.Named(host)
	if host == "" {
		h = hosts.Configured(&f.Config)
	}
	return Question{Tool: tool, Snapshot: s, Config: "c.yaml", Host: h}
}

// TestFind: the step at which a chain breaks, with what decides it and what mends it.
func TestFind(t *testing.T) {
	const on = "tools: {tool_search: {enabled: on}}\nsessions:\n  default: {}\n  dry: {enabled_toolsets: [terminal]}\n  landed: {disabled_toolsets: [mcp-port, x]}\n  typo: {enabled_toolsets: [mcp-prot]}\n" +
		"policy:\n- {match: mcp_port_sink, action: deny}\n- {match: mcp_port_dredge, action: approve}\n"
	const short = "tools: {tool_search: {enabled: on, search_default_limit: 1}}"
	for _, c := range []struct{ tool, host, yaml, session, want string }{
		{"mcp_port_list_ships", "", on, "", "nothing"}, {"mcp_port_list_ships", "", "", "", "nothing"}, {"mcp_port_dredge", "", on, "", "nothing"}, {"terminal", "", on, "", "nothing"},
		{"mcp_port_lst_ships", "", on, "", "listed not_listed"}, {"sail_away", "", on, "", "configured no_tool"}, {"lighthouse", "", on, "", "listed unavailable"},
		{"mcp_port_sink", "", on, "", "authorized rule_denies policy"}, {"mcp_port_mute", "", on, "", "found no_text"}, {"mcp_port_odd", "", on, "", "described no_schema"},
		{"mcp_port_list_ships", "", on, "dry", "granted not_enabled sessions.dry.enabled_toolsets=[terminal mcp-port]"}, {"mcp_port_list_ships", "", on, "landed", "granted disabled sessions.landed.disabled_toolsets=[x]"},
		{"mcp_port_list_ships", "", on, "typo", "granted no_toolset sessions.typo.enabled_toolsets=[mcp-port]"}, {"mcp_port_list_ships", "", "agent: {disabled_toolsets: [a, mcp-port]}", "", "granted disabled agent.disabled_toolsets=[a]"},
		{"mcp_port_list_ships", "", "platform_toolsets: {irc: [terminal, no_mcp]}", "irc", "granted not_enabled platform_toolsets.irc=[terminal port]"}, {"tool_call", "", on, "", "granted replaced"},
		{"mcp_port_list_ships", "", "mcp_servers: {port: {enabled: no}}", "", "configured switched_off mcp_servers.port.enabled=true"}, {"mcp_port_list_ships", "", "mcp_servers: {port: {tools: {include: [sink]}}}", "", "kept filtered_out mcp_servers.port.tools.include=[sink list_ships]"},
		{"mcp_port_list_ships", "", "mcp_servers: {port: {tools: {exclude: [list_ships]}}}", "", "kept filtered_out mcp_servers.port.tools.exclude=[]"}, {"mcp_port_list_ships", "", "mcp_servers: {port: {}}", "", "nothing"},
		{"mcp_port_list_ships", "", "tools: {selection: keyword, rag_top_k: 1, rag_core: [], core: [], tool_search: {enabled: off}}", "", "exposed not_selected tools.tool_search.enabled=on"},
		{"mcp_port_berth_a", "", short, "", "found below_limit tools.tool_search.search_default_limit=2"},
		{"mcp_port_list_ships", "claude-code", "", "", "nothing"}, {"mcp__port__list_ships", "claude-code", "", "", "nothing"}, {"mcp_port_mute", "pi", "", "", "found no_text"}, {"mcp_port_list_ships", "codex", "agent: {disabled_toolsets: [mcp-port]}", "", "granted disabled agent.disabled_toolsets=[]"},
	} {
		chain := Find(question(t, c.tool, c.host, c.yaml, c.session))
		got := "nothing"
		s, broken := chain.Broken()
		if broken {
			got = strings.TrimSpace(fmt.Sprint(s.Name, " ", s.Code, " ", s.Key))
			if chain.Remedy != nil {
				got += fmt.Sprint("=", chain.Remedy.Value)
			}
			if s.Key != "" && s.File != "c.yaml" {
				t.Errorf("%s: %s of %q", c.tool, s.Key, s.File)
			}
		}
		if got != c.want {
			t.Errorf("%s, %s, %q, %s: %s, want %s", c.tool, c.host, c.yaml, c.session, got, c.want)
		}
		for i, s := range chain.Steps {
			if late := broken && s.Verdict == Skip && s.Code == NotReached; s.Name != steps[i] || s.Code == "" || (s.Code == NotReached) != late {
				t.Errorf("%s: step %d is %+v", c.tool, i, s)
			}
		}
	}
}

// TestChainOfClients: what configurations of a client say of a server and its tools, and what
// a chain knows of a tool that nobody has seen.
func TestChainOfClients(t *testing.T) {
	for _, c := range []struct{ tool, servers, failed, want string }{
		{"mcp_port_list_ships", `{"port":{"command":"x"}}`, "", "pass has_entry pass in_dump pass no_filter"}, {"mcp_port_list_ships", `{"other":{"command":"x"}}`, "", "fail no_entry skip not_reached skip not_reached"},
		{"mcp_port_list_ships", `{"port":{"command":"x"}}`, "port", "pass has_entry fail not_started skip not_reached"}, {"mcp_port_new", `{"port":{"command":"x"}}`, "", "pass has_entry fail not_listed skip not_reached"},
		{"mcp__quay__new", `{"quay":{"command":"x"}}`, "", "pass has_entry unknown not_asked unknown not_asked"}, {"mcp_port_list_ships", `{"port":{"x":1}}`, "", "fail bad_entry skip not_reached skip not_reached"},
		{"terminal", `{"port":{"command":"x"}}`, "", "unknown no_server unknown no_server unknown no_server"},
	} {
		q := question(t, c.tool, "claude-code", "", "")
		file, err := live.ParseClientConfig(".mcp.json", []byte(`{"mcpServers":`+c.servers+`}`))
		require.NoError(t, err)
		q.Clients = []live.ClientFile{{Path: "/.mcp.json", Config: file}}
		if c.failed != "" {
			q.Failed = map[string]string{c.failed: "it ended"}
		}
		chain := Find(q)
		if _, broken := chain.Broken(); !broken && chain.Tool == nil {
			for _, s := range chain.Steps[3:] {
				if s.Verdict != Unknown || s.Code != NotAsked || s.Names[0] != "quay" {
					t.Errorf("%s, which nobody has seen: %+v", c.tool, s)
				}
			}
		}
		var got []string
		for _, s := range chain.Steps[:3] {
			got = append(got, string(s.Verdict), string(s.Code))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s of %s: %s, want %s", c.tool, c.servers, got, c.want)
		}
	}
}

// TestTakers: whose limits hold for what an agent sends, by the agent and its model.
func TestTakers(t *testing.T) {
	for _, c := range []struct{ host, model, posture, want string }{
		{"pi", "x/Claude-4", "", "Anthropic"}, {"pi", "GPT-5", "", "OpenAI"}, {"pi", "gemini-3", "", "Gemini"}, {"pi", "qwen", "", ""}, {"pi", "gpt-5", "claude-5", "Anthropic"}, {"pi", "gpt-5", "qwen", ""},
		{"claude-code", "gpt-5", "", "Anthropic Anthropic's tool search"}, {"claude-code", "", "no search", "Anthropic"}, {"codex", "claude", "", "OpenAI"},
	} {
		q := question(t, "terminal", c.host, "model: {default: '"+c.model+"'}", "")
		q.Posture.Model = c.posture
		if c.posture == "no search" {
			q.Posture = Posture{Search: SearchOff}
		}
		ch := &chain{Question: q, searcher: Of(q.Host, q.Snapshot)}
		ch.look()
		if got := strings.Join(ch.takers(), " "); got != c.want {
			t.Errorf("%s, %q, %q: %q, want %q", c.host, c.model, c.posture, got, c.want)
		}
	}
}

// built returns a snapshot of tools "server name: description".
func built(t fixture.T, tools ...string) *engine.Snapshot {
	var entries []string
	for _, tool := range tools {
		name, description, _ := strings.Cut(tool, ": ")
		server, local, _ := strings.Cut(name, " ")
		entries = append(entries, `{"type":"function","function":{"name":"`+server+`__`+local+`","description":"`+description+`","parameters":{"type":"object"}},"toolset":"mcp-`+server+`","server":"`+server+`","original_name":"`+local+`"}`)
	}
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: config.Default()})
	require.NoError(t, err)
	return s
}

func TestAsk(t *testing.T) {
	twins := []string{"s t1: twin", "s t2: twin", "s t3: twin", "s t4: twin", "s t5: twin", "s t6: twin", "s t7: twin", "s t8: twin", "s t9: twin"}
	tests := map[string]struct {
		tools       []string
		host, query string
		expected    string
		rank        int
		cut         Cut
	}{
		"found":                         {[]string{"pay undo: Reverse a charge"}, "pi", "reverse", "pay__undo", 1, CutNothing},
		"below the limit":               {[]string{"a a: ship", "b b: ship", "c c: ship", "d d: ship", "e e: ship", "f f: ship"}, "ai-sdk", "ship", "f__f", 6, CutLimit},
		"among equals that cross it":    {twins, "codex", "twin", "s__t5", 5, CutChance},
		"no word":                       {[]string{"pay undo: Reverse a charge"}, "mastra", "refund", "pay__undo", 0, CutWords},
		"another is named":              {[]string{"pay undo: Reverse", "pay do: Charge"}, "claude-code", "mcp__pay__do", "pay__undo", 0, CutDirect},
		"a part of a name":              {[]string{"pay undo-all: Reverse"}, "claude-code", "undo", "pay__undo-all", 1, CutNothing},
		"a required word":               {[]string{"pay undo: Reverse", "pay do: Charge"}, "claude-code", "+charge pay", "pay__undo", 0, CutWords},
		"a selection by bare name":      {[]string{"pay undo: Reverse"}, "claude-code", "select:undo,none", "pay__undo", 1, CutNothing},
		"an expression":                 {[]string{"pay undo: Reverse"}, "copilot-cli", "rev.rse", "pay__undo", 1, CutNothing},
		"no expression":                 {[]string{"pay undo: Reverse"}, "copilot-cli", "rev(", "pay__undo", 0, CutWords},
		"words of two lines, a whale":   {[]string{`pay undo: 🐳 Reverse\ncharge`}, "codex", "whale", "pay__undo", 1, CutNothing},
		"a name that is too long":       {[]string{"pay " + strings.Repeat("n", 119) + ": Reverse"}, "claude-code", "reverse", "pay__" + strings.Repeat("n", 119), 0, CutTool},
		"a name of 128 characters":      {[]string{"pay " + strings.Repeat("n", 118) + ": Reverse"}, "claude-code", "reverse", "pay__" + strings.Repeat("n", 118), 1, CutNothing},
		"the name that it calls":        {[]string{"pay undo: Reverse"}, "codex", "mcp__pay__undo", "pay__undo", 0, CutWords},
		"its name run together":         {[]string{"pay undo: Reverse"}, "codex", "mcp__payundo", "pay__undo", 1, CutNothing},
		"what no one sees":              {[]string{"pay undo: Re\u200bverse"}, "claude-code", "reverse", "pay__undo", 1, CutNothing},
		"flags are no JavaScript":       {[]string{"pay undo: Reverse"}, "copilot-cli", "(?i)reverse", "pay__undo", 0, CutWords},
		"an expression that Go has not": {[]string{"pay undo: Reverse"}, "copilot-cli", "(?=rev)reverse", "pay__undo", 0, CutUntold},
		"words of a dictionary":         {[]string{"pay undo: 支付退款"}, "pi", "退款", "pay__undo", 1, CutUntold},
		"a name in Punycode":            {[]string{"pay grüße: Reverse"}, "copilot-cli", "xn--gre-6ka8l", "pay__grüße", 1, CutNothing},
		"joined lines":                  {[]string{`pay undo: 🐳 Reverse\ncharge`}, "codex", "charge", "pay__undo", 0, CutWords},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := built(t, tt.tools...)
			a := Ask(Of(hosts.Named(tt.host), s), tt.query, s.Registry.Lookup(tt.expected))
			if a.Rank != tt.rank || a.CutBy != tt.cut {
				t.Errorf("rank %d, cut by %q; want %d, %q (%v)", a.Rank, a.CutBy, tt.rank, tt.cut, a.Hits)
			}
		})
	}
}

// What cuts a hit follows from the ranks between which it stands.
func TestCutOf(t *testing.T) {
	for _, tt := range []struct {
		host               string
		best, worst, limit int
		want               Cut
	}{
		{"codex", 3, 5, 5, CutNothing}, {"codex", 3, 5, 4, CutChance}, {"codex", 3, 5, 3, CutChance}, {"codex", 3, 5, 2, CutLimit},
		{"pi", 3, 5, 5, CutNothing}, {"pi", 3, 5, 4, CutUntold}, {"pi", 1, hosts.Nowhere, 9, CutUntold}, {"pi", 3, 5, 2, CutLimit},
	} {
		s := Limited{Of(hosts.Named(tt.host), built(t, "a b: c")), tt.limit}
		if got := cutOf(s, hosts.Hit{Best: tt.best, Worst: tt.worst}); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func TestCompare(t *testing.T) {
	s := built(t, "pay undo: Reverse a charge", "log list: List lines", "log drop: Clear")
	queries := []labels.Query{
		{Text: "list", Relevant: []string{"log__list"}},
		{Text: "wipe", Relevant: []string{"log__drop"}},
		{Text: "charges", Relevant: []string{"pay__undo", "unknown"}},
		{Text: "gone", Relevant: []string{"unknown"}},
	}
	d, err := Compare(context.Background(), []Searcher{Of(hosts.Named("ai-sdk"), s), Of(hosts.Named("pi"), s)}, s.Registry, s.Registry.Tools, queries, nil)
	require.NoError(t, err)
	if d.Queries != 3 || d.All != 1 || d.None != 1 || d.Depending() != 1 {
		t.Errorf("%+v", d)
	}
	if got := d.Hosts[1]; got.Found != 2 || got.Recall != .5 {
		t.Errorf("pi: %+v", got)
	}
	if len(d.Lost) != 2 || d.Lost[0].Tool.Name != "log__drop" || len(d.Lost[0].Hosts) != 2 || d.Lost[1].Hosts[0] != "ai-sdk" {
		t.Errorf("lost: %+v", d.Lost)
	}
}

// What every host answers is in a total order: an answer of n hits is the beginning of one
// of more.
func TestAnswersAreBeginnings(t *testing.T) {
	s := built(t, "a list_files: List all files", "b read-file: Read a file", "b list: Lists", "a searchFiles: Search files", "c ⚠: Warning, données")
	rapid.Check(t, func(t *rapid.T) {
		h := hosts.All[rapid.IntRange(0, len(hosts.All)-1).Draw(t, "host")]
		query := rapid.StringOf(rapid.SampledFrom([]rune("list filesreadFé+_-.⚠|("))).Draw(t, "query")
		x := Of(h, s)
		all, n := x.Search(query, -1), rapid.IntRange(1, 6).Draw(t, "limit")
		got := x.Search(query, n)
		if len(got) != min(n, len(all)) {
			t.Fatalf("%d of %d hits for a limit of %d", len(got), len(all), n)
		}
		for i, hit := range got {
			if hit != all[i] {
				t.Fatalf("hit %d is %v, without a limit %v", i, hit, all[i])
			}
		}
	})
}

// TestAgentsDependOnTheirRankers: of the queries that agents wrote, how many six agents all find,
// and none, at their own limits.
func TestAgentsDependOnTheirRankers(t *testing.T) {
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "tools.json", Data: fixture.SharedFile(t, "eval/livemcpbench/tools.json")})
	require.NoError(t, err)
	queries, _ := labels.Parse("queries.jsonl", fixture.SharedFile(t, "eval/learn/livemcp_agentq/queries.jsonl"))
	require.NoError(t, err)
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: registry, Config: config.Default()})
	require.NoError(t, err)
	var searchers []Searcher
	for _, name := range []string{"ai-sdk", "codex", "fastmcp", "hermes-2026-06", "mastra", "pi"} {
		searchers = append(searchers, Of(hosts.Named(name), s))
	}
	d, err := Compare(t.Context(), searchers, registry, GrantedTools(s), queries, nil)
	if err != nil || d.Queries != 97 || d.All != 43 || d.None != 16 {
		t.Errorf("of %d queries all find %d, none %d: %v", d.Queries, d.All, d.None, err)
	}
}

// TestPosture: what switches the search of an agent, as measured on Claude Code 2.1.332 and
// Codex 0.171.0, with the line that says so.
func TestPosture(t *testing.T) {
	t.Parallel()
	env := func(name, value string) string { return fmt.Sprintf("{\n \"env\": {%q: %q}}", name, value) }
	one := func(entry string) string { return "{\"mcpServers\":\n {\"one\": {" + entry + "}}}" }
	const piUser, piWork, piTools, piOver = ".pi/agent/mcp.json", "work/.pi/mcp.json", ".pi/agent/settings.json", "work/.pi/settings.json"
	const search, project, local, user = "ENABLE_TOOL_SEARCH", "work/.claude/settings.json", "work/.claude/settings.local.json", ".claude/settings.json"
	for name, c := range map[string]struct {
		client string
		files  map[string]string
		env    string // of the environment
		want   string
	}{
		"nothing says so":             {client: "claude-code", want: "on   0"},
		"false":                       {client: "claude-code", files: map[string]string{project: env(search, "False")}, want: "off env.ENABLE_TOOL_SEARCH settings.json 2"},
		"a share":                     {client: "claude-code", files: map[string]string{user: env(search, "auto:5")}, want: "by_size env.ENABLE_TOOL_SEARCH settings.json 2"},
		"auto":                        {client: "claude-code", env: "auto", want: "by_size ENABLE_TOOL_SEARCH the environment 0"},
		"no share":                    {client: "claude-code", env: "auto:0", want: "on ENABLE_TOOL_SEARCH the environment 0"},
		"the whole":                   {client: "claude-code", env: "auto:100", want: "off ENABLE_TOOL_SEARCH the environment 0"},
		"another word":                {client: "claude-code", env: "maybe", want: "on ENABLE_TOOL_SEARCH the environment 0"},
		"settings before environment": {client: "claude-code", files: map[string]string{user: env(search, "true")}, env: "false", want: "on env.ENABLE_TOOL_SEARCH settings.json 2"},
		"the project before the user": {client: "claude-code", files: map[string]string{user: env(search, "false"), project: env(search, "true")}, want: "on env.ENABLE_TOOL_SEARCH settings.json 2"},
		"local before the project":    {client: "claude-code", files: map[string]string{local: env(search, "false"), project: env(search, "true")}, want: "off env.ENABLE_TOOL_SEARCH settings.local.json 2"},
		"no experiments":              {client: "claude-code", files: map[string]string{project: env("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "1")}, want: "off env.CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS settings.json 2"},
		"the search is denied":        {client: "claude-code", files: map[string]string{local: `{"permissions": {"deny": ["ToolSearch"]}}`}, want: "off permissions.deny settings.local.json 1"},
		"a model before 4":            {client: "claude-code", files: map[string]string{user: `{"model": "claude-3-5-haiku-20241022"}`}, want: "off model settings.json 1"},
		"a file that is not read":     {client: "claude-code", files: map[string]string{user: `{"env"`}, want: "on   0"},
		"a model with a search":       {client: "codex", files: map[string]string{"config.toml": "model = \"gpt-5.5\"\n[features]\ntool_search = false\n"}, want: "on model config.toml 1"},
		"a model of programs":         {client: "codex", files: map[string]string{"config.toml": "model = \"gpt-6-sol\"\n"}, want: "in_code model config.toml 1"},
		"a model without one":         {client: "codex", files: map[string]string{"config.toml": "\nmodel = \"qwen\"\n"}, want: "off model config.toml 2"},
		"no model":                    {client: "codex", files: map[string]string{"config.toml": "x = 1\n"}, want: "   0"},
		"pi, nothing said":            {client: "pi", want: "in_code   0"},
		"a deferred server":           {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred"`)}, want: "on mcpServers.one.exposure mcp.json 2"},
		"a deferred tool":             {client: "pi", files: map[string]string{piWork: one(`"url": "x", "toolExposure": {"a_*": "deferred"}`)}, want: "on mcpServers.one.toolExposure mcp.json 2"},
		"deferred, and off":           {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred", "enabled": false`)}, want: "in_code   0"},
		"off in the folder":           {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred"`), piWork: one(`"enabled": false`)}, want: "in_code   0"},
		"deferred in the folder":      {client: "pi", files: map[string]string{piUser: one(`"command": "x"`), piWork: one(`"exposure": "deferred"`)}, want: "on mcpServers.one.exposure mcp.json 2"},
		"replaced in the folder":      {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred"`), piWork: one(`"command": "y"`)}, want: "in_code   0"},
		"every server is sent":        {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "direct"`)}, want: "off mcpServers.one.exposure mcp.json 2"},
		"some tools are sent":         {client: "pi", files: map[string]string{piUser: one(`"command": "x", "toolExposure": {"a": "direct"}`)}, want: "in_code   0"},
		"a search that is chosen":     {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["+tool_search"]}`}, want: "on defaultTools settings.json 1"},
		"chosen, and taken":           {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["read", "tool_search"]}`, piOver: `{"defaultTools": ["-tool_search"]}`}, want: "in_code   0"},
		"chosen, and kept":            {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["read", "tool_search"]}`, piOver: "{\n\"defaultTools\": [\"+grep\"]}"}, want: "on defaultTools settings.json 1"},
		"chosen, and replaced":        {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["+tool_search"]}`, piOver: `{"defaultTools": ["read"]}`}, want: "in_code   0"},
		"neither search nor programs": {client: "pi", files: map[string]string{piUser: `{"autoEnableCodemode": false}`}, want: " autoEnableCodemode mcp.json 1"},
		"programs by choice":          {client: "pi", files: map[string]string{piUser: `{"autoEnableCodemode": false}`, piTools: `{"defaultTools": ["+codemode"]}`}, want: "in_code   0"},
		"another client":              {client: "cursor", want: "   0"},
	} {
		home := t.TempDir()
		var files []live.ClientFile
		for path, text := range c.files {
			path = filepath.Join(home, filepath.FromSlash(path))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			files = append(files, live.ClientFile{Path: path})
		}
		lookup := func(name string) (string, bool) { return c.env, name == search && c.env != "" }
		p := PostureOf(live.ClientPlaces{Home: home, Work: filepath.Join(home, "work")}, c.client, files, lookup)
		file := p.By.File
		if strings.HasPrefix(file, home) {
			file = filepath.Base(file)
		}
		if got := fmt.Sprintf("%s %s %s %d", p.Search, p.By.Key, file, p.By.Line); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
