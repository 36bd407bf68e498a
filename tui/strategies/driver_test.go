package strategies

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

// patience is how long a driver waits for work. No work of a test takes as long, however busy
// the machine is.
const patience = 20 * time.Second

// driver drives the screen as the explorer would: it loads, turns knobs, presses keys by their
// names and checks the size of every picture. Commands run beside the test. Their messages are
// delivered by Settle, Until and Deliver alone, so that a test can look at the screen while its
// work goes on.
type driver struct {
	screen.Host // nil: what no test needs
	T           testing.TB
	S           *Screen
	Bench       *workbench.Workbench
	Input       workbench.Input
	State       *workbench.State
	Knobs       *desk.KnobSet
	Header      desk.Header
	About       screen.Case // of Explore
	Hidden      bool        // another screen is shown
	Theme       *ui.Theme
	W, H        int

	Notices []string
	Copied  string

	running int          // commands whose message was not taken yet
	came    chan tea.Msg // messages of commands
	kept    []tea.Msg    // those that were taken and not delivered yet
}

// loadMsg tells that the explorer is to load.
type loadMsg struct{}

// open drives the screen on the demo, while another screen still hides it, with a configuration
// and Explore's query.
func open(t *testing.T, o Options, config, query string) *driver {
	t.Helper()
	o.Still, o.Remember = true, func(string) {}
	d := &driver{T: t, Bench: workbench.New(), Knobs: desk.NewKnobs(), Theme: ui.NewTheme(ui.Look{Plain: true}), W: 118, H: 29, came: make(chan tea.Msg, 1000),
		Hidden: true, About: screen.Case{Query: query, Labels: demo.QueriesFile},
		Input: workbench.Input{
			Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
			Config:   &watch.File{Name: "config.yaml", Data: []byte(config)},
			Queries:  &watch.File{Name: demo.QueriesFile, Data: demo.Queries()},
		}}
	clip := &desk.Clipper{Desktop: func(text string) error { d.Copied = text; return nil }}
	d.S = New(desk.Desk{Host: d, Clip: clip, Knobs: d.Knobs, Bench: d.Bench, Input: &d.Input, Header: &d.Header}, d.Theme.Glyphs, o)
	return d.Reload().Settle()
}

// The host of the screen.

func (d *driver) Context() context.Context { return d.T.Context() }
func (d *driver) Now() time.Time           { return time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC) }
func (d *driver) Case() screen.Case        { return d.About }
func (d *driver) Load(bool) tea.Cmd        { return func() tea.Msg { return loadMsg{} } }
func (d *driver) Finding() (string, bool)  { return "", false }

func (d *driver) Notify(_ ui.Level, text string) tea.Cmd {
	d.Notices = append(d.Notices, text)
	return nil
}

func (d *driver) Do(ui.Action) tea.Cmd {
	_ = d.S.Back() || d.S.Filter("")
	return nil
}

func (d *driver) Send(msg tea.Msg) tea.Cmd {
	if turn, ok := msg.(desk.Turn); ok && turn.By != 0 {
		d.Knobs.Turn(turn.Knob, turn.By)
		return d.Load(true)
	}
	return nil
}

// Reload loads the input with what is tried, and shows it. What that begins is not delivered.
func (d *driver) Reload() *driver {
	d.T.Helper()
	in := d.Input
	d.Knobs.Try(&in.Flags)
	in.Similarity = d.S.OpenIndex()
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
func (d *driver) Configure(config string) *driver {
	d.T.Helper()
	d.Input.Config = &watch.File{Name: "config.yaml", Data: []byte(config)}
	return d.Reload()
}

// Visit shows the screen, and Leave another one. What that begins is not delivered.
func (d *driver) Visit() *driver { d.Hidden = false; return d.Follow(nil) }
func (d *driver) Leave() *driver { d.Hidden = true; return d.Follow(nil) }

// Follow begins a command, and what the screen begins after it.
func (d *driver) Follow(cmd tea.Cmd) *driver {
	d.Begin(cmd)
	d.Begin(d.S.Start(!d.Hidden))
	return d
}

// Begin runs a command beside the test.
func (d *driver) Begin(cmd tea.Cmd) {
	if cmd != nil {
		d.running++
		go func() { d.came <- cmd() }()
	}
}

// Next returns the next message; those that Deliver kept back come first.
func (d *driver) Next() tea.Msg {
	d.T.Helper()
	if len(d.kept) > 0 {
		msg := d.kept[0]
		d.kept = d.kept[1:]
		return msg
	}
	return d.await()
}

// await waits for the message of a command.
func (d *driver) await() tea.Msg {
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
func (d *driver) Take(msg tea.Msg) {
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
func (d *driver) Settle() *driver {
	d.T.Helper()
	for d.running > 0 || len(d.kept) > 0 {
		d.Take(d.Next())
	}
	d.Picture()
	return d
}

// Until delivers messages until a text is on screen. Work may go on.
func (d *driver) Until(text string) *driver {
	d.T.Helper()
	for !strings.Contains(d.Picture(), text) {
		d.Take(d.Next())
	}
	return d
}

// Deliver delivers the next message of a type, and keeps those before it back.
func (d *driver) Deliver(name string) *driver {
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
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "ctrl+u": tea.KeyCtrlU,
}

// Hold presses a key, of the screen or of the explorer, and delivers nothing of what it begins.
func (d *driver) Hold(name string) *driver {
	d.T.Helper()
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	if of, ok := named[name]; ok {
		k = tea.KeyMsg{Type: of}
	}
	layer := d.S.Layer().With()
	b := layer.Find(k)
	var cmd tea.Cmd
	switch rows := map[string]int{"up": -1, "down": 1, "g": -screen.End, "G": screen.End}; {
	case name == "esc":
		cmd = d.Do(ui.Back)
	case b != nil && b.Disabled() != "":
		cmd = d.Notify(ui.LevelInfo, b.Disabled())
	case b != nil:
		cmd = b.Do()
	case layer.Type != nil:
		cmd = layer.Type(k)
	case rows[name] != 0:
		d.S.Move(rows[name])
	case name == "tab":
		d.S.Next(1)
	case name == "v":
		names, at := d.S.Views()
		d.S.ShowView((at + 1) % len(names))
	case name == "R":
		cmd = d.S.Update(screen.RereadMsg{})
	default:
		d.T.Fatalf("no key %q", name)
	}
	d.Follow(cmd)
	d.Picture()
	return d
}

// Press presses keys by name, and settles after each.
func (d *driver) Press(names ...string) *driver {
	d.T.Helper()
	for _, name := range names {
		d.Hold(name).Settle()
	}
	return d
}

// Type types a text, rune by rune.
func (d *driver) Type(text string) *driver {
	d.T.Helper()
	return d.Press(strings.Split(text, "")...)
}

// View goes to the view of a name.
func (d *driver) View(name string) *driver {
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

// Picture returns the box of the screen, its title and its note in full, and the last notice.
// The screen has exactly the lines and cells that were asked for, and no control characters.
func (d *driver) Picture() string {
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
	frame := d.S.Frame()
	seen := append(frame.Draw(d.Theme, ui.NewBox(image.Rect(0, 0, d.W+2, d.H+2), false, true), lines), frame.Title, frame.Note)
	if n := len(d.Notices); n > 0 {
		seen = append(seen, d.Notices[n-1])
	}
	return strings.Join(seen, "\n")
}

// Wants checks that texts are in the picture, and Lacks that they are not.
func (d *driver) Wants(texts ...string) *driver { d.T.Helper(); return d.looks(true, texts) }
func (d *driver) Lacks(texts ...string) *driver { d.T.Helper(); return d.looks(false, texts) }

func (d *driver) looks(wanted bool, texts []string) *driver {
	d.T.Helper()
	seen := d.Picture()
	for _, text := range texts {
		if strings.Contains(seen, text) != wanted {
			d.T.Fatalf("%q is there: %t, in\n%s", text, !wanted, seen)
		}
	}
	return d
}
