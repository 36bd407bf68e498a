package lint

import (
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/model/require"
)

// TestFree: a name that is proposed is nobody's, and not too long.
func TestFree(t *testing.T) {
	long := strings.Repeat("x", longestName)
	var entries []string
	for _, name := range []string{"bell", "bell_2", long} {
		entries = append(entries, `{"type":"function","function":{"name":"`+name+`","description":"d","parameters":{"type":"object"}},"toolset":"t"}`)
	}
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: config.Default()})
	require.NoError(t, err)
	c := &check{s: s}
	for name, want := range map[string]string{"bell": "bell_3", "horn": "horn", engine.ToolSearch: engine.ToolSearch + "_2", long: long[2:] + "_2", long + "y": long[2:] + "_2", s.Config.Core[0]: s.Config.Core[0] + "_2"} {
		if got := c.free(name); got != want {
			t.Errorf("%s is free as %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"a.b-c": "a_b-c", "": "_", "-a": "_-a", "9a": "_9a", "A0z": "A0z", "é": "_", long + "y": long} {
		if got := cleanName(name); got != want {
			t.Errorf("%q is clean as %q, want %q", name, got, want)
		}
	}
}
