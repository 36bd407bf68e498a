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
