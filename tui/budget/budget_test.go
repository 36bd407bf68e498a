package budget

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine"
	"caliper/model"
	_ "caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/internal/stage"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/watch"
)

// driver drives the screen.
type driver = stage.Stage[*Screen]

// open drives the screen of w×h cells on a registry and a configuration, with
// everything counted.
func open(t testing.TB, registry, config []byte, w, h int) *driver {
	t.Helper()
	in := stage.Demo(config)
	in.Registry[0].Data = registry
	return stage.Open(t, w, h, in, func(h desk.Desk, g ui.Glyphs) *Screen {
		return New(h, g, func(t *ui.Theme, w, h int) (heading, note string, lines []string) {
			return "hits", "", ui.Centered(t, w, h, "hits")
		})
	}).Reload().Settle()
}

// onDemo drives the screen on the demo.
func onDemo(t testing.TB, w, h int) *driver {
	t.Helper()
	return open(t, demo.Registry(), demo.Config(), w, h)
}

func TestCurveSpeaksOfFewerTools(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 118, 29).S
	s.look()
	s.outlook.curve.ToFlip, s.outlook.curve.ToolsToFlip = -10, -1
	if got, want := s.flips(80)[2], "switches off with 10 fewer tokens (about 1 tool)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBreakEvenIsTheLastThatIsWorthIt(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 118, 29).S
	s.look()
	most := engine.Habits{Turns: 20, ToolsUsed: s.outlook.most, ResultTokens: 300}
	if s.state.Snapshot.BreakEven(most).Saved <= 0 {
		t.Errorf("not worth it with %d tools used", most.ToolsUsed)
	}
	if most.ToolsUsed++; s.state.Snapshot.BreakEven(most).Saved > 0 {
		t.Errorf("still worth it with %d tools used", most.ToolsUsed)
	}
}

// Beside the tools stands what agents list of the skills, also where no threshold decides.
func TestSkillsStandBesideTheTools(t *testing.T) {
	t.Parallel()
	for name, config := range map[string][]byte{"threshold": demo.Config(), "host": []byte("tools: {tool_search: {generation: claude-code}}")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := stage.Demo(config)
			in.Registry = append(in.Registry, watch.File{Name: ".claude/skills/oven/SKILL.md", InFolder: true, Data: []byte("---\nname: oven\ndescription: Bakes bread.\n---\n")})
			s := stage.Open(t, 118, 29, in, func(h desk.Desk, g ui.Glyphs) *Screen {
				return New(h, g, func(*ui.Theme, int, int) (heading, note string, lines []string) { return "", "", nil })
			}).Reload().Settle().S
			got := strings.Join(s.drawThresholds(new(ui.Theme), 80, 20), "\n")
			if want := "Claude Code lists 1 skill in "; !strings.Contains(got, want) {
				t.Errorf("%q is not in\n%s", want, got)
			}
		})
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
		"reset": func(d *driver) { d.Knobs.Reset(); d.Reload().Settle() }, "undo": func(d *driver) { d.Knobs.Undo(); d.Reload().Settle() },
		"first": func(d *driver) { d.S.Move(-screen.End) }, "last": func(d *driver) { d.S.Move(screen.End) }, "page": func(d *driver) { d.S.Move(d.S.Page()) },
		"filter": func(d *driver) { d.S.Filter("e") }, "all": func(d *driver) { d.S.Filter("") },
	}
	for _, key := range []string{"up", "down", "left", "right", "enter", "tab"} {
		does[key] = func(d *driver) { d.Press(key) }
	}
	keys := slices.Sorted(maps.Keys(does))
	rapid.Check(t, func(rt *rapid.T) {
		d := drivers[rapid.IntRange(0, len(drivers)-1).Draw(rt, "registry")]
		d.Theme = ui.NewTheme(ui.Look{Plain: true, ASCII: rapid.Bool().Draw(rt, "ascii")})
		for range rapid.IntRange(1, 12).Draw(rt, "presses") {
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0:
				d.W, d.H = rapid.IntRange(36, 158).Draw(rt, "w"), rapid.IntRange(5, 46).Draw(rt, "h")
			case 1:
				d.S.Click(rapid.IntRange(0, d.W-1).Draw(rt, "x"), rapid.IntRange(0, d.H-1).Draw(rt, "y"))
			default:
				does[rapid.SampledFrom(keys).Draw(rt, "key")](d)
			}
			d.Picture()
		}
	})
}

// TestPlotSaysWhatIsDecided compares the drawn bars with the decisions.
func TestPlotSaysWhatIsDecided(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 78, 18).S
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
		d.Press("down", "right").Wants("▾ mcp-gitlab-zereight", " create_draft_note ", " delete_draft_note ")
		shown := map[string]bool{}
		for _, line := range strings.Split(d.Picture(), "\n") {
			if name := strings.Fields(strings.Trim(line, "│")); len(name) > 1 && strings.HasPrefix(name[0], "create_") {
				shown[name[0]] = true
			}
		}
		if len(shown) != 3 {
			t.Errorf("%d cells: %d different rows: %v", w, len(shown), shown)
		}
		for range 4 {
			d.Press("down")
			row, _ := d.S.list.at()
			tool := row.tool.Qualified
			if screen := strings.NewReplacer("\n", "", " ", "", "│", "").Replace(d.Picture()); w == 120 && len(tool) > 54 {
				d.Wants(tool[:54], "│ "+tool[57:]+" ") // over two lines
			} else if !strings.Contains(screen, tool) {
				t.Errorf("%d cells: %s is nowhere in full:\n%s", w, tool, d.Picture())
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
		d.Press("down", "right", "down").Wants("▌  very_")
		screen := strings.NewReplacer("\n", "", " ", "", "│", "").Replace(d.Picture())
		if !strings.Contains(screen, long) {
			t.Errorf("%s is nowhere in full:\n%s", long, d.Picture())
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
		s := open(t, []byte(`{"tools":[`+strings.Join(tools, ",")+`]}`), nil, 118, 29).S
		s.list.open = map[string]bool{}
		for _, g := range s.list.groups {
			s.list.open[g.name] = true
		}
		s.list.makeRows()
		all, last, sets := s.state.Budget.EagerTokens, 0, 0
		for _, row := range s.list.rows {
			switch {
			case row.tokens > all || row.running > all:
				rt.Fatalf("%+v of %d", row, all)
			case row.set == biggestTen:
			case row.tool == nil && row.running < sets, row.tool != nil && (row.running < last || row.running > sets):
				rt.Fatalf("%+v after %d, the toolsets are at %d", row, last, sets)
			case row.tool == nil:
				last, sets = sets, row.running
			default:
				last = row.running
			}
		}
		p, counted := s.sum(s.list.groups[0].tools), sumTokens(s.state.Snapshot, s.list.groups[0].tools)
		if parts := p.Name + p.Description + p.Descriptions + p.Structure; sets != all || parts != counted {
			rt.Fatalf("the last total is %d of %d, parts add up to %d of %d", sets, all, parts, counted)
		}
	})
}

// Figures of a session are never cut, however long they are.
func TestNotWorthItIsNotCut(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 40}, {120, 36}, {80, 24}} {
		d := open(t, oneToolset("mcp-forge", "mcp_forge_tag"), nil, size[0]-2, size[1]-6)
		d.Press("tab")
		d.Wants("costs more", " −"+strings.TrimPrefix(ui.Thousands(d.S.outlook.worth.Saved), "−")+" ").Lacks(" -2", "round trip…")
		d.Press(slices.Repeat([]string{"down"}, 10)...).Press(slices.Repeat([]string{"right"}, 60)...)
		for _, line := range d.S.drawSession(ui.NewTheme(ui.Look{Plain: true}), 26, 10) {
			if strings.Contains(line, "…") || ui.Width(line) != 26 {
				t.Errorf("%v: %q", size, line)
			}
		}
	}
}

// The threshold that is shown as the last one is: one more token switches off.
func TestLastThresholdIsTheLast(t *testing.T) {
	t.Parallel()
	s := onDemo(t, 118, 29).S
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

// Short numbers are rounded to nearest, and go on to the next unit where they reach it.
func TestShortNumbersAreRounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n               int
		tokens, context string
	}{
		{0, "0", "0"},
		{999, "999", "999"},
		{1000, "1k", "1k"},
		{1250, "1.3k", "1k"}, // half goes up
		{9566, "9.6k", "10k"},
		{99_949, "99.9k", "100k"}, // the last with a tenth
		{99_950, "100k", "100k"},
		{999_499, "999k", "999k"}, // the last in thousands
		{999_500, "1M", "1M"},
		{1_048_576, "1M", "1M"},
		{12_500_000, "13M", "13M"},
	} {
		if got := nearly(tt.n); got != tt.tokens {
			t.Errorf("%d tokens are %s, want %s", tt.n, got, tt.tokens)
		}
		if got := shortContext(tt.n); got != tt.context {
			t.Errorf("a context of %d is %s, want %s", tt.n, got, tt.context)
		}
	}
}
