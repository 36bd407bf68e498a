package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
)

// forge is a registry of servers with tools of like names, and sessions over
// it.
func forge(t testing.TB) Inputs {
	t.Helper()
	var tools []string
	for toolset, names := range map[string][]string{
		"mcp-forge": {"mcp_forge_list_commits", "mcp_forge_get_commit", "mcp_forge_merge_pull_request", "mcp_forge_list_pull_requests",
			"mcp_forge_create_issue", "mcp_forge_add_issue_comment", "mcp_forge_call_tool", "mcp_forge_delete_branch"},
		"mcp-anvil": {"mcp_anvil_list_commits", "mcp_anvil_create_branch", "mcp_anvil_search_tools"},
		"files":     {"readFile", "write-file"},
	} {
		for _, name := range names {
			tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":%q,"function":{"name":%q,"description":"No tool of nope."}}`, toolset, name))
		}
	}
	slices.Sort(tools)
	r := fixture.Parse(t, []byte(`{"toolsets":{},"tools":[`+strings.Join(tools, ",")+`]}`))
	c := config.Default()
	c.Core = nil
	c.ToolSearch.Enabled = config.On
	c.Sessions = []config.Session{{Name: "default"}, {Name: "anvil", Enabled: []string{"mcp-anvil"}}}
	return Inputs{Registry: r, Config: c}
}

func TestSuggest(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"mcp_forge_list_commit", []string{"mcp_forge_list_commits", "mcp_anvil_list_commits"}},
		{"mcp_forg_list_commits", []string{"mcp_forge_list_commits", "mcp_anvil_list_commits"}},
		{"mcp_forge_lsit_commits", []string{"mcp_forge_list_commits"}},
		{"create_isue", []string{"mcp_forge_create_issue"}},
		{"forge.add-issue-comment", []string{"mcp_forge_add_issue_comment"}},
		{"add_comment_issue", []string{"mcp_forge_add_issue_comment"}},
		{"listPullRequests", []string{"mcp_forge_list_pull_requests"}},
		{"pull_request", []string{"mcp_forge_merge_pull_request", "mcp_forge_list_pull_requests"}},
		{"read_file", []string{"readFile"}},
		{"WriteFile", []string{"write-file"}},
		{"branch", []string{"mcp_anvil_create_branch", "mcp_forge_delete_branch"}},
		{"nope_tool", nil}, // all descriptions have both words
		{"forge", nil},
		{"send_mail", nil},
		{"mcp_forge_fly", nil},
		{"mcp", nil},
		{"_", nil},
		{"", nil},
		{strings.Repeat("list_commits_", 1000), nil},
	}
	s := built(t, forge(t))
	for _, tt := range tests {
		if got := s.Suggest(tt.name); !slices.Equal(got, tt.want) {
			t.Errorf("%.40s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// To a model, only tools in scope are offered, of another server too.
func TestSuggestInScope(t *testing.T) {
	in := forge(t)
	in.Session = "anvil"
	s := built(t, in)
	for name, want := range map[string]string{
		"mcp_forge_list_commit":   `"suggestions":["mcp_anvil_list_commits"]`,
		"mcp_forge_list_commits":  `"suggestions":["mcp_anvil_list_commits"]`, // out of scope
		"mcp_forge_delete_branch": `"code":"out_of_scope"`,
		"mcp_forge_create_issue":  `"code":"out_of_scope"`,
	} {
		got := string(s.Call(name, nil).ModelSees)
		if !strings.Contains(got, want) || strings.Contains(got, "suggestions") != strings.Contains(want, "suggestions") {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// What a tool is called beside its server goes by the server's own name, where
// the toolset has another.
func TestSuggestByServer(t *testing.T) {
	registry := fixture.Parse(t, []byte(`{
		"toolsets": {"workshop": {"server": "long-lathe"}},
		"tools": [{"type":"function","toolset":"workshop","function":{"name":"long_lathe_cut"}}]}`))
	s := built(t, Inputs{Registry: registry, Config: config.Default()})
	for name, want := range map[string][]string{"cut": {"long_lathe_cut"}, "long_lathe_saw": nil} {
		if got := s.Suggest(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
