package strategies

import (
	"context"
	"slices"
	"strings"

	"caliper/engine/selection"
	"caliper/tui/workbench"
)

// question is the message that the strategies select for, and its surroundings.
type question struct {
	selector *selection.Selector
	message  string
	turns    string // the messages before it, a line each
}

// answer is the selections of the strategies for a question.
type answer struct {
	of         question
	state      *workbench.State      // of the selector
	selections []selection.Selection // in the order of the strategies; nil: none yet
	past       past
}

// past holds the selection of every strategy for the turn before a message; nothing without turns.
type past struct {
	selector *selection.Selector
	turns    string
	last     map[selection.Strategy]selection.Selection
}

// settings returns the settings of a selection in the state.
func (s *Screen) settings() selection.Settings {
	set := selection.SettingsOf(s.state.Config.Config)
	set.Now = s.host.Now
	return set
}

// selectPast selects for turns, a line each.
func selectPast(ctx context.Context, x *selection.Selector, turns string) (past, error) {
	p := past{x, turns, map[selection.Strategy]selection.Selection{}}
	if turns == "" {
		return p, nil
	}
	threads, err := x.Converse(ctx, strings.Split(turns, "\n"), nil)
	if err != nil {
		return past{}, err
	}
	for _, t := range threads {
		if !t.Strategy.Ranks() || t.Sticky == x.Settings().Sticky {
			p.last[t.Strategy] = t.Turns[len(t.Turns)-1].Selection
		}
	}
	return p, nil
}

// pick returns the newest selection under a strategy, nil before the first.
func (s *Screen) pick(strategy selection.Strategy) *selection.Selection {
	if s.answer.selections == nil {
		return nil
	}
	return &s.answer.selections[slices.Index(selection.Strategies, strategy)]
}

// chosen returns the strategy under the cursor of the comparison.
func (s *Screen) chosen() selection.Strategy {
	return selection.Strategies[s.strategy.At(strategies())]
}

// late reports whether the selections are of something else than the message.
func (s *Screen) late() bool {
	return s.answering.Running || s.selecting.Running || s.answer.of.message != s.message()
}
