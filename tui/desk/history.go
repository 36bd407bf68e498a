package desk

import (
	"slices"

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
