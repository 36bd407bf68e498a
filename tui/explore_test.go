package tui

import (
	"strings"
	"testing"
	"time"

	"caliper/tui/demo"
)

// uncheckable is a tool whose schema cannot be checked as a whole.
const uncheckable = `{"tools":[{"type":"function","function":{"name":"odd","parameters":{"type":"object","properties":{"a":{"type":"string","pattern":"(?<=x)y"}}}}}]}`

func TestDryRunShowsEveryReasonWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch").lacks("behind the bridge")
	d.Press("shift+tab", "z").wants("ok active", "the bridge hides", "behind the bridge", "granted by the session's toolsets", "no rule matches")
	d.Press("enter", "ctrl+u").Type(`{"owner": 7}`)
	if got := strings.Count(d.wants("warn schema", "ok   policy").Screen(), "branch: required"); got != 1 {
		t.Errorf("the warning is shown %d times, not once:\n%s", got, d.Screen())
	}
}

func TestDryRunSaysWhatCannotBeChecked(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := startExplorer(t, testOptions([]byte(uncheckable), nil), size[0], size[1])
		d.Press("shift+tab", "z", "enter", "ctrl+u").Type(`{"a":"y"}`).Press("esc", "j", "j", "j")
		d.wants("checked in part")
	}
}

func TestNoticesScroll(t *testing.T) {
	t.Parallel()
	twin := `{"type":"function","function":{"name":"twin"}}`
	twins := `{"tools":[` + strings.Repeat(twin+",", 60) + twin + `]}`
	d := startExplorer(t, testOptions([]byte(twins), nil), 80, 24)
	d.Press("esc", "!").wants("notices", "tools[1].").lacks("tools[60].", "more line")
	d.Press("pgdown").lacks("tools[1].")
	d.Press("G").wants("tools[60].").Press("g").wants("tools[1].").Press("j")
	if d.app().hits.cursor != 0 {
		t.Error("the keys of the notices move the hits")
	}
	d.Send(wheelMsg{X: 40, Y: 12, DY: 3})
	if d.app().hits.cursor != 0 || d.app().reader.top < 3 {
		t.Error("the wheel moves what lies behind the notices")
	}
	d.Press("esc").lacks("notices")
}

func TestPagesAreThoseOfTheOverlay(t *testing.T) {
	t.Parallel()
	d := explorer(t, 40, 10)
	d.Press("f1")
	d.Screen()
	want := d.app().reader.page()
	if d.Press("pgdown"); d.app().reader.top != want {
		t.Errorf("the help goes on by %d lines, shows %d", d.app().reader.top, want+1)
	}
	d.Press("esc", "ctrl+k", "pgdown")
	if _, rows := d.app().top.size(40, 10); d.app().top.cursor != rows-1 {
		t.Errorf("the palette goes to row %d of %d", d.app().top.cursor, rows)
	}
}

func TestStaleIsSaidOnce(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := explorer(t, size[0], size[1])
		d.Type("create")
		d.reload(RegistryPart, "{")
		d.reload(ConfigPart, "tools: [\n")
		if got := strings.Count(d.Screen(), "STALE"); got != 1 {
			t.Errorf("%v: STALE %d times", size, got)
		}
		d.wants(" +1")
		if size[0] >= 80 {
			d.wants("search ON")
		}
		if size[0] >= 120 {
			d.wants("STALE  14:03:41")
		}
	}
}

func TestTheTimeIsThatOfReading(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	now := opt.Now()
	opt.Now = func() time.Time { return now }
	d := startExplorer(t, opt, 120, 36)
	now = now.Add(time.Hour)
	d.Press("esc", "s").Type("kanban").Press("enter").settle()
	d.wants("session kanban-worker", "14:03:41")
	d.reload(ConfigPart, "tools: {tool_search: off}\n")
	d.wants("15:03:41")
}

func TestNothingMatchesWithoutTheBridge(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("esc", "s").Type("kanban").Press("enter").settle()
	d.Press("i").Type("zzzzqqqq").wants("search is OFF").lacks("the model would be told")
}

func TestNoToolIsSaid(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"enter", "e"} {
		d := explorer(t, 120, 36)
		d.Type("zzzzqqqq").Press("shift+tab", key).wants("no tool is selected")
		if d.app().editing || d.app().top != nil {
			t.Errorf("%s: something opens", key)
		}
	}
	d := explorer(t, 120, 36)
	d.Type("zzzzqqqq").Press("ctrl+k").Type("tool's schema").Press("enter").wants("no tool is selected")
	box := d.app().layout.Boxes[PaneDryRun].Inner
	if d.Click(box.Min.X+2, box.Min.Y); d.app().editing {
		t.Error("a click edits a field that is not drawn")
	}
}

func TestShortSchemaShowsTheParameters(t *testing.T) {
	t.Parallel()
	d := explorer(t, 40, 10)
	d.Type("create a branch").Press("enter").wants("parameters", "owner *")
	d.Press("up", "up", "up").lacks("owner *").Press("down", "down", "down").wants("parameters", "owner *")
	d.Press("down", "down", "down").wants("repo *")
}

func TestSmallHeaderKeepsTheShare(t *testing.T) {
	t.Parallel()
	d := explorer(t, 40, 10)
	d.wants("16.5%", "search ON", "chars4")
	d.Press("ctrl+k").Type("tokenizer").Press("enter", "down", "enter").settle()
	d.wants("%", "ON", "o200k_base")
}

func TestHeaderPutsWarningsFirst(t *testing.T) {
	t.Parallel()
	d := explorer(t, 80, 24)
	d.wants("! 1 warning").Press("esc", "s").Type("kanban").Press("enter").settle()
	d.wants(" ! 1")
}

func TestNoticePartsAreApart(t *testing.T) {
	t.Parallel()
	d := explorer(t, 160, 36)
	d.Press("esc", "s").Type("kanban").Press("enter").settle()
	d.wants("granted · search is now OFF").lacks(" in 0s", "in 1ms")
}

func TestPaletteFromEverywhere(t *testing.T) {
	t.Parallel()
	for name, check := range map[string]func(*App) bool{
		"Edit the query":              func(a *App) bool { return a.focus == PaneQuery && a.body() == nil },
		"Edit the arguments in place": func(a *App) bool { return a.editing && a.body() == nil },
		"Filter the list":             func(a *App) bool { return a.find != nil },
		"Follow the $ref":             func(a *App) bool { return a.focus == PaneSchema && a.notices.text == "no $ref here" },
		"Expand the schema to lev":    func(a *App) bool { return a.focus == PaneSchema },
		"Go to the next pane":         func(a *App) bool { return a.top == nil },
		"Go to the pane before":       func(a *App) bool { return a.top == nil },
		"Quit at once":                func(a *App) bool { return a.quit },
		"Search the query history":    func(a *App) bool { return a.notices.text == "no queries yet" && a.top == nil },
		"Expand the whole schema":     func(a *App) bool { return a.focus == PaneSchema },
		"Show the last notice and ":   func(a *App) bool { return a.reader != nil || a.notices.showing },
	} {
		for _, screen := range []string{"alt+1", "alt+3"} {
			d := explorer(t, 120, 36)
			d.Press("esc", screen, "ctrl+k").Type(name).Press("enter")
			if !check(d.app()) {
				t.Errorf("%s from %s:\n%s", name, screen, d.Screen())
			}
		}
	}
}

func TestCopyMenuIsAList(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("esc", "y", "down", "enter")
	if d.app().top != nil {
		t.Error("enter does not choose")
	}
}

func TestSchemaSearchCounts(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := explorer(t, size[0], size[1])
		d.Type("create a branch").Press("enter", "/").Type("r").wants("/r_  1 of ")
		d.Type("epo").wants("/repo_  1 of ")
		d.Type("zz").wants("no match").Press("backspace", "backspace", "enter")
		if size[0] > 40 {
			d.wants(" 1 of ")
		}
		if d.Press("n"); size[0] > 40 {
			d.wants(" 2 of ")
		}
		if !strings.Contains(d.Styled(), string(d.app().theme.Match)+"repo") {
			t.Error("the match is not marked in the key")
		}
		if d.Press("esc"); d.app().schema.find != "" || d.app().focus != PaneSchema {
			t.Error("esc does not end the search")
		}
		if strings.Contains(d.Styled(), string(d.app().theme.Match)+"repo") {
			t.Error("the match is still marked")
		}
	}
}

func TestSchemaSearchLeavesTheFilter(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("esc", "/").Type("branch").Press("enter", "enter", "/").Type("x").Press("esc")
	if d.app().hits.filter != "branch" {
		t.Error("esc in the search of the schema clears the filter of the hits")
	}
}

func TestNothingInTheHistory(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("ctrl+r").wants("no queries yet")
	if d.app().top != nil {
		t.Error("an empty box opens")
	}
}

func TestPauseSaysThatChangesWait(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("esc", "space").wants("PAUSED").lacks("changes wait ")
	d.reload(RegistryPart, `{"tools":[]}`)
	d.wants("PAUSED, changes wait").Press("space").settle().lacks("PAUSED")
}
