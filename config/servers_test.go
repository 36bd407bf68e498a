package config

import (
	"strings"
	"testing"
)

// The names of MCP servers are read, and nothing else of them.
func TestServers(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"none", "tools: {}", ""},
		{"in the order of the file", "mcp_servers:\n  git-hub: {command: x}\n  a.b:\n  7: {}\n", "git-hub a.b 7"},
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
