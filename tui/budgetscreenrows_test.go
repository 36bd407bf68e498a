package tui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/demo"
)

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
		d := budget(t, testOptions(oneToolset("mcp-gitlab-zereight", names...), nil), w, 36)
		d.Press("down", "right").wants("▾ mcp-gitlab-zereight", " create_draft_note ", " delete_draft_note ")
		shown := map[string]bool{}
		for _, line := range strings.Split(d.Screen(), "\n") {
			if name := strings.Fields(strings.Trim(line, "│")); len(name) > 1 && strings.HasPrefix(name[0], "create_") {
				shown[name[0]] = true
			}
		}
		if len(shown) != 3 {
			t.Errorf("%d cells: %d different rows: %v", w, len(shown), shown)
		}
		for range 4 {
			d.Press("down")
			_, tool := d.app().budget.list.selected()
			if screen := strings.NewReplacer("\n", "", " ", "", "│", "").Replace(d.Screen()); w == 120 && len(tool) > 54 {
				d.wants(tool[:54], "│ "+tool[57:]+" ") // over two lines
			} else if !strings.Contains(screen, tool) {
				t.Errorf("%d cells: %s is nowhere in full:\n%s", w, tool, d.Screen())
			}
		}
	}
}

// Where the list stands alone, the selected tool's full name stands below it.
func TestFullNameOnSmallScreens(t *testing.T) {
	t.Parallel()
	long := "mcp_forge_" + strings.Repeat("very_", 8) + "long"
	for _, h := range []int{10, 12, 20} {
		d := budget(t, testOptions(oneToolset("mcp-forge", long, "mcp_forge_short"), nil), 40, h)
		d.Press("down", "right", "down").wants("▌  very_")
		screen := strings.NewReplacer("\n", "", " ", "", "│", "").Replace(d.Screen())
		if !strings.Contains(screen, long) {
			t.Errorf("%s is nowhere in full:\n%s", long, d.Screen())
		}
	}
}

func TestNameInToolset(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ toolset, name, want string }{
		{"mcp-forge", "mcp_forge_tag", "tag"}, {"mcp-forge-ci", "mcp_forge_ci_run", "run"}, {"mcp-forge", "mcp_forge_", "mcp_forge_"},
		{"mcp-forge", "mcp_hub_tag", "mcp_hub_tag"}, {"browser", "browser_open", "browser_open"}, {"mcp-forge", "mcp-forge/tag", "mcp-forge/tag"},
	} {
		if got := nameInToolset(&model.Tool{ShownToolset: tt.toolset, ShownName: tt.name}); got != tt.want {
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
		d := startExplorer(t, testOptions([]byte(`{"tools":[`+strings.Join(tools, ",")+`]}`), nil), 120, 36)
		d.Press("alt+2")
		s := &d.app().budget
		s.list.open = map[string]bool{}
		for _, g := range s.list.groups {
			s.list.open[g.name] = true
		}
		s.list.relay()
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
		d := budget(t, testOptions(oneToolset("mcp-forge", "mcp_forge_tag"), nil), size[0], size[1])
		d.turn("v")
		d.wants("not worth it", " −"+strings.TrimPrefix(thousands(d.app().budget.outlook.worth.Saved), "−")+" ").lacks("-2", "round trip…")
		d.turn(times(9, "down")...).turn(times(60, "right")...)
		for _, line := range d.app().budget.drawSession(plainTheme(), 26, 10) {
			if strings.Contains(line, "…") || cells.Width(line) != 26 {
				t.Errorf("%v: %q", size, line)
			}
		}
	}
}

func TestCurveSaysThatItIsAutos(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 40}, {120, 36}, {80, 24}} {
		d := demoBudget(t, size[0], size[1])
		d.turn("v").wants("auto is ON up to", "turn it OFF").lacks("auto ON", "what auto would do")
		d.turn(times(6, "right")...).onto(knobMode).turn("right")
		d.wants("← on", "mode on; what auto would do", "auto would be ON up to", "would turn auto ON", "auto ON", "auto OFF", "search ON").lacks("turn it ON")
	}
}

// TestCurveUnderPreSelection has a strategy that puts the bridge in whatever the
// threshold is: the curve does not say that search is off.
func TestCurveUnderPreSelection(t *testing.T) {
	for _, strategy := range []string{"lazy", "keyword", "semantic", "hybrid"} {
		config := bytes.Replace(demo.Config(), []byte("selection: eager"), []byte("selection: "+strategy), 1)
		d := budget(t, testOptions(demo.Registry(), bytes.Replace(config, []byte("threshold_pct: 10"), []byte("threshold_pct: 90"), 1)), 120, 36)
		d.turn("v").wants("selection "+strategy+"; what auto would do", "auto would be ON up to", "would turn auto ON").lacks("auto is ON")
	}
}

// What stands beside the knobs is the state on disk only while no flag goes
// before the file.
func TestBaselineIsNamedTruthfully(t *testing.T) {
	t.Parallel()
	demoBudget(t, 120, 36).wants("on disk").lacks("no knobs")
	opt := testOptions(demo.Registry(), demo.Config())
	length := 50_000
	opt.Flags.Context = &length
	budget(t, opt, 120, 36).wants("no knobs").lacks("on disk")
}
