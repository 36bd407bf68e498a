package tui

import (
	"strings"
	"testing"

	"caliper/config"
	"caliper/tui/desk"
	"caliper/tui/workbench"
)

// The palette finds more than actions, and a setting takes the value behind it.
func TestPaletteFinds(t *testing.T) {
	t.Parallel()
	d := withEverything(t, 120, 36)
	d.Press("ctrl+p").Type("create_branch").wants("mcp_forge_create_branch").Press("enter")
	if got := d.app().explore.Tool(); got == nil || got.Qualified != "mcp-forge/mcp_forge_create_branch" && got.Name != "mcp_forge_create_branch" {
		t.Errorf("the palette goes to %v", got)
	}
	d.Press("ctrl+p").Type("kanban-w").wants("session kanban-worker").Press("enter").settle().wants("session kanban-worker")
	d.Press("ctrl+p").Type("threshold 12").wants("now 10").Press("enter").settle().wants("threshold is 12", "WHAT IF")
	if got := d.app().knobs.Value(desk.KnobOf("tools.tool_search.threshold_pct")); got != 12.0 {
		t.Errorf("the threshold is %v", got)
	}
	d.Press("ctrl+p").Type("threshold 120").wants("threshold takes a number").Press("enter").wants("threshold takes a number")
	d.Press("ctrl+p").Type("k1").Press("enter").wants("> k1 ").Type("1.7").Press("enter").settle()
	if got := d.app().knobs.Value(desk.KnobOf(workbench.KnobK1)); got != 1.7 {
		t.Errorf("k1 is %v", got)
	}
	d.Press("ctrl+p").Type("ranker").wants("ranker bm25-gated").Type(" fi").wants("1 found").Press("enter").settle()
	if got := d.app().knobs.Value(desk.KnobOf(config.KeyRanker)); got != config.RankerFielded {
		t.Errorf("the ranker is %v", got)
	}
	d.Press("ctrl+p").Type("host").wants("agent hermes-2026-09").Press("esc")
	d.Press("ctrl+p").Type("host claude").wants("agent claude-code").Press("esc")
	d.Press("ctrl+p").Type("xyzzy").wants("0 found", "nothing matches; esc closes", "threshold 12").Press("enter").wants("xyzzy").Press("esc")
	if d.Press("ctrl+p", "ctrl+p"); d.app().top() != nil {
		t.Error("ctrl-p does not close the palette")
	}
	d.Press("f1", ":").wants("commands").Press("esc")
}

// Every view of every screen is in the palette, and choosing it shows it or says
// what it is beside.
func TestPaletteGoesToViews(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := withEverything(t, size[0], size[1])
		labels := d.app().viewChoices()
		if len(labels) < 20 {
			t.Errorf("%v: only %d views", size, len(labels))
		}
		for _, c := range labels {
			d.Press("alt+7", "ctrl+p").Type(c.Label).Press("enter").settle()
			a := d.app()
			name := strings.TrimPrefix(c.Label, a.screen().Name()+": ")
			names, at := a.screen().Views()
			if len(names) == 0 || a.top() != nil {
				t.Fatalf("%v: %s leads to %s", size, c.Label, d.Screen())
			}
			if names[at] != name && !strings.HasPrefix(a.notices.Text, name+" is beside ") {
				t.Errorf("%v: %s shows %s and says %q", size, c.Label, names[at], a.notices.Text)
			}
		}
	}
	withEverything(t, 80, 24).Press("ctrl+p").Type("curve").wants("Budget: curve")
}
