package reach

import (
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
