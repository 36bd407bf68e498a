package tui

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/tui/demo"
)

func TestActivityTellsWhatReloadsChange(t *testing.T) {
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Queries, _ = engine.ParseQueries(demo.QueriesFile, demo.Queries())
	d := startExplorer(t, opt, 120, 36)
	text := strings.Replace(string(demo.Registry()), `"name": "mcp_forge_create_branch"`, `"name": "mcp_forge_start_branch"`, 1)
	d.reload(RegistryPart, text)
	d.Press("alt+7").wants("[7 Activity]", "reload  +1 −1 ~0 tools", "loaded 192 tools")
	d.Press("enter").wants("+ mcp_forge_start_branch", "− mcp_forge_create_branch", "search ON → ON", "prompt cache holds")
	d.reload(ConfigPart, "tools: {tool_search: off}\n")
	d.Press("g").wants("search ON → OFF").Press("enter").wants("its prompt cache is lost")
	d.reload(RegistryPart, "{")
	d.Press("g").wants("error registry.json:1")
}

func TestActivityKeepsDryRuns(t *testing.T) {
	d := explorer(t, 120, 36)
	d.Type("delete branch").Press("shift+tab", "enter", "enter", "alt+7")
	d.wants("dry run mcp_forge_delete_branch  DENIED denied_by_policy at gate policy").Press("enter").wants("pass scope_executor", "fail policy")
	d.Press("/").Type("loaded").Press("enter").wants("loaded 192").lacks("dry run mcp_forge")
}

func TestActivityIsBounded(t *testing.T) {
	d := explorer(t, 120, 36)
	s := &d.app().activity
	for i := range 1000 {
		s.record(levelInfo, fmt.Sprintf("event %d", i), make([]string, 2*keptDetails)...)
		s.do(ActPart)
	}
	if len(s.events) != keptEvents || len(s.open) > keptEvents || len(s.events[0].details) > keptDetails+1 {
		t.Errorf("keeps %d events, %d open, %d details", len(s.events), len(s.open), len(s.events[0].details))
	}
	d.Press("alt+7").wants("event 999", "the last 300")
}

func TestActivityGoldens(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := explorer(t, size[0], size[1])
		d.app().theme = NewTheme(Look{Plain: true})
		d.reload(ConfigPart, "tools: {tool_search: {threshold_pct: 16}}\n")
		d.app().notices.showing = false
		golden(t, fmt.Sprintf("activity-%dx%d", size[0], size[1]), d.Press("alt+7", "enter").Screen())
	}
}
