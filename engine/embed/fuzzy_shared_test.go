package embed_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"caliper/engine/embed"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// sharedFolder is where real registries and labelled queries are.
const sharedFolder = "../../../shared"

// sharedFile reads a file of the shared folder, and skips the test when there is
// none.
func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sharedFolder, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no shared folder")
	}
	require.NoError(t, err)
	return data
}

// registry parses a registry.
func registry(t testing.TB, data []byte) *model.Registry {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "tools.json", Data: data})
	require.NoError(t, err)
	return r
}

// realRegistries returns every real registry by its file: the dumps, the answer
// of each server, and the tools of the evaluation sets.
func realRegistries(t testing.TB) (names []string, all map[string]*model.Registry) {
	t.Helper()
	all = map[string]*model.Registry{}
	for _, pattern := range []string{"registries/registry*.json", "registries/raw/*.json", "eval/*/tools.json"} {
		files, err := filepath.Glob(filepath.Join(sharedFolder, pattern))
		require.NoError(t, err)
		for _, file := range files {
			name, err := filepath.Rel(sharedFolder, file)
			require.NoError(t, err)
			names = append(names, name)
			all[name] = registry(t, sharedFile(t, name))
		}
	}
	if len(names) == 0 {
		t.Skip("no shared folder")
	}
	return names, all
}

// index returns the index of tools.
func index(t testing.TB, tools []*model.Tool) *embed.FuzzyIndex {
	t.Helper()
	x, err := embed.NewFuzzy(t.Context(), tools)
	require.NoError(t, err)
	return x
}

// scores returns the scores of tools for a message.
func scores(t testing.TB, x *embed.FuzzyIndex, message string, tools []*model.Tool) []float64 {
	t.Helper()
	s, err := x.Scores(t.Context(), message, tools)
	require.NoError(t, err)
	return s
}
