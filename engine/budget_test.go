package engine

import (
	"fmt"
	"strings"
	"testing"

	"caliper/model/require"
)

// TestBudgetCounts: the budget of a session counts each tool once, where it is sent or
// deferred, and toolsets without tools not at all.
func TestBudgetCounts(t *testing.T) {
	for _, c := range []struct{ session, message, want string }{
		{"wide", "", `7 5, of them 1 that asks for it; 10 of instructions; [files 1 0] [mcp-harbor 4 3] [mcp-tide 2 2]`},
		{"idle", "book a berth", `0 0, of them 0 that asks for it; 0 of instructions;`},
	} {
		in := gateInputs(t, c.session)
		in.Message = c.message
		in.Config.Core = []string{"mcp_harbor_book", "read_file"}
		harbor, _ := in.Registry.Toolset("mcp-harbor")
		harbor.Instructions = strings.Repeat("x", 38) // with two quotes ten tokens
		in.Registry.Lookup("mcp_harbor_tow")[0].Deferred = true
		s, err := Build(t.Context(), in)
		require.NoError(t, err)
		b := s.Budget(true)
		got := fmt.Sprintf("%d %d, of them %d that asks for it; %d of instructions;", b.Tools, b.DeferredCount, b.DeferLoading, b.InstructionTokens)
		sent, deferred, tools := 0, 0, 0
		for i, set := range b.Toolsets {
			got += fmt.Sprintf(" [%s %d %d]", set.Name, set.Tools, set.Deferred)
			for _, one := range set.ToolTokens {
				tools++
				if one.Deferred {
					deferred += one.Tokens
				} else {
					sent += one.Tokens
				}
			}
			if s.Budget(false).Toolsets[i].ToolTokens != nil {
				t.Errorf("%s: tools that nobody asked for", set.Name)
			}
		}
		if got != c.want || tools != b.Tools || sent-b.VisibleTokens > 2 || sent < b.VisibleTokens || deferred-b.DeferredTokens > 4 || deferred < b.DeferredTokens {
			t.Errorf("%s: %s, want %s; %d tools of %d and %d tokens in %+v", c.session, got, c.want, tools, sent, deferred, b)
		}
		if (b.Message != nil) != (c.message != "") || b.SavedTokens != b.EagerTokens-b.AfterTokens || b.EagerTokens > 0 && b.SavedPct != 100*float64(b.SavedTokens)/float64(b.EagerTokens) {
			t.Errorf("%s: %+v", c.session, b)
		}
	}
}
