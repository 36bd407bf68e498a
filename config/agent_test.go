package config

import (
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

func TestHooks(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		want       []Hook
	}{
		{"absent", "", nil},
		{"of tool calls", "hooks:\n  post_tool_call:\n  - {command: ' log.sh ', timeout: 5}\n  pre_tool_call:\n  - matcher: ' mcp_.* '\n    command: guard.sh --strict\n  transform_tool_result: [{command: cut.sh}]\n",
			[]Hook{{"post_tool_call", "", "log.sh"}, {"pre_tool_call", "mcp_.*", "guard.sh --strict"}}},
		{"of other events", "hooks: {on_session_start: [{command: a}], pre_llm_call: [{command: b}], outbound: {pre_tool_call: [{command: c}]}}\n", nil},
		{"not as the agent reads them", "hooks:\n  pre_tool_call: [guard.sh, {matcher: x}, {command: 5}, {command: ' '}, {command: ok, matcher: 5}, null]\n  post_tool_call: {command: log.sh}\n",
			[]Hook{{"pre_tool_call", "", "ok"}}},
		{"no mapping", "hooks: [pre_tool_call]\n", nil},
		{"a mode of the agent", "hooks: {pre_tool_call: }\nhooks_auto_accept: true\n", nil},
		{"not at the top", "plugins: {hooks: {pre_tool_call: [{command: a}]}}\n", nil},
	} {
		f, err := Parse("c.yaml", []byte(c.yaml))
		require.NoError(t, err)
		checkFile(t, f, err)
		if !slices.Equal(f.Hooks, c.want) || len(said(f.Warnings)) > 0 {
			t.Errorf("%s: %+v, want %+v; %v", c.name, f.Hooks, c.want, f.Warnings)
		}
	}
}

// The names of MCP servers are read, and nothing else of them.
func TestServers(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"none", "tools: {}", ""},
		{"in the order of the file", "mcp_servers:\n  git-hub: {command: x}\n  a.b:\n  7: {}\n", "git-hub a.b 7"},
		{"a number and the same as a text", "mcp_servers: {7: {}, b: {}, '7': {}}", "b 7"},
		{"no mapping", "mcp_servers: [a, b]", ""},
		{"null", "mcp_servers:", ""},
		{"by an alias", "x: &s {wiki: {}}\nmcp_servers: *s", "wiki"},
		{"elsewhere", "tools: {mcp_servers: {a: {}}}", ""},
	} {
		f, err := Parse("c.yaml", []byte(c.yaml))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := strings.Join(f.Servers, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
