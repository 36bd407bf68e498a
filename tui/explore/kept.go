package explore

import (
	"maps"
	"slices"

	"caliper/model"
)

// Pin expects a tool, which a run before has pinned.
func (s *Screen) Pin(t *model.Tool) {
	s.pin.expect(t, s.query.Value())
	s.hits.pin(t.Qualified)
}

// Arguments returns the arguments that were typed, by the qualified names of their
// tools, of at most so many bytes together.
func (s *Screen) Arguments(most int) map[string]string {
	kept := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.dry.typed)) {
		if text := s.dry.typed[name]; len(name)+len(text) <= most {
			kept[name] = text
			most -= len(name) + len(text)
		}
	}
	return kept
}

// RestoreArguments takes arguments that a run before has kept. It is called before
// there is a state.
func (s *Screen) RestoreArguments(kept map[string]string) { s.dry.typed = maps.Clone(kept) }

// Resume selects the query of the run before, so that a letter begins another one: as
// keys, letters would act on files.
func (s *Screen) Resume() {
	if s.query.Value() != "" {
		s.offerQuery()
	}
}

// offerQuery selects the query as a whole: the first character that is typed begins another,
// and keys that move the cursor edit it.
func (s *Screen) offerQuery() {
	s.query.Prefill(s.query.Value())
	s.typed++
}
