package explore

import "caliper/model"

// visit is what Explore showed before another screen asked for the dry run of a
// tool. It comes back when that is left by Return.
type visit struct {
	query, tool string // the tool by its qualified name; empty for none
	pin         pin
}

// DryRun shows the dry run of a tool, with an empty query, because the query may not
// find it. Return brings the query back.
func (s *Screen) DryRun(t *model.Tool) {
	v := &visit{query: s.query.Value(), pin: s.pin}
	if selected := s.Tool(); selected != nil {
		v.tool = selected.Qualified
	}
	s.Ask("", t)
	s.setFocus(PaneDryRun)
	s.visit = v
}

// Visited reports whether the dry run of DryRun still shows, with nothing else to go
// back from.
func (s *Screen) Visited() bool {
	return s.visit != nil && s.focus == PaneDryRun && !s.editing && s.query.Value() == ""
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
	s.hits.selectName(v.tool)
	s.reselect()
}
