package workbench

import (
	"io/fs"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/watch"
)

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
