package explore

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/ui"
)

// MaxHistory is the number of queries that are remembered.
const MaxHistory = 100

// Remembered returns a history with a query added as the newest and without
// repeats. It returns the history unchanged for a blank query.
func Remembered(history []string, query string) []string {
	query = ui.OneLine(query)
	if query == "" {
		return history
	}
	history = slices.DeleteFunc(slices.Clone(history), func(q string) bool { return q == query })
	history = append(history, query)
	return history[max(0, len(history)-MaxHistory):]
}

// Remember adds a query to the history.
func (s *Screen) Remember(query string) { s.history = Remembered(s.history, query) }

// History returns the queries to remember. The query in the box is the newest.
func (s *Screen) History() []string { return Remembered(s.history, s.query.Value()) }

// pickHistory opens the list of previous queries, newest first.
func (s *Screen) pickHistory() tea.Cmd {
	if len(s.history) == 0 {
		return s.host.Notify(ui.LevelInfo, "no queries yet")
	}
	var choices []ui.Choice
	for _, q := range slices.Backward(s.history) {
		choices = append(choices, ui.Choice{ID: q, Label: q})
	}
	s.host.Choose("earlier queries", choices, false, func(q string) tea.Cmd {
		s.setQuery(q)
		s.setFocus(PaneQuery)
		s.queryChanged()
		return nil
	})
	return nil
}
