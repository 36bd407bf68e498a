package results

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/cells"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// driver drives the screen on the demo, as the explorer would.
type driver struct {
	screen.Host // nil: what a test does not need
	t           *testing.T
	s           *Screen
	bench       *workbench.Workbench
	input       workbench.Input
	state       *workbench.State
	knobs       *desk.KnobSet
	choose      func(string) tea.Cmd // of the list that is open
	asked       func(string) tea.Cmd // of the box for a path that is open
	finding     *ui.Field            // the / that is open
	notices     []string
	copied      string
	theme       *ui.Theme
	w, h        int
}

// open drives the screen on files of results.
func open(t *testing.T, w, h int, o Options, files ...watch.File) *driver {
	t.Helper()
	o.Still = true
	d := &driver{t: t, bench: workbench.New(), knobs: desk.NewKnobs(), theme: ui.NewTheme(ui.Look{Plain: true}), w: w, h: h}
	d.input = workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Config:   &watch.File{Name: "config.yaml", Data: demo.Config()},
	}
	keep := &desk.Clipper{Desktop: func(text string) error { d.copied = text; return nil }}
	d.s = New(desk.Desk{Host: d, Clip: keep, Knobs: d.knobs}, d.theme.Glyphs, o)
	d.run(d.s.take(files))
	return d.load()
}

// demoFiles are the results of the demo.
func demoFiles() []watch.File {
	var files []watch.File
	for _, name := range demo.ResultFiles {
		files = append(files, watch.File{Name: "some/" + name, Data: demo.Result(name)})
	}
	return files
}

// onDemo drives the screen on the results of the demo.
func onDemo(t *testing.T, w, h int) *driver {
	t.Helper()
	return open(t, w, h, Options{}, demoFiles()...)
}

func (d *driver) Context() context.Context { return d.t.Context() }
func (d *driver) Now() time.Time           { return time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC) }
func (d *driver) Case() screen.Case        { return screen.Case{} }

func (d *driver) Notify(_ ui.Level, text string) tea.Cmd {
	d.notices = append(d.notices, text)
	return nil
}

// Do goes back.
func (d *driver) Do(ui.Action) tea.Cmd {
	_ = d.s.Back() || d.s.Filter("")
	return nil
}

func (d *driver) Choose(_ string, choices []ui.Choice, _ bool, take func(string) tea.Cmd) *ui.Chooser {
	d.choose = take
	return nil
}

func (d *driver) AskPath(_, _ string, _ bool, take func(string) tea.Cmd) tea.Cmd {
	d.asked = take
	return nil
}

func (d *driver) Find(text string) {
	d.finding = ui.NewField(100, "")
	d.finding.Set(text)
}

func (d *driver) Finding() (string, bool) { return "", d.finding != nil }

// Send turns a knob.
func (d *driver) Send(msg tea.Msg) tea.Cmd {
	if turn, ok := msg.(desk.Turn); ok && turn.By != 0 {
		d.knobs.Turn(turn.Knob, turn.By)
		d.load()
	}
	return nil
}

// load loads the trials, and shows them.
func (d *driver) load() *driver {
	d.t.Helper()
	in := d.input
	d.knobs.Try(&in.Flags)
	state, err := d.bench.Load(d.t.Context(), in)
	if err != nil {
		d.t.Fatal(err)
	}
	before := d.state
	d.state = &state
	d.knobs.Show(d.state)
	d.s.Update(desk.Loaded{Before: before, After: d.state})
	return d.run(nil)
}

// run runs a command and all that follows.
func (d *driver) run(cmd tea.Cmd) *driver {
	d.t.Helper()
	for queue := []tea.Cmd{cmd, d.s.Start(true)}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == nil {
			continue
		}
		switch msg := queue[0]().(type) {
		case nil:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			queue = append(queue, d.s.Update(msg), d.s.Start(true))
		}
	}
	return d
}

// everywhere are keys of the explorer.
func (d *driver) everywhere() []*ui.Group {
	bind := func(a ui.Action, shown, help string, do func(), keys ...string) ui.Binding {
		return ui.Bind(a, shown, help, "", keys...).Runs(do)
	}
	nothing, g := func() {}, d.theme.Glyphs
	browse := &ui.Group{Bindings: []ui.Binding{
		bind(ui.Back, "esc", "back", func() { d.Do(ui.Back) }, "esc"),
		bind(ui.Quit, "q", "quit", nothing, "q"),
		bind(ui.Help, "?", "help", nothing, "?"),
		bind(ui.Up, g.Up+" k", "up", func() { d.s.Move(-1) }, "up", "k"),
		bind(ui.Down, g.Down+" j", "down", func() { d.s.Move(1) }, "down", "j"),
		bind(ui.PageDown, "pgdn", "page down", func() { d.s.Move(d.s.Page()) }, "pgdown"),
		bind(ui.Top, "g", "first", func() { d.s.Move(-screen.End) }, "g"),
		bind(ui.View, "v", "view", func() {
			names, at := d.s.Views()
			d.s.ShowView((at + 1) % len(names))
		}, "v"),
		bind(ui.Bottom, "G", "last", func() { d.s.Move(screen.End) }, "G"),
		bind(ui.Undo, "u", "undo", func() { d.knobs.Undo(); d.load() }, "u").Unless(func() string {
			return map[bool]string{false: "nothing to undo"}[d.knobs.CanUndo()]
		}),
		bind(ui.Reset, "0", "reset", func() { d.knobs.Reset(); d.load() }, "0"),
		bind(ui.Save, "S", "save", nothing, "S"),
	}}
	places := &ui.Group{Bindings: []ui.Binding{
		bind(ui.Next, "tab", "pane", func() { d.s.Next(1) }, "tab").Says(d.s.Beside).Unless(func() string {
			return map[bool]string{true: "there is no other list"}[d.s.Beside() == ""]
		}),
		bind(ui.Help, "F1", "help", nothing, "f1"),
		bind(ui.Palette, "ctrl-p", "commands", nothing, "ctrl+p"),
	}}
	if d.s.Layer().Type != nil {
		return []*ui.Group{places}
	}
	return []*ui.Group{browse, places}
}

// named are keys by their names.
var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "ctrl+u": tea.KeyCtrlU,
}

// key delivers a key, without running what it begins.
func (d *driver) key(k tea.KeyMsg) tea.Cmd {
	layer := d.s.Layer().With(d.everywhere()...)
	b := layer.Find(k)
	switch {
	case d.finding != nil && k.Type == tea.KeyEnter:
		d.finding = nil
	case d.finding != nil:
		d.finding.Key(k)
		d.s.Filter(d.finding.Value())
	case b != nil && b.Disabled() != "":
		return d.Notify(ui.LevelInfo, b.Disabled())
	case b != nil:
		return b.Do()
	case layer.Type != nil:
		return layer.Type(k)
	case k.Paste && layer.Paste != nil:
		return layer.Paste(k)
	}
	return nil
}

// press presses keys by name, one after another.
func (d *driver) press(names ...string) *driver {
	d.t.Helper()
	for _, name := range names {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		if of, ok := named[name]; ok {
			k = tea.KeyMsg{Type: of}
		}
		d.run(d.key(k))
		d.draw()
	}
	return d
}

// typed types text, rune by rune.
func (d *driver) typed(text string) *driver {
	d.t.Helper()
	for _, r := range text {
		d.press(string(r))
	}
	return d
}

// asking types requests, one after another.
func (d *driver) asking(requests ...string) *driver {
	d.t.Helper()
	if d.s.typing != typingRequest {
		d.press("e")
	}
	for _, r := range requests {
		d.typed(r).press("enter")
	}
	return d
}

// pasted pastes a text.
func (d *driver) pasted(text string) *driver {
	d.t.Helper()
	return d.run(d.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}))
}

// viewing goes to a view.
func (d *driver) viewing(v view) *driver {
	d.t.Helper()
	for range viewCount {
		if d.s.view() != v {
			d.press("v")
		}
	}
	if d.s.view() != v {
		d.t.Fatalf("v never comes to %s, only to %s", d.s.Tabs[v].Name, d.s.Tabs[d.s.Tab].Name)
	}
	return d
}

// draw returns the picture inside the frame, which is exactly as large as
// asked.
func (d *driver) draw() string {
	d.t.Helper()
	lines := d.s.Draw(d.theme, d.w, d.h, true)
	if len(lines) != d.h {
		d.t.Fatalf("%s: %d lines, want %d", d.s.Tabs[d.s.Tab].Name, len(lines), d.h)
	}
	for i, line := range lines {
		if w := cells.Width(line); d.theme.Plain && w != d.w {
			d.t.Fatalf("%s: line %d has %d cells, want %d: %q", d.s.Tabs[d.s.Tab].Name, i, w, d.w, line)
		}
	}
	return strings.Join(lines, "\n")
}

// wants checks that texts are in the picture, the heading or the last notice.
func (d *driver) wants(texts ...string) *driver {
	d.t.Helper()
	frame := d.s.Frame()
	seen := frame.Title + "\n" + frame.Note + "\n" + d.draw()
	if n := len(d.notices); n > 0 {
		seen += "\n" + d.notices[n-1]
	}
	for _, text := range texts {
		if !strings.Contains(seen, text) {
			d.t.Fatalf("%q is not in\n%s", text, seen)
		}
	}
	return d
}

// lacks checks that texts are not in the picture.
func (d *driver) lacks(texts ...string) *driver {
	d.t.Helper()
	seen := d.draw()
	for _, text := range texts {
		if strings.Contains(seen, text) {
			d.t.Fatalf("%q is in\n%s", text, seen)
		}
	}
	return d
}
