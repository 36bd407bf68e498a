package tui

import (
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"caliper/model/require"
	"caliper/tui/activity"
	"caliper/tui/demo"
	"caliper/tui/explore"
	"caliper/tui/queries"
	"caliper/tui/replay"
	"caliper/tui/results"
	"caliper/tui/scope"
	"caliper/tui/screen"
	"caliper/tui/strategies"
	"caliper/tui/ui"
	"caliper/watch"
)

// contexts are the ways to everything that can have the keyboard, by a name:
// the keys that lead there from the query box.
var contexts = map[string]string{
	"query": "", "hits": "esc esc", "schema": "esc esc tab", "why": "shift+tab shift+tab", "dry run": "esc esc e esc", "arguments": "esc esc e",
	"find": "esc esc /", "budget": "alt+2", "scope": "alt+3", "strategies": "alt+4", "message": "alt+4 e", "queries": "alt+5",
	"results": "alt+6", "request": "alt+6 e", "paste": "alt+6 p", "activity": "alt+7",
	"palette": "ctrl+p", "copying": "esc esc y", "help": "f1", "filter of help": "f1 /", "draft": "esc esc t", "question": "alt+2 tab right S", "two states": "esc esc c down down enter",
	"value of a knob": "alt+2 tab enter", "typed text": "alt+5 a", "path": "alt+6 f",
}

// boxes are those that lie over the screen.
var boxes = []string{"palette", "help", "filter of help", "copying", "question", "two states", "value of a knob", "typed text", "path"}

// textContexts are those in which letters are typed.
var textContexts = []string{"query", "arguments", "find", "message", "request", "paste", "palette", "draft", "filter of help", "value of a knob", "typed text", "path"}

// everyLayer returns the keys that work in every context.
func everyLayer(t *testing.T) map[string]*ui.Layer {
	t.Helper()
	start := func() *driver {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.Config = filepath.Join(t.TempDir(), "config.yaml")
		require.NoError(t, os.WriteFile(opt.Config, demo.Config(), 0o600))
		d, name := startExplorer(t, opt, 120, 36), demo.ResultFiles[0]
		d.changed(screen.ResultFile, watch.File{Name: name, Data: demo.Result(name)})
		return d
	}
	all, d := map[string]*ui.Layer{}, start()
	for name, keys := range contexts {
		if strings.Contains(keys, "alt+2 tab") { // which list of Budget has the keyboard is kept
			d = start()
		}
		d.app().over, d.app().find = nil, nil
		d.Press("alt+1")
		if d.app().explore.Focus() == explore.PaneDraft {
			d.Press("esc")
		}
		for d.app().explore.Focus() != explore.PaneQuery {
			d.Press("tab")
		}
		d.Press("ctrl+u").Type("branch").Press(strings.Fields(keys)...)
		if slices.Contains(boxes, name) != (d.app().top() != nil) {
			t.Fatalf("%s: is something over the screen?\n%s", name, d.Screen())
		}
		all[name] = d.app().layer()
	}
	return all
}

// bindingsOf returns the bindings of a layer.
func bindingsOf(l *ui.Layer) (all []ui.Binding) {
	for _, g := range l.Groups {
		all = append(all, g.Bindings...)
	}
	return all
}

// In every context a key does one thing, pasted text is no key, the footer shows keys that work
// there, and text keeps its letters. Programs have taught what the keys of habit do.
func TestKeysOfEveryContext(t *testing.T) {
	t.Parallel()
	all := everyLayer(t)
	for name, l := range all {
		taken := map[string]ui.Action{}
		for _, b := range bindingsOf(l) {
			for _, key := range b.Keys() {
				if name == "dry run" && key == "ctrl+o" {
					continue // the arguments are there what the editor is wanted for
				}
				if other, ok := taken[key]; ok && other != b.Action {
					t.Errorf("%s: %s is %q and %q", name, key, other, b.Action)
				}
				taken[key] = b.Action
			}
		}
		if len(taken) == 0 {
			t.Errorf("%s has no keys", name)
		}
		for _, text := range []string{"q", "y", "]", "[q]"} {
			if b := l.Find(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}); b != nil {
				t.Errorf("%s: pasting %q does %q", name, text, b.Action)
			}
		}
		hints := l.Footer()
		if len(hints) == 0 {
			t.Errorf("%s has no hints", name)
		}
		for _, h := range l.Hints {
			if l.Binding(h.Action) == nil || h.Before != "" && l.Binding(h.Before) == nil {
				t.Errorf("%s: the hint %+v is of no binding", name, h)
			}
		}
		for _, h := range hints {
			for _, key := range h.Binding.Keys() {
				k, _ := keyNamed(key)
				if b := l.Find(k); b == nil || b.Action != h.Binding.Action {
					t.Errorf("%s: the hint %q is of %q, %s does %+v", name, h.Words, h.Binding.Action, key, b)
				}
			}
		}
		if !slices.Contains(textContexts, name) {
			continue
		}
		if l.Type == nil {
			t.Errorf("%s: nothing can be typed", name)
		}
		for _, b := range bindingsOf(l) {
			for _, key := range b.Keys() {
				if utf8.RuneCountInString(key) == 1 {
					t.Errorf("%s: %q is taken from text by %q", name, key, b.Action)
				}
			}
		}
	}
	panes := []string{"hits", "schema", "why", "dry run"}
	screens := append([]string{"budget", "scope", "strategies", "queries", "results", "activity"}, panes...)
	typing := []string{"value of a knob", "typed text", "path", "palette", "filter of help", "copying", "query", "arguments", "find", "message", "request", "paste", "draft"}
	for _, tt := range []struct {
		in   []string
		keys string
		want ui.Action
	}{
		{slices.Collect(maps.Keys(all)), "ctrl+c", ui.Interrupt}, {slices.Collect(maps.Keys(all)), "ctrl+z", ui.Suspend}, {slices.Collect(maps.Keys(all)), "esc", ui.Back},
		{[]string{"query"}, "up", ui.Up}, {[]string{"query"}, "down", ui.Down}, {[]string{"query"}, "ctrl+r", explore.History},
		{append(screens, typing...), "ctrl+p", ui.Palette}, {append(screens, typing...), "f1", ui.Help}, {append(screens, typing...), "alt+1", "explore"}, {append(screens, typing...), "alt+7", "activity"},
		{screens, "tab", ui.Next}, {screens, "shift+tab", ui.Prev}, {screens, "1", "explore"}, {screens, "[", ui.PrevScreen}, {screens, "]", ui.NextScreen}, {screens, ": ctrl+k", ui.Commands},
		{screens, "?", ui.Help}, {screens, "q", ui.Quit}, {screens, "y", ui.Copy}, {screens, "u", ui.Undo}, {screens, "0", ui.Reset}, {screens, "S", ui.Save},
		{screens, "up k", ui.Up}, {screens, "down j", ui.Down}, {screens, "pgup", ui.PageUp}, {screens, "pgdown", ui.PageDown}, {screens, "ctrl+d", ui.HalfDown}, {screens, "ctrl+u", ui.HalfUp},
		{screens, "g home", ui.Top}, {screens, "G end", ui.Bottom},
		{[]string{"hits", "schema", "budget", "scope", "strategies", "queries", "results", "activity"}, "/", ui.Find}, {[]string{"hits", "schema"}, "n", ui.NextMatch}, {[]string{"hits", "schema"}, "N", ui.PrevMatch},
		{[]string{"schema"}, "right l", explore.Expand}, {[]string{"schema"}, "left h", explore.Collapse}, {[]string{"hits", "query"}, "enter", ui.Open}, {[]string{"question"}, "y", Yes},
	} {
		for _, in := range tt.in {
			for _, name := range strings.Fields(tt.keys) {
				k, _ := keyNamed(name)
				if b := all[in].Find(k); b == nil || b.Action != tt.want {
					t.Errorf("%s: %q does %+v, want %q", in, name, b, tt.want)
				}
			}
		}
	}
}

func TestKeysExistAndHaveHelp(t *testing.T) {
	t.Parallel()
	for _, g := range explorer(t, 120, 36).app().everyGroup() {
		if g.Title == "" {
			t.Errorf("%v have no title", g.Bindings)
		}
		for i := range g.Bindings {
			b := &g.Bindings[i]
			digit := len(b.Keys()) == 1 && b.Keys()[0] >= "1" && b.Keys()[0] <= "9" // beside alt and the digit
			if b.Help().Desc == "" && !digit || b.Help().Key == "" && len(b.Keys()) > 0 {
				t.Errorf("%s: %v has no help", g.Title, b.Keys())
			}
			if ui.Width(g.Shown(b)) > helpKey {
				t.Errorf("%s: %q is too long for the help", g.Title, b.Help().Key)
			}
			for _, name := range b.Keys() {
				if k, ok := keyNamed(name); !ok || k.String() != name {
					t.Errorf("%s: bubbletea has no key %q", g.Title, name)
				}
				if name == "alt+]" {
					t.Errorf("%s: alt+] is how the terminal's answers begin", g.Title)
				}
			}
		}
	}
}

func TestPaletteEntries(t *testing.T) {
	t.Parallel()
	actions, names := map[ui.Action]bool{}, map[string]string{}
	for _, e := range explorer(t, 120, 36).app().entries() {
		if _, again := names[e.binding.Name]; again || actions[e.binding.Action] {
			t.Errorf("%q is listed twice", e.binding.Name)
		}
		actions[e.binding.Action], names[e.binding.Name] = true, e.group.Shown(e.binding)
	}
	for name, key := range map[string]string{"Copy the tool's name": "y n", "Reload the files": "R", "Switch tokenizer": ""} {
		if got, ok := names[name]; !ok || got != key {
			t.Errorf("%q stands with %q, %v", name, got, ok)
		}
	}
}

// What a key does by itself stands in the palette too. Left out is what only
// moves, edits text, or answers what lies over the screen.
func TestEveryActionHasAnEntry(t *testing.T) {
	t.Parallel()
	a := explorer(t, 120, 36).app()
	var named []ui.Action
	for _, e := range a.entries() {
		named = append(named, e.binding.Action)
	}
	moves := []ui.Action{"", ui.Up, ui.Down, ui.PageUp, ui.PageDown, ui.HalfUp, ui.HalfDown, ui.Top, ui.Bottom}
	here := []ui.Action{ui.Open, ui.Back, Yes, ui.Palette, ui.Commands, ui.Find, explore.Run, explore.KeepDraft, explore.Propose, explore.DraftLine, explore.DraftInEditor, KeepValue, TakeText}
	for _, g := range a.everyGroup() {
		for _, b := range g.Bindings {
			if strings.HasPrefix(string(b.Action), "scroll the answer") {
				continue
			}
			if !slices.Contains(slices.Concat(named, moves, here), b.Action) {
				t.Errorf("%s: %s %q has no name in the palette", g.Title, b.Help().Key, b.Help().Desc)
			}
		}
	}
}

func TestKeysInASCII(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Look = ui.Look{Plain: true, ASCII: true}
	for _, g := range startExplorer(t, opt, 120, 36).app().everyGroup() {
		for _, b := range g.Bindings {
			if text := b.Help().Key + b.Help().Desc; strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) >= 0 {
				t.Errorf("%s: %q is not ASCII", g.Title, text)
			}
		}
	}
}

// The footer fits every width, and a click on a hint does what it says.
func TestFooterFitsAnyWidth(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	a := d.app()
	for _, keys := range contexts {
		a.over, a.find = nil, nil
		a.notices.Showing = false
		d.Press("alt+1").Press(strings.Fields(keys)...)
		for w := range 200 {
			if got := ansi.StringWidth(a.drawFooter(w)); got != w {
				t.Fatalf("%s: %d cells, want %d", keys, got, w)
			}
			for _, h := range a.hints {
				if h.To > w || h.From >= h.To {
					t.Fatalf("%s, %d cells: hint at %d..%d", keys, w, h.From, h.To)
				}
			}
		}
	}
	a.over, a.find = nil, nil
	d.Press("alt+3")
	a.notices.Showing = false
	a.drawFooter(120)
	for _, h := range a.hints {
		if h.Binding.Action == ui.Help {
			a.click(image.Pt(h.From, a.layout.Footer.Min.Y))
		}
	}
	d.wants("help")
}

// A notice that the footer has no room for beside the hints is read in whole above it, and
// the hints stay. One of more lines than there are ends with the key that shows all.
func TestLongNoticesAreAboveTheFooter(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := explorer(t, size[0], size[1]).Press("esc")
		for _, level := range []ui.Level{ui.LevelBad, ui.LevelInfo, ui.LevelFlip} {
			for _, tt := range []struct {
				words int
				whole bool
			}{{size[0] / 4, true}, {size[0], false}} {
				text := strings.Repeat("word ", tt.words) + "end"
				d.app().Notify(level, text)
				d.app().picture = "" // no message has changed it
				read := strings.Join(strings.Fields(d.Screen()), " ")
				if got := strings.Contains(read, text); got != tt.whole {
					t.Errorf("%v, level %d, %d words: read in whole %t\n%s", size, level, tt.words, got, d.Screen())
				}
				if strings.Contains(read, "! all") == tt.whole || len(d.app().hints) == 0 || level == ui.LevelFlip != strings.Contains(read, "esc hide") {
					t.Errorf("%v, level %d, %d words: other keys\n%s", size, level, tt.words, d.Screen())
				}
			}
		}
	}
}

// sameMeaning are the letters that do the same to what a screen has: they edit in place,
// delete, open and close all, or read another file.
var sameMeaning = map[string][]ui.Action{
	"e": {explore.Arguments, strategies.Message, results.Request},
	"d": {explore.Forget, queries.Unlabel, strategies.DropTurn, results.Clear},
	"f": {results.OpenFile, replay.ReadSessions},
	"*": {explore.ExpandAll, queries.FoldAll, scope.FoldAll, activity.OpenAll},
}

// A letter or sign means one thing on every screen. Outside of the rule are boxes, which
// have answers of their own, the copy menu, and the keys of directions.
func TestOneLetterOneMeaning(t *testing.T) {
	t.Parallel()
	a := withEverything(t, 120, 36).app()
	k := &a.keys
	boxes := []*ui.Group{k.copy, k.menu, k.help, k.helpFilter, k.reader, k.confirm, k.leaving, k.value, k.text, k.find}
	meanings := map[string]map[ui.Action]string{}
	for _, g := range a.everyGroup() {
		if slices.Contains(boxes, g) || g.After != "" || g.Binding(activity.Approve) != nil {
			continue
		}
		for _, b := range g.Bindings {
			for _, name := range b.Keys() {
				if utf8.RuneCountInString(name) > 1 || strings.Contains("hl", name) || b.Action == "" {
					continue
				}
				if meanings[name] == nil {
					meanings[name] = map[ui.Action]string{}
				}
				if !slices.Contains(sameMeaning[name], b.Action) {
					meanings[name][b.Action] = g.Title
				}
			}
		}
	}
	for name, all := range meanings {
		if len(all) > 1 || len(all) == 1 && sameMeaning[name] != nil {
			t.Errorf("%q has %d meanings: %v", name, len(all), all)
		}
	}
	if len(meanings) < 30 {
		t.Errorf("only %d letters have a meaning", len(meanings))
	}
}

// A screen and its next view, typed at once, show the view that they show one by one.
func TestViewOfAScreenNeverDrawn(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, testOptions(demo.Registry(), demo.Config()), 80, 24).Press("esc")
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("2v")})
	d.settle()
	if !strings.Contains(d.Screen(), "[knobs]") {
		t.Error(d.Screen())
	}
}

// Every view of every screen is in the palette, and choosing it shows it or says
// what it is beside.
func TestPaletteGoesToViews(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := withEverything(t, size[0], size[1])
		labels := d.app().viewChoices()
		if len(labels) < 20 {
			t.Errorf("%v: only %d views", size, len(labels))
		}
		for _, c := range labels {
			d.Press("alt+7", "ctrl+p").Paste(c.Label).Press("enter").settle()
			a := d.app()
			name := strings.TrimPrefix(c.Label, a.screen().Name()+": ")
			names, at := a.screen().Views()
			if len(names) == 0 || a.top() != nil {
				t.Fatalf("%v: %s leads to %s", size, c.Label, d.Screen())
			}
			if names[at] != name && !strings.HasPrefix(a.notices.Text, name+" is beside ") {
				t.Errorf("%v: %s shows %s and says %q", size, c.Label, names[at], a.notices.Text)
			}
		}
	}
	withEverything(t, 80, 24).Press("ctrl+p").Type("curve").wants("Budget: curve")
}
