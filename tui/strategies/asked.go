package strategies

import (
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// Asked returns the message, and the first tool that it needs. The screen shows itself what
// another tool changes where there is a message, and no labelled query that says the same
// tells what it needs.
func (s *Screen) Asked() (q screen.Question, ok bool) {
	if s.state == nil {
		return q, true
	}
	q.Query, q.Shown = s.message(), s.message() != "" && labelledAs(s.state, ui.OneLine(s.message())) == nil
	if needs := s.needs(); len(needs) > 0 {
		if bearers := s.state.Snapshot.Registry.Lookup(needs[0][0]); len(bearers) > 0 {
			q.Tool = bearers[0]
		}
	}
	return q, true
}
