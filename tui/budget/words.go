package budget

import "slices"

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewCosts:   {"tool", "toolset", "token", "chars4", "rendered:openai", "everything", "deferrable", "deferred", "core tool", "source"},
	viewMakeup:  {"assembly", "bridge", "everything", "sent", "saved", "saved in Hermes", "deferred", "core tool"},
	viewListing: {"listing", "form", "group", "deferred", "token", "chars4"},
	viewKnobs:   {"generation", "knob", "WHAT IF", "cannot be saved", "active", "mode", "threshold", "context"},
	viewChange:  {"WHAT IF", "everything", "sent", "saved", "active"},
	viewCurve:   {"threshold", "context", "deferrable", "active"},
	viewSession: {"break-even", "extra round trips", "turns", "tools used", "tokens per search result", "prompt cache", "saved"},
}

// Words returns the setting of the knob under the cursor, and the labels of the
// view and of those that are drawn beside it.
func (s *Screen) Words() (here, pane []string) {
	keys := s.keysIn()
	if keys == viewKnobs {
		k := s.knobs()[s.cursor]
		here = []string{k.Key, k.Label}
	}
	pane = glossed[keys]
	if s.sizeIn(s.w, s.h) == small {
		return here, pane
	}
	beside := []view{viewChange, viewCurve, viewSession}
	switch keys {
	case viewCosts:
		beside = []view{viewMakeup}
	case viewListing:
		beside = []view{viewCurve}
	}
	for _, v := range beside {
		pane = slices.Concat(pane, glossed[v])
	}
	return here, pane
}
