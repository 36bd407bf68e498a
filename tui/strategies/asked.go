package strategies

import (
	"slices"

	"caliper/engine/labels"
	"caliper/model"
	"caliper/tui/ui"
)

// Asked returns the message, and the first tool that it needs.
func (s *Screen) Asked() (query string, expected *model.Tool) {
	if s.state == nil {
		return "", nil
	}
	if needs := s.needs(); len(needs) > 0 {
		if bearers := s.state.Snapshot.Registry.Lookup(needs[0][0]); len(bearers) > 0 {
			expected = bearers[0]
		}
	}
	return s.message(), expected
}

// Expects reports whether the message needs what is expected of it in Explore: there is one, and
// no labelled query says the same and what it needs.
func (s *Screen) Expects() bool {
	if s.state == nil || s.message() == "" {
		return false
	}
	message := ui.OneLine(s.message())
	return !slices.ContainsFunc(s.state.Queries, func(q labels.Query) bool { return ui.OneLine(q.Text) == message })
}
