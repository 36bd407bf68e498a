package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// budget drives an explorer on its budget screen, with everything counted.
func budget(t testing.TB, opt Options, w, h int) *driver {
	t.Helper()
	d := startExplorer(t, opt, w, h)
	d.Press("alt+2")
	for !d.app().budget.parts.of(d.app().state) {
		d.Send(<-d.late)
	}
	return d.settle()
}

// demoBudget drives the demo's budget screen.
func demoBudget(t testing.TB, w, h int) *driver {
	t.Helper()
	return budget(t, testOptions(demo.Registry(), demo.Config()), w, h)
}

// turn presses keys and waits for what they load.
func (d *driver) turn(keys ...string) *driver {
	d.t.Helper()
	return d.Press(keys...).settle()
}

// onto moves the cursor to a knob.
func (d *driver) onto(k knob) *driver {
	d.t.Helper()
	for range knobCount {
		if s := &d.app().budget; s.knob < k {
			d.Press("down")
		} else if s.knob > k {
			d.Press("up")
		}
	}
	if got := d.app().budget.knob; got != k {
		d.t.Fatalf("the cursor stays on %s", knobNames[got])
	}
	return d
}

// times returns a key so many times.
func times(n int, key string) []string { return slices.Repeat([]string{key}, n) }

func TestBudgetGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.Look, opt.Query = Look{Plain: true}, "create a branch"
		d := budget(t, opt, size[0], size[1])
		golden(t, fmt.Sprintf("budget-%dx%d-costs", size[0], size[1]), d.Styled())
		for part := 1; d.Press("v").app().budget.part != partCosts; part++ {
			if d.app().budget.part == partKnobs {
				d.turn(times(6, "right")...)
			}
			golden(t, fmt.Sprintf("budget-%dx%d-part%d", size[0], size[1], part), d.Styled())
		}
	}
}

func TestThresholdFlips(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		d := demoBudget(t, size[0], size[1])
		d.turn("v").wants("← 10% →", "auto is ON up to a context of 302,359", "10,236 fewer")
		d.turn(times(6, "right")...)
		d.wants("← 16% →", "flips", "▲29,961", "▼29,961", "1 knob turned", "turn it ON", "search OFF").lacks("reloaded")
		d.turn("u").wants("← 10% →", "search ON").lacks("flips", "knob turned")
		d.turn("u").wants("nothing to undo")
		d.turn("right", "down", "right", "0").wants("10%", "200k").lacks("knobs turned", "was ")
		d.turn("u").wants("was 10%", "(200k)", "2 knobs turned")
		if n := len(d.app().state.Baseline.Budget.Toolsets); n == 0 || d.app().state.Baseline.Baseline != nil {
			t.Error("no baseline")
		}
		d.turn("u", "u")
		if d.app().state.Baseline != nil || d.app().input.Flags.Knobs != nil {
			t.Errorf("knobs are left: %v", d.app().input.Flags.Knobs)
		}
	}
}

func TestRankingKnobsShowHowHitsMove(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Query = "create a branch"
	d := budget(t, opt, 120, 36)
	d.turn("v", "down", "down").wants("hits  5 of 123 scored", "limit 5").turn("left").wants("limit 4")
	d.turn("right").lacks("turned")
	d.turn("down", "down").turn(times(10, "left")...)
	d.wants("▲", "← 0.25 →")
	d.turn("alt+1").wants("1 ·    mcp_forge_create_branch", "= 2.593", "▲", "▼")
	ranks := map[string]int{}
	before := d.app().state.Baseline.Snapshot.Search("create a branch", 0, 1000)
	for _, h := range before.Hits {
		ranks[h.Tool.Qualified] = h.Rank
	}
	h := d.app().hits
	for _, hit := range h.results.Hits {
		_, text := h.change(d.app().theme, hit)
		want := "·"
		if by := ranks[hit.Tool.Qualified] - hit.Rank; by > 0 {
			want = fmt.Sprintf("▲%d", by)
		} else if by < 0 {
			want = fmt.Sprintf("▼%d", -by)
		}
		if text != want {
			t.Errorf("%s: rank %d, %d before: %s, want %s", hit.Tool.Name, hit.Rank, ranks[hit.Tool.Qualified], text, want)
		}
	}
	d.turn("alt+2", "0", "alt+1").lacks("▲", "▼", "1 · ")
}

func TestBudgetListFoldsAndFilters(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 120, 36)
	d.wants("the biggest 10", "everything", "parameter descriptions").Press("enter").wants("▾ the biggest 10")
	if got := len(d.app().budget.list.rows); got != 1+25+10 { // toolsets that are granted, and the ten
		t.Errorf("%d rows with the biggest ten open", got)
	}
	d.Press("left", "down", "right").wants("▾ mcp-forge 18", "open_change")
	d.Press("down", "down")
	_, tool := d.app().budget.list.selected()
	if tool == "" {
		t.Fatal("no tool is selected")
	}
	d.reload(RegistryPart, strings.Replace(string(demo.Registry()), `"name": "mcp_mail_`, `"name": "mcp_post_`, 1))
	if _, now := d.app().budget.list.selected(); now != tool {
		t.Errorf("a reload moves the cursor from %s to %s", tool, now)
	}
	d.Press("/").Type("branch").Press("enter").wants("of 191 tools", "  create_branch", "/branch").lacks("mcp-signals")
	d.Press("esc", "left").wants("mcp-signals", "[2 Budget]").Press("/").Type("zzzz").wants("nothing holds zzzz")
	d.Press("esc", "esc").wants("[1 Explore]")
}

func TestBudgetListAddsUp(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 120, 36)
	s := &d.app().budget
	s.list.open = map[string]bool{}
	for _, g := range s.list.groups {
		s.list.open[g.name] = true
	}
	s.list.relay()
	last, sets := 0, 0
	for _, row := range s.list.rows {
		if row.set == biggestTen {
			continue
		}
		if row.tool == nil {
			last, sets = sets, row.running
			continue
		}
		if row.running < last || row.running > sets {
			t.Errorf("%s: running total %d after %d, its toolset ends at %d", row.tool.Name, row.running, last, sets)
		}
		last = row.running
	}
	if all := d.app().state.Budget.EagerTokens; sets > all || sets < all-len(s.list.groups) {
		t.Errorf("toolsets add up to %d of %d", sets, all)
	}
	p := s.parts.sum(s.list.groups[0].tools)
	if got, all := p.Name+p.Description+p.Descriptions+p.Structure, sumTokens(s.state.Snapshot, s.list.groups[0].tools); got != all {
		t.Errorf("parts add up to %d of %d", got, all)
	}
}

func TestBudgetByAnotherTokenizer(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 120, 36)
	d.Press("v").onto(knobTokenizer).turn("right")
	for !d.app().budget.parts.of(d.app().state) {
		d.Send(<-d.late)
	}
	d.wants("tok o200k_base in", "← o200k_base →", "1 knob turned", "was chars4", "now o200k", "  33,056 ").lacks("counting")
	was, now := d.app().state.Baseline.Budget, d.app().state.Budget
	if was.Tokenizer != tokens.Chars4 || now.Tokenizer != tokens.O200k || was.EagerTokens != 33_056 || was.EagerTokens == now.EagerTokens {
		t.Errorf("%d by %s before, %d by %s now", was.EagerTokens, was.Tokenizer, now.EagerTokens, now.Tokenizer)
	}
	d.wants(difference(d.app().theme, was.EagerTokens, now.EagerTokens))
	d.turn("u").wants("tok chars4 in", "on disk").lacks("was chars4", "knob turned")
	d.turn("u").wants("nothing to undo")
	d.turn("right", "0").wants("tok chars4 in").lacks("knob turned")
}

// TestPickedTokenizerIsNoKnob picks a tokenizer for good, over the knob.
func TestPickedTokenizerIsNoKnob(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 120, 36)
	d.Press("v").onto(knobTokenizer).turn("right", "right").wants("← cl100k_base")
	d.Press("ctrl+k").Type("Switch tokenizer").Press("enter").turn("up", "enter")
	if f := d.app().input.Flags; f.Tokenizer != tokens.O200k || len(f.Knobs) > 0 || d.app().state.Snapshot.Tokenizer != tokens.O200k {
		t.Errorf("flags %+v, counted by %s", f, d.app().state.Snapshot.Tokenizer)
	}
	d.wants("tok o200k_base in", "on disk").lacks("knob turned")
	d.turn("left").wants("was o200k", "now chars4").turn("0").wants("tok o200k_base in")
}

func TestSavingSaysWhatStaysUnwritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, demo.Config(), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(demo.Registry(), demo.Config())
	opt.ConfigName = file
	d := startExplorer(t, opt, 120, 36)
	d.reload(ConfigPart, string(demo.Config()))
	d.Press("alt+2").lacks("U take back").Press("v").onto(knobK1).turn("right", "S").wants("nothing to write: k1 is in no config file")
	d.onto(knobB).turn("left").onto(knobTokenizer).turn("right", "S").wants("nothing to write: k1, b and tokenizer are in no config file")
	d.turn("g", "right", "S").wants("+", "threshold_pct: 11", "left out: k1, b and tokenizer are in no config file")
	d.turn("n").turn("0", "right", "S").lacks("left out").turn("y").wants("wrote config.yaml")
	d.app().notices.showing = false
	d.wants("U take back")
}

func TestBreakEvenSaysWhenSearchIsOff(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := demoBudget(t, size[0], size[1])
		d.turn("v")
		if size[0] == 40 {
			d.turn("v")
		}
		if d.lacks("if ON", "if search were ON"); size[0] > 40 {
			d.wants("= 547,521 saved")
		}
		d.turn(times(6, "right")...)
		if size[0] == 40 {
			d.turn("v", "v", "v").wants("a session, if search were ON")
		} else {
			d.wants("a session, if ON")
		}
		d.wants("if ON: 547,521 saved").lacks("= 547,521")
	}
}

func TestCurveSpeaksOfMoreTools(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 40}, {120, 36}, {80, 24}, {40, 24}} {
		d := demoBudget(t, size[0], size[1])
		d.turn("v")
		if size[0] == 40 {
			d.turn("v")
		}
		d.turn(times(6, "right")...)
		if size[0] == 40 {
			d.turn("v", "v")
		}
		d.wants("1,765 more tokens turn it ON:", "10 more tools of ~181 tokens each", "[200k]", "8k", "2M")
		for _, bare := range []string{" 128 ", "[200]", " 400 ", " 500 "} {
			d.lacks(bare)
		}
	}
	s := &demoBudget(t, 120, 36).app().budget
	s.look()
	s.outlook.curve.ToFlip, s.outlook.curve.ToolsToFlip = -10, -1
	if got, want := s.flips(80)[1], "10 fewer tokens turn it OFF: 1 fewer tool of ~181 tokens"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBudgetFooter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		w, h int
		want []string
	}{
		{120, 36, []string{"←→ value", "v part", "S save", "0 reset", "U take back", "↑↓ rows", "? help", "/ filter", "ctrl-k commands"}},
		{80, 24, []string{"←→ value", "v part", "S save", "0 reset", "U take back", "↑↓ rows", "? help"}},
		{40, 10, []string{"←→ value", "v part", "S save"}},
	} {
		d := demoBudget(t, tt.w, tt.h)
		d.app().written = append(d.app().written, writeback{})
		if d.wants("←→ fold").Press("v"); tt.w == 40 {
			d.lacks("←→").Press("v")
		}
		lines := strings.Split(d.Screen(), "\n")
		footer := lines[len(lines)-1]
		if got, want := strings.TrimSpace(footer), strings.Join(tt.want, "  "); !strings.HasPrefix(got, want) {
			t.Errorf("%d cells: %q, want %q", tt.w, got, want)
		}
	}
}

func TestHabitsAndBreakEven(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 120, 36)
	d.Press("v").onto(knobTurns).wants("← 20 →", "saved, ").turn(times(19, "left")...)
	d.wants("1 →", "not worth it here").turn("u").wants("← 20 →").turn("down", "right", "right", "0").wants("4")
	if d.app().budget.habits != engine.DefaultHabits {
		t.Errorf("reset leaves %+v", d.app().budget.habits)
	}
	s := &d.app().budget
	most := engine.Habits{Turns: 20, ToolsUsed: s.outlook.most, ResultTokens: 300}
	if s.state.Snapshot.BreakEven(most).Saved <= 0 {
		t.Errorf("not worth it with %d tools used", most.ToolsUsed)
	}
	if most.ToolsUsed++; s.state.Snapshot.BreakEven(most).Saved > 0 {
		t.Errorf("still worth it with %d tools used", most.ToolsUsed)
	}
}

func TestReloadThatFlipsWarns(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	config := strings.Replace(string(demo.Config()), "threshold_pct: 10", "threshold_pct: 16", 1)
	d.reload(ConfigPart, config)
	d.wants("warning: config reloaded", "search is now OFF")
	n := notices{}
	if n.show(levelFlip, "search is now OFF") != nil {
		t.Error("the warning goes away by itself")
	}
	d.wants("esc hide").Press("esc").lacks("search is now OFF").wants("F1 help", "[1 Explore]")
	// What a knob tries is no news from the files.
	d.turn("alt+2", "v", "left").lacks("search is now")
	d.reload(ConfigPart, config+"\n# comment\n")
	d.wants("reloaded").lacks("search is now")
}

func TestKnobsThatTheFileCatchesUpWith(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 120, 36)
	d.turn("v").turn(times(6, "right")...)
	d.turn("down", "down", "down", "right").wants("2 knobs turned")
	if got := d.app().budget.knobs(); len(got) != 1 || got[0] != (workbench.Knob{Key: "tools.tool_search.threshold_pct", Value: 16.0}) {
		t.Errorf("to be written: %v", got)
	}
	d.reload(ConfigPart, strings.Replace(string(demo.Config()), "threshold_pct: 10", "threshold_pct: 16", 1))
	d.settle().wants("1 knob turned", "search is now OFF").turn("S").wants("nothing to write: k1")
	d.turn("0", "S").wants("nothing to write: no knob")
}

func TestBudgetMouse(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 120, 36)
	inner := d.app().layout.Boxes[PaneBody].Inner
	s := &d.app().budget
	click := func(p budgetPart, x, line int) {
		d.Click(inner.Min.X+s.places[p].Min.X+x, inner.Min.Y+s.places[p].Min.Y+line)
	}
	click(partKnobs, 3, 4)
	if s.part != partKnobs || s.knob != knobK1 {
		t.Errorf("part %v, knob %v", s.part, s.knob)
	}
	click(partSession, 3, 2)
	if s.knob != knobToolsUsed {
		t.Errorf("knob %v", s.knob)
	}
	click(partCosts, 3, 2)
	click(partCosts, 3, 2)
	d.wants("▾ mcp-forge 18")
}

func TestBudgetOfNothing(t *testing.T) {
	t.Parallel()
	d := budget(t, testOptions([]byte(`{"tools":[]}`), nil), 120, 36)
	d.wants("granted no tools", "nothing to defer").turn("v", "right", "down", "left", "left", "enter", "tab", "z", "u", "0")
	d.Resize(80, 24).Resize(40, 10).turn("v", "v", "v", "v", "v", "down", "enter", "right")
}

// TestBudgetFitsAnywhere presses random keys at random sizes, on the demo and
// on a registry that means harm.
func TestBudgetFitsAnywhere(t *testing.T) {
	t.Parallel()
	hostile := []byte(`{"tools":[
	 {"type":"function","toolset":"\u001b[2Jset\u202e","function":{"name":"evil\u001b]52;c;aGk=\u0007","description":"\u001b[2J\u0000"}},
	 {"type":"function","toolset":"課題","function":{"name":"plain","description":"Fine."}}]}`)
	keys := []string{"up", "down", "left", "right", "enter", "v", "tab", "u", "0", "S", "G", "g", "pgdown", "/", "e", "x", "esc", "alt+1", "alt+2", "z", "ctrl+d"}
	rapid.Check(t, func(rt *rapid.T) {
		opt := testOptions(demo.Registry(), demo.Config())
		if rapid.Bool().Draw(rt, "hostile") {
			opt = testOptions(hostile, []byte("model: {context_length: 12345}\ntools: {tool_search: on}\n"))
		}
		opt.Look.Plain, opt.Look.ASCII = rapid.Bool().Draw(rt, "plain"), rapid.Bool().Draw(rt, "ascii")
		a := NewApp(t.Context(), opt)
		defer a.stop()
		d := &driver{t: t, model: a, w: 120, h: 36, late: make(chan tea.Msg, 100)}
		d.Send(tea.WindowSizeMsg{Width: 120, Height: 36})
		load(t, d)
		d.Press("alt+2")
		for range rapid.IntRange(1, 25).Draw(rt, "presses") {
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0:
				d.Resize(rapid.IntRange(38, 160).Draw(rt, "w"), rapid.IntRange(9, 50).Draw(rt, "h"))
			case 1:
				d.Click(rapid.IntRange(0, d.w-1).Draw(rt, "x"), rapid.IntRange(4, d.h-1).Draw(rt, "y"))
			default:
				d.Press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
		}
	})
}

func TestStepsStayOnTheirGrid(t *testing.T) {
	t.Parallel()
	s := &demoBudget(t, 80, 24).app().budget
	rapid.Check(t, func(t *rapid.T) {
		k := knob(rapid.IntRange(0, int(knobCount)-1).Draw(t, "knob"))
		v := s.onDisk(k)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			by := rapid.SampledFrom([]int{-1, 1}).Draw(t, "by")
			next := s.step(k, v, by)
			if next == v { // at an end: it stays there, and leads back
				if again := s.step(k, v, -by); again == v {
					t.Fatalf("%s is stuck at %v", knobNames[k], v)
				}
				continue
			}
			if back := s.step(k, next, -by); back != v && v != s.onDisk(k) {
				t.Fatalf("%s: %v and one step are %v, and back %v", knobNames[k], v, next, back)
			}
			v = next
		}
	})
}

// TestPlotSaysWhatIsDecided compares the drawn bars with the decisions.
func TestPlotSaysWhatIsDecided(t *testing.T) {
	t.Parallel()
	d := demoBudget(t, 80, 24)
	s := &d.app().budget
	s.look()
	rapid.Check(t, func(t *rapid.T) {
		pct := rapid.Float64Range(0, 100).Draw(t, "pct")
		w, rows := rapid.IntRange(36, 120).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "rows")
		o := s.outlook
		defer func() { s.outlook = o }()
		s.outlook.curve.Points = slices.Clone(o.curve.Points)
		for i, p := range s.outlook.curve.Points {
			threshold := int(float64(p.Context) * pct / 100)
			s.outlook.curve.Points[i].Threshold, s.outlook.curve.Points[i].Active = threshold, o.curve.Deferrable >= threshold
		}
		lines := s.plot(plainTheme(), w, rows)
		if len(lines) != rows+2 {
			t.Fatalf("%d lines for %d rows", len(lines), rows)
		}
		columns, _ := s.columns(w)
		across := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "─") })
		for _, c := range columns {
			if cell := []rune(lines[across])[c.x]; (cell == '█') == c.Active {
				t.Fatalf("at %d the line shows %q, active %v:\n%s", c.Context, cell, c.Active, strings.Join(lines, "\n"))
			}
		}
	})
}

func TestRankerIsAKnob(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, demo.Config(), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(demo.Registry(), demo.Config())
	opt.ConfigName, opt.Query = file, "invoice the client"
	d := startExplorer(t, opt, 120, 36)
	before := d.app().hits.results
	d.Press("alt+2", "v").onto(knobRanker).wants("▌ranker       bm25 →").turn("right").wants("← fielded →", "1 knob turned")
	now := d.app().hits.results
	if now.Scored == before.Scored || now.Hits[0].Score == before.Hits[0].Score {
		t.Errorf("%d hits, the first with %v; before %d with %v", now.Scored, now.Hits[0].Score, before.Scored, before.Hits[0].Score)
	}
	if was := d.app().hits.onDisk; was == nil || was.Config.ToolSearch.Ranker != config.RankerBM25 {
		t.Error("the ranks are not against those of the ranker on disk")
	}
	d.turn("S").wants("-", "ranker: bm25", "+", "ranker: fielded").turn("y").wants("wrote config.yaml")
	data, err := os.ReadFile(file)
	if want := strings.Replace(string(demo.Config()), "ranker: bm25", "ranker: fielded", 1); err != nil || string(data) != want {
		t.Errorf("%v\n%s", err, data)
	}
}
