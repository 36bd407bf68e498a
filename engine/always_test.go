package engine

import (
	"context"
	"slices"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// What the source says is always sent is no hit of a search, whatever the mode; a list of
// deferred tools comes before it, and a bridge name before both.
func TestAlwaysSent(t *testing.T) {
	r, err := shapes.Parse(context.Background(), model.Source{Name: "r.json", Data: []byte(`{"tools":[
		{"type":"function","function":{"name":"open_gate"},"toolset":"mcp-yard","always_load":true},
		{"type":"function","function":{"name":"close_gate"},"toolset":"mcp-yard","_meta":{"anthropic/alwaysLoad":true}},
		{"type":"function","function":{"name":"paint_gate"},"toolset":"mcp-yard","_meta":{"anthropic/alwaysLoad":false},"always_load":false},
		{"type":"function","function":{"name":"tool_call"},"toolset":"mcp-yard","always_load":true}]}`)})
	require.NoError(t, err)
	for _, c := range []struct {
		name, config string
		want         []Class
	}{
		{"as they say", "tools: {tool_search: {enabled: on}}", []Class{Visible, Visible, Deferrable, Dropped}},
		{"one deferred by name", "tools: {tool_search: {enabled: on, defer: [open_gate]}}", []Class{Deferrable, Visible, Deferrable, Dropped}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := config.Parse("c.yaml", []byte(c.config+"\nsessions: {default: {}}\n"))
			require.NoError(t, err)
			s, err := Build(context.Background(), Inputs{Registry: r, Config: f.Config})
			require.NoError(t, err)
			var got []Class
			visible := 0
			for _, tool := range r.Tools {
				if got = append(got, s.Class(tool)); s.Class(tool) == Visible {
					visible++
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			if n := len(s.Search("gate", 5, 5).Hits); n != 3-visible {
				t.Errorf("%d hits", n)
			}
			if b := s.Budget(false); b.AlwaysLoad != visible {
				t.Errorf("budget counts %d", b.AlwaysLoad)
			}
		})
	}
}
