package live

import (
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// TestUnsetInClaudeCode: a variable that is not set stays as it is written and is named, as
// Claude Code 2.1.332 starts such a server.
func TestUnsetInClaudeCode(t *testing.T) {
	c, err := ParseClientConfig(".mcp.json", []byte(`{"mcpServers":{"a":{"command":"c","args":["${NO}","x${NO:-else}","${YES}"],"env":{"E":"a${NO}b","F":"${NEITHER}"}}}}`))
	require.NoError(t, err)
	s, err := c.Servers[0].Expand(func(name string) (string, bool) { return "set", name == "YES" })
	require.NoError(t, err)
	h := s.hidden()
	if !slices.Equal(h.args, []string{"${NO}", "xelse", "set"}) || h.env[0].value != "a${NO}b" || h.env[1].value != "${NEITHER}" || !slices.Equal(s.Unset, []string{"NO", "NEITHER"}) {
		t.Errorf("%q, %v, unset %q", h.args, h.env, s.Unset)
	}
	if len(c.Servers[0].Unset) > 0 {
		t.Error("expanding changed what was read")
	}
}

// TestPassedOnByName: Codex passes variables on that an entry names alone or in a table, as
// far as they are set; another machine's and a helper for headers are named.
func TestPassedOnByName(t *testing.T) {
	c, err := ParseClientConfig("config.toml", []byte(`[mcp_servers.a]
command = "c"
env_vars = ["A", {name = "B"}, {name = "C", source = "local"}, "NO", {name = "D", source = "remote"}]
[mcp_servers.b]
url = "http://h/mcp"
http_headers_helper = "helper"
`))
	require.NoError(t, err)
	a := c.Servers[0]
	if !slices.Equal(a.Env, []string{"A", "B", "C", "NO"}) || !slices.Equal(a.Unread, []string{"env_vars"}) || !slices.Equal(c.Servers[1].Unread, []string{"http_headers_helper"}) {
		t.Errorf("%q, unread %q and %q", a.Env, a.Unread, c.Servers[1].Unread)
	}
	s, err := a.Expand(func(name string) (string, bool) { return strings.ToLower(name), len(name) == 1 })
	require.NoError(t, err)
	if got := environment(nil, s.hidden().env); !slices.Equal(got, []string{"A=a", "B=b", "C=c"}) {
		t.Errorf("it is started with %q", got)
	}
}
