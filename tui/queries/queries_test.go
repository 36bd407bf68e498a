package queries

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/whatif"
	"caliper/tui/atomicfile"
	"caliper/tui/cells"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// patience is how long the driver waits for work. No work of a test takes as
// long, however busy the machine is.
const patience = 20 * time.Second

// driver drives the screen on the demo, as the explorer would. Commands run
// beside the test. Their messages are delivered by settle and deliver.
type driver struct {
	screen.Host // nil: what a test does not need
	t           *testing.T
	s           *Screen
	ctx         context.Context
	quit        func()
	bench       *workbench.Workbench
	input       workbench.Input
	state       *workbench.State
	knobs       *desk.KnobSet
	hidden      bool // another screen is on screen
	explored    string
	tried       string
	notices     []string
	theme       *ui.Theme
	w, h        int

	running int          // commands whose message was not taken yet
	came    chan tea.Msg // messages of commands
	kept    []tea.Msg    // those that were taken and not delivered yet
}

// open drives the screen, which another screen still hides.
func open(t *testing.T, rivals ...string) *driver {
	t.Helper()
	d := &driver{
		t: t, bench: workbench.New(), knobs: desk.NewKnobs(), theme: ui.NewTheme(ui.Look{Plain: true}), w: 118, h: 29,
		hidden: true, came: make(chan tea.Msg, 1000),
	}
	d.ctx, d.quit = context.WithCancel(t.Context())
	d.input = workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Config:   &watch.File{Name: "config.yaml", Data: demo.Config()},
		Queries:  &watch.File{Name: demo.QueriesFile, Data: demo.Queries()},
		Rivals:   rivals,
	}
	d.s = New(desk.Desk{Host: d, Knobs: d.knobs, Bench: d.bench, Input: &d.input}, d.theme.Glyphs)
	d.load()
	return d.settle()
}

// onDemo drives the screen until the queries are evaluated.
func onDemo(t *testing.T, rivals ...string) *driver {
	t.Helper()
	return open(t, rivals...).visit().settle()
}

func (d *driver) Context() context.Context { return d.ctx }
func (d *driver) Now() time.Time           { return time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC) }
func (d *driver) Finding() (string, bool)  { return "", false }

func (d *driver) Notify(_ ui.Level, text string) tea.Cmd {
	d.notices = append(d.notices, text)
	return nil
}

// Case has the file of the demo.
func (d *driver) Case() screen.Case { return screen.Case{Labels: demo.QueriesFile} }

// Send keeps the message for Explore.
func (d *driver) Send(msg tea.Msg) tea.Cmd {
	if v, ok := msg.(screen.Visit); ok && v.Draft != nil {
		d.tried = *v.Draft
	} else if ok {
		d.explored = v.Query
	}
	return nil
}

// load loads the files, and shows what they hold.
func (d *driver) load() {
	d.t.Helper()
	state, err := d.bench.Load(d.t.Context(), d.input)
	if err != nil {
		d.t.Fatal(err)
	}
	before := d.state
	d.state = &state
	d.knobs.Show(d.state)
	d.s.Update(desk.Loaded{Before: before, After: d.state})
	d.follow(nil)
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
	default:
		d.follow(d.s.Update(msg))
	}
}

// settle delivers messages until nothing runs.
func (d *driver) settle() *driver {
	d.t.Helper()
	for len(d.kept) > 0 {
		msg := d.kept[0]
		d.kept = d.kept[1:]
		d.take(msg)
	}
	for d.running > 0 {
		d.take(d.await())
	}
	d.picture()
	return d
}

// deliver delivers the next message of a type, and keeps those before it back.
func (d *driver) deliver(name string) *driver {
	d.t.Helper()
	for {
		msg := d.await()
		if _, batch := msg.(tea.BatchMsg); batch {
			d.take(msg)
			continue
		}
		if strings.Contains(fmt.Sprintf("%T", msg), name) {
			d.take(msg)
			return d
		}
		d.kept = append(d.kept, msg)
	}
}

// hold presses a key and delivers nothing of what it begins.
func (d *driver) hold(name string) *driver {
	d.t.Helper()
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	if name == "enter" {
		k = tea.KeyMsg{Type: tea.KeyEnter}
	}
	b := d.s.Layer().With().Find(k)
	switch {
	case b != nil && b.Disabled() != "":
		d.Notify(ui.LevelInfo, b.Disabled())
	case b != nil:
		d.run(b.Do())
	default:
		keys := map[string]func(){
			"esc": func() { _ = d.s.Back() || d.s.Filter("") }, "tab": func() { d.s.Next(1) }, "j": func() { d.s.Move(1) }, "k": func() { d.s.Move(-1) },
			"pgdown": func() { d.s.Move(d.s.Page()) }, "g": func() { d.s.Move(-screen.End) }, "G": func() { d.s.Move(screen.End) },
			"v": func() { d.s.ShowView(int(d.s.view()+1) % int(viewCount)) },
		}
		keys[name]()
	}
	d.follow(nil)
	d.picture()
	return d
}

// press presses keys by name, and settles after each.
func (d *driver) press(names ...string) *driver {
	d.t.Helper()
	for _, name := range names {
		d.hold(name).settle()
	}
	return d
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

// picture returns the heading, the note, the inside of the frame, and the last
// notice.
func (d *driver) picture() string {
	d.t.Helper()
	inside, err := drawn(d.s, d.theme, d.w, d.h)
	if err != nil {
		d.t.Fatal(err)
	}
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
	for _, text := range texts {
		if seen := d.picture(); !strings.Contains(seen, text) {
			d.t.Fatalf("%q is not in\n%s", text, seen)
		}
	}
	return d
}

// lacks checks that texts are not in the picture.
func (d *driver) lacks(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if seen := d.picture(); strings.Contains(seen, text) {
			d.t.Fatalf("%q is in\n%s", text, seen)
		}
	}
	return d
}

// TestWordingIsShown: the split is seen at every width, and a filter lists one wording.
func TestWordingIsShown(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.wants("recall@5 by wording", "wording none")
	d.s.Filter("wording none")
	answers := d.s.found.evaluated.now().Worded(labels.NoWords).Answers
	if rows := d.s.rows[viewQueries]; len(rows) != len(answers) || len(rows) == 0 {
		t.Errorf("%d rows of %d queries without a word of the name", len(rows), len(answers))
	}
	long, short := report.Split(d.s.found.evaluated.splits[0])
	for _, at := range []struct {
		w, h int
		want string
	}{{76, 24, "recall@5 by wording: " + long}, {58, 24, "recall@5 by wording: " + short}, {38, 24, short}, {80, 10, "(" + short + ")"}} {
		d.w, d.h = at.w, at.h
		d.wants(at.want)
	}
	d.w, d.h = 38, 6
	d.press("tab").wants("by wording:", short[:10])
}

func TestTableIsWhatTheSnapshotsAnswer(t *testing.T) {
	t.Parallel()
	d := onDemo(t, config.Rankers...)
	if len(d.state.Rivals) != len(config.Rankers)-1 {
		t.Fatalf("%d rivals", len(d.state.Rivals))
	}
	want := map[string]labels.Evaluation{}
	for _, snapshot := range d.state.Rivals {
		e, err := labels.Evaluate(t.Context(), snapshot, d.state.Queries, nil)
		if err != nil {
			t.Fatal(err)
		}
		want[ui.Ranker(e.Ranker)] = e
	}
	shown := 0
	for line := range strings.Lines(d.picture()) {
		row := strings.Fields(line)
		if len(row) != 1+len(shownMetrics)+len(labels.WordClasses) || want[row[0]].Ranker == "" {
			continue
		}
		shown++
		for i, name := range shownMetrics {
			e := want[row[0]]
			v, _ := e.Metrics.Value(name)
			if text := fmt.Sprintf("%.1f%%", 100*v); row[1+i] != text {
				t.Errorf("%s of %s is shown as %s, is %s", name, row[0], row[1+i], text)
			}
		}
		for _, c := range labels.WordClasses {
			part := want[row[0]].Worded(c)
			v, _ := part.Metrics.Value(splitMetric)
			if text := fmt.Sprintf("%.1f%%", 100*v); row[1+len(shownMetrics)+int(c)] != text {
				t.Errorf("wording %s of %s is shown as %s, is %s", c, row[0], row[1+len(shownMetrics)+int(c)], text)
			}
			d.wants(fmt.Sprintf("%s %d ", c, len(part.Answers)))
		}
	}
	if shown != len(want) {
		t.Errorf("%d rankers are shown:\n%s", shown, d.picture())
	}
	e := want["bm25"]
	missed := e.Misses()
	d.wants(fmt.Sprintf("%d of %d missed", len(missed), len(e.Answers)))
	rows := d.s.rows[viewQueries]
	for i, a := range missed {
		if rows[i].key != queryKey(a.Query) {
			t.Errorf("row %d is %q, want the miss %q", i, rows[i].key, a.Query.Text)
		}
	}
	if len(rows) != len(e.Answers) {
		t.Errorf("%d rows of %d queries", len(rows), len(e.Answers))
	}
	d.input.Rivals = nil
	d.load()
	d.settle().lacks("fielded")
}

func TestEvaluatingIsCancelled(t *testing.T) {
	t.Parallel()
	d := open(t).visit().wants("evaluating").deliver("stepped").wants("esc cancels")
	if seen := d.picture(); !regexp.MustCompile(`evaluating \d+ of 80`).MatchString(seen) {
		t.Errorf("no progress in\n%s", seen)
	}
	if !d.s.Back() {
		t.Error("esc leaves the screen")
	}
	d.visit().wants("evaluating was cancelled", "enter starts it again", "evaluating cancelled: enter starts it again")
	d.settle() // the work ends, and nobody wants to know
	if d.s.found.evaluated != nil {
		t.Fatal("what was cancelled has an outcome")
	}
	d.wants("evaluating was cancelled").press("enter").wants("11 of 80 missed")
}

func TestCancelKeepsWhatWasFound(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.run(d.s.begin(viewQueries, true))
	d.s.Filter("cardh")
	if d.s.Filter(""); !d.s.evaluating.Running() {
		t.Fatal("a filter cancels the work")
	}
	d.hold("esc").wants("11 of 80 missed", "cancelled, enter starts it", "cardholder")
	d.settle().press("enter").wants("11 of 80 missed").lacks("cancelled, enter").press("enter")
	if d.explored == "" {
		t.Error("enter does not show the query in Explore")
	}
}

func TestLeavingAbandonsTheWork(t *testing.T) {
	t.Parallel()
	d := open(t).visit().leave()
	if d.s.evaluating.Running() {
		t.Fatal("it still runs")
	}
	if d.settle(); d.s.found.evaluated != nil {
		t.Fatal("it was not abandoned")
	}
	d.visit().settle().wants("11 of 80 missed").press("j")
	var ended context.Context
	started := make(chan struct{})
	d.run(d.s.explaining.Start(d.ctx, "other", func(ctx context.Context, _ ui.Progress) ([]whatif.Answer, error) {
		ended = ctx
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	d.take(d.await()) // the batch, whose commands begin
	<-started
	if d.leave(); ended.Err() == nil {
		t.Error("why not is still worked out")
	}
	d.settle()
}

func TestQuittingAbandonsTheWork(t *testing.T) {
	t.Parallel()
	d := open(t).visit()
	d.quit()
	if _, err := evaluate(d.ctx, d.bench, d.state, "", func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if d.settle(); d.s.evaluating.Running() {
		t.Error("it still runs")
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	d := open(t).visit()
	fails := func(err error) func(context.Context, ui.Progress) (*evaluated, error) {
		return func(context.Context, ui.Progress) (*evaluated, error) { return nil, err }
	}
	d.run(d.s.evaluating.Start(d.ctx, d.state, fails(errors.New("an old one"))))
	d.run(d.s.evaluating.Start(d.ctx, d.state, fails(errors.New("out of \x1bluck"))))
	d.settle().wants("evaluating failed: out of", "enter starts it again").lacks("an old one").press("enter").wants("11 of 80 missed")
	d.hold("v")
	d.run(d.s.surveying.Start(d.ctx, d.state, func(context.Context, ui.Progress) ([]lint.Reach, error) { return nil, context.Canceled }))
	d.settle().wants("surveying was cancelled").press("enter").wants("0 of 167, 1 partly")
	d.hold("v").wants("linting").settle().press("v").settle().press("v").settle().press("v")
	row, _ := d.s.row()
	d.run(d.s.explaining.Start(d.ctx, row.key, func(context.Context, ui.Progress) ([]whatif.Answer, error) { return nil, errors.New("no reason") }))
	d.s.answers = nil
	d.settle().wants("no reason")
}

// The folders of a file would take the room of its fault.
func TestNotWritten(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.take(atomicfile.LabelsWrittenMsg{Err: &fs.PathError{Op: "open", Path: "/far/away/q.jsonl", Err: fs.ErrPermission}})
	d.wants("not written: q.jsonl: permission denied").lacks("/far/away")
}

func TestLongWorkWaits(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.s.found = found{}
	d.s.evaluating.Hold(d.state)
	d.wants("this takes a while with 167 tools", "enter starts it").press("enter").wants("11 of 80 missed")
}

// A miss of a tool that the session may not call is told as out of scope, in the list,
// in the summary and in the keys that lead on; in a session that may, it is a miss.
func TestMissOutOfScope(t *testing.T) {
	t.Parallel()
	q := labels.Query{Relevant: []string{"mcp_chat_find_person"}}
	in := func(session string) *Screen {
		st, err := workbench.New().Load(t.Context(), workbench.Input{
			Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
			Config:   &watch.File{Name: "config.yaml", Data: demo.Config()},
			Flags:    workbench.Flags{Session: session},
		})
		if err != nil {
			t.Fatal(err)
		}
		return &Screen{found: found{evaluated: &evaluated{state: &st}}}
	}
	if !in("kanban-worker").outOfScope(&q) || in("default").outOfScope(&q) {
		t.Error("the scope of the session does not decide")
	}
	q.Relevant = append(q.Relevant, "slipway_find_boat")
	if in("kanban-worker").outOfScope(&q) {
		t.Error("one tool of two is in scope")
	}
	q.Relevant = []string{"no_such_tool"}
	if in("kanban-worker").outOfScope(&q) {
		t.Error("an unknown tool is told as out of scope")
	}
}
