package live

import "testing"

// Two entries are one server only when everything that a start depends on is the same, the
// values that are never shown too.
func TestSameAs(t *testing.T) {
	t.Parallel()
	entry := func(name, text string) Server {
		t.Helper()
		c, err := ParseClientConfig(name, []byte(text))
		if err != nil || len(c.Servers) != 1 {
			t.Fatal(err, c.Servers)
		}
		return c.Servers[0]
	}
	claude := entry(".claude.json", `{"mcpServers":{"a":{"command":"run","args":["--token","x"],"env":{"K":"1","L":"2"}}}}`)
	for name, tt := range map[string]struct {
		file, text string
		same       bool
	}{
		"another client, another order": {".codex/config.toml", "[mcp_servers.a]\ncommand = \"run\"\nargs = [\"--token\", \"x\"]\nenv = {L = \"2\", K = \"1\"}\n", true},
		"another name":                  {"mcp.json", `{"mcpServers":{"b":{"command":"run","args":["--token","x"],"env":{"K":"1","L":"2"}}}}`, false},
		"another argument":              {"mcp.json", `{"mcpServers":{"a":{"command":"run","args":["--token","y"],"env":{"K":"1","L":"2"}}}}`, false},
		"another value":                 {"mcp.json", `{"mcpServers":{"a":{"command":"run","args":["--token","x"],"env":{"K":"1","L":"3"}}}}`, false},
		"one variable less":             {"mcp.json", `{"mcpServers":{"a":{"command":"run","args":["--token","x"],"env":{"K":"1"}}}}`, false},
		"an address":                    {"mcp.json", `{"mcpServers":{"a":{"url":"https://a.example"}}}`, false},
	} {
		if o := entry(tt.file, tt.text); claude.SameAs(o) != tt.same || o.SameAs(claude) != tt.same {
			t.Errorf("%s: same %v", name, !tt.same)
		}
	}
	for _, text := range []string{`{"mcpServers":{"a":{"command":"run","env":{"K":"${K}"}}}}`, `{"mcpServers":{"a":{}}}`} {
		if s := entry("mcp.json", text); s.SameAs(s) {
			t.Errorf("%s is the same as another", text)
		}
	}
}
