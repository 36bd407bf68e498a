package report

import (
	"caliper/config"
	"caliper/engine/selection"
)

// StrategyName returns what a strategy is called for people: semantic is called fuzzy
// while the embedder is config.EmbedFuzzy, which compares letters and
// knows no meanings. JSON and settings have the strategy's own name.
func StrategyName(s selection.Strategy, embedder string) string {
	if s == selection.Semantic && embedder == config.EmbedFuzzy {
		return config.EmbedFuzzy
	}
	return string(s)
}

// FuzzyNote explains semantic while it is called by another name.
const FuzzyNote = "%s is the strategy semantic with the embedder fuzzy: letters, word forms and typing errors, no meanings."

// strategy returns the name of a strategy under the configuration of the case.
func (c Case) strategy(s selection.Strategy) Text {
	return Name(StrategyName(s, c.Snapshot.Config.PreSelection.EmbedModel))
}
