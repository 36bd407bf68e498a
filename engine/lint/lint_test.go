package lint_test

import (
	"os"
	"path/filepath"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/demo"
)

// snapshot parses a dump and builds the default session of a config.
func snapshot(tb testing.TB, dump []byte, c config.Config) *engine.Snapshot {
	tb.Helper()
	r, err := shapes.Parse(tb.Context(), model.Source{Name: "registry.json", Data: dump})
	require.NoError(tb, err)
	s, err := engine.Build(tb.Context(), engine.Inputs{Registry: r, Config: c})
	require.NoError(tb, err)
	return s
}

// demoConfig returns the config of the demo.
func demoConfig(tb testing.TB) config.Config {
	tb.Helper()
	f, err := config.Parse(demo.ConfigFile, demo.Config())
	require.NoError(tb, err)
	return f.Config
}

// realDump returns the registry of real servers, which is not part of the
// project.
func realDump(tb testing.TB) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "registries", "registry.json"))
	if err != nil {
		tb.Skip("the shared registry is not here")
	}
	return data
}
