package reach

import (
	"strings"
	"testing"

	"caliper/engine/live"
	"caliper/model"
	"caliper/model/require"
)

// TestKeeps: a server that pays as a whole is kept eager by the member of its entry that its own client
// reads; one that does not, and one of a client without such a member, stay as they are.
func TestKeeps(t *testing.T) {
	tool := func(server, name string) *model.Tool {
		return &model.Tool{Name: "mcp__" + server + "__" + name, Server: server, OriginalName: name, Toolset: "mcp-" + server}
	}
	paying := []Part{{[]*model.Tool{tool("quay", "moor")}, true}, {[]*model.Tool{tool("mill", "grind")}, false}}
	const json = `{"mcpServers":{"quay":{"command":"quay"},"mill":{"command":"mill"}}}`
	for _, c := range []struct{ client, file, text, want, left string }{
		{"claude-code", "/w/.mcp.json", json, `{"command":"quay", "alwaysLoad": true}`, "mill dear"},
		{"copilot", "/h/.copilot/mcp-config.json", json, `{"command":"quay", "deferTools": "never"}`, "mill dear"},
		{"codex", "/h/.codex/config.toml", "[mcp_servers.quay]\ncommand = \"quay\"\n", "", "quay"},
		{"claude-code", "/w/.mcp.json", `{"mcpServers":{"quay":{"command":"quay","alwaysLoad":true}}}`, "", ""},
	} {
		of, err := live.ParseClientConfig(c.file, []byte(c.text))
		if err != nil || of.Client != c.client {
			t.Fatalf("%s: %q, %v", c.file, of.Client, err)
		}
		keeps, left := Keeps(paying, []live.ClientFile{{Path: c.file, Config: of}})
		out := ""
		for _, k := range keeps {
			data, err := k.Write([]byte(c.text))
			require.NoError(t, err)
			after, err := live.ParseClientConfig(c.file, data)
			if err != nil || !after.Servers[0].Always {
				t.Errorf("%s: its client does not read %s: %v", c.client, data, err)
			}
			out += string(data)
		}
		var others []string
		for _, u := range left {
			others = append(others, u.Server)
			if u.Dear {
				others = append(others, "dear")
			}
		}
		if got := strings.Join(others, " "); got != c.left || (out == "") != (c.want == "") || !strings.Contains(out, c.want) {
			t.Errorf("%s: %s, left %q; want %s, left %q", c.client, out, got, c.want, c.left)
		}
	}
	core := KeepCore("c.yaml", []string{"terminal"}, paying)
	if out, err := core.Write([]byte("tools: # the agent's\n  tool_search: {enabled: on}\n")); err != nil || !strings.Contains(string(out), "core: [terminal, mcp__quay__moor, mcp__mill__grind]") || !strings.Contains(string(out), "# the agent's") {
		t.Errorf("%s, %v", out, err)
	}
}
