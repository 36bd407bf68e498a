//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"caliper/model/require"
)

// stateHome is where the program under test remembers things.
func stateHome(home string) string { return filepath.Join(home, "state") }

// object is a JSON object. Its keys are written in the order of their names.
type object = map[string]any

// tool is a tool of an MCP server called depot, with a parameter that is
// required and one that has a schema to expand.
func tool(name, description string) object {
	return object{
		"type": "function",
		"function": object{
			"name": "mcp_depot_" + name, "description": description,
			"parameters": object{
				"type":     "object",
				"required": []string{"crate"},
				"properties": object{
					"crate": object{"type": "string", "description": "Number of the crate."},
					"route": object{"type": "object", "properties": object{
						"harbour": object{"type": "string"},
						"berth":   object{"type": "integer"},
					}},
				},
			},
		},
		"toolset": "mcp-depot", "source": "mcp", "server": "depot", "original_name": name,
	}
}

// depot returns n tools: weigh_crate, which is always the first, and others
// whose names end in their number.
func depot(n int) []object {
	tools := []object{tool("weigh_crate", "Weigh a crate on the scales and return its weight.")}
	for i := 1; i < n; i++ {
		tools = append(tools, tool(fmt.Sprintf("move_crate_%03d", i), fmt.Sprintf("Move a crate to shelf %d of the depot and tell the keeper.", i)))
	}
	return tools
}

// dump returns tools as a registry. Registries of different sizes differ from
// the beginning, so that half of one is no beginning of another.
func dump(tools []object) []byte {
	data, err := json.MarshalIndent(object{
		"generator": fmt.Sprintf("a depot with %d tools", len(tools)),
		"toolsets":  object{"mcp-depot": object{"description": "Crates and shelves.", "source": "mcp", "server": "depot"}},
		"tools":     tools,
	}, "", " ")
	if err != nil {
		panic(err)
	}
	return append(data, '\n')
}

// settings returns a configuration in which a threshold of 10 percent is far
// below any depot and one of 100 far above.
func settings(percent int) []byte {
	return fmt.Appendf(nil, `model:
  context_length: 20000
tools:
  tool_search:
    enabled: auto
    threshold_pct: %d
sessions:
  default: {}
  clerk:
    enabled_toolsets: []
`, percent)
}

// site is a registry and a configuration on disk.
type site struct{ home, registry, config string }

// newSite writes a depot of n tools and its configuration.
func newSite(t testing.TB, n int) site {
	t.Helper()
	home := t.TempDir()
	s := site{home, filepath.Join(home, "depot.json"), filepath.Join(home, "settings.yaml")}
	write(t, s.registry, dump(depot(n)))
	write(t, s.config, settings(10))
	return s
}

// setup returns how to start the program on the site.
func (s site) setup(more ...string) setup {
	return setup{home: s.home, args: append([]string{"--registry", s.registry, "--config", s.config}, more...)}
}

// write writes a file in place.
func write(t testing.TB, path string, data []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, data, 0o644))
}
