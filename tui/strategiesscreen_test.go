package tui

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/selection"
	"caliper/tui/demo"
)

// refund is a message that is no labelled query of the demo.
const refund = "refund the customer for a cancelled booking"

// onStrategies drives an explorer on the demo to its strategies, with
// everything selected.
func onStrategies(t testing.TB, w, h int, message string) *driver {
	t.Helper()
	opt := demoQueries()
	opt.Query = message
	return startExplorer(t, opt, w, h).selected("alt+4")
}

// selected presses keys and waits until nothing is loading or being selected.
func (d *driver) selected(keys ...string) *driver {
	d.t.Helper()
	d.Press(keys...)
	s := &d.app().strategies
	for d.app().cancel != nil || s.selector.cancel != nil || s.leg.cancel != nil || s.answer.cancel != nil || s.jobs[workLabelled].cancel != nil ||
		s.jobs[workPareto].cancel != nil || s.jobs[workConversation].cancel != nil {
		d.Send(<-d.late)
	}
	return d
}

// view goes to a part of the screen.
func (d *driver) view(p strategiesPart) *driver {
	d.t.Helper()
	for range strategiesPartCount {
		if d.app().strategies.part != p {
			d.selected("v")
		}
	}
	if got := d.app().strategies.part; got != p {
		d.t.Fatalf("v never comes to %s, only to %s", p, got)
	}
	return d
}

// ontoStrategy moves the cursor to a strategy.
func (d *driver) ontoStrategy(strategy selection.Strategy) *driver {
	d.t.Helper()
	d.Press("g")
	for range selection.Strategies {
		if d.app().strategies.chosen() != strategy {
			d.Press("down")
		}
	}
	return d
}

func TestStrategiesShowWhatTheEngineSelects(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 40, refund).wants("[4 Strategies]", "> "+refund)
	a := d.app()
	for _, strategy := range selection.Strategies {
		set := selection.SettingsOf(a.state.Config.Config)
		set.Strategy, set.Now = strategy, a.opt.Now
		x, err := selection.New(t.Context(), a.state.Snapshot, set, a.strategies.leg.similarity, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := x.Select(t.Context(), refund, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.ontoStrategy(strategy).wants(string(strategy)+"  ", thousands(want.SchemaTokens)+" tok", percent(want.SavedPct))
		got := a.strategies.pick(strategy)
		if string(got.Bytes) != string(want.Bytes) || got.SchemaTokens != want.SchemaTokens || len(got.Missed) != len(want.Missed) {
			t.Errorf("%s differs from the engine's", strategy)
		}
		for _, m := range want.Missed {
			d.wants("missed     " + m.Tool.ShownName)
		}
		if strategy.Ranks() {
			d.wants(" K 8 ", "core       terminal", "ranked     mcp_payments_refund_batch", fmt.Sprintf("%.5f", want.Missed[0].Score))
		}
	}
	d.ontoStrategy(selection.Hybrid).wants("keyword     fuzzy     fused")
}

// A message that is typed leaves the query of Explore alone; while there is
// none, the query is tried here and changes nothing elsewhere.
func TestStrategiesMessage(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, "").wants("no message: e types one", "no tool is like the message")
	d.Press("e").wants("enter keep").Type("refund").selected().wants("mcp_payments_refund_charge", "> refund")
	d.Press("enter").wants("e message").Press("alt+1").wants("[1 Explore]").lacks("> refund")
	d.selected("alt+4").Press("e").Type(" a charge").selected("esc").wants("[4 Strategies]", "> refund a charge").selected("esc").wants("[1 Explore]")
	if got := d.app().input.Flags.Message; got != "refund a charge" {
		t.Errorf("the message is %q", got)
	}
	d.selected("alt+4").selected("i").Press("tab").wants("e message").Press("e").wants("enter keep")
	if d.Press("alt+2").selected("alt+4").app().strategies.editing {
		t.Error("the message is still typed, a screen later")
	}
	d.Press("e").Type("qa?d").wants("qa?d").Press("esc").Press("?", "G").wants("Strategies", "type the message")
}

// Enter does what the footer says, and never types: what follows it are keys.
func TestStrategiesEnter(t *testing.T) {
	t.Parallel()
	for _, size := range strategiesSizes {
		d := onStrategies(t, size[0], size[1], refund)
		s := &d.app().strategies
		if size[0] >= 80 {
			d.wants("enter bytes")
		}
		strategy := s.chosen()
		if d.Press("enter"); s.part != partBytes || s.chosen() != strategy || s.editing {
			t.Fatalf("at %v enter leads to %s of %s", size, s.part, s.chosen())
		}
		if size[0] >= 80 {
			d.wants("enter strategies")
		}
		if d.Press("enter"); s.part != partComparison || s.chosen() != strategy {
			t.Errorf("at %v enter leads on to %s", size, s.part)
		}
		for _, p := range []strategiesPart{partLabelled, partPareto, partConversation} {
			d.view(p).lacks("enter bytes", "enter strategies").Press("enter")
			if s.part != p || s.editing {
				t.Errorf("at %v enter leads from %s to %s, typing %t", size, p, s.part, s.editing)
			}
		}
		if got := d.app().query.Value(); got != refund {
			t.Errorf("the message is %q", got)
		}
	}
	d := onStrategies(t, 120, 36, refund).Press("tab", "tab").lacks("enter bytes").Press("enter")
	if s := &d.app().strategies; s.editing || s.part != partComparison {
		t.Error("enter does something on the knobs")
	}
}

// What is in force is marked at the row whose bytes the model is sent.
func TestStrategiesMarkIsWhatIsSent(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund).wants("tool_search in force", "● tool_search")
	s := &d.app().strategies
	if got, header := s.pick(s.inForce()).SchemaTokens, d.app().state.Budget.AfterTokens; got != header {
		t.Errorf("%d tokens are marked, the header says %d", got, header)
	}
	d.ontoStrategy(selection.Eager).wants("eager  191 tools  33,056 tok", "tool search is active, so that tools.selection eager sends what stands at tool_search")
	d.reload(ConfigPart, "tools: {tool_search: {enabled: off}}\n")
	d.selected().wants("eager in force", "● eager").lacks("tool search is active")
}

func TestStrategiesNeededTool(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund).lacks("needs ")
	s := &d.app().strategies
	d.app().pin.name = "mcp_payments_refund_charge"
	d.Press("down").wants("needs mcp_payments_refund_charge", "◆ mcp_payments_refund_charge")
	words := func(strategy selection.Strategy) string {
		w, _ := s.needed(s.pick(strategy), s.needs())
		return w
	}
	for strategy, want := range map[selection.Strategy]string{selection.Eager: "in", selection.Lazy: "later", selection.ToolSearch: "later", selection.Hybrid: "in"} {
		if got := words(strategy); got != want {
			t.Errorf("%s: %s, want %s", strategy, got, want)
		}
	}
	d.app().pin.name = "nobody"
	if got := words(selection.Eager) + words(selection.Hybrid); got != "outout" {
		t.Errorf("a tool that is not there is %s", got)
	}
	d.app().pin.name = ""
	q := d.app().state.Queries[0]
	d.app().query.Set("  " + q.Text)
	d.app().queryChanged()
	d.selected("down").wants("needs " + q.Relevant[0])
	s.answer.picks[0].Tools = nil
	if got, _ := s.needed(s.pick(selection.Eager), [][]string{{"a"}, {"terminal"}}); got != "0 of 2" {
		t.Error(got)
	}
}

func TestStrategiesBytesAreWhatIsSent(t *testing.T) {
	t.Parallel()
	for _, w := range []int{120, 80, 43} {
		d := onStrategies(t, w, 30, refund).view(partBytes)
		s := &d.app().strategies
		for _, strategy := range selection.Strategies {
			for s.chosen() != strategy {
				if d.Press("right"); s.chosen() == selection.Hybrid {
					break
				}
				if s.lists[partComparison].cursor == 0 {
					t.Fatal("right goes nowhere")
				}
			}
			x := s.pick(s.chosen())
			var text strings.Builder
			for _, line := range s.layBytes(x, w-4) {
				if !line.aside {
					text.WriteString(line.text)
				}
			}
			if text.String() != string(x.Bytes) {
				t.Fatalf("%s at %d cells: %d bytes are shown of %d", x.Strategy, w, text.Len(), len(x.Bytes))
			}
			for i, sent := range x.Tools {
				if !strings.Contains(string(x.Bytes), `"name":"`+sent.Tool.Name+`"`) {
					t.Fatalf("%s: tool %d is not sent", x.Strategy, i)
				}
			}
		}
		d.wants("bytes")
		d.Press(times(9, "left")...)
		if s.chosen() != selection.Eager {
			t.Errorf("left ends on %s", s.chosen())
		}
		d.wants("terminal  188 tok", "33,056 tok")
		d.Press("G").wants("}]")
	}
}

func TestStrategiesBytesOfEachToolFollowItsName(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 30, refund)
	s := &d.app().strategies
	for _, strategy := range []selection.Strategy{selection.Eager, selection.ToolSearch, selection.Hybrid} {
		lines := s.layBytes(s.pick(strategy), 1000)
		for i, line := range lines {
			name, _, _ := strings.Cut(line.text, " ")
			name = name[strings.Index(name, "/")+1:]
			if line.aside && name != "the" && !strings.Contains(lines[i+1].text, `"name":"`+name+`"`) {
				t.Fatalf("%s: under %s stands %s", strategy, line.text, lines[i+1].text)
			}
		}
	}
}

func TestStrategiesFilterAndMouse(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund)
	d.Press("/").Type("REFUND").Press("enter").wants("/refund", "mcp_payments_refund_batch").lacks("core       terminal")
	d.Press("esc").wants("[4 Strategies]", "core       terminal").lacks("/refund")
	s := &d.app().strategies
	box := d.app().layout.Boxes[PaneBody].Inner
	cell := func(area area, line int) image.Point {
		return s.places[area].Min.Add(box.Min).Add(image.Pt(2, line))
	}
	at := cell(areaList, 3)
	if d.Click(at.X, at.Y); s.chosen() != selection.Keyword {
		t.Errorf("a click selects %s", s.chosen())
	}
	at = cell(areaKnobs, 2)
	if d.Click(at.X, at.Y); s.knob != 1 || s.keysIn() != areaKnobs {
		t.Errorf("a click selects knob %d", s.knob)
	}
	at = cell(areaList, 0)
	d.Click(at.X, at.Y)
	at = cell(areaBelow, 3)
	d.Send(wheelMsg{X: at.X, Y: at.Y, DY: 3})
	if s.below.top == 0 {
		t.Error("the wheel does not scroll")
	}
	d.Press("tab", "G", "g", "pgdown", "k")
	if d.Click(box.Min.X+5, box.Min.Y); !s.editing {
		t.Error("a click on the message does not type it")
	}
	d.selected("esc")
	tab := strings.Index(strings.Split(d.Screen(), "\n")[3], "1 Explore")
	d.Click(tab+1, 3).wants("[1 Explore]")
}

func TestStrategiesAreas(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund)
	s := &d.app().strategies
	for _, want := range []area{areaBelow, areaKnobs, areaList} {
		if d.Press("tab"); s.keysIn() != want {
			t.Errorf("tab goes to %d, want %d", s.keysIn(), want)
		}
	}
	if d.Press("shift+tab"); s.keysIn() != areaKnobs {
		t.Error("shift-tab does not go back")
	}
	// Where there is no room the knobs are a part, and the keys go elsewhere.
	if d.Resize(80, 24); s.keysIn() != areaList {
		t.Errorf("the keys are in %d", s.keysIn())
	}
	d.view(partTuning).wants("▌knobs", "strategy", "embedder").lacks("tab ")
	d.Resize(120, 36).wants("▌strategies", "knobs")
}

// strategiesSizes are the sizes of terminals that goldens show.
var strategiesSizes = [][2]int{{120, 36}, {80, 24}, {40, 10}}

func TestStrategiesGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range strategiesSizes {
		opt := demoQueries()
		opt.Look, opt.Query = Look{Plain: true}, refund
		d := startExplorer(t, opt, size[0], size[1]).selected("alt+4")
		name := fmt.Sprintf("strategies-%dx%d", size[0], size[1])
		golden(t, name, d.Styled())
		d.Press("tab")
		golden(t, name+"-below", d.Styled())
		d.Press("tab")
		for i, word := range []string{"bytes", "labelled", "pareto"} {
			d.view(partBytes + strategiesPart(i))
			golden(t, name+"-"+word, d.Styled())
		}
		d.view(partConversation)
		golden(t, name+"-empty", d.Styled())
		d.selected("a", "e").Press("ctrl+u").Type("deploy the release").selected("enter", "a")
		d.app().notices.showing = false
		d.ontoThread(selection.Hybrid)
		golden(t, name+"-conversation", d.Styled())
		if size[0] < knobsBeside {
			d.view(partTuning)
			golden(t, name+"-knobs", d.Styled())
		}
	}
}

// ontoThread moves the cursor of the conversation to a strategy.
func (d *driver) ontoThread(strategy selection.Strategy) *driver {
	d.t.Helper()
	s := &d.app().strategies
	d.Press("g")
	for range s.threads {
		if s.threads[s.list().cursor].Strategy != strategy {
			d.Press("down")
		}
	}
	return d
}

// Every part is exactly as wide and high as it is told, wherever the cursors
// are.
func TestStrategiesFitAnySize(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund).selected("a", "e").Type(" with tax").selected("enter", "a")
	d.view(partLabelled).view(partPareto).view(partConversation)
	s := &d.app().strategies
	keys := []string{"v", "tab", "down", "up", "G", "g", "pgdown", "left", "right", "a", "d"}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 180).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h")
		for range rapid.IntRange(0, 6).Draw(rt, "presses") {
			d.app().Update(d.key(rapid.SampledFrom(keys).Draw(rt, "key")))
		}
		s.editing = rapid.Bool().Draw(rt, "editing")
		theme := NewTheme(Look{Plain: rapid.Bool().Draw(rt, "plain"), ASCII: rapid.Bool().Draw(rt, "ascii")})
		if err := fits(strings.Join(s.draw(theme, w, h), "\n"), w, h); err != nil {
			rt.Fatalf("%s: %v", s.part, err)
		}
	})
}

// Text of a registry that would act on the terminal does not.
func TestStrategiesHostileRegistry(t *testing.T) {
	t.Parallel()
	registry := replaced(t, demo.Registry(), `"description": "Run a shell command`, `"description": "\u001b[2J\u202e\u0007Run a shell command`)
	opt := testOptions([]byte(registry), demo.Config())
	opt.Query = "\u001b]52;terminal"
	d := startExplorer(t, opt, 80, 24).selected("alt+4")
	d.view(partBytes).view(partConversation).selected("a").view(partBytes)
}
