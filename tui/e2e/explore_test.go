//go:build unix

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// score is how the score of a hit is written.
var score = regexp.MustCompile(`\d+\.\d{3}`)

func TestQuery(t *testing.T) {
	t.Parallel()
	x := start(t, setup{})
	x.Until("192 tools", "browser_click")
	x.search("create issue")
	s := x.untilSelected("mcp_tracker_create_issue")
	value := score.FindString(selected(s))
	if value == "" {
		t.Fatalf("the first hit has no score: %q", selected(s))
	}
	if !s.Has("why "+value) || !s.Has("sum") {
		t.Errorf("the score %s is not explained:\n%s", value, s)
	}
	if s.Has("browser_click") {
		t.Errorf("a tool without a score is among the hits:\n%s", s)
	}
	x.Key("down")
	x.UntilFunc("the second hit selected", func(s screen) bool { return strings.HasPrefix(selected(s), "2 ") })
	x.Key("esc")
	s = x.Until("browser_click", "browser_press")
	if score.MatchString(selected(s)) {
		t.Errorf("an empty query has scores:\n%s", s)
	}
	x.Type("zzqx")
	s = x.untilQuery("zzqx")
	if selected(s) != "" {
		t.Errorf("nonsense has a hit:\n%s", s)
	}
	x.Alive()
}

func TestQueryInOtherScripts(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	for _, text := range []string{"wäge Kiste", "課題を作成", "étage", "👍🏽 crate"} {
		x.Type(text)
		s := x.UntilFunc(text, func(s screen) bool { return strings.Contains(queryLine(s), text) })
		if err := intact(s); err != nil {
			t.Errorf("%s: %v\n%s", text, err, s)
		}
		x.Key("ctrl+u")
		x.UntilGone(text)
	}
	// The emulator drops marks on ASCII letters, so what was written counts.
	x.Type("e\u0301tage")
	s := x.untilQuery("etage")
	if !strings.Contains(x.Output(), "e\u0301tage") {
		t.Error("a combining mark is lost")
	}
	if err := intact(s); err != nil {
		t.Errorf("a combining mark: %v\n%s", err, s)
	}
}

// TestKeysAtOnce sends keys in one read, as a slow line or a key that repeats
// does.
func TestKeysAtOnce(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	x.Key("esc")
	x.send("jjj")
	x.untilSelected("move_crate_004")
	x.send("kj\x1b[Bj")
	x.untilSelected("move_crate_006")
	x.send("gG")
	x.untilSelected("weigh_crate")
	x.send("yn")
	x.Until("copied")
	x.send("q")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	x.search("weigh")
	x.untilSelected("weigh_crate")
	x.Key("enter")
	x.Key("*")
	x.Until("harbour", "berth", "Number of the crate.")
	x.Key("*")
	x.UntilGone("harbour", "berth")
	x.Key("g", "/")
	x.Type("berth")
	x.Key("enter")
	x.UntilFunc("the search to open the tree", func(s screen) bool { return strings.Contains(s.Line("berth"), "integer") })
	x.Key("z")
	x.UntilGone("weigh_crate  ") // the row of the hits
	x.Key("z")
	x.untilSelected("weigh_crate")
}

// TestSchemaPlace looks for the selected row of the schema at the start and
// while lines are wrapped anew.
func TestSchemaPlace(t *testing.T) {
	t.Parallel()
	set := newSite(t, 30).setup("--no-state")
	x := start(t, set)
	onRow := func(name string) func(screen) bool {
		row := regexp.MustCompile(`[│┃]▌ *[▸▾] ` + name)
		return func(s screen) bool { return row.MatchString(s.String()) }
	}
	x.Until("30 tools")
	x.Key("tab", "tab")
	x.UntilFunc("the root selected", onRow("parameters"))
	x.Key("down", "down")
	x.UntilFunc("the last parameter selected", onRow("route"))
	for _, w := range []int{200, 80, 44, 120} {
		x.Resize(w, 40)
		x.untilIntact()
		x.UntilFunc("the last parameter still selected", onRow("route"))
	}
}

// typeArguments replaces the arguments of the dry run, from the query box.
func (x *terminal) typeArguments(text string) {
	x.t.Helper()
	x.Key("shift+tab", "enter", "ctrl+e", "ctrl+u")
	x.Type(text)
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		args  string
		shows []string
	}{
		{"wrong type", `{"project":7,"title":"A boat leaks"}`, []string{"ALLOWED", "warn schema", "would reach the tool"}},
		{"required missing", `{"project":"HIRE"}`, []string{"ALLOWED", "warn schema", "title: required"}},
		{"unknown property", `{"project":"HIRE","title":"A boat leaks","x":1}`, []string{"ALLOWED", "warn schema"}},
		{"not JSON", `{"project"`, []string{"DENIED", "NO arguments"}},
		{"allowed", `{"project":"HIRE","title":"A boat leaks"}`, []string{"ALLOWED", "ok schema", "ok policy"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, setup{})
			x.Until("192 tools")
			x.search("create issue")
			x.untilSelected("mcp_tracker_create_issue")
			x.typeArguments(tt.args)
			s := x.Until(append(tt.shows, tt.args)...)
			if s.Has("ALLOWED") == s.Has("DENIED") {
				t.Errorf("two verdicts, or none:\n%s", s)
			}
		})
	}
}

func TestDryRunInPlace(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	x.search("weigh")
	x.untilSelected("weigh_crate")
	x.typeArguments(`{"crate":7`)
	x.Until("DENIED", "NO arguments")
	x.Type(`}`)
	x.Until("ALLOWED", "warn schema")
	x.Key("left", "backspace")
	x.Type(`"B7"`)
	x.Until("ALLOWED", "ok schema", `{"crate":"B7"}`)
	x.Key("esc", "shift+tab", "shift+tab", "shift+tab") // to the hits
	x.Key("down")
	x.UntilFunc("no hit below", func(s screen) bool { return s.Has("ALLOWED", `{"crate":"B7"}`) })
}

// selectRow selects a tool of a long list, from the query box.
func (x *terminal) selectRow(name string) {
	x.t.Helper()
	for {
		s := x.Screen()
		if col, row, ok := s.Find(" " + name + " "); ok {
			x.Click(col+1, row)
			x.untilSelected(name)
			return
		}
		last := selected(s)
		x.Key("pgdown")
		x.UntilFunc("another page, with no "+name, func(s screen) bool { return selected(s) != last })
	}
}

func TestDryRunOutOfScope(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, session, tool string
		shows               []string
	}{
		{"stopped by the scope gate", "support-desk", "mcp_forge_merge_change", []string{"DENIED", "out_of_scope", "NO scope_catalog"}},
		{"called directly", "kanban-worker", "mcp_bucket_copy_object", []string{"DENIED", "direct call"}},
		{"called directly, core", "kanban-worker", "delegate_task", []string{"DENIED", "direct call"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, setup{args: []string{"--session", tt.session}})
			x.Until("192 tools", "session "+tt.session)
			x.selectRow(tt.tool)
			s := x.Until(tt.shows...)
			if s.Has("ALLOWED") || !strings.Contains(selected(s), "out of scope") {
				t.Errorf("not out of scope: %q\n%s", selected(s), s)
			}
		})
	}
}

func TestSessionPicker(t *testing.T) {
	t.Parallel()
	x := start(t, setup{})
	x.Until("192 tools", "search ON", "33,056")
	x.Key("esc", "s")
	x.Until("kanban-worker", "support-desk", "ops-oncall")
	x.Type("forge-d")
	x.UntilGone("kanban-worker")
	x.Key("enter")
	s := x.Until("session forge-dev", "search OFF", "11,432")
	if s.Has("33,056") {
		t.Errorf("the gauge is that of the other session:\n%s", s)
	}
	x.Key("s")
	x.Until("kanban-worker")
	x.Key("esc")
	x.UntilGone("kanban-worker")
	x.Until("session forge-dev")
	x.Key("s")
	x.Until("kanban-worker")
	x.Type("default")
	x.Key("enter")
	x.Until("session default", "search ON", "33,056")
}

func TestPalette(t *testing.T) {
	t.Parallel()
	x := start(t, setup{})
	x.Until("192 tools")
	x.Key("ctrl+p")
	x.Until("Go to Explore", "Go to Replay")
	x.Type("switch session")
	x.UntilGone("Go to Replay")
	x.Key("enter")
	x.Until("kanban-worker", "support-desk")
	x.Key("esc")
	x.UntilGone("kanban-worker")
	x.Key("ctrl+p")
	x.Until("Go to Replay")
	x.Type("quit")
	x.Key("enter")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
