package hosts

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	_ "caliper/model/require"
)

// TestFinds: a query finds a tool where the tool is among the hits without a limit, and
// Explain gives points for words to those alone.
func TestFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"ship", "list", "sink", "harbour", "moor", "a"})
		var tools []*model.Tool
		for i := range rapid.IntRange(1, 14).Draw(t, "tools") {
			name := fmt.Sprint(word.Draw(t, "name"), "_", i)
			tools = append(tools, &model.Tool{Name: "mcp_port_" + name, Server: "port", OriginalName: name, Toolset: "mcp-port", Description: word.Draw(t, "first") + " the " + word.Draw(t, "second"), Available: true, Index: i})
		}
		query := word.Draw(t, "asked") + " " + word.Draw(t, "also")
		for _, h := range All {
			if h.Generation != "" {
				continue
			}
			x := New(h, tools)
			hits := x.Search(query, -1)
			for _, tool := range tools {
				hit := slices.ContainsFunc(hits, func(h Hit) bool { return h.Tool == tool })
				if got := x.Finds(query, tool); got != hit {
					t.Fatalf("%s: %q finds %s: %v, it is a hit: %v", h.Name, query, tool.Name, got, hit)
				}
			}
		}
	})
}
