package explore

import "caliper/model"

// visit is the state of Explore before another screen asked for the dry run of a
// tool. It comes back when that is left by Return.
type visit struct {
	query, tool string // the tool by its qualified name; empty for none
	pin         pin
	of          string // the visited tool, by its qualified name
}

// DryRun shows the dry run of a tool, with an empty query, because the query may not
// find it. Return brings the query back.
func (s *Screen) DryRun(t *model.Tool) {
	v := &visit{query: s.query.Value(), pin: s.pin, of: t.Qualified}
	if selected := s.Tool(); selected != nil {
		v.tool = selected.Qualified
	}
	s.Ask("", t)
	s.setFocus(PaneDryRun)
	s.visit = v
}

// Visited reports whether the tool of DryRun still shows, in whichever pane the keys are,
// with nothing else to go back from.
func (s *Screen) Visited() bool {
	t := s.Tool()
	return s.visit != nil && !s.editing && s.focus != PaneQuery && !s.zoom && s.draft.tool == nil && s.hits.filter == "" && s.query.Value() == "" &&
		t != nil && t.Qualified == s.visit.of
}

// Rests reports whether a query is shown, its hits or the reasons of its ranks have the keys,
// and there is nothing to go back from.
func (s *Screen) Rests(query string) bool {
	return (s.focus == PaneHits || s.focus == PaneWhy) && !s.zoom && s.draft.tool == nil && s.hits.filter == "" && s.query.Value() == query
}

// Return shows what DryRun has replaced.
func (s *Screen) Return() {
	v := s.visit
	s.visit = nil
	s.setQuery(v.query)
	s.pin.name, s.pin.shown, s.pin.query = v.pin.name, v.pin.shown, v.pin.query
	s.hits.pin(v.pin.name)
	s.setFocus(PaneHits)
	s.queryChanged()
	if !s.hits.selectName(v.tool) {
		s.hits.wanted = v.tool // it may be a hit in the session that comes back
	}
	s.reselect()
}
