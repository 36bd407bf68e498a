package explore

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// open shows the schema of the selected hit.
func (s *Screen) open() {
	s.Remember(s.query.Value())
	s.setFocus(PaneSchema)
}

// typeQuery handles a key that edits the query.
func (s *Screen) typeQuery(k tea.KeyMsg) tea.Cmd {
	before := s.query.Value()
	if _, changed := s.query.Key(k); !changed {
		return nil
	}
	now := s.host.Now() // the hits are still those of the text before
	if now.Sub(s.watched.since) >= moment && before != "" && !s.hits.browsing && len(s.hits.results.Hits) > 0 {
		s.watched.query = before
	}
	s.watched.since = now
	if s.query.Value() == "" {
		s.Remember(s.watched.query)
		s.watched.query = ""
	}
	s.pin.edited(before, s.query.Value())
	s.hits.pin(s.pin.name)
	cmd := s.dropsFilter()
	s.queryChanged()
	return cmd
}

// dropsFilter tells that the next query drops the filter of the hits; nil without one.
func (s *Screen) dropsFilter() tea.Cmd {
	if s.hits.filter == "" {
		return nil
	}
	return s.host.Notify(ui.LevelInfo, "the new query drops the filter /"+safetext.Line(s.hits.filter))
}

// noTool returns why nothing can be done with the selected tool, empty when it
// can.
func (s *Screen) noTool() string {
	if s.state == nil || s.Tool() == nil {
		return "no tool is selected"
	}
	return ""
}

// compare shows the ranks of the other rankers beside the hits, or hides them.
func (s *Screen) compare() tea.Cmd {
	shown := desk.EveryRanker
	switch {
	case s.hits.browsing:
		shown = "ranks of every ranker come with a query"
	case s.hits.count() == 0:
		shown = "ranks of every ranker come with hits"
	}
	return s.host.CompareRankers(shown)
}

// expandAll expands the whole schema.
func (s *Screen) expandAll() {
	s.setFocus(PaneSchema)
	s.schema.expandAll()
}

// follow moves to the target of the $ref of the selected row.
func (s *Screen) follow() tea.Cmd {
	s.setFocus(PaneSchema)
	if complaint := s.schema.follow(); complaint != "" {
		return s.host.Notify(ui.LevelWarn, complaint)
	}
	return nil
}

// noLabel returns why the query cannot be labelled, empty when it can.
func (s *Screen) noLabel() string {
	switch {
	case s.state == nil:
		return s.noState()
	case s.hits.browsing:
		return "type a query first: it is what is labelled"
	case s.pinned() == nil:
		return s.noTool()
	}
	return ""
}

// granting is desk.Granting for the session and the pinned tool, else the selected one.
func (s *Screen) granting() (ask screen.Write, why string) {
	if s.state == nil {
		return ask, s.noState()
	}
	return desk.Granting(s.state.Snapshot, s.state.Snapshot.Session.Name, cmp.Or(s.pinned(), s.Tool()))
}

// grant asks to write the change that grants the session the tool.
func (s *Screen) grant() tea.Cmd {
	ask, _ := s.granting()
	return s.host.Send(ask)
}

// noGrant returns why nothing can be granted.
func (s *Screen) noGrant() string {
	_, why := s.granting()
	return why
}
