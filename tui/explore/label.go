package explore

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
)

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

// label adds the query to the labelled queries. What answers it is the tool that is expected of it,
// else the selected one.
func (s *Screen) label() tea.Cmd {
	return s.host.Send(screen.Label{Query: s.hits.results.Query, Tool: cmp.Or(s.pinned(), s.Tool())})
}
