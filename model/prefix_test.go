package model

import (
	"fmt"
	"strings"
	"testing"
)

// The server in a tool's name is the longest that is known to be one, else the
// first word.
func TestServerInName(t *testing.T) {
	long := strings.Repeat("a_", 125) + "b" // its prefix is as long as is looked at
	for _, c := range []struct{ name, toolset, tool, want string }{
		{"nothing is known", "other", "mcp_sea_level_tide", "mcp-sea"},
		{"a server", "mcp-sea_level", "mcp_sea_level_tide", "mcp-sea_level"},
		{"a toolset that is no server", "sea_level", "mcp_sea_level_tide", "mcp-sea"},
		{"the longest prefix", "mcp-" + long, "mcp_" + long + "_tide", "mcp-" + long},
		{"a longer one", "mcp-" + long + "c", "mcp_" + long + "c_tide", "mcp-a"},
	} {
		r := parse(t, fmt.Sprintf(`{"toolsets":{},"tools":[{"type":"function","function":{"name":"x"},"toolset":%q},{"type":"function","function":{"name":%q}}]}`, c.toolset, c.tool))
		if got := r.Tools[1].Toolset; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
