package tui

import (
	"math"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
)

// step returns the value of a knob that is some steps from another.
func (s *budgetScreen) step(k knob, v any, by int) any {
	switch k {
	case knobThreshold:
		return stepSetting(k, v.(float64), by, steps{5, 0.5}, steps{20, 1}, steps{noEnd, 5})
	case knobContext:
		return stepContext(v, by)
	case knobLimit:
		return s.stepLimit(v.(int), by)
	case knobK1:
		return stepOn(v.(float64), by, 10, steps{3, 0.1}, steps{10, 0.5})
	case knobB:
		return stepOn(v.(float64), by, 1, steps{1, 0.05})
	case knobRanker:
		return stepAmong(rankers, v.(string), by)
	case knobTokenizer:
		return string(stepAmong(tokenizers, tokens.Method(v.(string)), by))
	case knobMode:
		return string(stepAmong([]config.Mode{config.Off, config.Auto, config.On}, config.Mode(v.(string)), by))
	case knobTurns:
		return max(1, int(stepOn(float64(v.(int)), by, 1000, steps{20, 1}, steps{100, 5}, steps{1000, 50})))
	case knobSelection, knobTopK, knobRRFK, knobKeyword, knobSemantic, knobCore, knobSticky, knobEmbedder:
		return s.stepSelection(k, v, by)
	case knobRescueAt, knobExcerpt, knobHeadLines, knobTailLines, knobHeadItems, knobTailItems, knobFetch, knobFullFetch:
		return stepRescue(k, v.(int), by)
	case knobToolsUsed:
		return int(stepOn(float64(v.(int)), by, 500, steps{20, 1}, steps{500, 5}))
	}
	return int(stepOn(float64(v.(int)), by, 20_000, steps{1000, 50}, steps{20_000, 500}))
}

// stepSetting returns the value of a setting that is a step from another,
// within what the configuration takes.
func stepSetting(k knob, v float64, by int, sizes ...steps) float64 {
	domain, _ := config.DomainOf(knobKeys[k])
	return domain.Clamp(stepOn(v, by, domain.Most, sizes...))
}

// stepLimit returns the limit of hits that is some steps from another. It is
// at most the greatest limit that the file allows.
func (s *budgetScreen) stepLimit(v, by int) int {
	domain, _ := config.DomainOf(knobKeys[knobLimit])
	return int(max(domain.Least, min(float64(v+by), float64(s.disk().Snapshot.Config.ToolSearch.MaxLimit))))
}

// steps is the size of steps up to a value.
type steps struct{ upTo, size float64 }

// noEnd is the end of the last steps of a setting: the configuration says where
// its values end.
var noEnd = math.Inf(1)

// stepOn goes one step up or down, to a whole multiple of the step's size or
// to where the size changes, between 0 and most.
func stepOn(v float64, by int, most float64, sizes ...steps) float64 {
	const near = 1e-9
	size, least := sizes[len(sizes)-1].size, 0.0
	for _, s := range sizes {
		if by > 0 && v < s.upTo-near || by < 0 && v <= s.upTo+near {
			size, most = s.size, min(most, s.upTo)
			break
		}
		least = s.upTo
	}
	n := math.Floor(v/size+near) + 1
	if by < 0 {
		n = math.Ceil(v/size-near) - 1
	}
	return max(least, min(math.Round(n*size*1000)/1000, most))
}

// stepContext goes to the next common context length; below the shortest the
// length is unknown.
func stepContext(v any, by int) any {
	length, known := v.(int)
	if by > 0 {
		for _, n := range engine.ContextLengths {
			if !known || n > length {
				return n
			}
		}
		return v
	}
	for _, n := range slices.Backward(engine.ContextLengths) {
		if known && n < length {
			return n
		}
	}
	return nil
}

// stepAmong goes to the neighbour of a value in a list, and stays at its ends.
func stepAmong[T comparable](all []T, v T, by int) T {
	return all[max(0, min(slices.Index(all, v)+by, len(all)-1))]
}
