package live

import (
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

func TestSecretsInPaths(t *testing.T) {
	for name, c := range map[string]struct{ address, want string }{
		"base64 of an address":  {"https://h/api/mcp/s/NjQ1YjYxZTQtZGM5Yy00ZTFk0OjZhY2E/mcp", "https://h/api/mcp/s/…/mcp"},
		"with - and _":          {"https://h/s/Zx8-q_3Lr-Pv0_Km7-aab/mcp?k=v", "https://h/s/…/mcp?k=…"},
		"an identifier":         {"https://h/server/0191d3c2-7c1e-4b7a-9f00-3d2a1b5c6e7f/sse", "https://h/server/…/sse"},
		"hexadecimal":           {"https://h/9f86d081884c7d659a2f/mcp", "https://h/…/mcp"},
		"lower case and digits": {"https://h/k3x9q7m2v8b4n6z1/mcp", "https://h/…/mcp"},
		"mixed case":            {"https://h/pQzRtWaLmXkOvBnJyHcD", "https://h/…"},
		"a key of a service":    {"https://h/sk-abcdefghijklmnop/mcp", "https://h/…/mcp"},
		"two keys":              {"https://h/u:k3x9q7m2v8b4n6z1/9f86d081884c7d659a2f", "https://h/…/…"},
		"letters without end":   {"https://h/" + strings.Repeat("qwzx", 8), "https://h/…"},
		"one less than that":    {"https://h/" + strings.Repeat("qwzx", 8)[1:], "https://h/" + strings.Repeat("qwzx", 8)[1:]},
		"digits, one less":      {"https://h/102938475610293", "https://h/102938475610293"},
		"mixed, one less":       {"https://h/k3x9q7m2v8b4n6z", "https://h/k3x9q7m2v8b4n6z"},
		"cases, one less":       {"https://h/pQzRtWaLmXkOvBnJyHc", "https://h/pQzRtWaLmXkOvBnJyHc"},
		"digits":                {"https://h/1029384756102938", "https://h/…"},
		"escapes":               {"https://h/k3x9q7m2%2Bv8b4n6z1/mcp", "https://h/…/mcp"},
		"an IPv6 host, a port":  {"http://[::1]:8080/mcp", "http://[::1]:8080/mcp"},
		"a long host":           {"https://k3x9q7m2v8b4n6z1.example.com/mcp", "https://k3x9q7m2v8b4n6z1.example.com/mcp"},
		"words":                 {"https://h/model-context-protocol/servers/search_and_replace", "https://h/model-context-protocol/servers/search_and_replace"},
		"words in one":          {"https://h/modelcontextprotocolserver/mcp", "https://h/modelcontextprotocolserver/mcp"},
		"camel case":            {"https://h/getToolsForOrganizationMembers", "https://h/getToolsForOrganizationMembers"},
		"a version, a date":     {"https://h/v1beta1/api-version-2025-06-18/mcp", "https://h/v1beta1/api-version-2025-06-18/mcp"},
		"numbers in words":      {"https://h/my-server-12/team-7-of-30/route53", "https://h/my-server-12/team-7-of-30/route53"},
		"a commit":              {"git+https://h/team/tool@1b5c6e7f9a0d3c2b1b5c6e7f9a0d3c2b1b5c6e7f", "git+https://h/team/tool@1b5c6e7f9a0d3c2b1b5c6e7f9a0d3c2b1b5c6e7f"},
		"no commit":             {"https://h/team@1b5c6e7f9a0d3c2b1b5c6e7f9a0d3c2b1b5c6e7f", "https://h/…"},
		"a variable":            {"https://h/s/${ZAPIER_MCP_KEY_OF_THE_TEAM_2}/mcp", "https://h/s/${ZAPIER_MCP_KEY_OF_THE_TEAM_2}/mcp"},
		"a package":             {"https://registry.npmjs.org/@modelcontextprotocol/server-everything", "https://registry.npmjs.org/@modelcontextprotocol/server-everything"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := withoutSecrets(c.address); got != c.want {
				t.Errorf("%s is shown as %s, want %s", c.address, got, c.want)
			}
			secrets := addressSecrets(c.address)
			for _, segment := range strings.Split(strings.SplitN(c.address, "?", 2)[0], "/")[3:] {
				if shown := strings.Contains(c.want, segment); slices.Contains(secrets, segment) == shown {
					t.Errorf("%s: %q is shown: %t; withheld from messages: %q", c.address, segment, shown, secrets)
				}
			}
		})
	}
}

// A listing of servers, an error and a bridge's argument do not show the key in a path.
func TestNoKeyOfAPathIsShown(t *testing.T) {
	const key = "NjQ1YjYxZTQtZGM5Yy00ZTFk0OjZhY2E"
	s, err := Remote("z", HTTPTransport, "http://127.0.0.1:1/api/mcp/s/"+key+"/mcp")
	require.NoError(t, err)
	_, err = List(t.Context(), s, Options{})
	if err == nil || strings.Contains(err.Error(), key) || strings.Contains(s.String(), key) || !strings.Contains(s.URL, "/s/…/mcp") {
		t.Errorf("shows %v, %v", s, err)
	}
	shown, secrets := shownArgs([]string{"mcp-remote", "https://h/s/" + key + "/mcp"})
	if strings.Contains(strings.Join(shown, " "), key) || !slices.Contains(secrets, key) {
		t.Errorf("shows %q, withholds %q", shown, secrets)
	}
}
