package tui

import (
	"caliper/config"
)

// rescueKnobs are the knobs of the results screen, in their order.
var rescueKnobs = []knob{knobRescueAt, knobExcerpt, knobHeadLines, knobTailLines, knobHeadItems, knobTailItems, knobFetch, knobFullFetch}

// rescueValueIn returns where a knob of rescue is kept in a configuration.
func rescueValueIn(c *config.Rescue, k knob) *int {
	switch k {
	case knobRescueAt:
		return &c.MaxResultChars
	case knobExcerpt:
		return &c.ExcerptMaxChars
	case knobHeadLines:
		return &c.HeadLines
	case knobTailLines:
		return &c.TailLines
	case knobHeadItems:
		return &c.JSONHeadItems
	case knobTailItems:
		return &c.JSONTailItems
	case knobFetch:
		return &c.FetchMaxChars
	}
	return &c.FullFetchMaxChars
}

// stepRescue returns the value of a knob of rescue that is some steps from
// another, within what the configuration takes.
func stepRescue(k knob, v, by int) int {
	sizes := []steps{{20, 1}, {100, 5}, {1000, 50}, {noEnd, 500}}
	switch k {
	case knobRescueAt, knobExcerpt, knobFetch, knobFullFetch:
		sizes = []steps{{200, 20}, {1000, 100}, {4000, 200}, {20_000, 1000}, {100_000, 5000}, {1_000_000, 50_000}, {noEnd, 1_000_000}}
	}
	return int(stepSetting(k, float64(v), by, sizes...))
}

// drawKnobs draws the knobs in exactly h lines, and what they are limits of.
func (s *resultsScreen) drawKnobs(t *Theme, w, h int) []string {
	words := [][]phrase{{{t.Faint, "rescue at, excerpt and the fetches are characters; items are those of JSON"}}}
	return s.drawKnobsOf(t, &s.app.budget, rescueKnobs, words, s.keysIn() == areaKnobs, w, h)
}
