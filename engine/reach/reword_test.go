package reach

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/live"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/require"
)

// TestReword: the change that helps most hosts and takes nothing from another tool.
func TestReword(t *testing.T) {
	twins := []string{"s t1: twin", "s t2: twin", "s t3: twin", "s t4: twin", "s t5: twin", "s t6: twin", "s t7: twin", "s t8: twin", "s t9: twin"}
	tests := map[string]struct {
		tools   []string
		queries []labels.Query
		hosts   string
		limit   int
		want    string // words / name / helped of lacking
	}{
		"a word of the description": {
			[]string{"pay undo: Reverse it.", "log list: List lines"},
			[]labels.Query{{Text: "refund of a booking", Relevant: []string{"pay__undo"}}, {Text: "lines", Relevant: []string{"log__list"}}},
			"ai-sdk,mastra,pi", 5, "booking // 3 of 3",
		},
		"the description is not enough, the name is": {
			[]string{"pay undo: Reverse it.", "log refundable: Lines"},
			[]labels.Query{{Text: "refund", Relevant: []string{"pay__undo"}}},
			"claude-code", 1, " /undo_refund/ 1 of 1",
		},
		"both are needed": {
			[]string{"pay undo: Reverse it.", "log refund: A booking"},
			[]labels.Query{{Text: "refund booking", Relevant: []string{"pay__undo"}}},
			"ai-sdk", 1, "refund /undo_booking/ 1 of 1",
		},
		"it would push another tool out": {
			[]string{"pay undo: Reverse.", "log list: A refund"},
			[]labels.Query{{Text: "refund", Relevant: []string{"pay__undo"}}, {Text: "refund", Relevant: []string{"log__list"}}},
			"ai-sdk,mastra,pi,claude-code", 1, "",
		},
		"chance proves nothing": {
			twins, []labels.Query{{Text: "twin", Relevant: []string{"s__t1"}}}, "codex", 8, "",
		},
		"a word that names none of the equals": {
			twins, []labels.Query{{Text: "twin refund", Relevant: []string{"s__t1"}}}, "codex", 8, "refund // 1 of 1",
		},
		"a host that finds it needs no help": {
			[]string{"pay undo: Reverse bookings.", "log list: List lines"},
			[]labels.Query{{Text: "booking", Relevant: []string{"pay__undo"}}},
			"codex,ai-sdk", 5, "booking // 1 of 1",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := built(t, tt.tools...)
			var searchers []Searcher
			for _, h := range strings.Split(tt.hosts, ",") {
				searchers = append(searchers, Limited{Of(hosts.Named(h), s), tt.limit})
			}
			unseen := []Unseen{{Tool: s.Registry.Lookup(tt.queries[0].Relevant[0])[0]}}
			require.NoError(t, Reword(context.Background(), searchers, s.Registry.Tools, tt.queries, unseen, 1, nil))
			got := ""
			if w := unseen[0].Rewording; w != nil {
				got = strings.Join(w.Words, " ") + fmt.Sprintf(" /%s/ %d of %d", w.Name, len(w.Helped), w.Lacking)
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestReworded: an index with a reworded tool answers as one that is built of the edited
// registry, and Alike never hides a difference.
func TestReworded(t *testing.T) {
	s := built(t, "pay undo: Reverse a charge", "log list_lines: List lines of a log", "log drop: Clear the log", "mail send-it: Send a mail", "mail list: List mails")
	for _, h := range hosts.All {
		for _, old := range s.Registry.Tools {
			for _, name := range []string{"list_lines", strings.Repeat("x", 65)} { // taken, and too long
				if changed, err := with(context.Background(), Of(h, s), old, Rewording{Name: name}); strings.HasPrefix(old.Name, "log") && (changed != nil || err != nil) {
					t.Errorf("%s: %s can be called %.20s: %v", h.Name, old.Name, name, err)
				}
			}
			for _, w := range []Rewording{{Description: "List charges (mail)."}, {Description: old.Description, Name: cmp.Or(old.OriginalName, old.Name) + "_mail"}, {Description: old.Description}} {
				was := Of(h, s)
				changed, err := with(context.Background(), was, old, w)
				if err != nil || changed == nil {
					t.Fatal(h.Name, err)
				}
				edit, _ := w.edit(old)
				trial, err := whatif.Try(context.Background(), s, edit)
				require.NoError(t, err)
				as := *trial.Edited(old)
				if w.Name != "" {
					as.OriginalName = w.Name
				}
				tools := append([]*model.Tool(nil), s.Registry.Tools...)
				for i, tool := range tools {
					if tool == old {
						tools[i] = &as
					}
				}
				for _, query := range []string{"mail", "list mail", "charge", "log", "mcp__log", "list.*", "none", "+mail list"} {
					got := changed.Search(query, -1)
					if h.Generation == "" {
						want := hosts.New(h, tools).Search(query, -1)
						if names(got) != names(want) {
							t.Errorf("%s, %q of %s: %s, want %s", h.Name, query, old.Name, names(got), names(want))
						}
					}
					if x, ok := changed.(*hosts.Index); ok && x.Alike(query) && names(got) != names(was.Search(query, -1)) {
						t.Errorf("%s, %q of %s: alike, but %s", h.Name, query, old.Name, names(got))
					}
				}
			}
		}
	}
}

// names returns the names of hits with their scores' order.
func names(hits []hosts.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Name)
	}
	return strings.Join(out, " ")
}

// TestWithWord: a name gets one more word as it has its own.
func TestWithWord(t *testing.T) {
	for name, want := range map[string]string{"list_all": "list_all_mail", "list-all": "list-all-mail", "listAll": "listAllMail", "list": "list_mail", "list-All_": "list-All__mail"} {
		if got := withWord(name, "mail"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestShare: a need is met by one tool of its group, by either name; a host's own tools meet none.
func TestShare(t *testing.T) {
	hits := []hosts.Hit{{Name: "own"}, {Tool: &model.Tool{Name: "a", Qualified: "x/a"}}, {Tool: &model.Tool{Name: "b", Qualified: "b"}}}
	for _, c := range []struct {
		name   string
		needed [][]string
		want   float64
	}{
		{"no need", nil, 0}, {"by name", [][]string{{"a"}}, 1}, {"by its name here", [][]string{{"x/a"}}, 1}, {"one of a group", [][]string{{"c", "b"}}, 1},
		{"not a host's own", [][]string{{"own"}}, 0}, {"one of two", [][]string{{"c"}, {"b"}}, 0.5}, {"one of three, twice", [][]string{{"a"}, {"b"}, {""}}, 2.0 / 3},
	} {
		if got := share(c.needed, hits); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := share([][]string{{"a"}}, nil); got != 0 {
		t.Errorf("without hits: %v", got)
	}
}

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
		{"copilot", "/h/.copilot/mcp-config.json", `{"mcpServers":{` + entries + `}}`, `"disabled": true|"excludeTools": ["grind"]`},
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
	// The agent's own toolset is left out as a whole, where no file of a client has it.
	for _, c := range []struct {
		part  Part
		agent string
		want  string
	}{
		{Part{[]*model.Tool{atServer("quay", "moor")}, true}, "c.yaml", "[{hermes c.yaml [agent disabled_toolsets] <nil> [mcp-quay]}]"},
		{Part{[]*model.Tool{atServer("quay", "moor")}, false}, "c.yaml", "[]"}, {Part{[]*model.Tool{atServer("quay", "moor")}, true}, "", "[]"},
		{Part{[]*model.Tool{{Name: "moor", Toolset: model.NoToolset}}, true}, "c.yaml", "[]"},
	} {
		if trims, left := Trims([]Part{c.part}, nil, live.ClientPlaces{}, c.agent); fmt.Sprint(trims) != c.want || len(left) > 0 {
			t.Errorf("%v: %v, %v; want %s", c.part, trims, left, c.want)
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
