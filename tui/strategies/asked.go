package strategies

import (
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

// Expects reports whether the message needs what is expected of it in Explore: there is a
// message, and no labelled query that says the same tells what it needs.
func (s *Screen) Expects() bool {
	if s.state == nil || s.message() == "" {
		return false
	}
	return labelledAs(s.state, ui.OneLine(s.message())) == nil
}
