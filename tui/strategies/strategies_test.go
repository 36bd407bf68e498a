package strategies

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"caliper/engine/selection"
	"caliper/tui/cells"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// refund is a message that is no labelled query of the demo.
const refund = "refund the customer for a cancelled booking"

// patience is how long the driver waits for work. No work of a test takes as
// long, however busy the machine is.
const patience = 20 * time.Second

// driver drives the screen on the demo, as the explorer would. Commands run
// beside the test. Their messages are delivered by settle, until and deliver.
type driver struct {
	screen.Host // nil: what a test does not need
	t           *testing.T
	s           *Screen
	bench       *workbench.Workbench
	input       workbench.Input
	state       *workbench.State
	knobs       *desk.KnobSet
	header      desk.Header
	about       screen.Case // of Explore
	hidden      bool        // another screen is on screen
	notices     []string
	copied      string
	theme       *ui.Theme
	w, h        int

	running int          // commands whose message was not taken yet
	came    chan tea.Msg // messages of commands
	kept    []tea.Msg    // those that were taken and not delivered yet
}

// loadMsg tells that the explorer is to load.
type loadMsg struct{}

// open drives the screen, which another screen still hides, with a configuration
// and Explore's query.
func open(t *testing.T, o Options, config, query string) *driver {
	t.Helper()
	o.Still = true
	d := &driver{
		t: t, bench: workbench.New(), knobs: desk.NewKnobs(), theme: ui.NewTheme(ui.Look{Plain: true}), w: 118, h: 29,
		hidden: true, about: screen.Case{Query: query, Labels: demo.QueriesFile}, came: make(chan tea.Msg, 1000),
	}
	d.input = workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Config:   &watch.File{Name: "config.yaml", Data: []byte(config)},
		Queries:  &watch.File{Name: demo.QueriesFile, Data: demo.Queries()},
	}
	o.Remember = func(string) {}
	keep := &desk.Clipper{Desktop: func(text string) error { d.copied = text; return nil }}
	d.s = New(desk.Desk{Host: d, Clip: keep, Knobs: d.knobs, Input: &d.input, Header: &d.header}, d.theme.Glyphs, o)
	d.load()
	return d.settle()
}

// onDemo drives the screen with a message until everything is selected.
func onDemo(t *testing.T, message string) *driver {
	t.Helper()
	return open(t, Options{}, string(demo.Config()), message).visit().settle()
}

func (d *driver) Context() context.Context { return d.t.Context() }
func (d *driver) Now() time.Time           { return time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC) }
func (d *driver) Case() screen.Case        { return d.about }
func (d *driver) Finding() (string, bool)  { return "", false }
func (d *driver) Load(bool) tea.Cmd        { return func() tea.Msg { return loadMsg{} } }

func (d *driver) Notify(_ ui.Level, text string) tea.Cmd {
	d.notices = append(d.notices, text)
	return nil
}

// Send turns a knob.
func (d *driver) Send(msg tea.Msg) tea.Cmd {
	if turn, ok := msg.(desk.Turn); ok && turn.By != 0 {
		d.knobs.Turn(turn.Knob, turn.By)
		return d.Load(true)
	}
	return nil
}

// load loads the trials, and shows them.
func (d *driver) load() {
	d.t.Helper()
	in := d.input
	d.knobs.Try(&in.Flags)
	in.Similarity = d.s.OpenIndex()
	state, err := d.bench.Load(d.t.Context(), in)
	if err != nil {
		d.t.Fatal(err)
	}
	before := d.state
	d.state = &state
	d.knobs.Show(d.state)
	d.s.Update(desk.Loaded{Before: before, After: d.state})
	d.follow(nil)
}

// configure loads another configuration.
func (d *driver) configure(config string) *driver {
	d.t.Helper()
	d.input.Config = &watch.File{Name: "config.yaml", Data: []byte(config)}
	d.load()
	return d.settle()
}

// visit shows the screen, and leave another one. What that begins is not
// delivered yet.
func (d *driver) visit() *driver { d.hidden = false; d.follow(nil); return d }
func (d *driver) leave() *driver { d.hidden = true; d.follow(nil); return d }

// follow runs a command and what the screen begins after it.
func (d *driver) follow(cmd tea.Cmd) {
	d.run(cmd)
	d.run(d.s.Start(!d.hidden))
}

// run runs a command beside the test.
func (d *driver) run(cmd tea.Cmd) {
	if cmd != nil {
		d.running++
		go func() { d.came <- cmd() }()
	}
}

// next returns the next message.
func (d *driver) next() tea.Msg {
	d.t.Helper()
	if len(d.kept) > 0 {
		msg := d.kept[0]
		d.kept = d.kept[1:]
		return msg
	}
	return d.await()
}

// await waits for a message.
func (d *driver) await() tea.Msg {
	d.t.Helper()
	select {
	case msg := <-d.came:
		d.running--
		return msg
	case <-time.After(patience):
		d.t.Fatalf("nothing comes any more; on screen is\n%s", d.picture())
	}
	return nil
}

// take delivers a message.
func (d *driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
	case loadMsg:
		d.load()
	default:
		d.follow(d.s.Update(msg))
	}
}

// settle delivers messages until nothing runs.
func (d *driver) settle() *driver {
	d.t.Helper()
	for d.running > 0 || len(d.kept) > 0 {
		d.take(d.next())
	}
	d.draw()
	return d
}

// until delivers messages until a text is on screen. Work may go on.
func (d *driver) until(text string) *driver {
	d.t.Helper()
	for !strings.Contains(d.picture(), text) {
		d.take(d.next())
	}
	return d
}

// deliver delivers the next message of a type, and keeps those before it back.
func (d *driver) deliver(name string) *driver {
	d.t.Helper()
	for {
		switch msg := d.await().(type) {
		case tea.BatchMsg:
			d.take(msg)
		default:
			if strings.Contains(fmt.Sprintf("%T", msg), name) {
				d.take(msg)
				return d
			}
			d.kept = append(d.kept, msg)
		}
	}
}

// named are keys by their names.
var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "ctrl+u": tea.KeyCtrlU,
}

// runes is the key of a rune.
func runes(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }

// hold presses a key and delivers nothing of what it begins.
func (d *driver) hold(name string) *driver {
	d.t.Helper()
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	if of, ok := named[name]; ok {
		k = tea.KeyMsg{Type: of}
	}
	layer := d.s.Layer().With()
	b := layer.Find(k)
	switch {
	case name == "esc":
		_ = d.s.Back() || d.s.Filter("")
	case b != nil && b.Disabled() != "":
		d.Notify(ui.LevelInfo, b.Disabled())
	case b != nil:
		d.run(b.Do())
	case layer.Type != nil:
		d.run(layer.Type(k))
	default:
		d.pressOutside(name)
	}
	d.follow(nil)
	d.draw()
	return d
}

// pressOutside does what a key of the explorer does.
func (d *driver) pressOutside(name string) {
	switch name {
	case "tab":
		d.s.Next(1)
	case "v":
		names, at := d.s.Views()
		d.s.ShowView((at + 1) % len(names))
	case "up", "k":
		d.s.Move(-1)
	case "down", "j":
		d.s.Move(1)
	case "pgdown":
		d.s.Move(d.s.Page())
	case "g":
		d.s.Move(-screen.End)
	case "G":
		d.s.Move(screen.End)
	case "R":
		d.run(d.s.Update(screen.RereadMsg{}))
	default:
		d.t.Fatalf("no key %q", name)
	}
}

// press presses keys by name, and settles after each.
func (d *driver) press(names ...string) *driver {
	d.t.Helper()
	for _, name := range names {
		d.hold(name).settle()
	}
	return d
}

// typed types a text, rune by rune.
func (d *driver) typed(text string) *driver {
	d.t.Helper()
	for _, r := range text {
		d.press(string(r))
	}
	return d
}

// say types a message in place of the one that is there.
func (d *driver) say(message string) *driver {
	d.t.Helper()
	return d.press("e", "ctrl+u").typed(message).press("enter")
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
		d.t.Fatalf("v never comes to %s, only to %s", v, d.s.view())
	}
	return d
}

// onto moves the cursor to a strategy.
func (d *driver) onto(strategy selection.Strategy) *driver {
	d.t.Helper()
	d.press("g")
	for range selection.Strategies {
		if d.s.chosen() != strategy {
			d.press("down")
		}
	}
	return d
}

// onKnob gives a knob the keys.
func (d *driver) onKnob(label string) *driver {
	d.t.Helper()
	d.s.Focus = ui.AreaKnobs
	d.s.Knob = slices.IndexFunc(selectionKnobs, func(k *desk.Knob) bool { return k.Label == label })
	d.press("down", "up")
	return d
}

// draw returns the picture inside the frame, which must be exactly as large as
// asked.
func (d *driver) draw() string {
	d.t.Helper()
	text, err := drawn(d.s, d.theme, d.w, d.h)
	if err != nil {
		d.t.Fatal(err)
	}
	return text
}

// drawn returns the picture of a screen, and how it differs from h lines of w
// cells without control characters.
func drawn(s *Screen, theme *ui.Theme, w, h int) (string, error) {
	lines := s.Draw(theme, w, h, true)
	if len(lines) != h {
		return "", fmt.Errorf("%s: %d lines, want %d", s.view(), len(lines), h)
	}
	for i, line := range lines {
		plain := ansi.Strip(line)
		if got := cells.Width(plain); got != w {
			return "", fmt.Errorf("%s: line %d has %d cells, want %d: %q", s.view(), i, got, w, line)
		}
		if strings.ContainsFunc(plain, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
			return "", fmt.Errorf("%s: line %d holds a control character: %q", s.view(), i, line)
		}
	}
	return strings.Join(lines, "\n"), nil
}

// picture returns the heading, the note, the picture and the last notice.
func (d *driver) picture() string {
	d.t.Helper()
	inside := d.draw()
	frame := d.s.Frame()
	seen := frame.Title + "\n" + frame.Note + "\n" + inside
	if n := len(d.notices); n > 0 {
		seen += "\n" + d.notices[n-1]
	}
	return seen
}

// wants checks that texts are in the picture.
func (d *driver) wants(texts ...string) *driver {
	d.t.Helper()
	seen := d.picture()
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
	seen := d.picture()
	for _, text := range texts {
		if strings.Contains(seen, text) {
			d.t.Fatalf("%q is in\n%s", text, seen)
		}
	}
	return d
}

func TestSelectionsAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).wants("> " + refund)
	d.h = 33
	for _, strategy := range selection.Strategies {
		set := selection.SettingsOf(d.state.Config.Config)
		set.Strategy, set.Now = strategy, d.Now
		x, err := selection.New(t.Context(), d.state.Snapshot, set, d.s.similarity, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := x.Select(t.Context(), refund, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.onto(strategy).wants(d.s.strategyName(strategy)+"  ", ui.Thousands(want.SchemaTokens)+" tok", ui.Percent(want.SavedPct))
		got := d.s.pick(strategy)
		if string(got.Bytes) != string(want.Bytes) || got.SchemaTokens != want.SchemaTokens || len(got.Missed) != len(want.Missed) {
			t.Errorf("%s differs from the engine's", strategy)
		}
		for _, m := range want.Missed {
			d.wants("below cutoff " + m.Tool.ShownName)
		}
		if strategy.Ranks() {
			d.wants(" K 8 ", "always sent  terminal", "ranked       mcp_payments_refund_batch", fmt.Sprintf("%.5f", want.Missed[0].Score))
		}
	}
	d.onto(selection.Hybrid).wants("keyword  semantic cosine    score", fmt.Sprintf("%.3f", *d.s.pick(selection.Hybrid).Missed[0].Similarity))
	if got, want := d.s.pick(d.s.inForce()).SchemaTokens, d.state.Budget.AfterTokens; got != want {
		t.Errorf("%d tokens are marked as sent, the budget has %d", got, want)
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).lacks("expected mcp_")
	met := func(strategy selection.Strategy) string {
		text, _ := d.s.met(d.s.pick(strategy), d.s.needs())
		return text
	}
	d.about.Expected = "mcp_payments_refund_charge"
	d.press("down").wants("expected mcp_payments_refund_charge", "◆ mcp_payments_refund_charge")
	for strategy, want := range map[selection.Strategy]string{selection.Eager: "sent", selection.Lazy: "via search", selection.ToolSearch: "via search", selection.Hybrid: "sent"} {
		if got := met(strategy); got != want {
			t.Errorf("%s: %s, want %s", strategy, got, want)
		}
	}
	d.about.Expected = "nobody"
	if got := met(selection.Eager) + met(selection.Hybrid); got != "not sentnot sent" {
		t.Errorf("a tool that is not there is %s", got)
	}
	q := d.state.Queries[0]
	d.about.Query = "  " + q.Text
	d.press("down").wants("expected " + q.Relevant[0])
	d.s.answer.selections[0].Tools = nil
	if got, _ := d.s.met(d.s.pick(selection.Eager), [][]string{{"a"}, {"terminal"}}); got != "0/2 sent" {
		t.Error(got)
	}
}

func TestBytesAreWhatIsSent(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund)
	for _, w := range []int{118, 78, 41} {
		d.w = w
		d.viewing(viewBytes)
		d.press(slices.Repeat([]string{"left"}, len(selection.Strategies))...)
		for i, strategy := range selection.Strategies {
			if i > 0 {
				d.press("right")
			}
			x := d.s.pick(d.s.chosen())
			if x.Strategy != strategy {
				t.Fatalf("right goes to %s, want %s", x.Strategy, strategy)
			}
			var text strings.Builder
			for _, line := range d.s.layoutBytes(x, w-2) {
				if !line.aside {
					text.WriteString(line.text)
				}
			}
			if text.String() != string(x.Bytes) {
				t.Fatalf("%s at %d cells: %d bytes are shown of %d", strategy, w, text.Len(), len(x.Bytes))
			}
			for i, sent := range x.Tools {
				if !strings.Contains(string(x.Bytes), `"name":"`+sent.Tool.Name+`"`) {
					t.Fatalf("%s: tool %d is not sent", strategy, i)
				}
			}
		}
		d.press("right", "left", "left", "left", "left", "left", "left", "left").wants("terminal  188 tok", "33,056 tok")
		if d.s.chosen() != selection.Eager {
			t.Errorf("left ends on %s", d.s.chosen())
		}
		d.press("G").wants("}]")
		d.press("g")
	}
}

func TestBytesOfEachToolFollowItsName(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund)
	for _, strategy := range []selection.Strategy{selection.Eager, selection.ToolSearch, selection.Hybrid} {
		lines := d.s.layoutBytes(d.s.pick(strategy), 1000)
		for i, line := range lines {
			name, _, _ := strings.Cut(line.text, " ")
			name = name[strings.Index(name, "/")+1:]
			if line.aside && name != "the" && !strings.Contains(lines[i+1].text, `"name":"`+name+`"`) {
				t.Fatalf("%s: under %s stands %s", strategy, line.text, lines[i+1].text)
			}
		}
	}
}

// Nothing is copied before it is selected.
func TestReportWaits(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, string(demo.Config()), refund).visit()
	d.run(d.s.Update(report.Case{}))
	d.wants("nothing to copy yet: selecting is not done")
	d.settle()
	d.hold("v").hold("v").hold("v")
	d.run(d.s.Update(report.Case{}))
	d.wants("nothing to copy yet: measuring every K is not done")
	if d.copied != "" {
		t.Error("it is copied")
	}
	d.settle()
}

// matches checks that a pattern is in the picture.
func (d *driver) matches(pattern string) *driver {
	d.t.Helper()
	if seen := d.picture(); !regexp.MustCompile(pattern).MatchString(seen) {
		d.t.Fatalf("%s is not in\n%s", pattern, seen)
	}
	return d
}
