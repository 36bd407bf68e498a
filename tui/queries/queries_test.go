package queries

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/whatif"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/internal/stage"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// driver drives the screen on the demo.
type driver = stage.Stage[*Screen]

// open drives the screen, which another screen still hides.
func open(t *testing.T, rivals ...string) *driver {
	t.Helper()
	in := stage.Demo(demo.Config())
	in.Queries, in.Rivals = &watch.File{Name: demo.QueriesFile, Data: demo.Queries()}, rivals
	d := stage.Open(t, 118, 29, in, New)
	d.Hidden, d.About = true, screen.Case{Labels: demo.QueriesFile}
	return d.Reload().Settle()
}

// onDemo drives the screen until the queries are evaluated.
func onDemo(t *testing.T, rivals ...string) *driver {
	t.Helper()
	return open(t, rivals...).Visit().Settle()
}

// TestWordingIsShown: the split is seen at every width, and a filter lists one wording.
func TestWordingIsShown(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.Wants("recall@5 by wording", "wording none")
	d.S.Filter("wording none")
	answers := d.S.found.evaluated.now().Worded(labels.NoWords).Answers
	if rows := d.S.rows[viewQueries]; len(rows) != len(answers) || len(rows) == 0 {
		t.Errorf("%d rows of %d queries without a word of the name", len(rows), len(answers))
	}
	long, short := report.Split(d.S.found.evaluated.splits[0])
	for _, at := range []struct {
		w, h int
		want string
	}{{76, 24, "recall@5 by wording: " + long}, {58, 24, "recall@5 by wording: " + short}, {38, 24, short}, {80, 10, "(" + short + ")"}} {
		d.W, d.H = at.w, at.h
		d.Wants(at.want)
	}
	d.W, d.H = 38, 6
	d.Press("tab").Wants("by wording:", short[:10])
}

func TestTableIsWhatTheSnapshotsAnswer(t *testing.T) {
	t.Parallel()
	d := onDemo(t, config.Rankers...)
	if len(d.State.Rivals) != len(config.Rankers)-1 {
		t.Fatalf("%d rivals", len(d.State.Rivals))
	}
	want := map[string]labels.Evaluation{}
	for _, snapshot := range d.State.Rivals {
		e, err := labels.Evaluate(t.Context(), snapshot, d.State.Queries, nil)
		require.NoError(t, err)
		want[ui.Ranker(e.Ranker)] = e
	}
	shown := 0
	for _, line := range d.Drawn() {
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
			d.Wants(fmt.Sprintf("%s %d ", c, len(part.Answers)))
		}
	}
	if shown != len(want) {
		t.Errorf("%d rankers are shown:\n%s", shown, d.Picture())
	}
	e := want["bm25"]
	missed := e.Misses()
	d.Wants(fmt.Sprintf("%d of %d missed", len(missed), len(e.Answers)))
	rows := d.S.rows[viewQueries]
	for i, a := range missed {
		if rows[i].key != queryKey(a.Query) {
			t.Errorf("row %d is %q, want the miss %q", i, rows[i].key, a.Query.Text)
		}
	}
	if len(rows) != len(e.Answers) {
		t.Errorf("%d rows of %d queries", len(rows), len(e.Answers))
	}
	d.Input.Rivals = nil
	d.Reload()
	d.Settle().Lacks("fielded")
}

func TestEvaluatingIsCancelled(t *testing.T) {
	t.Parallel()
	d := open(t).Visit().Wants("evaluating").Deliver("stepped").Wants("esc cancels")
	if seen := d.Picture(); !regexp.MustCompile(`evaluating \d+ of 80`).MatchString(seen) {
		t.Errorf("no progress in\n%s", seen)
	}
	if !d.S.Back() {
		t.Error("esc leaves the screen")
	}
	d.Visit().Wants("evaluating was cancelled", "enter starts it again", "evaluating cancelled: enter starts it again")
	d.Settle() // the work ends, and nobody wants to know
	if d.S.found.evaluated != nil {
		t.Fatal("what was cancelled has an outcome")
	}
	d.Wants("evaluating was cancelled").Press("enter").Wants("11 of 80 missed")
}

func TestCancelKeepsWhatWasFound(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.Begin(d.S.begin(viewQueries, true))
	d.S.Filter("cardh")
	if d.S.Filter(""); !d.S.evaluating.Running {
		t.Fatal("a filter cancels the work")
	}
	d.Hold("esc").Wants("11 of 80 missed", "cancelled, enter starts it", "cardholder")
	d.Settle().Press("enter").Wants("11 of 80 missed").Lacks("cancelled, enter").Press("enter")
	if d.Sent == nil {
		t.Error("enter does not show the query in Explore")
	}
}

func TestLeavingAbandonsTheWork(t *testing.T) {
	t.Parallel()
	d := open(t).Visit().Leave()
	if d.S.evaluating.Running {
		t.Fatal("it still runs")
	}
	if d.Settle(); d.S.found.evaluated != nil {
		t.Fatal("it was not abandoned")
	}
	d.Visit().Settle().Wants("11 of 80 missed").Press("j")
	var ended context.Context
	started := make(chan struct{})
	d.Begin(d.S.explaining.Start(d.Context(), "other", func(ctx context.Context, _ ui.Progress) ([]whatif.Answer, error) {
		ended = ctx
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	d.Take(d.Next()) // the batch, whose commands begin
	<-started
	if d.Leave(); ended.Err() == nil {
		t.Error("why not is still worked out")
	}
	d.Settle()
}

func TestFailures(t *testing.T) {
	t.Parallel()
	d := open(t).Visit()
	fails := func(err error) func(context.Context, ui.Progress) (*evaluated, error) {
		return func(context.Context, ui.Progress) (*evaluated, error) { return nil, err }
	}
	d.Begin(d.S.evaluating.Start(d.Context(), d.State, fails(errors.New("an old one"))))
	d.Begin(d.S.evaluating.Start(d.Context(), d.State, fails(errors.New("out of \x1bluck"))))
	d.Settle().Wants("evaluating failed: out of", "enter starts it again").Lacks("an old one").Press("enter").Wants("11 of 80 missed")
	d.Hold("v")
	d.Begin(d.S.surveying.Start(d.Context(), d.State, func(context.Context, ui.Progress) ([]lint.Reach, error) { return nil, context.Canceled }))
	d.Settle().Wants("surveying was cancelled").Press("enter").Wants("0 of 167, 1 partly")
	d.Hold("v").Wants("linting").Settle().Press("v").Settle().Press("v").Settle().Press("v")
	row, _ := d.S.row()
	d.Begin(d.S.explaining.Start(d.Context(), row.key, func(context.Context, ui.Progress) ([]whatif.Answer, error) { return nil, errors.New("no reason") }))
	d.S.answers = nil
	d.Settle().Wants("no reason")
}

// The folders of a file would take the room of its fault.
func TestNotWritten(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.Take(workbench.LabelsWrittenMsg{Err: &fs.PathError{Op: "open", Path: "/far/away/q.jsonl", Err: fs.ErrPermission}})
	d.Wants("not written: q.jsonl: permission denied").Lacks("/far/away")
}

func TestLongWorkWaits(t *testing.T) {
	t.Parallel()
	d := onDemo(t)
	d.S.found = found{}
	d.S.evaluating.Hold(d.State)
	d.Wants("this takes a while with 167 tools", "enter starts it").Press("enter").Wants("11 of 80 missed")
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
		require.NoError(t, err)
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
