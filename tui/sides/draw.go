package sides

import (
	"image"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// bothWidth is the width from which on both states are shown beside each other.
const bothWidth = 60

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int) []string {
	box := ui.NewBox(image.Rect(0, 0, w, h), false, true)
	inner, room := box.Inner.Dx(), box.Inner.Dy()
	frame := ui.Frame{Tabs: ui.Tabs{Labels: s.views(), Active: int(s.view)}, Detail: "two states compared", Yield: true, Note: s.note(w), Focused: true}
	var lines []string
	if s.two != nil && room >= 3 {
		verdict := s.two.Verdict()
		if s.view == verdictView && s.two.Gate != nil {
			verdict = changes.ChangeVerdict(s.two.Gate)
		}
		style := map[report.Level]ui.Style{report.Good: t.Ok, report.Warn: t.Warn, report.Bad: t.Bad}[verdict.Level]
		var top []string
		most := 2
		if room < 10 {
			most = 1
		}
		said := ui.Wrap(verdict.Text, inner-2)
		if len(said) > most {
			said = append(said[:most-1], ui.Truncate(strings.Join(said[most-1:], " "), inner-2))
		}
		for _, text := range said {
			top = append(top, ui.TextLine(inner, 1, style, text))
		}
		if s.choice.id == idTrials && room >= 10 {
			top = append(top, ui.TextLine(inner, 1, t.Text, "tried: "+words.And(s.host.Knobs.Tried())))
		}
		lines = append(top, ui.TextLine(inner, 1, t.Strong, ui.Truncate(safetext.Line(s.two.Old)+" → "+safetext.Line(s.two.New), inner-1)))
	}
	s.frame, s.box, s.top = frame, box, len(lines)
	rest := max(0, room-len(lines))
	if _, some := s.pane().Row(); s.two == nil || !some {
		switch {
		case s.two == nil && s.work.Err != nil:
			lines = append(lines, ui.Centered(t, inner, rest, safetext.Line(s.work.Err.Error()))...)
		case s.two == nil:
			lines = append(lines, ui.Centered(t, inner, rest, "the two states are being compared; esc stops")...)
		case s.pane().Filtered() != "":
			lines = append(lines, ui.Centered(t, inner, rest, "no row contains "+safetext.Line(s.pane().Filtered())+"; esc clears the filter")...)
		case s.view == verdictView:
			switch {
			case s.judge.Err != nil:
				lines = append(lines, ui.Centered(t, inner, rest, safetext.Line(s.judge.Err.Error()))...)
			case s.judge.Waits():
				lines = append(lines, ui.Centered(t, inner, rest, "enter judges the change: it audits every session and lints both registries")...)
			default:
				lines = append(lines, ui.Centered(t, inner, rest, "the change is being judged; esc stops")...)
			}
		case s.reach.Err != nil:
			lines = append(lines, ui.Centered(t, inner, rest, safetext.Line(s.reach.Err.Error()))...)
		case s.reach.Waits():
			lines = append(lines, ui.Centered(t, inner, rest, "enter audits both states: "+ui.Count(s.two.questions(), "question"))...)
		default:
			lines = append(lines, ui.Centered(t, inner, rest, "both states are being audited; esc stops")...)
		}
		return frame.Draw(t, box, ui.FitLines(lines, inner, room))
	}
	lines = append(lines, s.pane().Draw(t, inner, rest, true)...)
	frame.Beyond = ui.Beyond(s.pane().Hidden())
	return frame.Draw(t, box, ui.FitLines(lines, inner, room))
}

// note returns the progress of the work, for the title.
func (s *Screen) note(w int) string {
	if s.two == nil {
		return screen.Progress(s.work.Status, "comparing", w < bothWidth)
	}
	if s.view == scopeView && !s.two.Audited {
		return screen.Progress(s.reach.Status, "auditing", w < bothWidth)
	}
	if s.view == verdictView && s.two.Gate == nil {
		return screen.Progress(s.judge.Status, "judging", w < bothWidth)
	}
	return ""
}

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	budgetView:  {"sent", "threshold", "deferrable", "everything", "saved", "toolset"},
	ranksView:   {"rank", "limit", "labelled query", "recall@5", "wording", "MRR@10", "regression"},
	scopeView:   {"session", "granted", "direct", "audit", "violation"},
	verdictView: {"base", "P", "lost to", "active", "violation", "finding", "recall@5", "wording", "labelled query"},
}

// Words returns the labels of the view.
func (s *Screen) Words() (here, pane []string) { return nil, glossed[s.view] }

// fill makes the lines of the view.
func (s *Screen) fill() {
	if s.two != nil {
		s.pane().Show(s.shown(), s.box.Inner.Dx())
	}
}

// pane returns what shows the view.
func (s *Screen) pane() *report.Pane { return &s.panes[s.view] }

// shown returns the view as a report.
func (s *Screen) shown() *report.Report {
	switch x := &s.two.TwoStates; {
	case s.view == budgetView:
		return x.BudgetView(math.MaxInt, false)
	case s.view == ranksView:
		r := x.RanksView(math.MaxInt, false)
		if x.Query == "" {
			r.Say("There is no query in Explore; type one there to compare its hits.")
		}
		if len(x.Evaluated[0].Answers) == 0 {
			r.Say("No labelled queries are open.")
		}
		return r
	case s.view == scopeView && x.Audited:
		return x.ScopeView(math.MaxInt)
	case s.view == verdictView && x.Gate != nil:
		return changes.ChangeView(x.Gate, report.Name(x.Old), report.Name(x.New), math.MaxInt)
	}
	return new(report.Report)
}

// waits reports whether work waits for enter.
func (s *Screen) waits() bool {
	return s.two == nil && s.work.Waits() || s.view == scopeView && s.reach.Waits() || s.view == verdictView && s.judge.Waits()
}

// enter starts work that waits, else shows the tool of the row in Explore.
func (s *Screen) enter() tea.Cmd {
	switch {
	case s.two == nil && s.work.Waits():
		return s.begin()
	case s.waits():
		return s.seek(true)
	}
	r, _ := s.pane().Row()
	t := s.state.Snapshot.Registry.Named(r.Tool)
	if t == nil {
		if list := s.state.Snapshot.Registry.Lookup(r.Tool); len(list) > 0 {
			t = list[0]
		}
	}
	if t == nil {
		return s.host.Notify(ui.LevelInfo, "the registry that is open does not have this tool")
	}
	return s.host.Send(screen.Visit{Query: r.Query, Tool: t})
}
