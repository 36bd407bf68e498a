package replay

import (
	"context"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// Tools are found by the names that each client logs, whatever name the registry has.
func TestFind(t *testing.T) {
	long := "read_" + strings.Repeat("meters_", 9) + "now"
	const schema = `"parameters":{"type":"object"}`
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "dump.json", Data: []byte(`{"toolsets":{},"tools":[
		{"type":"function","function":{"name":"mcp__quay__` + long[:44] + `_0a1b2c3d",` + schema + `},"toolset":"mcp-quay","server":"quay","original_name":"` + long + `"},
		{"type":"function","function":{"name":"mcp_quay_moor_ship",` + schema + `},"toolset":"mcp-quay","server":"quay","original_name":"moor-ship"},
		{"type":"function","function":{"name":"moor_ship",` + schema + `},"toolset":"quay"}]}`)},
		model.Source{Name: "request.json", Data: []byte(`{"model":"m","input":[],"tools":[
			{"type":"namespace","name":"mcp__lanes","tools":[{"type":"function","name":"list_lanes",` + schema + `}]},
			{"type":"namespace","name":"desk","tools":[{"type":"function","name":"ring",` + schema + `}]}]}`)})
	require.NoError(t, err)
	f, err := config.Parse("c.yaml", []byte("sessions: {default: {}}\n"))
	require.NoError(t, err)
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: registry, Config: f.Config})
	require.NoError(t, err)
	r, err := begin(t.Context(), Inputs{Snapshot: s})
	require.NoError(t, err)
	cut := "mcp__quay__" + long // as Codex cuts it, with a hash of what is gone
	cut = cut[:56]
	for _, tt := range []struct{ client, logged, want string }{
		{"Claude Code, which cuts nothing", "mcp__quay__" + long, long},
		{"Copilot CLI", "quay-moor-ship", "moor-ship"},
		{"the later agent", "mcp__quay__moor_ship", "moor-ship"},
		{"a tool that has the name itself", "moor_ship", ""},
		{"Codex, a namespace of a server", "mcp__lanes__list_lanes", "list_lanes"},
		{"Responses, a namespace", "desk__ring", ""},
		{"Codex, cut", cut + "9f8e7d6c", long},
		{"cut, with a longer hash", cut[:50] + "0a1b2c9f8e7d6c", long},
		{"too short to be cut", cut[:55] + "9f8e7d6c", "nothing"},
		{"cut, with no hash", cut + "9f8e7d6x", "nothing"},
		{"nobody", "mcp__desk__ring", "nothing"},
	} {
		got := "nothing"
		if tool := r.catalog.find(tt.logged); tool != nil {
			got = tool.OriginalName
		}
		if got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.client, tt.logged, got, tt.want)
		}
	}
}
