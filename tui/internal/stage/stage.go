// Package stage is the part of the explorer that the tests of a screen need: a host that loads,
// turns knobs and keeps what it is told, keys by their names, and pictures whose size is checked.
//
// Commands run beside the test. Their messages are delivered by Settle, Until and Deliver alone,
// so that a test can look at a screen while its work goes on.
package stage

import (
	"context"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// patience is how long a stage waits for work. No work of a test takes as long, however busy
// the machine is.
const patience = 20 * time.Second

// Stage drives a screen as the explorer would.
type Stage[S screen.Framed] struct {
	screen.Host // nil: what no test needs
	T           testing.TB
	S           S
	Bench       *workbench.Workbench
	Input       workbench.Input
	Loading     func(*workbench.Input) // changes the input of every load; nil for nothing
	State       *workbench.State
	Knobs       *desk.KnobSet
	Header      desk.Header
	About       screen.Case // of Explore
	Hidden      bool        // another screen is shown
	Theme       *ui.Theme
	W, H        int

	Notices []string
	Copied  string
	Sent    tea.Msg              // the last that was sent, but for turned knobs
	Chosen  func(string) tea.Cmd // takes the choice of the list that was opened last
	Asked   func(string) tea.Cmd // takes the path of the box that was opened last

	find    *ui.Field    // the / that is open
	running int          // commands whose message was not taken yet
	came    chan tea.Msg // messages of commands
	kept    []tea.Msg    // those that were taken and not delivered yet
}

// loadMsg tells that the explorer is to load.
type loadMsg struct{}

// Demo returns the files of the demo with a configuration.
func Demo(config []byte) workbench.Input {
	return workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Config:   &watch.File{Name: "config.yaml", Data: config},
	}
}

// Open returns a stage of w×h cells that has a screen, and no state yet.
func Open[S screen.Framed](t testing.TB, w, h int, in workbench.Input, build func(desk.Desk, ui.Glyphs) S) *Stage[S] {
	t.Helper()
	d := &Stage[S]{T: t, Bench: workbench.New(), Input: in, Knobs: desk.NewKnobs(), Theme: ui.NewTheme(ui.Look{Plain: true}), W: w, H: h, came: make(chan tea.Msg, 1000)}
	clip := &desk.Clipper{Desktop: func(text string) error { d.Copied = text; return nil }}
	d.S = build(desk.Desk{Host: d, Clip: clip, Knobs: d.Knobs, Bench: d.Bench, Input: &d.Input, Header: &d.Header}, d.Theme.Glyphs)
	return d
}

// The host of the screen.

func (d *Stage[S]) Context() context.Context { return d.T.Context() }
func (d *Stage[S]) Now() time.Time           { return time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC) }
func (d *Stage[S]) Case() screen.Case        { return d.About }
func (d *Stage[S]) Load(bool) tea.Cmd        { return func() tea.Msg { return loadMsg{} } }

func (d *Stage[S]) Notify(_ ui.Level, text string) tea.Cmd {
	d.Notices = append(d.Notices, text)
	return nil
}

func (d *Stage[S]) Do(ui.Action) tea.Cmd {
	_ = d.S.Back() || d.S.Filter("")
	return nil
}

func (d *Stage[S]) Send(msg tea.Msg) tea.Cmd {
	turn, ok := msg.(desk.Turn)
	switch {
	case !ok:
		d.Sent = msg
	case turn.By != 0:
		d.Knobs.Turn(turn.Knob, turn.By)
		return d.Load(true)
	}
	return nil
}

func (d *Stage[S]) Choose(_ string, _ []ui.Choice, _ bool, take func(string) tea.Cmd) *ui.Chooser {
	d.Chosen = take
	return nil
}

func (d *Stage[S]) AskPath(_, _ string, _ bool, take func(string) tea.Cmd) tea.Cmd {
	d.Asked = take
	return nil
}

func (d *Stage[S]) Find(text string) {
	d.find = ui.NewField(100, "")
	d.find.Set(text)
}

func (d *Stage[S]) Finding() (string, bool) {
	if d.find == nil {
		return "", false
	}
	return "/" + d.find.Value() + "_", true
}

// Reload loads the input with what is tried, and shows it. What that begins is not delivered.
func (d *Stage[S]) Reload() *Stage[S] {
	d.T.Helper()
	in := d.Input
	d.Knobs.Try(&in.Flags)
	if d.Loading != nil {
		d.Loading(&in)
	}
	state, err := d.Bench.Load(d.T.Context(), in)
	if err != nil {
		d.T.Fatal(err)
	}
	before := d.State
	d.State = &state
	d.Knobs.Show(d.State)
	d.S.Update(desk.Loaded{Before: before, After: d.State})
	return d.Follow(nil)
}

// Configure loads another configuration. What that begins is not delivered.
func (d *Stage[S]) Configure(config string) *Stage[S] {
	d.T.Helper()
	d.Input.Config = &watch.File{Name: "config.yaml", Data: []byte(config)}
	return d.Reload()
}

// Visit shows the screen, and Leave another one. What that begins is not delivered.
func (d *Stage[S]) Visit() *Stage[S] { d.Hidden = false; return d.Follow(nil) }
func (d *Stage[S]) Leave() *Stage[S] { d.Hidden = true; return d.Follow(nil) }

// Follow begins a command, and what the screen begins after it.
func (d *Stage[S]) Follow(cmd tea.Cmd) *Stage[S] {
	d.Begin(cmd)
	d.Begin(d.S.Start(!d.Hidden))
	return d
}

// Run is Follow, and delivers all that comes of it.
func (d *Stage[S]) Run(cmd tea.Cmd) *Stage[S] { d.T.Helper(); return d.Follow(cmd).Settle() }

// Begin runs a command beside the test.
func (d *Stage[S]) Begin(cmd tea.Cmd) {
	if cmd != nil {
		d.running++
		go func() { d.came <- cmd() }()
	}
}

// Next returns the next message; those that Deliver kept back come first.
func (d *Stage[S]) Next() tea.Msg {
	d.T.Helper()
	if len(d.kept) > 0 {
		msg := d.kept[0]
		d.kept = d.kept[1:]
		return msg
	}
	return d.await()
}

// await waits for the message of a command.
func (d *Stage[S]) await() tea.Msg {
	d.T.Helper()
	select {
	case msg := <-d.came:
		d.running--
		return msg
	case <-time.After(patience):
		d.T.Fatalf("nothing comes any more; on screen is\n%s", d.Picture())
	}
	return nil
}

// Take delivers a message.
func (d *Stage[S]) Take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.Begin(cmd)
		}
	case loadMsg:
		d.Reload()
	default:
		d.Follow(d.S.Update(msg))
	}
}

// Settle delivers messages until nothing runs.
func (d *Stage[S]) Settle() *Stage[S] {
	d.T.Helper()
	for d.running > 0 || len(d.kept) > 0 {
		d.Take(d.Next())
	}
	d.Picture()
	return d
}

// Until delivers messages until a text is on screen. Work may go on.
func (d *Stage[S]) Until(text string) *Stage[S] {
	d.T.Helper()
	for !strings.Contains(d.Picture(), text) {
		d.Take(d.Next())
	}
	return d
}

// Deliver delivers the next message of a type, and keeps those before it back.
func (d *Stage[S]) Deliver(name string) *Stage[S] {
	d.T.Helper()
	for {
		msg := d.await()
		if _, batch := msg.(tea.BatchMsg); batch {
			d.Take(msg)
		} else if strings.Contains(fmt.Sprintf("%T", msg), name) {
			d.Take(msg)
			return d
		} else {
			d.kept = append(d.kept, msg)
		}
	}
}

// named are keys by their names.
var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "ctrl+u": tea.KeyCtrlU,
}

// Key returns the command of a key, of the screen or of the explorer.
func (d *Stage[S]) Key(name string) tea.Cmd {
	d.T.Helper()
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	if of, ok := named[name]; ok {
		k = tea.KeyMsg{Type: of}
	}
	layer := d.S.Layer().With()
	b := layer.Find(k)
	switch {
	case d.find != nil && k.Type == tea.KeyEnter:
		d.find = nil
	case d.find != nil && k.Type != tea.KeyEsc:
		d.find.Key(k)
		d.S.Filter(d.find.Value())
	case name == "esc":
		d.find = nil
		d.Do(ui.Back)
	case b != nil && b.Disabled() != "":
		return d.Notify(ui.LevelInfo, b.Disabled())
	case b != nil:
		return b.Do()
	case layer.Type != nil:
		return layer.Type(k)
	default:
		return d.outside(name)
	}
	return nil
}

// outside does what a key of the explorer does.
func (d *Stage[S]) outside(name string) tea.Cmd {
	d.T.Helper()
	rows := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgdown": d.S.Page(), "g": -screen.End, "G": screen.End}
	switch by, moves := rows[name]; {
	case moves:
		d.S.Move(by)
	case name == "tab":
		d.S.Next(1)
	case name == "v":
		names, at := d.S.Views()
		d.S.ShowView((at + 1) % len(names))
	case name == "0":
		d.Knobs.Reset()
		return d.Load(true)
	case name == "u":
		d.Knobs.Undo()
		return d.Load(true)
	case name == "R":
		return d.S.Update(screen.RereadMsg{})
	default:
		d.T.Fatalf("no key %q", name)
	}
	return nil
}

// Hold presses a key and delivers nothing of what it begins.
func (d *Stage[S]) Hold(name string) *Stage[S] {
	d.T.Helper()
	d.Follow(d.Key(name))
	d.Picture()
	return d
}

// Press presses keys by name, and settles after each.
func (d *Stage[S]) Press(names ...string) *Stage[S] {
	d.T.Helper()
	for _, name := range names {
		d.Hold(name).Settle()
	}
	return d
}

// Type types a text, rune by rune.
func (d *Stage[S]) Type(text string) *Stage[S] {
	d.T.Helper()
	return d.Press(strings.Split(text, "")...)
}

// Paste pastes a text.
func (d *Stage[S]) Paste(text string) *Stage[S] {
	d.T.Helper()
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}
	if layer := d.S.Layer(); layer.Type != nil {
		return d.Run(layer.Type(k))
	}
	return d.Run(d.S.Layer().Paste(k))
}

// View goes to the view of a name.
func (d *Stage[S]) View(name string) *Stage[S] {
	d.T.Helper()
	d.Picture() // at another size there may be other views
	names, at := d.S.Views()
	for range names {
		if names[at] == name {
			return d
		}
		d.Press("v")
		names, at = d.S.Views()
	}
	d.T.Fatalf("v never comes to %s, only to %v", name, names)
	return d
}

// Drawn returns the picture of the screen, which has exactly the lines and cells that were asked
// for, and no control characters.
func (d *Stage[S]) Drawn() []string {
	d.T.Helper()
	lines := d.S.Draw(d.Theme, d.W, d.H, true)
	if len(lines) != d.H {
		d.T.Fatalf("%d lines, want %d", len(lines), d.H)
	}
	for i, line := range lines {
		plain := ansi.Strip(line)
		if got := ui.Width(plain); got != d.W || strings.ContainsFunc(plain, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
			d.T.Fatalf("line %d has %d cells, want %d without control characters: %q", i, got, d.W, line)
		}
	}
	return lines
}

// Picture returns the box of the screen, its title and its note in full, and the last notice.
func (d *Stage[S]) Picture() string {
	d.T.Helper()
	lines := d.Drawn()
	frame := d.S.Frame()
	seen := append(frame.Draw(d.Theme, ui.NewBox(image.Rect(0, 0, d.W+2, d.H+2), false, true), lines), frame.Title, frame.Note)
	if n := len(d.Notices); n > 0 {
		seen = append(seen, d.Notices[n-1])
	}
	return strings.Join(seen, "\n")
}

// Wants checks that texts are in the picture, and Lacks that they are not.
func (d *Stage[S]) Wants(texts ...string) *Stage[S] { d.T.Helper(); return d.looks(true, texts) }
func (d *Stage[S]) Lacks(texts ...string) *Stage[S] { d.T.Helper(); return d.looks(false, texts) }

func (d *Stage[S]) looks(wanted bool, texts []string) *Stage[S] {
	d.T.Helper()
	seen := d.Picture()
	for _, text := range texts {
		if strings.Contains(seen, text) != wanted {
			d.T.Fatalf("%q is there: %t, in\n%s", text, !wanted, seen)
		}
	}
	return d
}
