package results

import "caliper/tui/ui"

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewSeen:   {"rescue", "handle", "excerpt", "size limit", "blob", "token"},
	viewKnobs:  {"knob", "size limit", "largest full read", "fetch", "excerpt", "WHAT IF"},
	viewSlices: {"fetch", "largest full read", "handle", "tombstone"},
	viewRules:  {"size limit", "rescue", "tool", "toolset"},
	viewStore:  {"store", "blob", "tombstone", "session"},
}

// Words returns the setting of the knob under the cursor, and the labels of the
// view.
func (s *Screen) Words() (here, pane []string) {
	if s.state != nil && s.Focused() == ui.AreaKnobs {
		k := resultKnobs[s.Knob]
		return []string{k.Key, k.Label}, glossed[viewKnobs]
	}
	return nil, glossed[s.view()]
}
