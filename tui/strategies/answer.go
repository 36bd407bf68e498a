package strategies

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/selection"
	"caliper/tui/ui"
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

// past is what every strategy selected for the turn before a message; nothing without turns.
type past struct {
	selector *selection.Selector
	turns    string
	last     map[selection.Strategy]selection.Selection
}

// history returns what a strategy has sent before the message.
func (p past) history(strategy selection.Strategy) []string { return p.last[strategy].History() }

// settings returns the settings of a selection in the state.
func (s *Screen) settings() selection.Settings {
	set := selection.SettingsOf(s.state.Config.Config)
	set.Now = s.host.Now
	return set
}

// makeSelector begins to make the selector of the state, with the index as it is now.
func (s *Screen) makeSelector() tea.Cmd {
	x, made := s.index()
	if source := sourceOf(s.state.Config.PreSelection); !made || x.source != source {
		made, x = false, index{absent: errIndexing}
		if s.isSilent() && s.indexing.Of.source == source {
			x.absent = errors.New(s.silence())
		}
	}
	snapshot, set := s.state.Snapshot.Unasked(), s.settings()
	return s.selecting.Start(s.host.Context(), s.state, func(ctx context.Context, _ ui.Progress) (*selection.Selector, error) {
		selector, err := selection.New(ctx, snapshot, set, x.similarity, x.absent)
		if err == nil && made && !slices.Equal(selector.Candidates(), x.tools) {
			selector = selector.WithSimilarity(nil, errIndexing)
		}
		return selector, err
	})
}

// selectAll begins to select for the message under every strategy, unless that
// is done or being done. A key only cancels and begins: the work is in the
// command.
func (s *Screen) selectAll() tea.Cmd {
	q := question{s.selector, s.message(), strings.Join(s.turnsBefore(), "\n")}
	if s.answering.Begun && s.answering.Of == q {
		return nil
	}
	before := s.answer.past
	return s.answering.Start(s.host.Context(), q, func(ctx context.Context, _ ui.Progress) (a answer, err error) {
		a.of, a.past = q, before
		if before.selector != q.selector || before.turns != q.turns {
			if a.past, err = selectPast(ctx, q.selector, q.turns); err != nil {
				return answer{}, err
			}
		}
		a.selections, err = q.selector.Every(ctx, q.message, a.past.history)
		return a, err
	})
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
	return s.answering.Running() || s.selecting.Running() || s.answer.of.message != s.message()
}
