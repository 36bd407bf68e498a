package explore

import (
	"maps"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// Remember adds a query to the history.
func (s *Screen) Remember(query string) { s.history = desk.Remembered(s.history, query) }

// History returns the queries to remember. The query in the box is the newest.
func (s *Screen) History() []string { return desk.Remembered(s.history, s.query.Value()) }

// moment is how long a query must stand to be remembered when it is deleted.
const moment = time.Second

// pickHistory opens the list of previous queries, newest first.
func (s *Screen) pickHistory() tea.Cmd {
	if len(s.history) == 0 {
		return s.host.Notify(ui.LevelInfo, "no query before this one")
	}
	var choices []ui.Choice
	for _, q := range slices.Backward(s.history) {
		choices = append(choices, ui.Choice{ID: q, Label: q})
	}
	s.host.Choose("earlier queries", choices, false, func(q string) tea.Cmd {
		s.pin.edited(s.query.Value(), q)
		s.hits.pinned = s.pin.name
		s.query.Set(q)
		s.setFocus(PaneQuery)
		cmd := s.dropsFilter()
		s.queryChanged()
		return cmd
	})
	return nil
}

// Pin expects a tool, which a run before has pinned.
func (s *Screen) Pin(t *model.Tool) {
	s.pin.expect(t, s.query.Value())
	s.hits.pinned = t.Qualified
}

// Arguments returns typed arguments by qualified names of tools, of at most most bytes together.
func (s *Screen) Arguments(most int) map[string]string {
	kept := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.dry.typed)) {
		if text := s.dry.typed[name]; len(name)+len(text) <= most {
			kept[name] = text
			most -= len(name) + len(text)
		}
	}
	return kept
}

// RestoreArguments takes the arguments that a run before kept; there is no state yet.
func (s *Screen) RestoreArguments(kept map[string]string) { s.dry.typed = maps.Clone(kept) }

// Resume goes to the hits of the query of the run before.
func (s *Screen) Resume() {
	if s.query.Value() != "" {
		s.setFocus(PaneHits)
	}
}

// visit is the state of Explore before another screen asked for a dry run; Return brings it back.
type visit struct {
	query, tool string // the tool by its qualified name; empty for none
	pin         pin
	of          string // the visited tool, by its qualified name
}

// DryRun shows the dry run of a tool with an empty query, until Return.
func (s *Screen) DryRun(t *model.Tool) {
	v := &visit{query: s.query.Value(), pin: s.pin, of: t.Qualified}
	if selected := s.Tool(); selected != nil {
		v.tool = selected.Qualified
	}
	s.Ask("", t)
	s.setFocus(PaneDryRun)
	s.visit = v
}

// Visited reports whether the tool of DryRun still shows, with nothing else to go back from.
func (s *Screen) Visited() bool {
	t := s.Tool()
	return s.visit != nil && !s.editing && s.focus != PaneQuery && !s.zoom && s.draft.tool == nil && s.hits.filter == "" && s.query.Value() == "" &&
		t != nil && t.Qualified == s.visit.of
}

// Rests reports whether hits or reasons of a query have the keys, with nothing to go back from.
func (s *Screen) Rests(query string) bool {
	return (s.focus == PaneHits || s.focus == PaneWhy) && !s.zoom && s.draft.tool == nil && s.hits.filter == "" && s.query.Value() == query
}

// Return shows what DryRun has replaced.
func (s *Screen) Return() {
	v := s.visit
	s.visit = nil
	s.query.Set(v.query)
	s.pin.name, s.pin.shown, s.pin.query = v.pin.name, v.pin.shown, v.pin.query
	s.hits.pinned = v.pin.name
	s.setFocus(PaneHits)
	s.queryChanged()
	if !s.hits.selectName(v.tool) {
		s.hits.wanted = v.tool // it may be a hit in the session that comes back
	}
	s.reselect()
}
