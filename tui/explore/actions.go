package explore

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/tui/labelfile"
	"caliper/tui/ui"
)

// open shows the schema of the selected hit.
func (s *Screen) open() {
	s.Remember(s.query.Value())
	s.setFocus(PaneSchema)
}

// typeQuery handles a key that edits the query.
func (s *Screen) typeQuery(k tea.KeyMsg) tea.Cmd {
	s.typed++
	if _, changed := s.query.Key(k); changed {
		s.queryChanged()
	}
	return nil
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
	in := s.host.Input()
	if len(in.Rivals) > 0 {
		in.Rivals = nil
	} else {
		in.Rivals = config.Rankers
	}
	return s.host.Load(true)
}

// label adds the query to the labelled queries, with the selected tool as
// relevant.
func (s *Screen) label() tea.Cmd {
	switch {
	case s.labels == "":
		return s.host.Notify(ui.LevelWarn, labelfile.None)
	case s.hits.browsing:
		return s.host.Notify(ui.LevelInfo, "type a query first: it is what is labelled")
	}
	t := s.Tool()
	name := t.Name
	if len(s.state.Snapshot.Registry.Lookup(name)) != 1 {
		name = t.Qualified
	}
	query := s.hits.results.Query
	return labelfile.Rewrite(s.labels, func(data []byte) ([]byte, string, error) {
		return labelfile.Label(data, query, name, t.Qualified)
	})
}

// tryDescription opens the box to try another description of the selected tool.
func (s *Screen) tryDescription() tea.Cmd {
	t := s.Tool()
	return s.host.Try(t, t.Description)
}

// expandAll expands the whole schema.
func (s *Screen) expandAll() {
	s.setFocus(PaneSchema)
	s.schema.expandAll()
}

// expandTo expands the schema down to a level, counting from 1.
func (s *Screen) expandTo(level int) {
	s.setFocus(PaneSchema)
	s.schema.expandTo(level)
}

// follow moves to the target of the $ref of the selected row.
func (s *Screen) follow() tea.Cmd {
	s.setFocus(PaneSchema)
	if complaint := s.schema.follow(); complaint != "" {
		return s.host.Notify(ui.LevelWarn, complaint)
	}
	return nil
}
