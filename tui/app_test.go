package tui

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"caliper/tui/demo"
	"caliper/tui/workbench"

	tea "github.com/charmbracelet/bubbletea"
)

// dark is the look that most tests draw in.
var dark = Look{Profile: termenv.TrueColor}

// testOptions returns options for an explorer on a registry and a
// configuration, with a clock that stands still.
func testOptions(registry, config []byte) Options {
	now := time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC)
	opt := Options{
		RegistryName: "registry.json", ConfigName: "config.yaml",
		Look: dark, Still: true, Getenv: func(string) string { return "" },
		Now: func() time.Time { return now },
	}
	for part, data := range [][]byte{registry, config} {
		changes := make(chan Change, 1)
		changes <- Change{Files: []workbench.File{{Name: []string{"registry.json", "config.yaml"}[part], Data: data}}}
		close(changes) // nobody waits for another
		opt.Changes[part] = changes
	}
	return opt
}

// explorer drives an explorer on the demo.
func explorer(t testing.TB, w, h int) *driver {
	t.Helper()
	return startExplorer(t, testOptions(demo.Registry(), demo.Config()), w, h)
}

// startExplorer drives an explorer until it has loaded.
func startExplorer(t testing.TB, opt Options, w, h int) *driver {
	t.Helper()
	a := NewApp(t.Context(), opt)
	t.Cleanup(a.stop)
	d := drive(t, a, w, h)
	for a.state == nil {
		d.Send(<-d.late)
	}
	return d
}

// app returns the explorer that is driven.
func (d *driver) app() *App { return d.model.(*App) }

// reload delivers new bytes of a part as a watcher would.
func (d *driver) reload(part Part, data string) {
	d.t.Helper()
	a := d.app()
	gen := a.gen
	d.Send(changedMsg{part: part, more: true, change: Change{
		Files: []workbench.File{{Name: []string{"registry.json", "config.yaml"}[part], Data: []byte(data)}},
	}})
	for a.paused == false && (a.gen == gen || a.cancel != nil) {
		d.Send(<-d.late)
	}
}

// settle feeds in what is late until no load is running.
func (d *driver) settle() *driver {
	for d.app().cancel != nil {
		d.Send(<-d.late)
	}
	return d
}

// wants fails unless the screen holds every text.
func (d *driver) wants(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.Screen(), text) {
			d.t.Fatalf("the screen does not show %q:\n%s", text, d.Screen())
		}
	}
	return d
}

// lacks fails when the screen holds a text.
func (d *driver) lacks(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(d.Screen(), text) {
			d.t.Fatalf("the screen shows %q:\n%s", text, d.Screen())
		}
	}
	return d
}

func TestExploreGoldens(t *testing.T) {
	t.Parallel()
	looks := map[string]Look{
		"dark": dark, "light": {Light: true, Profile: termenv.TrueColor}, "plain": {Plain: true},
	}
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}, {20, 6}} {
		for name, look := range looks {
			t.Run(fmt.Sprintf("%dx%d-%s", size[0], size[1], name), func(t *testing.T) {
				opt := testOptions(demo.Registry(), demo.Config())
				opt.Look, opt.Query = look, "create a branch"
				d := startExplorer(t, opt, size[0], size[1])
				d.app().notices.showing = false
				styled := strings.ReplaceAll(d.Styled(), "\x1b", "␛")
				if look.Plain && strings.Contains(styled, "␛") {
					t.Error("a plain theme writes escape sequences")
				}
				golden(t, fmt.Sprintf("explore-%dx%d-%s", size[0], size[1], name), styled)
			})
		}
	}
}

func TestTypingSearches(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.wants("tools  192", "type a query to see why")
	d.Type("create a branch").wants("5 of 123 scored", "▌ 1 mcp_forge_create_branch", "limit 5", "why 8.146", "ALLOWED")
	d.Press("down").wants("▌ 2 mcp_rollout_create_preview", "why 6.625")
	d.Press("ctrl+p").wants("▌ 1 mcp_forge_create_branch")
	d.Press("esc").wants("tools  192")
	if d.app().focus != PaneQuery {
		t.Fatal("the first esc clears and stays")
	}
	d.Press("esc")
	if d.app().focus != PaneHits {
		t.Fatal("the second esc leaves to the hits")
	}
	d.Press("esc", "esc", "esc")
	if d.quit {
		t.Fatal("esc quits")
	}
}

func TestNothingMatches(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("zzzzqqqq").wants("no tool holds a token of the query", "no tool selected")
	d.Press("ctrl+u").Type("ü").wants("the query has no token")
	d.Press("ctrl+u").Type("_branc").wants("by name only", "falls back")
}

func TestHistory(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("refund").Press("esc").Type("berth").Press("esc")
	d.Press("ctrl+r").wants("queries of before", "refund", "berth").Press("down", "enter")
	if got := d.app().query.Value(); got != "refund" {
		t.Errorf("the older query is %q", got)
	}
}

func TestSchemaTree(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch").Press("enter").wants("▾ parameters", "▸ owner *")
	d.Press("down", "down", "enter").wants("▾ owner *", "Account or team that owns the repository.")
	d.Press("left").wants("▸ owner *")
	d.Press("*").wants("▾ owner *", "▾ branch *")
	d.Press("1").wants("▸ owner *")
	d.Press("/").Type("branch").Press("enter")
	if row, ok := d.app().schema.row(); !ok || row.node == nil || row.node.Key != "branch" {
		t.Errorf("search goes to %+v", row)
	}
}

func TestSchemaKeepsExpansionPerTool(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch").Press("enter", "*").wants("▾ owner *")
	d.Press("shift+tab", "down").lacks("▾ owner *")
	d.Press("up").wants("▾ owner *")
}

func TestDryRunArguments(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch").wants("ALLOWED", `{"owner":"","repo":"","branch":""}`)
	d.Press("shift+tab", "enter", "ctrl+u").Type(`{"owner": 7}`)
	d.wants("ALLOWED", "warn schema", "warn branch: required", "would reach the tool")
	d.Press("ctrl+u").Type(`{"owner"`).wants("bad_arguments_json", "NO arguments")
	d.Press("esc")
	if d.app().editing {
		t.Fatal("esc does not leave the arguments")
	}
	d.Press("d").wants("direct call", "deferred")
	d.Press("shift+tab", "shift+tab", "shift+tab", "down", "up").wants(`{"owner"`)
}

// TestDryRunStrict asks that what is a warning by default is refused with
// --strict, as the commands have it.
func TestDryRunStrict(t *testing.T) {
	t.Parallel()
	o := testOptions(demo.Registry(), demo.Config())
	o.Flags.Strict = true
	d := startExplorer(t, o, 120, 36)
	d.Type("create a branch").wants("tool_call, strict")
	d.Press("shift+tab", "enter", "ctrl+u").Type(`{"owner": 7}`)
	d.wants("DENIED  invalid_arguments at gate schema", "NO schema", "branch")
}

func TestDryRunRefusals(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("delete branch").wants("mcp_forge_delete_branch", "denied_by_policy at gate policy")
	d.Press("esc", "esc", "s").Type("support").Press("enter").settle()
	d.wants("session support-desk")
	d.Press("/").Type("merge_change").Press("enter").wants("out of scope", "DENIED  out_of_scope at gate scope_catalog", "NO scope_catalog", "-- scope_executor")
}

func TestSessionWithoutBridge(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("esc", "s").Type("kanban").Press("enter").settle()
	d.wants("session kanban-worker", "search OFF", "direct call")
	d.Press("/").Type("merge_change").Press("enter").wants("DENIED  out_of_scope at gate scope_executor")
}

func TestReloadKeepsThePlace(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch").Press("down", "down", "enter", "*")
	selected := d.app().selected().Qualified
	text := strings.Replace(string(demo.Registry()), `"name": "mcp_forge_create_branch"`, `"name": "mcp_forge_start_branch"`, 1)
	d.reload(RegistryPart, text)
	d.wants("reloaded", "+1 −1")
	if got := d.app().selected().Qualified; got != selected {
		t.Errorf("the selection went from %s to %s", selected, got)
	}
	if d.app().query.Value() != "create a branch" || d.app().focus != PaneSchema {
		t.Error("query or focus is lost")
	}
	d.wants("▾ owner *")
}

func TestReloadWithoutTheSelectedTool(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch")
	d.reload(RegistryPart, `{"tools":[]}`)
	d.wants("0 tools", "nothing to search")
	d.reload(RegistryPart, string(demo.Registry()))
	d.wants("▌ 1 mcp_forge_create_branch")
}

func TestStale(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch")
	d.reload(RegistryPart, string(demo.Registry()[:5000]))
	d.wants("STALE", "registry.json:", "▌ 1 mcp_forge_create_branch")
	d.reload(ConfigPart, "tools: {tool_search: off}\n")
	d.wants("STALE", "search OFF")
	d.reload(RegistryPart, string(demo.Registry()))
	d.lacks("STALE")
	d.reload(ConfigPart, "tools: [\n")
	d.wants("STALE", "config.yaml:", "search OFF")
}

func TestPauseHoldsTheNewestChange(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("esc", "space").wants("PAUSED")
	d.reload(RegistryPart, `{"tools":[]}`)
	d.reload(RegistryPart, `{"tools":[{"type":"function","function":{"name":"last"}}]}`)
	d.wants("192 tools")
	d.Press("space").settle()
	d.wants("1 tool ").lacks("PAUSED")
}

func TestSessionThatDisappears(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("esc", "s").Type("kanban").Press("enter").settle()
	d.reload(ConfigPart, "sessions: {default: {}}\n")
	d.wants("session default", "kanban-worker")
}

func TestPaletteRunsActions(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("ctrl+k").wants("commands").Type("zoom").Press("enter")
	if !d.app().mode.Zoom {
		t.Error("the palette does not zoom")
	}
	d.Press("ctrl+k", "esc").lacks("commands ─")
}

func TestTokenizerIsShownWithEveryCount(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Press("ctrl+k").Type("tokenizer").Press("enter").wants("count tokens with").Press("down", "enter").settle()
	d.wants("o200k_base ▾", "tok o200k_base")
}

func TestPasteGoesToText(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Paste("q\nquit \x1b[31mred")
	if d.quit || d.app().query.Value() != "q quit [31mred" {
		t.Errorf("pasted %q", d.app().query.Value())
	}
	d.Press("esc", "esc").Paste("q")
	if d.quit {
		t.Error("a pasted q quits")
	}
}

func TestQuit(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"q", "ctrl+c"} {
		d := explorer(t, 120, 36)
		if d.Press("esc", key); !d.quit {
			t.Errorf("%s does not quit", key)
		}
	}
	if d := explorer(t, 120, 36).Press("q"); d.quit {
		t.Error("q in the query box quits")
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch")
	hits := d.app().layout.Boxes[PaneHits].Inner
	d.Click(hits.Min.X+3, hits.Min.Y+2).wants("▌ 3 mcp_forge_delete_branch")
	d.Send(wheelMsg{X: hits.Min.X, Y: hits.Min.Y, DY: 1}).wants("▌ 6 mcp_forge_create_repo")
	d.app().notices.showing = false
	d.app().View()
	for _, h := range d.app().hints {
		if h.action == ActPalette {
			d.Click(h.from, d.h-1).wants("commands")
		}
	}
	d.Click(0, 0).lacks("commands ─")
	schema := d.app().layout.Boxes[PaneSchema].Inner
	for y := schema.Min.Y; y < schema.Max.Y; y++ {
		if row, ok := d.app().schema.rowAt(y - schema.Min.Y); ok && d.app().schema.rows[row].node != nil && d.app().schema.rows[row].path != rootPath {
			d.Click(schema.Min.X+4, y).wants("▾ " + d.app().schema.rows[row].node.Key)
			return
		}
	}
	t.Error("no parameter to click")
}

func TestSmallScreensReachEveryPane(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		d := explorer(t, size[0], size[1])
		d.Type("create a branch")
		for _, want := range []string{"mcp_forge_create_br", "parameters", "idf", "ALLOWED"} {
			d.Press("tab")
			d.wants(want)
		}
	}
}

func TestTooSmall(t *testing.T) {
	t.Parallel()
	d := explorer(t, 20, 6)
	d.wants("need 40×10").Type("x")
	if d.app().query.Value() != "" {
		t.Error("types into what cannot be seen")
	}
	d.Resize(120, 36).wants("mcp_")
}

func TestHostileRegistryStaysInItsRow(t *testing.T) {
	t.Parallel()
	hostile := `{"tools":[
	 {"type":"function","function":{"name":"evil\u001b]52;c;aGk=\u0007","description":"\u001b[2J\u009b31m\u202eabc\u200b\u0000 line\nline","parameters":{"type":"object","properties":{"\u001b[1mkey\u202e":{"type":"string","enum":["\u001b[5m","\u007f"],"description":"\u001b]0;x\u0007"}},"required":["\u001b[1mkey\u202e"]}}},
	 {"type":"function","function":{"name":"plain","description":"Fine."}}]}`
	d := startExplorer(t, testOptions([]byte(hostile), nil), 120, 36)
	for _, key := range []string{"down", "down", "enter", "*", "tab", "tab", "tab", "enter", "esc", "y", "esc", "ctrl+k", "esc", "f1", "esc"} {
		d.Press(key) // every screen is checked by the driver
	}
	d.wants("plain")
}

func TestStateIsRemembered(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/state/state.json"
	opt := testOptions(demo.Registry(), demo.Config())
	opt.StatePath = path
	d := startExplorer(t, opt, 120, 36)
	d.Type("create a branch").Press("esc").Type("refund").Press("ctrl+c")
	if got := loadState(path); got.Query != "refund" || len(got.History) != 2 {
		t.Fatalf("saved %+v", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	opt = testOptions(demo.Registry(), demo.Config())
	opt.StatePath = path
	startExplorer(t, opt, 120, 36).wants("> refund", "scored")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := loadState(path); got.Query != "" {
		t.Errorf("a broken file gives %+v", got)
	}
}

// allKeys are the keys that random walks press.
func allKeys() []string {
	keys := []string{"ctrl+c", "ctrl+z", "ctrl+x", "a", "Z", "é", "課", "9"}
	for name := range namedKeys {
		keys = append(keys, name)
	}
	for c := 'a'; c <= 'z'; c++ {
		keys = append(keys, string(c))
	}
	return append(keys, "alt+1", "alt+4", "alt+6", "alt+x", "ctrl+g", "ctrl+k", "ctrl+r", "ctrl+u", "ctrl+d", "?", ":", "/", "*", "N", "G", "E", "R", "!", "1", "5")
}

// TestAnyKeysFit presses random keys at random sizes: the driver checks after
// each that the screen has its size and holds no control characters.
func TestAnyKeysFit(t *testing.T) {
	t.Parallel()
	keys := allKeys()
	rapid.Check(t, func(rt *rapid.T) {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.Look.Plain = rapid.Bool().Draw(rt, "plain")
		a := NewApp(t.Context(), opt)
		defer a.stop()
		a.loader.bench = workbench.New()
		d := &driver{t: t, model: a, w: 120, h: 36, late: make(chan tea.Msg, 100)}
		d.Send(tea.WindowSizeMsg{Width: 120, Height: 36})
		load(t, d)
		for range rapid.IntRange(1, 30).Draw(rt, "presses") {
			if rapid.IntRange(0, 9).Draw(rt, "kind") == 0 {
				d.Resize(rapid.IntRange(1, 200).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h"))
				continue
			}
			next, _ := a.Update(d.key(rapid.SampledFrom(keys).Draw(rt, "key")))
			d.model = next
			if a.quit {
				return
			}
			d.check()
		}
	})
}

// load loads an explorer's first input at once.
func load(t *testing.T, d *driver) {
	a := d.app()
	for part := range a.opt.Changes {
		if a.opt.Changes[part] == nil {
			continue
		}
		d.Send(changedMsg{part: Part(part), more: true, change: <-a.opt.Changes[part]})
	}
	d.settle()
}

// Letters that are read at once come as one key, whose name may be that of
// another.
func TestLettersReadAtOnce(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	for _, word := range []string{"delete", "up", "end", "tab"} {
		d.Press("ctrl+u").Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(word)})
		if got := d.app().query.Value(); got != word || d.app().focus != PaneQuery {
			t.Errorf("%s typed at once gives %q", word, got)
		}
	}
	d.Press("esc", "esc").Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjj")})
	if d.app().hits.cursor != 3 {
		t.Errorf("jjj goes to row %d", d.app().hits.cursor)
	}
}
