package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/tui/workbench"
)

// partCounts is what every definition is made of, by its content. Counting
// reads every schema, so that it is done beside the screen, and only for what
// is new.
type partCounts struct {
	registry  *model.Registry // that is counted; nil: none is yet
	tokenizer tokens.Method
	byContent map[model.Hash]engine.Parts
	gen       int // of the newest count
	counting  *engine.Snapshot
	cancel    context.CancelFunc
}

// partsMsg is the outcome of a count.
type partsMsg struct {
	gen    int
	of     *engine.Snapshot
	counts map[model.Hash]engine.Parts
}

// of reports whether the counts are those of a state.
func (p *partCounts) of(st *workbench.State) bool {
	return p.registry == st.Snapshot.Registry && p.tokenizer == st.Snapshot.Tokenizer
}

// sum adds up the parts of tools.
func (p *partCounts) sum(tools []*model.Tool) engine.Parts {
	var sum engine.Parts
	for _, t := range tools {
		sum = sum.Add(p.byContent[t.Hash])
	}
	return sum
}

// measure returns a command that counts what the definitions are made of,
// nil while the screen is not looked at or has what it needs.
func (s *budgetScreen) measure() tea.Cmd {
	p := &s.parts
	if s.state == nil || s.app.mode.Screen != ScreenBudget || p.of(s.state) {
		return nil
	}
	snap := s.state.Snapshot
	if c := p.counting; c != nil && c.Registry == snap.Registry && c.Tokenizer == snap.Tokenizer {
		return nil
	}
	if p.cancel != nil {
		p.cancel()
	}
	ctx, cancel := context.WithCancel(s.app.ctx)
	p.gen++
	p.cancel, p.counting = cancel, snap
	gen, known := p.gen, p.byContent
	if p.tokenizer != snap.Tokenizer {
		known = nil
	}
	return func() tea.Msg {
		defer cancel()
		msg := partsMsg{gen: gen, of: snap, counts: make(map[model.Hash]engine.Parts, len(snap.Registry.Tools))}
		for i, t := range snap.Registry.Tools {
			if i%64 == 0 && ctx.Err() != nil {
				return nil
			}
			parts, ok := known[t.Hash]
			if !ok {
				parts = snap.Parts(t)
			}
			msg.counts[t.Hash] = parts
		}
		return msg
	}
}

// measured takes in the outcome of the newest count.
func (s *budgetScreen) measured(msg partsMsg) {
	p := &s.parts
	if msg.gen != p.gen {
		return
	}
	p.registry, p.tokenizer, p.byContent = msg.of.Registry, msg.of.Tokenizer, msg.counts
	p.counting, p.cancel = nil, nil
	s.changes++
}
