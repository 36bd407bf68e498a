package workbench

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/watch"
)

// registryOf returns a registry with mcp_hall_lamp_on, and fan_on of two toolsets.
func registryOf(t *testing.T) *model.Registry {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(`{"tools": [
		{"type": "function", "toolset": "mcp-hall", "server": "hall", "function": {"name": "mcp_hall_lamp_on", "description": "Light."}},
		{"type": "function", "toolset": "mcp-hall", "function": {"name": "fan_on", "description": "Air."}},
		{"type": "function", "toolset": "mcp-attic", "function": {"name": "fan_on", "description": "Air."}}]}`)})
	if err != nil || len(r.Tools) != 3 {
		t.Fatalf("%d tools, %v", len(r.Tools), err)
	}
	return r
}

func TestPropose(t *testing.T) {
	t.Parallel()
	r := registryOf(t)
	const lamp, fan = "mcp_hall_lamp_on", "mcp-attic/fan_on"
	tests := []struct {
		name, data string
		edits      []Edit
		want       string
	}{
		{"missing", "", []Edit{{Tool: lamp, Description: "Glow."}}, "mcp_hall_lamp_on: Glow.\n"},
		{"several", "# ours\nmcp_hall_lamp_on: Light.\n", []Edit{{Tool: lamp, Description: "Glow."}, {Tool: fan, Description: "Blow."}}, "# ours\nmcp_hall_lamp_on: Glow.\nmcp-attic/fan_on: Blow.\n"},
		{"by its other name", "mcp__hall__lamp_on: Light.\n", []Edit{{Tool: lamp, Description: "Glow."}}, "mcp__hall__lamp_on: Glow.\n"},
		{"the entry that counts", "mcp_hall_lamp_on: a\nmcp__hall__lamp_on: b\n", []Edit{{Tool: lamp, Description: "Glow."}}, "mcp_hall_lamp_on: a\nmcp__hall__lamp_on: Glow.\n"},
		{"a name that means two tools", "fan_on: Air.\n", []Edit{{Tool: fan, Description: "Blow."}}, "fan_on: Air.\nmcp-attic/fan_on: Blow.\n"},
		{"a tool that is gone", "mcp_hall_lamp_on: Light.\n", []Edit{{Tool: "none", Description: "x"}}, "mcp_hall_lamp_on: Light.\nnone: x\n"},
		{"nothing", "mcp_hall_lamp_on: Light.\n", nil, "mcp_hall_lamp_on: Light.\n"},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), OverridesName)
		if tt.data != "" {
			require.NoError(t, os.WriteFile(path, []byte(tt.data), 0o600))
		}
		c, err := ProposeOverrides(path, r, tt.edits)
		if err != nil || string(c.Old) != tt.data || (c.Old == nil) != (tt.data == "") || bytes.Equal(c.Old, c.New) != (tt.data == tt.want) {
			t.Errorf("%s: %+v, %v", tt.name, c, err)
			continue
		}
		if err := c.Write(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

// A file that cannot be changed stays as it is, and the error says where it is in the way.
func TestProposeOnAFileInTheWay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), OverridesName)
	require.NoError(t, os.WriteFile(path, []byte("lamp_on: 12\n"), 0o600))
	_, err := ProposeOverrides(path, registryOf(t), []Edit{{Tool: "lamp_on", Description: "Glow."}})
	var d model.Diagnostic
	if !errors.As(err, &d) || d.Line != 1 || d.Col != 10 {
		t.Errorf("%v", err)
	}
	if _, err := ProposeOverrides(t.TempDir(), registryOf(t), nil); err == nil {
		t.Error("a folder is read")
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": false, "# none\n": false, "a: b\n": true, "a: 1\n": false, "- a\n": false} {
		path := filepath.Join(t.TempDir(), OverridesName)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if got := HoldsOverrides(path); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if HoldsOverrides(t.TempDir()) || HoldsOverrides(filepath.Join(t.TempDir(), "none")) {
		t.Error("a folder, or nothing, has descriptions")
	}
}

// A broken file keeps the last good descriptions, with its position; a good one is used
// at once, and one that is not named any more is not used.
func TestOverrides(t *testing.T) {
	w := New()
	content, missing := "a: Glow.\n", false
	w.ReadFile = func(string) ([]byte, error) {
		if missing {
			return nil, fs.ErrNotExist
		}
		return []byte(content), nil
	}
	in := Input{Registry: []watch.File{{Name: "r.json", Data: []byte(`[{"type":"function","function":{"name":"a","description":"Own.","parameters":{"type":"object"}}},{"type":"function","function":{"name":"b","description":"Other."}}]`)}}}
	in.Flags.Overrides = "d.yaml"
	load := func() State {
		t.Helper()
		st, err := w.Load(t.Context(), in)
		require.NoError(t, err)
		return st
	}
	for _, step := range []struct {
		content, want, at string
		errors, warnings  int
		missing           bool
	}{
		{content: "a: Glow.\n", want: "Glow.", at: "d.yaml:1:1"},
		{content: "a: [\n", want: "Glow.", at: "d.yaml:1:1", errors: 1},
		{content: "\na: Shine.\n", want: "Shine.", at: "d.yaml:2:1"},
		{missing: true, want: "Shine.", at: "d.yaml:2:1", errors: 1},
		{content: "bb: Other.\n", want: "Own.", warnings: 1},
		{content: "", want: "Own."},
	} {
		content, missing = step.content, step.missing
		st := load()
		tool := st.Snapshot.Registry.Tools[0]
		if tool.Description != step.want || tool.Override != step.at || len(st.Errors) != step.errors || len(st.Warnings) != step.warnings {
			t.Errorf("%q: %q from %q with %v and %v", step.content, tool.Description, tool.Override, st.Errors, st.Warnings)
		}
		if step.errors > 0 && !strings.HasPrefix(st.Errors[0].Error(), "d.yaml:") {
			t.Errorf("%q: %v", step.content, st.Errors)
		}
		if tool.Qualified != "a" || tool.ShownName != "a" || st.Snapshot.Registry.Tools[1].Override != "" {
			t.Errorf("%q: %+v", step.content, tool)
		}
		if again := load(); again.Snapshot != st.Snapshot {
			t.Errorf("%q: built anew", step.content)
		}
	}
	content, missing = "a: Glow.\n", false
	load()
	in.Flags.Overrides = ""
	if d := load().Snapshot.Registry.Tools[0].Description; d != "Own." {
		t.Errorf("%q without the file", d)
	}
}
