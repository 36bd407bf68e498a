package tui

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/tui/demo"
	"caliper/tui/workbench"

	"pgregory.net/rapid"
)

// onQueries drives an explorer on the demo to its evaluated queries.
func onQueries(t testing.TB, w, h int) *driver {
	t.Helper()
	return startExplorer(t, demoQueries(), w, h).worked("alt+5")
}

// demoQueries are the options of the demo with its labelled queries, as those
// of a file that no test writes.
func demoQueries() Options {
	opt := testOptions(demo.Registry(), demo.Config())
	changes := make(chan Change, 1)
	changes <- Change{Files: []workbench.File{{Name: demo.QueriesFile, Data: demo.Queries()}}}
	close(changes)
	opt.QueriesName, opt.Changes[QueriesPart] = demo.QueriesFile, changes
	return opt
}

// worked presses keys and waits until nothing is loading or being worked out.
func (d *driver) worked(keys ...string) *driver {
	d.t.Helper()
	d.Press(keys...)
	s := &d.app().queries
	for d.app().cancel != nil || s.jobs[s.part].cancel != nil {
		d.Send(<-d.late)
	}
	return d
}

// label delivers new labelled queries as the watcher would.
func (d *driver) label(data string) *driver {
	d.t.Helper()
	d.Send(changedMsg{part: QueriesPart, more: true, change: Change{Files: []workbench.File{{Name: demo.QueriesFile, Data: []byte(data)}}}})
	return d.worked()
}

// selectedLine is the line of the selected row.
func (d *driver) selectedLine() string {
	for line := range strings.Lines(d.Screen()) {
		if strings.Contains(line, "│▌") {
			return line
		}
	}
	return ""
}

func TestQueriesShowWhatTheSnapshotAnswers(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36).worked("c")
	st := d.app().state
	if len(st.Rivals) != 3 {
		t.Fatalf("%d rivals", len(st.Rivals))
	}
	want := map[string]engine.Evaluation{}
	for _, snapshot := range st.Rivals {
		e, err := snapshot.Evaluate(t.Context(), st.Queries, nil)
		if err != nil {
			t.Fatal(err)
		}
		want[shortRanker(e.Ranker)] = e
	}
	shown := 0
	for line := range strings.Lines(d.wants("[5 Queries]").Screen()) {
		words := strings.Fields(strings.Trim(line, "│ \n"))
		if len(words) != 1+len(shownMetrics) || want[words[0]].Ranker == "" {
			continue
		}
		shown++
		for i, name := range shownMetrics {
			e := want[words[0]]
			v, _ := e.Metrics.Value(name)
			if text := fmt.Sprintf("%.1f%%", 100*v); words[1+i] != text {
				t.Errorf("%s of %s is shown as %s, is %s", name, words[0], words[1+i], text)
			}
		}
	}
	if shown != 3 {
		t.Errorf("%d rankers are shown:\n%s", shown, d.Screen())
	}
	e := want["bm25"]
	missed := e.Misses()
	d.wants(fmt.Sprintf("%d of %d missed", len(missed), len(e.Answers)))
	rows := d.app().queries.list().rows
	for i, a := range missed {
		if rows[i].key != queryKey(a.Query) {
			t.Errorf("row %d is %q, want the miss %q", i, rows[i].key, a.Query.Text)
		}
	}
	if len(rows) != len(e.Answers) {
		t.Errorf("%d rows of %d queries", len(rows), len(e.Answers))
	}
	d.worked("c").lacks("fielded")
}

func TestQueriesSayWhyNot(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36)
	d.wants("│▌  ✗ –", "mcp_payments_answer_dispute  no word of the query stands in it", "description + says transaction  rank 2", "hard-09")
	d.worked("c").wants("gated finds nothing  its rarest word must match")
	d.Press("enter").wants("[1 Explore]", "> bank says the cardholder", "mcp_payments_answer_dispute  expected", "no word of the query stands in it")
	d.worked("alt+5").wants("[5 Queries]", "│▌")
}

func TestQueriesShowWhatAReloadMoves(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36).lacks("since")
	// One tool gets the words of a query that misses it, another loses its name.
	changed := replaced(t, demo.Registry(), "Tell what runs where: version", "Tell what is running in production: version", `"name": "mcp_wiki_touch"`, `"name": "mcp_wiki_poke"`,
		`"name": "mcp_rollout_deploy_release"`, `"name": "mcp_rollout_deploy_something"`)
	d.reload(RegistryPart, changed)
	d.worked().wants(" queries moved since 14:03:41", "lost  Deploy v2.4.1")
	s := &d.app().queries
	up, down := 0, 0
	for _, a := range s.found.evaluated.now().Answers {
		was, known := s.ranks[queryKey(a.Query)]
		switch {
		case !known:
			t.Errorf("%q has no rank of before", a.Query.Text)
		case depthOf(a.Best) < depthOf(was):
			up++
		case depthOf(a.Best) > depthOf(was):
			down++
		}
	}
	if up == 0 || down == 0 {
		t.Errorf("%d up, %d down", up, down)
	}
	d.wants(fmt.Sprintf("▲%d ▼%d queries moved since", up, down))
	d.Press("/").Type("running in prod").wants("1 ▲5 ", "what is running in production").Press("esc")
	d.label(string(demo.Queries()) + `{"id":"n","query":"say nothing new","relevant":["nobody"]}` + "\n").wants("no queries moved since")
	d.Press("/").Type("nobody").wants("✗ – added", "say nothing new")
	// Comparing rankers is no reload.
	d.Press("enter").worked("c").wants("added", "since")
	a := d.app()
	a.input.Flags.Session = "ops-oncall"
	d.run(a.load())
	d.worked().lacks("since", "added")
}

func TestQueriesTellBrokenLines(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36)
	lines := strings.SplitAfter(string(demo.Queries()), "\n")
	lines[2] = `{"id": "x", "query": 5}` + "\n"
	d.label(strings.Join(lines, "")).wants("warning: queries.jsonl:3:", "want text · 1 line left out", "of 79 missed  1 line left out", "! 2 warnings")
	d.Press("alt+7").wants("queries.jsonl: 1 line left out").Press("g", "enter").wants("queries.jsonl:3:").worked("alt+5")
	d.label("{\n").wants("error: queries.jsonl:1:", "of 79 missed").lacks("no labelled queries yet")
	d.label(string(demo.Queries())).wants("11 of 80 missed").lacks("left out")
	if n := len(d.app().activity.events); n != 3 {
		t.Errorf("%d events: %+v", n, d.app().activity.events)
	}
	d.Send(changedMsg{part: QueriesPart, more: true, change: Change{Files: []workbench.File{{Name: demo.QueriesFile, Err: fmt.Errorf("permission denied")}}}})
	d.worked().wants("error: queries.jsonl: permission denied", "11 of 80 missed")
}

func TestQueriesFilter(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36).Press("/").Type("easy-0").wants("of 80 missed").Press("enter").wants("/easy-0").lacks("cardholder")
	d.worked("v", "v").wants("findings  220").Press("/").Type("name_cl").Press("enter").wants("findings  2  /name_cl")
	d.worked("v").wants("/easy-0").Press("esc").lacks("/easy-0").wants("cardholder")
	d.Press("/").Type("zzzz").wants("no row holds zzzz").Press("esc").wants("cardholder", "[5 Queries]").Press("esc").wants("[1 Explore]")
}

func TestQueriesMoveAndScrollBelow(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 80, 24)
	first := d.selectedLine()
	d.Press("j").worked()
	if d.selectedLine() == first {
		t.Error("j does not move")
	}
	d.worked("G").Press("k", "g")
	if d.selectedLine() != first {
		t.Errorf("g is not the first: %q", d.selectedLine())
	}
	d.worked("tab").Press("j")
	if d.app().queries.lists[partQueries].window.top != 0 || !d.app().queries.below {
		t.Error("tab does not go below")
	}
	inner := d.app().layout.Boxes[PaneBody].Inner
	d.Click(10, inner.Min.Y+7).Press("k")
	if d.app().queries.below || d.selectedLine() == first {
		t.Errorf("a click selects nothing: %q", d.selectedLine())
	}
	d.Click(10, inner.Max.Y-1)
	if !d.app().queries.below {
		t.Error("a click below does not go there")
	}
	d = onQueries(t, 40, 10).Press("tab").wants("▌why", "cardholder contests").lacks("recall")
	d.Click(5, 5).wants("▌why").Press("tab").wants("recall@5")
}

func TestQueriesDarkToolsAndFindings(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36).worked("v").wants("0 of 167, 1 partly", "▌mcp_mail_search", "✗ 6", "before it  mcp_wiki_search_pages")
	d.Press("enter").wants("> search", "mcp_mail_search  expected")
	d.worked("alt+5", "v").wants("2 error   1 warning   217 info", "name_clash", "several tools bear one name", "rename it to mcp__forge__ci_status")
	d.Press("j", "j").wants("name_not_found", "rank 6 → ")
	// Nine tools of one text: nobody finds the last ones.
	twins := `{"tools":[`
	for i := range 9 {
		twins += fmt.Sprintf(`{"type":"function","toolset":"mcp-%[1]c","function":{"name":"mcp_%[1]c_do","description":"Do it."}},`, 'a'+i)
	}
	d.reload(RegistryPart, strings.TrimSuffix(twins, ",")+"]}")
	d.worked("v", "v").wants("dark tools  4 of 9", "dark: none of its words find it", "before it")
	d.Press("/").Type("mcp_i").Press("enter").wants("▌mcp_i_do").lacks("mcp_h_do ")
}

func TestQueriesNeedAFile(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36).worked("alt+5").wants("no labelled queries", "start with --queries FILE", "v shows dark tools")
	d.Press("d").wants("no labelled query is selected").Press("enter", "tab", "j", "t").wants("no tool is selected")
	d.worked("alt+1").Type("branch").Press("shift+tab", "a").wants(startWithQueries)
}

func TestQueriesHints(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 160, 36).wants("enter in Explore", "v dark, findings", "c rankers", "t try text", "a add", "d take away").lacks("u undo")
	d.Press("?").wants("take the query away").Press("esc").Press("t").wants("enter try it", "esc leave", "ctrl-o in the editor")
}

func TestQueriesGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		opt := demoQueries()
		opt.Look = Look{Plain: true}
		d := startExplorer(t, opt, size[0], size[1]).worked("alt+5", "c").Press("down", "down", "down", "down")
		golden(t, fmt.Sprintf("queries-%dx%d", size[0], size[1]), d.worked().Screen())
		if size[0] == 80 {
			golden(t, "queries-80x24-findings", d.worked("v", "v").Screen())
		}
	}
}

// The driver checks every line of every picture.
func TestQueriesFitAnySize(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36).worked("c")
	d.reload(RegistryPart, replaced(t, demo.Registry(), "Tell what runs where: version", "Tell what is running in production: version"))
	d.worked()
	rapid.Check(t, func(t *rapid.T) {
		d.Resize(rapid.IntRange(1, 170).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h"))
		s := &d.app().queries
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"v", "tab", "j", "k", "G", "g", "pgdown", "d", "t", "esc"}), 0, 6).Draw(t, "keys")
		for _, key := range keys {
			if key == "esc" && d.app().trial == nil {
				continue // it would leave
			}
			if d.app().trial != nil && key != "esc" {
				continue
			}
			d.worked(key)
		}
		w, h := rapid.IntRange(10, 120).Draw(t, "inner w"), rapid.IntRange(1, 40).Draw(t, "inner h")
		if err := fits(strings.Join(s.draw(d.app().theme, w, h), "\n"), w, h); err != nil {
			t.Fatal(err)
		}
		if d.app().trial != nil {
			d.Press("esc")
		}
	})
}
