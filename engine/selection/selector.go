package selection

import (
	"context"
	"sync"

	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/model"
)

// Selector selects for one session under one strategy. It never changes and
// is safe for concurrent use.
type Selector struct {
	settings   Settings
	scope      *scope
	ranker     retrieval.Ranker // over the scope's candidates
	similarity *similarity
	constant   map[Strategy]func() Selection // those that do not depend on the message, made when they are first asked for
}

// New returns a Selector of a snapshot's session. sim computes the semantic
// ranking. It may be nil; then absent, which may be nil too, is the reason, and
// selections that want it use the keyword ranking and have a note. The error is
// ctx's, or the index's.
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

// untaught returns the selector without what its ranker learned from a labelled query, so
// that this is not measured by what it taught. It is itself for a query without labels.
func (s *Selector) untaught(q labels.Query) *Selector {
	x, ok := s.ranker.(*learned.Index)
	if !ok || len(q.Needs()) == 0 {
		return s
	}
	l := q.Lesson()
	left := x.Related(l.ID, l.Text, l.Group)
	if len(left) == 0 {
		return s
	}
	other := *s
	other.ranker = x.Without(left)
	return &other
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

// WithSimilarity returns a Selector of the same session with another similarity,
// at no cost. sim may be nil; then absent, which may be nil too, is the reason.
func (s *Selector) WithSimilarity(sim embed.Similarity, absent error) *Selector {
	other := *s
	other.similarity = &similarity{Similarity: sim, absent: absent}
	other.constant = other.constants()
	return &other
}

// constants returns the selections that do not depend on the message.
func (s *Selector) constants() map[Strategy]func() Selection {
	out := map[Strategy]func() Selection{}
	for strategy, made := range map[Strategy]func() Selection{Eager: s.eager, Lazy: s.lazy, ToolSearch: s.toolSearch} {
		out[strategy] = sync.OnceValue(func() Selection {
			x := made()
			x.Bytes = array(x.Assembly)
			return x
		})
	}
	return out
}

// Candidates returns the tools that Select chooses from, sorted by name: the tools
// that the session may be sent, except those always sent and those never selected.
// A Similarity should have indexed them. The slice must not be changed.
func (s *Selector) Candidates() []*model.Tool { return s.scope.Candidates }

// Select returns the selection for a message. history is Selection.History of the
// previous message of the session. It counts only when the settings are sticky, and
// only for tools that the session may still be sent. Equal inputs give equal
// selections, except for Took. The error is ctx's.
func (s *Selector) Select(ctx context.Context, message string, history []string) (Selection, error) {
	start := s.settings.Now()
	x, err := s.Outline(ctx, message, history)
	if err != nil {
		return Selection{}, err
	}
	if s.settings.Strategy.Ranks() {
		x.Bytes = array(x.Assembly)
	} else {
		x.Bytes = s.whole().Bytes
	}
	x.Took = s.settings.Now().Sub(start)
	return x, nil
}

// Outline returns the selection for a message as Select does, without its Bytes,
// which take longer than the rest, and without Took.
func (s *Selector) Outline(ctx context.Context, message string, history []string) (x Selection, err error) {
	if err := ctx.Err(); err != nil {
		return Selection{}, err
	}
	if s.settings.Strategy.Ranks() {
		var l rankings
		if !s.takesAll() {
			if l, err = s.ask(ctx, message, s.settings.wantsKeywords(), s.settings.wantsSimilarity()); err != nil {
				return Selection{}, err
			}
		}
		x = s.outline(s.chosen(message, history, l))
	} else {
		x = s.whole()
		x.Bytes = nil
	}
	x.Message = message
	return x, nil
}

// whole returns the selection of a strategy that does not depend on the message.
func (s *Selector) whole() Selection {
	made, ok := s.constant[s.settings.Strategy]
	if !ok {
		made = s.constant[Eager]
	}
	x := made()
	x.K = s.settings.K
	return x
}

// takesAll reports whether rule 2 selects all candidates, so that nothing is ranked.
func (s *Selector) takesAll() bool { return s.scope.TakesAll(s.settings.K) }

// fuse merges the rankings with the weights of the settings, and sorts the best
// depth tools.
func (s *Selector) fuse(l rankings, depth int) *fusion {
	keyword, semantic := s.settings.weights(l)
	return fuse(l, keyword, semantic, s.settings.RRFK, len(s.scope.Candidates), depth)
}

// Chooser selects the tools that a message is sent with, for an engine.Builder,
// with the settings of each snapshot's configuration. It is safe for concurrent use if
// its functions are.
type Chooser struct {
	// Similarity returns the similarity that ranks tools of a snapshot for the
	// semantic ranking, or an error with the reason why it cannot be made; the keyword
	// ranking is then used alone. It is called only when the strategy has a
	// semantic ranking and there are tools to rank. It may be nil.
	Similarity func(ctx context.Context, s *engine.Snapshot, tools []*model.Tool) (embed.Similarity, error)
	// History is Selection.History of the previous message of the session.
	History []string
	// Made is called with every selection. It may be nil.
	Made func(s *engine.Snapshot, x Selection)
}

// Select returns the tools that the message is sent with, the always-sent tools
// first. It is the Select of engine.Inputs. The error is ctx's, or the index's.
func (c *Chooser) Select(ctx context.Context, s *engine.Snapshot, message string) ([]*model.Tool, error) {
	x, err := New(ctx, s, SettingsOf(s.Config), nil, nil)
	if err != nil {
		return nil, err
	}
	if c.Similarity != nil && x.settings.wantsSimilarity() && !x.takesAll() {
		similarity, absent := c.Similarity(ctx, s, x.Candidates())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x = x.WithSimilarity(similarity, absent)
	}
	selection, err := x.Select(ctx, message, c.History)
	if err != nil {
		return nil, err
	}
	if c.Made != nil {
		c.Made(s, selection)
	}
	return selection.Assembly.Tools, nil
}

// scope is the tools that a session lets a selection choose from.
type scope struct {
	engine.Preselection
	snapshot *engine.Snapshot
	numbers  []int    // by Tool.Index: index in Candidates plus 1; 0: not a candidate
	names    mentions // of candidates and excluded tools
	budget   engine.Budget
}

// newScope returns the scope of a snapshot.
//
// SECURITY: tools come from the snapshot's Preselection, which holds granted
// tools only: neither a core name, nor a mention, nor a history reaches a tool
// that the session is not granted.
func newScope(s *engine.Snapshot, set Settings) *scope {
	c := &scope{
		Preselection: s.Preselection(set.Core, set.Exclude),
		snapshot:     s,
		numbers:      make([]int, len(s.Registry.Tools)),
		budget:       s.Budget(false),
	}
	for i, t := range c.Candidates {
		c.numbers[t.Index] = i + 1
	}
	always := make(map[*model.Tool]bool, len(c.Always))
	for _, t := range c.Always {
		always[t] = true
	}
	var named []*model.Tool
	for _, t := range s.ByName() {
		if s.Granted(t) && !engine.IsBridge(t.Name) && !always[t] {
			named = append(named, t)
		}
	}
	c.names = newMentions(named)
	return c
}

// remembered returns the indexes of the candidates of a history, in its order,
// each once. A history may have names of the agent's other generation.
func (c *scope) remembered(history []string) (docs []int) {
	seen := map[int]bool{}
	for _, name := range history {
		for _, t := range c.snapshot.Registry.Called(name) {
			if number := c.numbers[t.Index]; number > 0 && !seen[number-1] {
				seen[number-1] = true
				docs = append(docs, number-1)
			}
		}
	}
	return docs
}
