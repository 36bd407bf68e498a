package shapes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"caliper/model"
	"caliper/model/internal/modeltest"
	"caliper/model/require"
)

// shared is the folder of reference material beside the project. Tests that
// need it are skipped where it is absent; their facts are also tested on
// fixtures of our own.
const shared = "../../../shared"

// readShared returns a file of the shared folder, or skips the test.
func readShared(t testing.TB, name string) model.Source {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no ", name)
	}
	require.NoError(t, err)
	return model.Source{Name: filepath.Base(name), Data: data}
}

func TestRealRegistry(t *testing.T) {
	r, err := Parse(context.Background(), readShared(t, "registries/registry.json"))
	require.NoError(t, err)
	if len(r.Tools) != 812 || len(r.Toolsets) != 50 || r.Shape != "hermes" {
		t.Errorf("%d tools, %d toolsets, shape %s", len(r.Tools), len(r.Toolsets), r.Shape)
	}
	for _, w := range r.Warnings {
		t.Errorf("%s: %v", w.Code, w)
	}
	checkRegistry(t, r)
	for _, tool := range r.Tools {
		s, err := model.ParseSchema(tool.Parameters)
		if err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		modeltest.CheckSchema(t, s)
		var properties []string
		for _, child := range s.Children {
			if child.Property {
				properties = append(properties, child.Key)
			}
		}
		if names := tool.PropertyNames(); !slices.Equal(names, properties) {
			t.Errorf("%s: properties %q, in the tree %q", tool.Name, names, properties)
		}
	}
}

// The answers of the servers themselves lead to the tools of the dump that
// was made of them.
func TestRawAnswers(t *testing.T) {
	dump, err := Parse(context.Background(), readShared(t, "registries/registry.json"))
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(shared, "registries/raw/*.json"))
	if err != nil || len(names) == 0 {
		t.Skip("no raw answers")
	}
	var sources []model.Source
	for _, name := range names {
		sources = append(sources, readShared(t, filepath.Join("registries/raw", filepath.Base(name))))
	}
	r, err := Parse(context.Background(), sources...)
	require.NoError(t, err)
	if len(r.Tools) != 756 || len(r.Toolsets) != 30 || r.Shape != "mcp" {
		t.Errorf("%d tools, %d toolsets, shape %s", len(r.Tools), len(r.Toolsets), r.Shape)
	}
	checkRegistry(t, r)
	for _, tool := range r.Tools {
		same := dump.Lookup(tool.Name)
		if len(same) != 1 {
			t.Errorf("%s: %d in the dump", tool.Name, len(same))
			continue
		}
		want := same[0]
		if tool.Toolset != want.Toolset || tool.Server != want.Server || tool.OriginalName != want.OriginalName || tool.Description != want.Description {
			t.Errorf("%s differs from the dump", tool.Name)
		}
		if got, want := decoded(t, tool.Function), decoded(t, want.Function); !bytes.Equal(got, want) {
			t.Errorf("%s: function\n%s, in the dump\n%s", tool.Name, got, want)
		}
	}
}

// decoded returns a JSON value in one spelling.
func decoded(t *testing.T, raw []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	out, _ := json.Marshal(v)
	return out
}
