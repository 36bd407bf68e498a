package tui

import (
	"slices"

	"caliper/config"
	"caliper/engine/selection"
	"caliper/tui/workbench"
)

// selectionKnobs are the knobs of the strategies screen, in their order.
var selectionKnobs = []knob{knobSelection, knobTopK, knobRRFK, knobKeyword, knobSemantic, knobCore, knobSticky, knobEmbedder}

// selectionValueIn returns the value of a knob of pre-selection.
func selectionValueIn(c config.Config, k knob) any {
	p := c.PreSelection
	switch k {
	case knobSelection:
		return c.Selection
	case knobTopK:
		return p.TopK
	case knobRRFK:
		return p.RRFK
	case knobKeyword:
		return p.KeywordWeight
	case knobSemantic:
		return p.SemanticWeight
	case knobCore:
		return p.Core
	case knobSticky:
		return p.Sticky
	}
	return p.EmbedModel
}

// stepSelection returns the value of a knob of pre-selection that is some
// steps from another.
func (s *budgetScreen) stepSelection(k knob, v any, by int) any {
	switch k {
	case knobSelection:
		return string(stepAmong(selection.Strategies, selection.Strategy(v.(string)), by))
	case knobTopK:
		return int(stepSetting(k, float64(v.(int)), by, steps{32, 1}, steps{128, 8}, steps{noEnd, 50}))
	case knobRRFK:
		return stepSetting(k, v.(float64), by, steps{10, 1}, steps{100, 5}, steps{noEnd, 50})
	case knobKeyword, knobSemantic:
		return stepSetting(k, v.(float64), by, steps{2, 0.1}, steps{10, 0.5}, steps{noEnd, 5})
	case knobCore:
		return v // whose tools are chosen from a list
	case knobSticky:
		return by > 0
	}
	return stepAmong(slices.Compact([]string{config.EmbedFuzzy, s.onDisk(knobEmbedder).(string)}), v.(string), by)
}

// drawKnobs draws the knobs in exactly h lines, and what the embedder is up to.
func (s *strategiesScreen) drawKnobs(t *Theme, w, h int) []string {
	return s.drawKnobsOf(t, &s.app.budget, selectionKnobs, s.embedderWords(t), s.keysIn() == areaKnobs, w, h)
}

// embedderWords says what the semantic leg is, and how far its index is.
func (s *strategiesScreen) embedderWords(t *Theme) [][]phrase {
	p := &s.leg
	switch {
	case p.cancel != nil && p.silent:
		return [][]phrase{{{t.Warn, s.silence()}}, {{t.Faint, "keywords decide"}}, {{t.Faint, "esc gives it up"}}}
	case p.cancel != nil && p.steps[1] > 0:
		return [][]phrase{{{t.Warn, "indexing " + thousands(p.steps[0]) + " of " + thousands(p.steps[1])}}, {{t.Faint, "esc cancels"}}}
	case p.cancel != nil:
		return [][]phrase{{{t.Warn, "indexing"}}}
	case p.absent != nil:
		return [][]phrase{{{t.Bad, s.absentWords()}}, {{t.Faint, "keywords go on"}}, {{t.Faint, "R tries again"}}}
	case p.similarity != nil:
		words := [][]phrase{{{t.Faint, legWord(s.state.Config.Config) + " index of"}, {t.Text, plural(len(p.tools), "tool")}}}
		for _, note := range workbench.SimilarityNotes(p.similarity) {
			words = append(words, []phrase{{t.Warn, note}})
		}
		return words
	}
	return nil
}
