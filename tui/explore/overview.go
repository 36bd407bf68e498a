package explore

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/lint"
	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// overview is the first thing that a user reads: what tool search saves, how many labelled
// queries miss their tool, in how many tools lint finds errors, and which agent is simulated.
// The why pane shows it while no query is typed. Until the user goes to a tool, it has the
// whole column beside the list. Each line leads to what it tells.
type overview struct {
	missing ui.Job[*workbench.State, int] // how many labelled queries miss their tool
	missed  *int                          // nil: not known
	linting ui.Job[*workbench.State, int] // in how many tools lint finds errors
	errors  *int                          // nil: not known
	skills  []string                      // what agents list of them
	cursor  int                           // the fact that enter goes to
	list    ui.Window
	lines   []int // the fact on each line as drawn last; -1 for none
}

// lintUnasked is the largest catalog that is linted without being asked for.
const lintUnasked = 2_000

// showsOverview reports whether the why pane shows the overview: there is no score to explain.
func (s *Screen) showsOverview() bool { return s.state != nil && s.why.state == whyNothing }

// untouched reports whether no query is typed, no tool is gone to, and none is pinned.
func (s *Screen) untouched() bool {
	return s.showsOverview() && s.hits.cursor <= 0 && s.pin.name == ""
}

// opening reports whether the overview stands alone beside the hits, which nobody has gone to.
func (s *Screen) opening() bool {
	return s.untouched() && (s.focus == PaneQuery || s.focus == PaneWhy)
}

// askOverview begins to count what the overview does not know, while it can be seen.
func (s *Screen) askOverview(visible bool) tea.Cmd {
	v := &s.overview
	if !visible || !s.showsOverview() {
		v.missing.Abandon()
		v.linting.Abandon()
		return nil
	}
	st := s.state
	var cmds []tea.Cmd
	if !v.missing.Begun || v.missing.Of != st {
		v.missed = nil
		if len(st.Queries)*len(st.Snapshot.Catalog()) > desk.EvaluateAtOnce {
			v.missing.Hold(st)
		} else {
			cmds = append(cmds, v.missing.Start(s.host.Context(), st, func(ctx context.Context, _ ui.Progress) (int, error) {
				e, err := workbench.Evaluate(ctx, st.Snapshot.Unasked(), st.Queries, nil)
				return len(e.Misses()), err
			}))
		}
	}
	if !v.linting.Begun || v.linting.Of != st {
		v.errors, v.skills = nil, nil
		for _, l := range st.SkillLists() {
			v.skills = append(v.skills, report.SkillsBrief(l))
		}
		if len(st.Snapshot.Catalog()) > lintUnasked {
			v.linting.Hold(st)
		} else {
			cmds = append(cmds, v.linting.Start(s.host.Context(), st, func(ctx context.Context, _ ui.Progress) (int, error) {
				faults, err := lint.Errors(ctx, st.Snapshot)
				tools := map[*model.Tool]bool{}
				for _, f := range faults {
					tools[f.Tool] = true
				}
				return len(tools), err
			}))
		}
	}
	return tea.Batch(cmds...)
}

// fact is one sentence of the overview, in full and in short.
type fact struct {
	style       ui.Style
	long, short string
	where       string         // what it leads to; empty: nowhere
	enter       func() tea.Cmd // goes there
}

// facts returns the sentences of the overview. A figure that is not known is left out.
func (s *Screen) facts(t *ui.Theme) []fact {
	agent := s.state.Snapshot.Host().Called()
	var facts []fact
	if len(s.state.Snapshot.Registry.Tools) > 0 { // else nothing is known
		b := s.state.Budget
		f := fact{style: t.Ok, where: "Budget", enter: s.shows("Budget", "")}
		by, short := "tool search", "search"
		if engine.PreSelects(b.Selection) {
			by, short = "selection "+b.Selection, b.Selection
		}
		switch saved := ui.Percent(b.SavedPct); {
		case !b.Measured():
			f.style, f.long, f.short = t.Faint, "what the agent sends beside its search is not measured", "sent with search: not measured"
		case !b.Active && b.AfterTokens == b.EagerTokens:
			f.style, f.long, f.short = t.Text, by+" is OFF: all tools are sent", short+" OFF: all are sent"
		case b.SavedTokens <= 0:
			f.style, f.long, f.short = t.Bad, by+" saves nothing", short+" saves nothing"
		default:
			f.long, f.short = by+" saves "+saved+" of the tokens", short+" saves "+saved
		}
		v := &s.overview
		asked := fact{style: t.Text, where: "Queries", enter: s.shows("Queries", "queries")}
		switch of := ui.LabelledQueries(len(s.state.Queries)); {
		case len(s.state.Queries) == 0:
			asked = fact{style: t.Text, long: "no query is labelled yet: type one, tab to the hits, a on the tool that answers it", short: "a labels a query, on its hit"}
		case v.missing.Held:
			asked.long, asked.short = of+": enter counts those that miss their tool", of+" to ask"
		case v.missed == nil && v.missing.Waits():
			asked.long, asked.short = of, of
		case v.missed == nil:
			asked.long, asked.short = of+": counting those that miss their tool", of+", counting"
		case *v.missed == 0:
			asked.style, asked.long, asked.short = t.Ok, "0 of "+of+" miss their tool", "no labelled query misses"
		case !s.state.Budget.Active: // the model would need a search, and makes none
			n := ui.Thousands(*v.missed) + " of "
			asked.long, asked.short = "a search misses "+n+of, n+ui.Thousands(len(s.state.Queries))+" would miss"
		default:
			n := ui.Thousands(*v.missed) + " of "
			asked.style, asked.long, asked.short = t.Bad, n+of+" miss their tool", n+ui.Thousands(len(s.state.Queries))+" queries miss"
		}
		facts = append(facts, asked)
		if v.errors != nil && *v.errors > 0 {
			n, errorsIn := ui.Count(*v.errors, "tool"), " have errors in their definitions"
			if *v.errors == 1 {
				errorsIn = " has errors in its definition"
			}
			facts = append(facts, fact{t.Bad, n + errorsIn, n + " with errors", "Queries, findings", s.shows("Queries", "findings")})
		}
		facts = append(facts, f)
	}
	for _, text := range s.overview.skills {
		facts = append(facts, fact{t.Text, text, text, "Budget", s.shows("Budget", "")})
	}
	facts = append(facts, fact{t.Text, "the simulated agent is " + agent, "as " + agent, "another agent",
		func() tea.Cmd { return s.host.Send(desk.Turn{Knob: desk.KnobOf(config.KeyHost)}) }})
	if s.host.Demo {
		facts = append(facts, fact{t.Text, "new here? ctrl-t: the tour takes six steps", "ctrl-t: the tour, six steps", "",
			func() tea.Cmd { return s.host.Do(ui.Tour) }})
	}
	return facts
}

// shows returns what a fact does that leads to a view of another screen.
func (s *Screen) shows(name, view string) func() tea.Cmd {
	return func() tea.Cmd { return s.host.Send(screen.Show{Screen: name, View: view}) }
}

// enterFact goes where the fact under the cursor leads.
func (s *Screen) enterFact() tea.Cmd {
	facts := s.facts(&ui.Theme{}) // without styles
	if enter := facts[min(s.overview.cursor, len(facts)-1)].enter; enter != nil {
		return enter()
	}
	return s.host.Notify(ui.LevelInfo, "i types a query")
}

// leastOverview is the width from which the overview says where its lines lead.
const leastOverview = 50

// drawOverview returns the overview in lines of w cells: with blank lines between the facts
// where h lines hold them, and in short where they do not hold the facts in full.
func (s *Screen) drawOverview(t *ui.Theme, w, h int, focused bool) []string {
	v, facts := &s.overview, s.facts(t)
	v.cursor = max(0, min(v.cursor, len(facts)-1))
	where := 0
	for _, f := range facts {
		where = max(where, ui.Width(f.where)+2)
	}
	if w < leastOverview {
		where = 0
	}
	room := max(1, w-where-3)
	draw := func(text func(fact) []string, apart bool) (out []string) {
		v.lines = v.lines[:0]
		for i, f := range facts {
			leads := f.where
			for _, part := range text(f) {
				l := ui.StartLine(w, 0)
				ui.DrawGutter(&l, t, focused && i == v.cursor, true)
				l.Gap(1)
				l.Cell(f.style, part, room)
				if where > 0 {
					l.CellRight(t.Faint, leads, where)
				}
				out = append(out, l.End())
				v.lines = append(v.lines, i)
				leads = ""
			}
			if apart {
				out, v.lines = append(out, ui.Spaces(w)), append(v.lines, -1)
			}
		}
		return out
	}
	full := func(f fact) []string { return ui.Wrap(f.long, room) }
	lines := draw(full, false)
	switch {
	case len(lines) > h:
		return draw(func(f fact) []string { return []string{ui.Truncate(f.short, room)} }, false)
	case s.opening() && len(lines)+len(facts) <= h:
		return draw(full, true)
	}
	return lines
}
