package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/demo"
	"caliper/tui/workbench"
)

func TestActivityTellsWhatReloadsChange(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, withQueries(t), 120, 36)
	text := strings.Replace(string(demo.Registry()), `"name": "mcp_forge_create_branch"`, `"name": "mcp_forge_start_branch"`, 1)
	d.reload(RegistryPart, text)
	d.Press("alt+7").wants("[7 Activity]", "registry reloaded · +1 −1 tools", "loaded 192 tools")
	d.Press("enter").wants("+ mcp_forge_start_branch", "− mcp_forge_create_branch", "prompt cache holds").lacks("ON → ON", "~0")
	d.reload(ConfigPart, "tools: {tool_search: off}\n")
	d.Press("g", "enter").wants("default: search ON → OFF", "its prompt cache is lost")
	d.reload(RegistryPart, "{")
	d.Press("g").wants("error registry.json:1")
}

// withQueries are the options of the demo with its labelled queries.
func withQueries(t *testing.T) Options {
	t.Helper()
	opt := testOptions(demo.Registry(), demo.Config())
	changes := make(chan Change, 1)
	changes <- Change{Files: []workbench.File{{Name: demo.QueriesFile, Data: demo.Queries()}}}
	close(changes)
	opt.QueriesName, opt.Changes[QueriesPart] = demo.QueriesFile, changes
	return opt
}

// replaced replaces texts that must be there, in pairs.
func replaced(t *testing.T, text []byte, pairs ...string) string {
	t.Helper()
	out := string(text)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(out, pairs[i]) {
			t.Fatalf("nothing says %q", pairs[i])
		}
		out = strings.Replace(out, pairs[i], pairs[i+1], 1)
	}
	return out
}

func TestActivityTellsReloadsWhileAKnobIsTurned(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("alt+2", "v", "left").settle()
	if d.app().state.Baseline == nil {
		t.Fatal("no knob is turned")
	}
	if events := d.app().activity.events; len(events) != 1 {
		t.Fatalf("a knob is an event: %+v", events)
	}
	d.reload(ConfigPart, replaced(t, demo.Config(), "search_default_limit: 5", "search_default_limit: 7"))
	d.reload(RegistryPart, replaced(t, demo.Registry(), `"name": "mcp_forge_create_branch"`, `"name": "mcp_forge_start_branch"`))
	d.Press("alt+7").wants("3 events", "config reloaded · tools.tool_search.search_default_limit 5 → 7", "registry reloaded · +1 −1 tools")
	// What the knob tries is not told as what the files say.
	d.Press("v").lacks("threshold_pct")
}

func TestActivityTellsTheReloadAfterAWriteBack(t *testing.T) {
	t.Parallel()
	d, path := onConfigFile(t)
	d.Press("right").settle().Press("S").Until("write to config.yaml").Press("y").Until("wrote config.yaml")
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d.reload(ConfigPart, string(now))
	d.Press("alt+7").wants("2 events", "config reloaded · tools.tool_search.threshold_pct 10 → ")
}

func TestActivityLeavesOutWhatIsNoReload(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	a := d.app()
	a.input.Flags.Session = "ops-oncall"
	d.run(a.load())
	d.settle()
	a.input.Flags.Tokenizer = "o200k_base"
	d.run(a.load())
	d.settle()
	d.run(a.load()) // the same bytes once more
	d.settle().wants("read again · nothing changed")
	if len(a.activity.events) != 1 {
		t.Errorf("%+v", a.activity.events)
	}
	d.reload(ConfigPart, string(demo.Config())+"# a comment\n")
	d.Press("alt+7").wants("config reloaded · no setting changed")
	d.reload(ConfigPart, "a: [")
	d.wants("error config.yaml:1").lacks("3 events · ")
	if n := len(a.activity.events); n != 3 {
		t.Errorf("%d events after a broken file: %+v", n, a.activity.events)
	}
}

func TestActivityTellsSettings(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.reload(ConfigPart, replaced(t, demo.Config(), "default: anthropic/claude-sonnet-4.5", "default: gpt-4",
		"enabled: auto", "enabled: on", "kanban-worker:", "board-worker:", "[oncall-kit, forge, tracker", "[oncall-kit, tracker, bucket",
		"action: deny", "action: approve"))
	d.Press("alt+7", "enter").wants("config reloaded · model.default anthropic/claude-sonnet-4.5 → gpt-4 · model.context_length 200,000 →",
		"session board-worker added", "session kanban-worker removed", "session ops-oncall enabled_toolsets +bucket −forge",
		"policy +approve mcp_forge_delete_* −deny mcp_forge_delete_*", "forge-dev: search OFF → ON").lacks("board-worker: search", ", threshold")
}

func TestActivityTellsTokensOfTheRegistryToo(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Flags.Session = "kanban-worker"
	d := startExplorer(t, opt, 120, 36)
	d.reload(RegistryPart, replaced(t, demo.Registry(), "Start a new branch", "Start a new branch, as people say who write longer sentences,"))
	d.Press("alt+7").wants("registry reloaded · ~1 tool · +10 tokens, none in kanban-worker")
	d.Press("enter").wants("the whole registry: 192 tools, 33,056 → 33,066 tokens (+10, chars4)",
		"kanban-worker: the model is sent the same bytes").lacks("kanban-worker: granted")
}

func TestActivityTellsFlipsOfEverySession(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 12"))
	d.wants("warning: config reloaded · search is now OFF in support-desk")
	d.Press("alt+7").wants("config reloaded · tools.tool_search.threshold_pct 10 → 12 · support-desk: search ON → OFF")
	d.Press("enter").wants("support-desk: search ON → OFF, 21,073 deferrable tokens, threshold 24,000")
	// The warning outlasts reloads that flip nothing, until it is read.
	d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 12", "search_default_limit: 5", "search_default_limit: 6"))
	d.wants("warning: config reloaded · search is still OFF in support-desk")
	d.Press("!").Press("esc").lacks("search is still")
	d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 16"))
	d.wants("search is now OFF in default").lacks("in default, support-desk")
	d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 4.5"))
	d.wants("search is now ON in default, forge-dev, support-desk, ops-oncall", "5 events")
}

func TestActivityTellsQueriesThatMoved(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, withQueries(t), 120, 36)
	void := replaced(t, demo.Registry(), `"name": "mcp_payments_void_invoice"`, `"name": "mcp_payments_cancel_invoice"`)
	d.reload(RegistryPart, void)
	d.Press("alt+7").wants("saved queries lost 1 tool").Press("enter")
	d.wants("query cancel it", "lost mcp_payments_void_invoice  rank 2 → none, limit 5").lacks("found again")
	if e := d.app().activity.events[1]; e.level != levelBad || !slices.ContainsFunc(e.details, func(l detail) bool {
		return l.level == levelBad && strings.Contains(l.text, "lost mcp_payments_void_invoice")
	}) {
		t.Errorf("what is lost does not stand out: %+v", e)
	}
	d.reload(RegistryPart, string(demo.Registry()))
	d.Press("g", "enter").wants("saved queries found 1 tool again", "found again mcp_payments_void_invoice  rank none → 2")
	// A lower limit loses tools that have not moved; those move down come after them.
	d.reload(ConfigPart, replaced(t, demo.Config(), "search_default_limit: 5", "search_default_limit: 1"))
	d.Press("g", "enter").wants("  rank 2 → 2, limit 1").lacks("rank 1 → 1")

	// What is lost comes first, though the file asks for the other before.
	d = startExplorer(t, withQueries(t), 120, 36)
	d.reload(RegistryPart, replaced(t, []byte(void), `"Collect what you have not read yet`, `"What did you miss? Collects what you have not read yet`))
	d.Press("alt+7", "enter").wants("saved queries lost 1 tool, found 1 again")
	if screen := d.Screen(); strings.Index(screen, "lost mcp_payments_void") > strings.Index(screen, "found again mcp_chat") {
		t.Errorf("what is lost comes last:\n%s", screen)
	}

	d = explorer(t, 120, 36)
	d.reload(RegistryPart, void)
	d.Press("alt+7", "enter").lacks("quer")
}

func TestActivityTellsNewWarnings(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	d := startExplorer(t, opt, 120, 36)
	typo := replaced(t, demo.Config(), "ranker: bm25", "ranker: bm26")
	send := func(data string) {
		gen := d.app().gen
		d.Send(changedMsg{part: ConfigPart, more: true, change: Change{Files: []workbench.File{{Name: "/a/long/way/to/config.yaml", Data: []byte(data)}}}})
		for d.app().gen == gen || d.app().cancel != nil {
			d.Send(<-d.late)
		}
	}
	send(typo)
	d.Press("alt+7").wants("config reloaded · 1 new warning").Press("enter").wants("new warning config.yaml:").lacks("/a/long/way", "registry.json:")
	send("# one line further down\n" + typo)
	d.Press("g").wants("config reloaded · no setting changed")
	send(string(demo.Config()))
	d.wants("config reloaded · 1 warning gone")
}

func TestWarningChanges(t *testing.T) {
	t.Parallel()
	at := func(line int, path, message string) model.Diagnostic {
		return model.Diagnostic{File: "f", Line: line, Path: path, Message: message}
	}
	was := []model.Diagnostic{at(1, "tools[0].x", "odd"), at(2, "tools[1].x", "odd"), at(3, "a", "gone"), at(4, "a", "stays")}
	now := []model.Diagnostic{at(7, "tools[3].x", "odd"), at(8, "a", "stays"), at(9, "a", "new"), at(9, "a", "new")}
	added, gone := warningChanges(was, now)
	if !slices.Equal(added, now[2:]) || gone != 2 {
		t.Errorf("%d gone, new are %v", gone, added)
	}
}

// TestActivityCanBeReadToItsEnd moves through an event that is longer than
// the screen.
func TestActivityCanBeReadToItsEnd(t *testing.T) {
	t.Parallel()
	d := explorer(t, 40, 10)
	d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 16"))
	d.Press("alt+7", "enter").lacks("cache")
	for range 20 {
		d.Press("down")
	}
	d.wants("▌14:03 ▸ loaded 192 tools").Press("up").wants("▌    bytes: its prompt cache is lost").Press("enter").wants("▌14:03 ▸ config reloaded")
}

func TestActivityKeepsDryRuns(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("delete branch").Press("shift+tab", "enter", "enter", "alt+7")
	d.wants("dry run mcp_forge_delete_branch  DENIED denied_by_policy at gate policy").Press("enter").wants("pass scope_executor", "fail policy")
	d.Press("/").Type("loaded").Press("enter").wants("loaded 192").lacks("dry run mcp_forge")
}

func TestActivityIsBounded(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	s := &d.app().activity
	for i := range 1000 {
		s.record(levelInfo, fmt.Sprintf("event %d", i), make([]detail, 2*keptDetails)...)
		s.do(ActPart)
	}
	if len(s.events) != keptEvents || len(s.open) > keptEvents || len(s.events[0].details) > keptDetails+1 {
		t.Errorf("keeps %d events, %d open, %d details", len(s.events), len(s.open), len(s.events[0].details))
	}
	d.Press("alt+7").wants("event 999", "the last 300")
}

func TestActivityGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := startExplorer(t, withQueries(t), size[0], size[1])
		d.app().theme = NewTheme(Look{Plain: true})
		d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 16"))
		d.reload(RegistryPart, replaced(t, demo.Registry(), `"name": "mcp_payments_void_invoice"`, `"name": "mcp_payments_cancel_invoice"`))
		d.app().notices.showing = false
		golden(t, fmt.Sprintf("activity-%dx%d", size[0], size[1]), d.Press("alt+7", "v").Screen())
	}
}

func TestReloadsListOnlyQueriesThatMoved(t *testing.T) {
	t.Parallel()
	query := func(text string, rank engine.RankChange) engine.QueryChange {
		return engine.QueryChange{Text: text, Ranks: []engine.RankChange{rank}}
	}
	r := reload{diff: engine.Diff{Queries: []engine.QueryChange{
		query("stays", engine.RankChange{Old: 2, New: 2}),
		query("moves", engine.RankChange{Old: 2, New: 1}),
		query("found", engine.RankChange{Old: 9, New: 2, Regained: true}),
		query("lost", engine.RankChange{Old: 2, New: 2, Regressed: true}),
	}}}
	r.rankQueries()
	var got []string
	for _, q := range r.diff.Queries {
		got = append(got, q.Text)
	}
	if !slices.Equal(got, []string{"lost", "found", "moves"}) || r.lost != 1 || r.found != 1 {
		t.Errorf("%q, %d lost, %d found", got, r.lost, r.found)
	}
}

// TestActivityNamesWhatWouldReachTheTool asks that a dry run which passes with
// warnings is not shown as one that passes.
func TestActivityNamesWhatWouldReachTheTool(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch").Press("shift+tab", "enter", "ctrl+u").Type(`{"owner": 7, "repo": "x", "branch": "y"}`).Press("enter", "alt+7")
	d.wants("dry run mcp_forge_create_branch  ALLOWED, would reach the tool: owner: expected string, got number")
	d.Press("enter").wants("warn schema", "pass post_call")
}

// TestPolicyRuleThatMatchesNothingIsShown: a rule of the policy that does
// nothing is a warning on screen: counted above, told in Activity and among the
// notices, and new or gone with a reload.
func TestPolicyRuleThatMatchesNothingIsShown(t *testing.T) {
	t.Parallel()
	const registry = `{"toolsets":{"mcp-harbor":{}},"tools":[{"type":"function","function":{"name":"mcp_harbor_tow","description":"Tow a ship."},"toolset":"mcp-harbor"}]}`
	config := func(match string) string {
		return "model: {default: anthropic/claude-opus-4.6}\npolicy:\n  - {match: " + match + ", action: deny}\n"
	}
	const warning = "config.yaml:3:5: policy[0].match: mcp_harbour_* matches no tool"
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := startExplorer(t, testOptions([]byte(registry), []byte(config("mcp_harbour_*"))), size[0], size[1])
			shown := func() string {
				return strings.Join(strings.FieldsFunc(d.Screen(), func(r rune) bool { return strings.ContainsRune(" \n│┤├", r) }), " ")
			}
			if size[1] > 10 {
				d.wants("! 1 warning")
			}
			if d.Press("tab", "!"); !strings.Contains(shown(), "warning: "+warning) {
				t.Errorf("the notices do not show it:\n%s", d.Screen())
			}
			if d.Press("esc", "alt+7", "enter"); !strings.Contains(shown(), "warning "+warning) {
				t.Errorf("Activity does not show it:\n%s", d.Screen())
			}
			newest := func() string { e := d.app().activity.events; return e[len(e)-1].title }
			d.reload(ConfigPart, config("mcp_harbor_*"))
			if !strings.HasSuffix(newest(), " · 1 warning gone") {
				t.Error(newest())
			}
			d.reload(ConfigPart, config("mcp_harbour_*"))
			if !strings.HasSuffix(newest(), " · 1 new warning") {
				t.Error(newest())
			}
		})
	}
}
