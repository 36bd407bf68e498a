package reach

import (
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/live"
	"caliper/model"
	"caliper/model/require"
)

// atServer returns a tool of a server.
func atServer(server, name string) *model.Tool {
	return &model.Tool{Name: "mcp__" + server + "__" + name, Server: server, OriginalName: name, Toolset: "mcp-" + server}
}

// TestTrims: a server without a call is switched off, and single tools are left out, each in the file and
// the setting of its client, and in nothing else; the client's own reader then reads it so.
func TestTrims(t *testing.T) {
	idle := []Part{{[]*model.Tool{atServer("quay", "moor"), atServer("quay", "cast_off")}, true}, {[]*model.Tool{atServer("mill", "grind")}, false}}
	entries := `"quay":{"command":"quay"},"mill":{"command":"mill"}`
	for _, c := range []struct{ name, file, text, want string }{
		{"codex", "/w/.codex/config.toml", "[mcp_servers.quay]\ncommand = \"quay\"\n[mcp_servers.mill]\ncommand = \"mill\"\ndisabled_tools = [\"sift\"]\n", "+enabled = false|-disabled_tools = [\"sift\"]|+disabled_tools = [\"sift\",\"grind\"]"},
		{"opencode", "/w/opencode.json", `{"mcp":{"quay":{"type":"local","command":["quay"]},"mill":{"type":"local","command":["mill"]}}}`, `"enabled": false|"tools": {"mill_grind": false}`},
		{"gemini", "/w/.gemini/settings.json", `{"mcpServers":{` + entries + `}}`, `"mcp": {"excluded": ["quay"]}|"excludeTools": ["grind"]`},
		{"crush", "/w/crush.json", `{"mcp":{"quay":{"type":"stdio","command":"quay"},"mill":{"type":"stdio","command":"mill"}}}`, `"disabled": true|"disabled_tools": ["grind"]`},
		{"amp", "/w/.amp/settings.json", `{"amp.mcpServers":{` + entries + `}}`, `"amp.tools.disable": ["mcp__quay__*"]|"mcp__mill__grind"`},
		{"roo", "/w/.roo/mcp.json", `{"mcpServers":{` + entries + `}}`, `"disabled": true|"disabledTools": ["grind"]`},
		{"hermes", "/h/.hermes/config.yaml", "mcp_servers:\n  quay:\n    command: quay\n  mill:  # grinds\n    command: mill\n", "+    enabled: false|+    tools:|+      exclude: [grind]"},
		{"claude-code", "/w/.mcp.json", `{"mcpServers":{` + entries + `}}`, `"disabledMcpjsonServers": ["quay"]|"permissions": {"deny": ["mcp__mill__grind"]}`},
		{"claude-code", "/h/.claude.json", `{"mcpServers":{` + entries + `},"projects":{"/v":{},"/w":{"disabledMcpServers":["port"]}}}`, `{"/v":{"disabledMcpServers": ["quay"]},"/w":{"disabledMcpServers":["port","quay"]}}|"permissions": {"deny": ["mcp__mill__grind"]}`},
		{"claude-code", "/h/.claude.json", `{"projects":{"/w":{"mcpServers":{` + entries + `}}}}`, `"disabledMcpServers": ["quay"]|"permissions": {"deny": ["mcp__mill__grind"]}`},
		{"cursor", "/w/.cursor/mcp.json", `{"mcpServers":{` + entries + `}}`, ""},
	} {
		of, err := live.ParseClientConfig(c.file, []byte(c.text))
		if err != nil || of.Client != c.name {
			t.Fatalf("%s: %q, %v", c.file, of.Client, err)
		}
		trims, left := Trims(idle, []live.ClientFile{{Path: c.file, Config: of}}, live.ClientPlaces{}, "")
		if c.want == "" {
			if len(trims) > 0 || len(left) != 2 || left[0].Tools != 2 || left[1].Tools != 1 {
				t.Errorf("%s: %+v, %+v; want two servers that it cannot trim", c.name, trims, left)
			}
			continue
		}
		files := map[string]string{c.file: c.text}
		diff := ""
		for _, x := range trims {
			out, err := x.Write([]byte(files[x.File]))
			if err != nil {
				t.Fatalf("%s: %v: %v", c.name, x, err)
			}
			diff += config.Unified(x.File, x.File, config.Diff([]byte(files[x.File]), out))
			files[x.File] = string(out)
			if again, err := x.Write(out); err != nil || string(again) != string(out) {
				t.Errorf("%s: once more: %s, %v", c.name, again, err)
			}
		}
		for want := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(diff, want) {
				t.Errorf("%s: the change lacks %q:\n%s", c.name, want, diff)
			}
		}
		after, err := live.ParseClientConfig(c.file, []byte(files[c.file]))
		if c.name == "claude-code" {
			var settings []live.ClaudeFile
			for name, text := range files {
				if name != c.file {
					settings = append(settings, live.ClaudeFile{Name: name, Data: []byte(text)})
				}
			}
			rules, faults := live.ReadClaudeRules("/w", live.ClaudeFile{Name: c.file, Data: []byte(files[c.file])}, settings)
			rules.Heed(&after, strings.HasSuffix(c.file, ".mcp.json"))
			if len(faults) > 0 {
				t.Error(faults)
			}
		}
		if err != nil || len(left) > 0 {
			t.Fatalf("%s: %v, %v", c.name, err, left)
		}
		for _, s := range after.Servers {
			switch s.EntryName() {
			case "quay":
				if s.Enabled && s.Allows("moor") {
					t.Errorf("%s: quay is still on: %s", c.name, diff)
				}
			case "mill":
				if !s.Enabled || s.Allows("grind") || !s.Allows("other") {
					t.Errorf("%s: of mill grind alone is to be left out: %s", c.name, diff)
				}
			}
		}
	}
	if _, err := (Trim{File: "x.json", Path: []string{"mcpServers", "x"}, Value: true}).Write([]byte(`{"mcpServers":[]}`)); err == nil {
		t.Error("a list takes no member")
	}
}

// TestNamesAt: of two servers where the name of one begins that of the other, each has its own tools alone.
func TestNamesAt(t *testing.T) {
	tool := func(name, toolset, server string) *model.Tool {
		return &model.Tool{Name: name, Toolset: toolset, Server: server}
	}
	tools := []*model.Tool{
		tool("mcp_forge_merge", "mcp-forge", "forge"), tool("mcp_forge_ci_status", "mcp-forge-ci", "forge-ci"), // by toolset
		tool("mcp__forge__open", "", ""), tool("mcp_forge_ci_retry", "", ""), // by the longer prefix
		tool("mcp_forge_other", "work", "mill"), tool("forge_close", "mcp-forge", "forge"),
	}
	files, err := live.ParseClientConfig("/w/.mcp.json", []byte(`{"mcpServers":{"forge":{"command":"a"},"forge-ci":{"command":"b"}}}`))
	if err != nil || len(files.Servers) != 2 {
		t.Fatal(err)
	}
	for i, want := range []string{"merge open", "status retry"} {
		if got := strings.Join(namesAt(&files.Servers[i], files.Servers, tools), " "); got != want {
			t.Errorf("%s: %q, want %q", files.Servers[i].EntryName(), got, want)
		}
	}
	if got := strings.Join(namesAt(&files.Servers[0], files.Servers[:1], tools), " "); got != "merge open ci_retry" {
		t.Errorf("forge alone: %q", got)
	}
}

// TestKeeps: a server that pays as a whole is kept eager by the member of its entry that its own client
// reads; one that does not, and one of a client without such a member, stay as they are.
func TestKeeps(t *testing.T) {
	paying := []Part{{[]*model.Tool{atServer("quay", "moor")}, true}, {[]*model.Tool{atServer("mill", "grind")}, false}}
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
