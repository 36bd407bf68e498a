package ui

import (
	"testing"

	"pgregory.net/rapid"
)

func TestFitName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		w          int
		want       string
	}{
		{"fits", "mcp_forge_create_issue", 22, "mcp_forge_create_issue"},
		{"loses the first word", "mcp_forge_create_issue", 21, "forge…create_issue"},
		{"and most of the server", "mcp_forge_create_issue", 15, "fo…create_issue"},
		{"all of the server", "mcp_forge_create_issue", 13, "…create_issue"},
		{"only the tool", "mcp_forge_create_issue", 12, "create_issue"},
		{"and then of the tool", "mcp_forge_create_issue", 11, "creat…issue"},
		{"no MCP tool", "browser_take_screenshot", 15, "browser…eenshot"},
		{"nothing behind the server", "mcp_a_very_long_server_", 12, "very_…erver_"},
		{"only a server", "mcp_averylongserver", 12, "mcp_a…server"},
		{"no room to tell anything", "mcp_forge_create_issue", 7, "mcp_forge_create_issue"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := FitName(tt.text, tt.w); got != tt.want {
				t.Errorf("%q in %d cells is %q, want %q", tt.text, tt.w, got, tt.want)
			}
		})
	}
}

// A name that is cut has at most the cells that it may have.
func TestFitNameFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`(mcp_)?[a-z_日]{0,40}`).Draw(t, "name")
		w := rapid.IntRange(8, 50).Draw(t, "w")
		if got := FitName(name, w); Width(got) > w {
			t.Fatalf("%q in %d cells is %q", name, w, got)
		}
	})
}
