package strategies

import "caliper/tui/ui"

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewComparison:   {"strategy", "expected", "recall@5", "selection", "eager", "lazy", "tool search", "keyword", "semantic", "hybrid", "K", "cache stable", "extra round trips", "via search", "sent", "below cutoff"},
	viewTuning:       {"knob", "K", "always-sent tools", "embedder", "fuzzy", "RRF k", "picks", "WHAT IF"},
	viewBytes:        {"sent", "prompt cache", "always-sent tools", "bridge", "token"},
	viewLabelled:     {"labelled query", "recall@5", "wording", "complete@5", "via search", "extra round trips", "expected tool"},
	viewPareto:       {"trade-off", "recall@5", "wording", "K", "token"},
	viewConversation: {"turn 1", "picks", "prompt cache", "cache stable", "mentioned"},
}

// Words returns the setting of the knob under the cursor or the selected strategy,
// and the labels of the view.
func (s *Screen) Words() (here, pane []string) {
	switch {
	case s.state == nil:
	case s.Focused() == ui.AreaKnobs:
		k := selectionKnobs[s.Knob]
		return []string{k.Key, k.Label}, glossed[viewTuning]
	case s.view() == viewComparison && s.Focused() == ui.AreaList:
		here = []string{s.strategyName(s.chosen())}
	}
	return here, glossed[s.view()]
}
