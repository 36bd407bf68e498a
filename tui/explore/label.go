package explore

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/atomicfile"
	"caliper/tui/screen"
	"caliper/tui/ui"
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

// label adds the query to the labelled queries. What answers it is the tool that is
// expected of it, else the selected one. When another hit than the first is selected, the
// pin is of another query, or the query was edited since, the user says which of the two, or
// any other.
func (s *Screen) label() tea.Cmd {
	query := s.hits.results.Query
	pinned, selected := s.pinned(), s.Tool()
	switch {
	case pinned == nil:
		return s.host.Send(screen.Label{Query: query, Tool: selected})
	case selected == nil, selected == pinned, s.pin.expectedOf(query) && !s.pin.worded && s.hits.cursor == 0:
		return s.host.Send(screen.Label{Query: query, Tool: pinned})
	}
	choices := []ui.Choice{
		{ID: pinned.Qualified, Label: pinned.ShownName, Note: "the pinned tool"},
		{ID: selected.Qualified, Label: selected.ShownName, Note: "the selected hit"},
	}
	if !s.pin.expectedOf(query) { // enter alone may not label with the tool of another query
		choices[0].Note = "pinned for another query"
		slices.Reverse(choices)
	}
	title := "which tool answers " + atomicfile.Shown(query) + "?"
	return s.chooseTool(title, choices, func(t *model.Tool) tea.Cmd { return s.host.Send(screen.Label{Query: query, Tool: t}) })
}
