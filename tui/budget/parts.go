package budget

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/tui/job"
	"caliper/tui/workbench"
)

// partCounts are the tokens of the parts of every definition, by its content.
// Counting reads every schema, so it is done beside the screen, and only for
// definitions that are new.
type partCounts struct {
	registry  *model.Registry // that is counted; nil: none yet
	tokenizer tokens.Method
	byContent map[model.Hash]engine.Parts
	counting  job.Job[partsOf, map[model.Hash]engine.Parts]
}

// partsOf is what a job counts.
type partsOf struct {
	registry  *model.Registry
	tokenizer tokens.Method
}

// of reports whether the counts are those of a state.
func (p *partCounts) of(st *workbench.State) bool {
	return p.registry == st.Snapshot.Registry && p.tokenizer == st.Snapshot.Tokenizer
}

// sum adds up the parts of tools.
func (p *partCounts) sum(tools []*model.Tool) engine.Parts {
	var sum engine.Parts
	for _, t := range tools {
		sum = sum.Add(p.byContent[t.Content()])
	}
	return sum
}

// measure returns a command that counts the makeup of the definitions; nil
// while the screen is hidden or has the counts.
func (s *Screen) measure() tea.Cmd {
	p := &s.parts
	if s.state == nil || !s.visible || p.of(s.state) {
		return nil
	}
	snap, known := s.state.Snapshot, p.byContent
	of := partsOf{snap.Registry, snap.Tokenizer}
	if p.counting.Begun && p.counting.Of == of {
		return nil
	}
	if p.tokenizer != snap.Tokenizer {
		known = nil
	}
	return p.counting.Start(s.host.Context(), of, func(ctx context.Context, _ job.Progress) (map[model.Hash]engine.Parts, error) {
		counts := make(map[model.Hash]engine.Parts, len(snap.Registry.Tools))
		for i, t := range snap.Registry.Tools {
			if i%64 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			parts, ok := known[t.Content()]
			if !ok {
				parts = snap.Parts(t)
			}
			counts[t.Content()] = parts
		}
		return counts, nil
	})
}

// Update takes in the outcome of the newest count.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	p := &s.parts
	counts, cmd, mine := p.counting.Update(msg)
	if mine && counts != nil {
		p.registry, p.tokenizer, p.byContent = p.counting.Of.registry, p.counting.Of.tokenizer, *counts
		s.changes++
	}
	return cmd
}
