package selection

import (
	"context"
	"sync"

	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/retrieval"
	"caliper/model"
)

// Selector selects for one session under one strategy. It never changes and
// is safe for concurrent use.
type Selector struct {
	settings   Settings
	scope      *scope
	ranker     retrieval.Ranker // over the scope's candidates
	similarity *similarity
	constant   *constant
}

// constant are the selections that look at no message, each made when it is
// first asked for.
type constant struct{ eager, lazy, toolSearch func() Selection }

// New returns a Selector of a snapshot's session. sim is the semantic leg; when
// it is nil, absent says why, and may be nil too: then selections that want it
// go by keywords, with a note. The error is ctx's, or the index's.
func New(ctx context.Context, s *engine.Snapshot, set Settings, sim embed.Similarity, absent error) (*Selector, error) {
	scope := newScope(s, set)
	ranker, err := s.IndexOver(ctx, scope.Candidates)
	if err != nil {
		return nil, err
	}
	x := &Selector{
		settings:   set.settled(),
		scope:      scope,
		ranker:     ranker,
		similarity: &similarity{Similarity: sim, absent: absent},
	}
	x.constant = x.constants()
	return x, nil
}

// Settings returns the settings in force, every value in its range.
func (s *Selector) Settings() Settings { return s.settings }

// With returns a Selector of the same session with other settings, at no cost.
// Core and Exclude stay as they are: what can be selected is decided by New.
func (s *Selector) With(set Settings) *Selector {
	set.Core, set.Exclude = s.settings.Core, s.settings.Exclude
	other := *s
	other.settings = set.settled()
	return &other
}

// WithSimilarity returns a Selector of the same session with another semantic
// leg, at no cost. When sim is nil, absent says why, and may be nil too.
func (s *Selector) WithSimilarity(sim embed.Similarity, absent error) *Selector {
	other := *s
	other.similarity = &similarity{Similarity: sim, absent: absent}
	other.constant = other.constants()
	return &other
}

// constants returns the selections that look at no message.
func (s *Selector) constants() *constant {
	return &constant{
		eager:      sync.OnceValue(s.eager),
		lazy:       sync.OnceValue(s.lazy),
		toolSearch: sync.OnceValue(s.toolSearch),
	}
}

// Candidates returns what is chosen from, by name: the tools that the session
// may be sent, but for those always sent and those never selected. A
// Similarity should be ready for them. The slice must not be changed.
func (s *Selector) Candidates() []*model.Tool { return s.scope.Candidates }

// Select answers a message. history is what earlier messages of the session
// were answered with (Selection.History of the last one); it counts only when
// the settings are sticky, and of it only what the session may still be sent.
// Equal inputs give equal selections, but for Took. The error is ctx's.
func (s *Selector) Select(ctx context.Context, message string, history []string) (Selection, error) {
	if err := ctx.Err(); err != nil {
		return Selection{}, err
	}
	start := s.settings.Now()
	var x Selection
	if s.settings.Strategy.Ranks() {
		c, err := s.choose(ctx, message, history)
		if err != nil {
			return Selection{}, err
		}
		x = s.send(c)
	} else {
		x = s.whole()
	}
	x.Message = message
	x.Took = s.settings.Now().Sub(start)
	return x, nil
}

// whole returns what a strategy that looks at no message sends.
func (s *Selector) whole() Selection {
	made := s.constant.eager
	switch s.settings.Strategy {
	case Lazy:
		made = s.constant.lazy
	case ToolSearch:
		made = s.constant.toolSearch
	}
	x := made()
	x.K = s.settings.K
	return x
}

// choose asks the legs that the strategy has, and chooses.
func (s *Selector) choose(ctx context.Context, message string, history []string) (choice, error) {
	if s.takesAll() {
		return s.chosen(message, history, legs{}), nil
	}
	l, err := s.ask(ctx, message, s.wantsKeywords(), s.wantsSimilarity())
	if err != nil {
		return choice{}, err
	}
	return s.chosen(message, history, l), nil
}

// takesAll reports whether rule 2 makes ranking idle.
func (s *Selector) takesAll() bool { return s.scope.TakesAll(s.settings.K) }

func (s *Selector) wantsKeywords() bool {
	return s.settings.Strategy == Keyword || s.settings.Strategy == Hybrid && s.settings.Keyword > 0
}

func (s *Selector) wantsSimilarity() bool {
	return s.settings.Strategy == Semantic || s.settings.Strategy == Hybrid && s.settings.Semantic > 0
}

// fuse merges the legs as the settings say, and orders the best of depth
// places.
func (s *Selector) fuse(l legs, depth int) fusion {
	keyword, semantic := s.settings.weights(l)
	return fuse(l, keyword, semantic, s.settings.RRFK, len(s.scope.Candidates), depth)
}
