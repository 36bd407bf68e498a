package tui

import (
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/repro"
)

// copyRepro copies a repro of the screen.
func (a *App) copyRepro() tea.Cmd {
	screen, of := a.mode.Screen, ""
	var text string
	c := a.reproCase()
	switch screen {
	case ScreenBudget:
		text = a.budget.repro(c)
	case ScreenScope:
		if !a.scope.done {
			return a.notices.show(levelInfo, "nothing to copy yet: the audit is not done")
		}
		text = a.scope.repro(c)
	case ScreenStrategies:
		return a.strategies.copyRepro(c)
	case ScreenQueries:
		return a.queries.copyRepro(c)
	case ScreenResults:
		return a.results.copyRepro(c)
	case ScreenActivity:
		var n int
		if text, n = a.activity.repro(c); n == 0 {
			return a.notices.show(levelInfo, "nothing to copy: no event is shown")
		} else if n > 1 {
			of = ", " + plural(n, "event")
		}
	default:
		screen = ScreenExplore
		text = repro.Search(c, a.hits.results, a.pin.result)
	}
	return a.clip.copyRepro("repro of "+screen.String()+of, c, text)
}

// reproCase returns what a repro says of the state: the settings as files and
// flags have them, and apart from them what is tried. Both are read off the
// states, because knobs may be further than the newest load.
func (a *App) reproCase() repro.Case {
	now, was := a.state, a.state.OnDisk()
	c := repro.Case{Program: repro.Program(), Snapshot: now.Snapshot, Settings: was.Config.Settings, Removed: new(bool)}
	if now == was {
		return c
	}
	before := map[string]any{}
	for _, s := range was.Config.Settings {
		before[s.Key] = s.Value
	}
	for _, s := range now.Config.Settings {
		if !reflect.DeepEqual(s.Value, before[s.Key]) {
			c.Tried = append(c.Tried, repro.Tried{Key: s.Key, Was: before[s.Key], Now: s.Value})
		}
	}
	for _, k := range []knob{knobK1, knobB, knobTokenizer} {
		if a, b := valueIn(was, k), valueIn(now, k); a != b {
			key := knobKeys[k]
			if k == knobTokenizer {
				key = repro.KeyTokenizer
			}
			c.Tried = append(c.Tried, repro.Tried{Key: key, Was: a, Now: b})
		}
	}
	if was.Snapshot.Registry != now.Snapshot.Registry {
		for _, t := range now.Snapshot.Registry.Tools {
			same := func(i int) bool { return was.Snapshot.Registry.Tools[i].Qualified == t.Qualified }
			if i := t.Index; i < len(was.Snapshot.Registry.Tools) && same(i) && was.Snapshot.Registry.Tools[i].Description != t.Description {
				c.Edited = append(c.Edited, repro.Edited{Tool: t.Qualified, Description: t.Description})
			}
		}
	}
	return c
}

// repro returns a repro of the figures, the knobs and the break-even.
func (s *budgetScreen) repro(c repro.Case) string {
	without := s.disk().Snapshot
	if s.state.Baseline == nil {
		without = nil
	}
	return repro.Budget(c, without, s.habits)
}

// repro returns a repro of the audit, of what the session under the cursor and
// the one in force do not share and, while it is shown, of who can call the
// tool selected in Explore.
func (s *scopeScreen) repro(c repro.Case) string {
	var who *repro.Callers
	if tool := s.app.selected(); tool != nil && s.part() == scopeWho {
		who = &repro.Callers{Tool: tool.Qualified}
		for _, session := range s.readiest(s.sessions(), tool) {
			who.Sessions = append(who.Sessions, repro.Reached{Session: session, How: s.reaches(session, tool)})
		}
	}
	return repro.Scope(c, s.audit, s.session, who)
}

// repro returns a repro of the selected event, or of all that are shown while
// all were opened, and of how many that is.
func (s *activityScreen) repro(c repro.Case) (text string, n int) {
	rows := s.rows()
	if slices.ContainsFunc(rows, func(e event) bool { return !s.open[e.number] }) {
		at := max(0, slices.IndexFunc(rows, func(e event) bool { return e.number == s.cursor }))
		rows = rows[:min(len(rows), at+1)]
		rows = rows[max(0, len(rows)-1):]
	}
	var events []repro.Event
	for _, e := range rows {
		out := repro.Event{Clock: e.clock, Title: e.title}
		for _, d := range e.details {
			out.Details = append(out.Details, d.text)
		}
		events = append(events, out)
	}
	return repro.Activity(c, events, s.next), len(events)
}
