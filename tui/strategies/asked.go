package strategies

import "caliper/model"

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
