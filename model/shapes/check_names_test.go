package shapes

import (
	"context"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// Two names look alike also where both look like a third.
func TestLookalikesOfEachOther(t *testing.T) {
	r, err := Parse(context.Background(), model.Source{Name: "a.json", Data: []byte(`[{"function":{"name":"ﬁle"}},{"function":{"name":"ｆile"}},{"function":{"name":"ｆilm"}}]`)})
	require.NoError(t, err)
	var at []string
	for _, w := range r.Warnings {
		if w.Code == "lookalike_name" {
			at = append(at, w.Path)
		}
	}
	if len(at) != 1 || at[0] != "[1].function.name" {
		t.Errorf("lookalikes at %q", at)
	}
}

// Names of MCP files are made as running servers' names are.
func TestNamesOfMCPFilesAreClamped(t *testing.T) {
	long := strings.Repeat("n", 200)
	r, err := Parse(t.Context(), model.Source{Name: "long.json", Data: []byte(`{"tools":[{"name":"` + long + `","inputSchema":{}},{"name":"a-b","inputSchema":{}}]}`)})
	require.NoError(t, err)
	for i, original := range []string{long, "a-b"} {
		tool := r.Tools[i]
		if want := model.HermesNaming.ToolName("long", original); tool.Name != want || tool.OriginalName != original || !strings.Contains(string(tool.Function), `"name":"`+want+`"`) {
			t.Errorf("%s of %s, want %s", tool.Name, tool.OriginalName, want)
		}
	}
	if len(r.Warnings) > 0 {
		t.Errorf("warnings: %v", r.Warnings)
	}
}

// TestOriginalName: a name without what agents put before it is the server's own.
func TestOriginalName(t *testing.T) {
	for name, want := range map[string]string{"mcp_a-b_get": "", "mcp_a_b_get": "get", "mcp__a-b__get": "get", "get": "", "mcp_a_b_": "", "mcp_a_c_get": ""} {
		if got := originalName(name, "a-b"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
