// Package sides is the comparison of two states, which covers a screen: the files on disk,
// and beside it the trials, another session, another generation of the agent, the files
// before the last reload, or another registry or configuration. It has a view each of budget, ranks, scope, and
// the verdict on the change.
//
// Goals: every figure equals caliper diff's, eval's, scope's and gate's for the same two states;
// the package computes none. Non-goals: choosing between more than two states, and
// changing anything.
//
// Invariants:
//   - Update reads and waits for nothing; other states are made by a job, which a
//     new choice, a reload and closing stop;
//   - the picture belongs to the newest choice, or tells that it is being computed;
//   - scope is audited, and the change is judged, only once their views are looked at;
//   - the picture has exactly the size that is asked for.
package sides

import (
	"context"
	"image"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// view is one of the views.
type view int

const (
	budgetView view = iota
	ranksView
	scopeView
	verdictView
	viewCount
)

var viewNames = []string{"budget", "ranks", "scope", "verdict"}

// Screen is the comparison. It lies over a screen as an overlay.
type Screen struct {
	host  desk.Desk
	keys  *ui.Group
	layer *ui.Layer

	state  *workbench.State // nil until the first load
	now    *files           // that state was made of; nil when they are broken
	before *files           // before the last reload; nil for none

	open   bool
	opened bool // no picture was shown yet: the first shows what differs
	choice choice
	work   ui.Job[choice, compared]
	reach  ui.Job[choice, changes.TwoStates] // returns the fields behind Audited
	judge  ui.Job[choice, diff.GateResult]
	two    *compared // nil while it is computed
	view   view
	panes  [viewCount]report.Pane

	frame ui.Frame // as drawn last
	box   ui.Box
	top   int // line of the first row in the box
}

// files are the inputs of a load.
type files struct {
	registry []watch.File
	config   *watch.File
}

var _ screen.Overlay = (*Screen)(nil)

// New returns a comparison without a state.
func New(h desk.Desk) *Screen {
	s := &Screen{host: h}
	bind := ui.Bind
	s.keys = &ui.Group{Title: "Two states", Where: "while two states are compared", Bindings: []ui.Binding{
		bind(ui.View, "v }", "next view: budget, ranks, scope, verdict", "", "v", "}").Does(func() tea.Cmd { return s.look(s.view + 1) }),
		bind(ui.PrevView, "{", "previous view", "", "{").Does(func() tea.Cmd { return s.look(s.view - 1) }),
		bind(ui.Open, "enter", "show the tool in Explore", "", "enter").Does(s.enter).Says(func() string {
			if s.waits() {
				return "start"
			}
			return "in Explore"
		}).
			Unless(ui.When(func() bool {
				row, _ := s.pane().Row()
				return !s.waits() && (row.Tool == "" || s.state == nil)
			}, "this row is about no tool")),
		bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.pane().Filtered()) }),
	}}
	s.layer = &ui.Layer{Groups: []*ui.Group{s.keys}, Hints: ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.View.As("view"), ui.Back.As("close"), ui.CompareStates.As("compare with"),
		ui.Open, ui.Find, ui.Copy, ui.Help, ui.Palette)}
	return s
}

// Closed stops the work and drops its outcome.
func (s *Screen) Closed() {
	s.open, s.two, s.panes = false, nil, [viewCount]report.Pane{}
	s.work.Reset()
	s.reach.Reset()
	s.judge.Reset()
}

// Update handles the messages of the work.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		s.state = msg.After
		var now *files
		if in := s.host.Input; len(msg.After.Errors) == 0 {
			now = &files{in.Registry, in.Config}
		}
		if msg.Reload != nil && s.now != nil {
			s.before = s.now
		}
		if now != nil {
			s.now = now
		}
		if !s.open {
			return nil
		}
		return s.begin()
	case report.Case:
		if s.two == nil {
			return s.host.Notify(ui.LevelInfo, "nothing to copy: the comparison is being computed")
		}
		return s.host.Clip.CopyReport("repro of two states", s.two.Issue(msg, s.two.commands))
	}
	if done, cmd, mine := s.work.Update(msg); mine {
		if done != nil {
			s.two = done
			if s.opened && !done.BudgetDiffers() && done.RanksDiffer() {
				s.view = ranksView
			}
			s.opened = false
			s.fill()
			return s.seek(false)
		}
		return cmd
	}
	if verdict, cmd, mine := s.judge.Update(msg); mine {
		if verdict != nil && s.two != nil {
			s.two.Gate = verdict
			s.fill()
		}
		return cmd
	}
	done, cmd, mine := s.reach.Update(msg)
	if mine && done != nil && s.two != nil {
		s.two.Audited, s.two.Reaches, s.two.Violations, s.two.Elsewhere = true, done.Reaches, done.Violations, done.Elsewhere
		s.fill()
	}
	return cmd
}

// begin starts to compare the current choice.
func (s *Screen) begin() tea.Cmd {
	s.two = nil
	s.reach.Reset()
	s.judge.Reset()
	if s.state == nil {
		s.work.Reset()
		return s.host.Notify(ui.LevelInfo, "nothing is loaded yet")
	}
	w := work{bench: s.host.Bench, saved: *s.state.OnDisk(), tried: *s.state, input: *s.host.Input,
		before: s.before, choice: s.choice, query: s.host.Case().Query}
	w.input.Rivals, w.input.Progress = nil, nil
	w.input.Flags.Knobs, w.input.Flags.Edits = nil, nil
	w.input.Flags.Session = w.saved.Snapshot.Session.Name
	return s.work.Start(s.host.Context(), s.choice, w.run)
}

// Choose opens the comparison with a state that Choices named, or with a file.
func (s *Screen) Choose(id, path string) tea.Cmd {
	if !s.open {
		s.opened, s.view = true, budgetView
	}
	s.open, s.choice = true, choice{id, path}
	if int(s.view) >= len(s.views()) {
		s.view = budgetView
	}
	s.panes = [viewCount]report.Pane{}
	return s.begin()
}

// Layer returns the keys.
func (s *Screen) Layer() *ui.Layer { return s.layer }

// Groups returns the keys for the help and the palette.
func (s *Screen) Groups() []*ui.Group { return s.layer.Groups }

// Move moves the cursor.
func (s *Screen) Move(by int) { s.pane().Move(by) }

// Filter shows only the rows that contain a text; it returns false when there was nothing to clear.
func (s *Screen) Filter(text string) bool { return s.two != nil && s.pane().Filter(text) }

// Page returns the rows of a page.
func (s *Screen) Page() int { return s.pane().Page() }

// Click closes the comparison when it is outside of it; Press handles the others.
func (s *Screen) Click(int) tea.Cmd { return nil }

// Press selects the row at a cell, or the view whose tab is there.
func (s *Screen) Press(x, y int) tea.Cmd {
	if i, ok := s.frame.TabAt(s.box, image.Pt(x, y)); ok {
		return s.look(view(i))
	}
	s.pane().Press(y - 1 - s.top)
	return nil
}

// views returns the names of the views; two sessions have no verdict, being no change.
func (s *Screen) views() []string {
	if strings.HasPrefix(s.choice.id, idSession) { // one configuration is before no change
		return viewNames[:verdictView]
	}
	return viewNames
}

// look shows a view.
func (s *Screen) look(v view) tea.Cmd {
	n := view(len(s.views()))
	s.view, s.opened = (v+n)%n, false
	s.fill()
	return s.seek(false)
}

// seek begins the work that the view needs.
func (s *Screen) seek(asked bool) tea.Cmd {
	if s.two == nil || s.two.Audited || s.view != scopeView || s.reach.Running || s.reach.Waits() && !asked {
		return s.decide(asked)
	}
	if s.two.questions() > auditAtOnce && !asked {
		s.reach.Hold(s.choice)
		return s.decide(asked)
	}
	bench := s.host.Bench
	states := s.two.states
	audits := s.two.audits
	return tea.Batch(s.reach.Start(s.host.Context(), s.choice, func(ctx context.Context, progress ui.Progress) (out changes.TwoStates, err error) {
		var found [2]engine.Audit
		for i := range audits {
			a, err := bench.Audit(ctx, states[i], engine.Auditing{Earlier: found[0], Progress: func(done, total int) { progress(i*total+done, audits*total) }})
			if err != nil {
				return out, err
			}
			found[i] = a
		}
		if audits == 1 {
			found[1] = found[0]
		}
		was, is := states[0].Snapshot.Session.Name, states[1].Snapshot.Session.Name
		old, _ := found[0].Session(was)
		now, _ := found[1].Session(is)
		out.Reaches, out.Violations = diff.Reaches(old, now), [2]int{found[0].Violations(), found[1].Violations()}
		if audits == 1 {
			return out, nil
		}
		out.Elsewhere = map[string][]diff.ReachChange{}
		for _, s := range found[0].Sessions {
			other, both := found[1].Session(s.Name)
			if both && (s.Name != was || s.Name != is) {
				out.Elsewhere[s.Name] = diff.Reaches(s, other)
			}
		}
		return out, nil
	}), s.decide(asked))
}
