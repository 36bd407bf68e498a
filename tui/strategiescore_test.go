package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/engine/selection"
	"caliper/tui/demo"
)

// The core is a knob: what is added to it is sent with every message at once,
// and written into the list of the config file, whose comments stay.
func TestStrategiesCoreKnob(t *testing.T) {
	t.Parallel()
	const before = "# mine\ntools:\n  selection: hybrid\n  rag_core: # always\n    - terminal # the shell\n    - read_file\n  rag_top_k: 8\n"
	opt := testOptions(demo.Registry(), []byte(before))
	opt.Query, opt.ConfigName = refund, filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(opt.ConfigName, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	d := startExplorer(t, opt, 120, 36).selected("alt+4").wants("core         2 tools")
	s := &d.app().strategies
	core := func() []string {
		var names []string
		for _, x := range s.pick(selection.Hybrid).Tools {
			if x.Reason == selection.Core {
				names = append(names, x.Tool.Name)
			}
		}
		return names
	}
	d.Press("tab", "tab").Press(times(slices.Index(selectionKnobs, knobCore), "down")...).wants("enter choose").lacks("←→ value")
	d.Press("enter").wants("core: enter adds or takes away", "✓ terminal", "✓ read_file", "enter choose").lacks("enter bytes")
	d.Type("todo").selected("enter").wants("✓ todo")
	d.Press("ctrl+u").Type("terminal").selected("enter").lacks("✓ terminal")
	d.Press("esc").wants("core ", "2 tools", "(+1 −1)", "1 turned", "WHAT IF")
	if got := core(); !slices.Equal(got, []string{"read_file", "todo"}) {
		t.Errorf("the core is %q", got)
	}
	d.selected("u")
	if got := core(); !slices.Contains(got, "terminal") || len(got) != 3 {
		t.Errorf("after one undo the core is %q", got)
	}
	d.selected("0").lacks("turned", "WHAT IF")
	if got := core(); len(got) != 2 {
		t.Errorf("after a reset the core is %q", got)
	}
	d.selected("u").wants("1 turned").Press("S").wants("write to config.yaml", "+    - todo").lacks("-    - terminal").Press("y")
	data, err := os.ReadFile(opt.ConfigName)
	if want := strings.Replace(before, "    - read_file\n", "    - read_file\n    - todo\n", 1); err != nil || string(data) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, data, want)
	}
	d.reload(ConfigPart, string(data))
	d.selected().wants("core         3 tools").lacks("turned")
	// From elsewhere the palette finds it.
	d.Press("alt+1", "ctrl+k").Type("core").Press("enter").wants("[4 Strategies]", "core: enter adds or takes away", "✓ todo")
}

// What the session cannot be sent stands in the list too, so that it can be
// taken away.
func TestStrategiesCoreOfOthers(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), []byte("tools: {rag_core: [nobody, terminal]}\nsessions: {default: {enabled_toolsets: [mcp-payments]}}\n"))
	d := startExplorer(t, opt, 120, 36).selected("alt+4", "c").wants("✓ nobody", "no such tool", "✓ terminal", "not granted", "mcp_payments_refund_batch")
	d.selected("enter", "esc").wants("core         1 tool (+0 −1)")
}
