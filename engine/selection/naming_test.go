package selection

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// A history and the lists of always-sent and left-out tools may name a tool of a server
// as either generation of the agent does.
func TestEitherNaming(t *testing.T) {
	for _, between := range []string{"_", "__"} {
		named := func(between, tool string) string { return "mcp" + between + "dock" + between + tool }
		var tools []string
		for _, tool := range []string{"open_berth", "list_ships", "sink"} {
			tools = append(tools, `{"type":"function","function":{"name":"`+named(between, tool)+`","description":"Ships."},"toolset":"mcp-dock","server":"dock","source":"mcp"}`)
		}
		registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json",
			Data: []byte(`{"toolsets":{"mcp-dock":{"source":"mcp","server":"dock"}},"tools":[` + strings.Join(tools, ",") + `]}`)})
		require.NoError(t, err)
		for _, written := range []string{"_", "__"} {
			s, err := engine.Build(t.Context(), engine.Inputs{Registry: registry, Config: config.Default()})
			require.NoError(t, err)
			c := newScope(s, Settings{Core: []string{named(written, "open_berth")}, Exclude: []string{named(written, "sink")}})
			if got := strings.Join(namesOf(c.Always), " ") + "/" + strings.Join(namesOf(c.Excluded), " "); got != named(between, "open_berth")+"/"+named(between, "sink") {
				t.Errorf("%s written as %s: %s", between, written, got)
			}
			docs := c.remembered([]string{named(written, "list_ships")})
			if len(docs) != 1 || !slices.Equal(namesOf([]*model.Tool{c.Candidates[docs[0]]}), []string{named(between, "list_ships")}) {
				t.Errorf("%s written as %s: history %v", between, written, docs)
			}
		}
	}
}

// namesOf returns the names of tools.
func namesOf(tools []*model.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}
