package selection

import (
	"context"
	"slices"

	"caliper/engine"
)

// Message is a user's message with the rankings of the candidates for it. It never
// changes.
type Message struct {
	text     string
	rankings rankings
}

// Rank returns a message, ranked for Brief under some strategies, whatever the strategy of the
// settings is. Each ranking is made once, however many strategies want it. The error is
// ctx's.
func (s *Selector) Rank(ctx context.Context, message string, strategies ...Strategy) (m Message, err error) {
	m.text = message
	if s.takesAll() || !slices.ContainsFunc(strategies, Strategy.Ranks) {
		return m, ctx.Err()
	}
	keyword, semantic := false, false
	set := s.settings
	for _, set.Strategy = range strategies {
		keyword, semantic = keyword || set.wantsKeywords(), semantic || set.wantsSimilarity()
	}
	m.rankings, err = s.ask(ctx, message, keyword, semantic)
	return m, err
}

// Brief is a Selection in short: what decides on the bytes that are sent, and on the next
// selection of the session.
type Brief struct {
	Assembly engine.Assembly
	History  []string // as Selection.History returns it
	Notes    []Note   // on the rankings
}

// Brief returns what Select returns for a message that was ranked for the strategy of the
// settings, which is one that ranks. The message must come from a selector of the same
// snapshot, scope and settings but for the strategy.
func (s *Selector) Brief(m Message, history []string) Brief {
	l := m.rankings
	if !s.settings.wantsSimilarity() { // another strategy did
		l.semantic, l.similarityFailed, l.notes = nil, false, nil
	}
	c := s.chosen(m.text, history, l)
	b := Brief{Assembly: s.assembly(c), Notes: c.notes}
	if len(c.picks) > 0 {
		b.History = make([]string, len(c.picks))
	}
	for i, p := range c.picks {
		b.History[i] = s.scope.Candidates[p.doc].Qualified
	}
	return b
}
