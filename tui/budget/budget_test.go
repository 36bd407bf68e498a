package budget

import (
	"context"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"caliper/engine"
	"caliper/model"
	_ "caliper/model/draws"
	"caliper/tui/cells"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// driver drives the screen, as the explorer would.
type driver struct {
	screen.Host // nil: what a test does not need
	t           testing.TB
	s           *Screen
	bench       *workbench.Workbench
	input       workbench.Input
	knobs       *desk.KnobSet
	theme       *ui.Theme
	w, h        int
}

// open drives the screen of w×h cells on a registry and a configuration, with
// everything counted.
func open(t testing.TB, registry, config []byte, w, h int) *driver {
	t.Helper()
	d := &driver{t: t, bench: workbench.New(), knobs: desk.NewKnobs(), theme: ui.NewTheme(ui.Look{Plain: true}), w: w, h: h}
	d.input = workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: registry}},
		Config:   &watch.File{Name: "config.yaml", Data: config},
	}
	d.s = New(desk.Desk{Host: d, Knobs: d.knobs, Input: &d.input}, d.theme.Glyphs, func(t *ui.Theme, w, h int) (heading, note string, lines []string) {
		return "hits", "", ui.Centered(t, w, h, "hits")
	})
	d.load()
	d.picture()
	return d
}

// onDemo drives the screen on the demo.
func onDemo(t testing.TB, w, h int) *driver {
	t.Helper()
	return open(t, demo.Registry(), demo.Config(), w, h)
}

func (d *driver) Context() context.Context        { return d.t.Context() }
func (d *driver) Finding() (string, bool)         { return "", false }
func (d *driver) Find(string)                     {}
func (d *driver) Notify(ui.Level, string) tea.Cmd { return nil }

// Send turns a knob.
func (d *driver) Send(msg tea.Msg) tea.Cmd {
	if turn, ok := msg.(desk.Turn); ok && turn.By != 0 {
		d.knobs.Turn(turn.Knob, turn.By)
		d.load()
	}
	return nil
}

// load loads the trials, shows them, and counts the parts.
func (d *driver) load() {
	in := d.input
	d.knobs.Try(&in.Flags)
	state, err := d.bench.Load(d.t.Context(), in)
	if err != nil {
		d.t.Fatal(err)
	}
	before := d.s.state
	d.knobs.Show(&state)
	d.s.Update(desk.Loaded{Before: before, After: &state})
	for queue := []tea.Cmd{d.s.Start(true)}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == nil {
			continue
		}
		switch msg := queue[0]().(type) {
		case nil:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			queue = append(queue, d.s.Update(msg))
		}
	}
}

// press does what keys do: up, down, left, right, enter, v.
func (d *driver) press(keys ...string) *driver {
	for _, key := range keys {
		switch key {
		case "up":
			d.s.Move(-1)
		case "down":
			d.s.Move(1)
		case "left":
			d.s.turn(-1)
		case "right":
			d.s.turn(1)
		case "enter":
			d.s.open()
		case "v":
			d.s.Next(1)
		}
		d.picture()
	}
	return d
}

// times returns a key so many times.
func times(n int, key string) []string { return slices.Repeat([]string{key}, n) }

// picture returns the box of the screen, whose size is checked.
func (d *driver) picture() string {
	d.t.Helper()
	lines := d.s.Draw(d.theme, d.w, d.h, true)
	if len(lines) != d.h {
		d.t.Fatalf("%d lines, want %d", len(lines), d.h)
	}
	for i, line := range lines {
		if cells.Width(line) != d.w || strings.ContainsFunc(line, unicode.IsControl) {
			d.t.Fatalf("line %d has %d cells, want %d: %q", i, cells.Width(line), d.w, line)
		}
	}
	frame := d.s.Frame()
	box := ui.NewBox(image.Rect(0, 0, d.w+2, d.h+2), false, true)
	return strings.Join(frame.Draw(d.theme, box, lines), "\n")
}

// wants checks that texts are in the box.
func (d *driver) wants(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if p := d.picture(); !strings.Contains(p, text) {
			d.t.Fatalf("%q is not in\n%s", text, p)
		}
	}
	return d
}

// lacks checks that texts are not in the box.
func (d *driver) lacks(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if p := d.picture(); strings.Contains(p, text) {
			d.t.Fatalf("%q is in\n%s", text, p)
		}
	}
	return d
}

func TestListAddsUp(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 118, 29)
	s := d.s
	s.list.open = map[string]bool{}
	for _, g := range s.list.groups {
		s.list.open[g.name] = true
	}
	s.list.remakeRows()
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
	if all := s.state.Budget.EagerTokens; sets > all || sets < all-len(s.list.groups) {
		t.Errorf("toolsets add up to %d of %d", sets, all)
	}
	p := s.parts.sum(s.list.groups[0].tools)
	if got, all := p.Name+p.Description+p.Descriptions+p.Structure, sumTokens(s.state.Snapshot, s.list.groups[0].tools); got != all {
		t.Errorf("parts add up to %d of %d", got, all)
	}
}

func TestCurveSpeaksOfFewerTools(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 118, 29).s
	s.look()
	s.outlook.curve.ToFlip, s.outlook.curve.ToolsToFlip = -10, -1
	if got, want := s.flips(80)[2], "switches off with 10 fewer tokens (about 1 tool)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBreakEvenIsTheLastThatIsWorthIt(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 118, 29).s
	s.look()
	most := engine.Habits{Turns: 20, ToolsUsed: s.outlook.most, ResultTokens: 300}
	if s.state.Snapshot.BreakEven(most).Saved <= 0 {
		t.Errorf("not worth it with %d tools used", most.ToolsUsed)
	}
	if most.ToolsUsed++; s.state.Snapshot.BreakEven(most).Saved > 0 {
		t.Errorf("still worth it with %d tools used", most.ToolsUsed)
	}
}

// Whatever is pressed at whatever size, on the demo and on a registry that means
// harm, every line has its width and acts on no terminal.
func TestFitsAnywhere(t *testing.T) {
	t.Parallel()
	hostile := []byte(`{"tools":[
	 {"type":"function","toolset":"\u001b[2Jset\u202e","function":{"name":"evil\u001b]52;c;aGk=\u0007","description":"\u001b[2J\u0000"}},
	 {"type":"function","toolset":"課題","function":{"name":"plain","description":"Fine."}}]}`)
	drivers := []*driver{onDemo(t, 118, 29), open(t, hostile, []byte("model: {context_length: 12345}\ntools: {tool_search: on}\n"), 118, 29),
		open(t, demo.Registry(), []byte("model: {context_length: 30000}\ntools: {tool_search: {generation: september-2026}}\n"), 118, 29), open(t, hostile, []byte("tools: {tool_search: {generation: september-2026}}\n"), 118, 29)}
	does := map[string]func(*driver){
		"reset": func(d *driver) { d.knobs.Reset(); d.load() }, "undo": func(d *driver) { d.knobs.Undo(); d.load() },
		"first": func(d *driver) { d.s.Move(-screen.End) }, "last": func(d *driver) { d.s.Move(screen.End) }, "page": func(d *driver) { d.s.Move(d.s.Page()) },
		"filter": func(d *driver) { d.s.Filter("e") }, "all": func(d *driver) { d.s.Filter("") },
	}
	for _, key := range []string{"up", "down", "left", "right", "enter", "v"} {
		does[key] = func(d *driver) { d.press(key) }
	}
	keys := slices.Sorted(maps.Keys(does))
	rapid.Check(t, func(rt *rapid.T) {
		d := drivers[rapid.IntRange(0, len(drivers)-1).Draw(rt, "registry")]
		d.theme = ui.NewTheme(ui.Look{Plain: true, ASCII: rapid.Bool().Draw(rt, "ascii")})
		for range rapid.IntRange(1, 12).Draw(rt, "presses") {
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0:
				d.w, d.h = rapid.IntRange(36, 158).Draw(rt, "w"), rapid.IntRange(5, 46).Draw(rt, "h")
			case 1:
				d.s.Click(rapid.IntRange(0, d.w-1).Draw(rt, "x"), rapid.IntRange(0, d.h-1).Draw(rt, "y"))
			default:
				does[rapid.SampledFrom(keys).Draw(rt, "key")](d)
			}
			d.picture()
		}
	})
}

// TestPlotSaysWhatIsDecided compares the drawn bars with the decisions.
func TestPlotSaysWhatIsDecided(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 78, 18).s
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
		theme := ui.NewTheme(ui.Look{Plain: true})
		p := s.thresholds(theme)
		lines := p.draw(theme, w, rows)
		if len(lines) != rows+2 {
			t.Fatalf("%d lines for %d rows", len(lines), rows)
		}
		across := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "─") })
		for _, b := range p.bars {
			if cell := []rune(lines[across])[b.x]; (cell == '█') != b.reaches {
				t.Fatalf("at %d the line shows %q, reached %v:\n%s", b.context, cell, b.reaches, strings.Join(lines, "\n"))
			}
		}
	})
}

// oneToolset is a registry of tools of one toolset, whose names are long and
// differ in the middle.
func oneToolset(toolset string, names ...string) []byte {
	var tools []string
	for _, name := range names {
		tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":%q,"function":{"name":%q,"description":"It does."}}`, toolset, name))
	}
	return []byte(`{"tools":[` + strings.Join(tools, ",") + `]}`)
}

func TestToolsCanBeToldApart(t *testing.T) {
	t.Parallel()
	names := []string{
		"mcp_gitlab_zereight_create_merge_request_note_emoji_reaction", "mcp_gitlab_zereight_create_draft_note",
		"mcp_gitlab_zereight_create_merge_request_discussion_emoji_reaction", "mcp_gitlab_zereight_delete_draft_note",
	}
	for _, w := range []int{160, 120, 80} {
		d := open(t, oneToolset("mcp-gitlab-zereight", names...), nil, w-2, 29)
		d.press("down", "right").wants("▾ mcp-gitlab-zereight", " create_draft_note ", " delete_draft_note ")
		shown := map[string]bool{}
		for _, line := range strings.Split(d.picture(), "\n") {
			if name := strings.Fields(strings.Trim(line, "│")); len(name) > 1 && strings.HasPrefix(name[0], "create_") {
				shown[name[0]] = true
			}
		}
		if len(shown) != 3 {
			t.Errorf("%d cells: %d different rows: %v", w, len(shown), shown)
		}
		for range 4 {
			d.press("down")
			row, _ := d.s.list.at()
			tool := row.tool.Qualified
			if screen := strings.NewReplacer("\n", "", " ", "", "│", "").Replace(d.picture()); w == 120 && len(tool) > 54 {
				d.wants(tool[:54], "│ "+tool[57:]+" ") // over two lines
			} else if !strings.Contains(screen, tool) {
				t.Errorf("%d cells: %s is nowhere in full:\n%s", w, tool, d.picture())
			}
		}
	}
}

// Where the list stands alone, the selected tool's full name stands below it.
func TestFullNameOnSmallScreens(t *testing.T) {
	t.Parallel()
	long := "mcp_forge_" + strings.Repeat("very_", 8) + "long"
	for _, h := range []int{10, 12, 20} {
		d := open(t, oneToolset("mcp-forge", long, "mcp_forge_short"), nil, 38, h-4)
		d.press("down", "right", "down").wants("▌  very_")
		screen := strings.NewReplacer("\n", "", " ", "", "│", "").Replace(d.picture())
		if !strings.Contains(screen, long) {
			t.Errorf("%s is nowhere in full:\n%s", long, d.picture())
		}
	}
}

func TestNameInToolset(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ toolset, name, want string }{
		{"mcp-forge", "mcp_forge_tag", "tag"}, {"mcp-forge-ci", "mcp_forge_ci_run", "run"}, {"mcp-forge", "mcp_forge_", "mcp_forge_"},
		{"mcp-forge", "mcp_hub_tag", "mcp_hub_tag"}, {"browser", "browser_open", "browser_open"}, {"mcp-forge", "mcp-forge/tag", "mcp-forge/tag"},
	} {
		if got := nameInToolset(&model.Tool{Toolset: tt.toolset, ShownName: tt.name}); got != tt.want {
			t.Errorf("%s in %s: %q, want %q", tt.name, tt.toolset, got, tt.want)
		}
	}
}

// Counts are rounded one by one; shares and running totals never show it.
func TestSharesNeverExceedTheWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var tools []string
		for i := range rapid.IntRange(1, 30).Draw(rt, "tools") {
			tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":"s%d","function":{"name":"t%d","description":%q}}`,
				rapid.IntRange(0, 12).Draw(rt, "set"), i, strings.Repeat("x", rapid.IntRange(0, 9).Draw(rt, "length"))))
		}
		s := open(t, []byte(`{"tools":[`+strings.Join(tools, ",")+`]}`), nil, 118, 29).s
		s.list.open = map[string]bool{}
		for _, g := range s.list.groups {
			s.list.open[g.name] = true
		}
		s.list.remakeRows()
		all, last := s.state.Budget.EagerTokens, 0
		for _, row := range s.list.rows {
			if row.tokens > all || row.running > all {
				rt.Fatalf("%+v of %d", row, all)
			}
			if row.set != biggestTen && row.tool == nil {
				if row.running < last {
					rt.Fatalf("%d after %d", row.running, last)
				}
				last = row.running
			}
		}
		if last != all {
			rt.Fatalf("the last total is %d of %d", last, all)
		}
	})
}

// Figures of a session are never cut, however long they are.
func TestNotWorthItIsNotCut(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 40}, {120, 36}, {80, 24}} {
		d := open(t, oneToolset("mcp-forge", "mcp_forge_tag"), nil, size[0]-2, size[1]-6)
		d.press("v")
		d.wants("costs more", " −"+strings.TrimPrefix(ui.Thousands(d.s.outlook.worth.Saved), "−")+" ").lacks(" -2", "round trip…")
		d.press(times(10, "down")...).press(times(60, "right")...)
		for _, line := range d.s.drawSession(ui.NewTheme(ui.Look{Plain: true}), 26, 10) {
			if strings.Contains(line, "…") || cells.Width(line) != 26 {
				t.Errorf("%v: %q", size, line)
			}
		}
	}
}

// The threshold that is shown as the last one is: one more token switches off.
func TestLastThresholdIsTheLast(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 118, 29).s
	s.look()
	if got, want := report.LastThreshold(s.state.Budget, s.outlook.curve), "30,235 (15.1%)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	context, auto := *s.state.Budget.ContextLength, s.state.Snapshot.Config.ToolSearch
	for pct, active := range map[float64]bool{15.1: true, 15.2: false} {
		auto.ThresholdPct = pct
		if engine.Activate(auto, &context, s.outlook.curve.Deferrable).Active != active {
			t.Errorf("at %v%% active is not %t", pct, active)
		}
	}
}
