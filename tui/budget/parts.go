package budget

import (
	"context"
	"runtime"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sync/errgroup"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// partCounts are the tokens of the parts of every definition, by its content.
// Counting reads every schema, so it is done beside the screen, and only for
// definitions that are new.
type partCounts struct {
	registry  *model.Registry // that is counted; nil: none yet
	tokenizer tokens.Method
	byContent map[model.Hash]engine.Parts
	counting  ui.Job[partsOf, map[model.Hash]engine.Parts]
}

// partsOf is the input of a job.
type partsOf struct {
	registry  *model.Registry
	tokenizer tokens.Method
}

// of reports whether the counts belong to a state.
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

// countParts returns the parts of every definition, by its content. Those that are
// known are not counted. It uses all processors; its error is the context's.
func countParts(ctx context.Context, snap *engine.Snapshot, known map[model.Hash]engine.Parts) (map[model.Hash]engine.Parts, error) {
	tools := snap.Registry.Tools
	parts := make([]engine.Parts, len(tools))
	group, ctx := errgroup.WithContext(ctx)
	const batch = 64 // tools between two looks at the context
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for from := int(next.Add(batch)) - batch; from < len(tools); from = int(next.Add(batch)) - batch {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				for i := from; i < min(from+batch, len(tools)); i++ {
					var ok bool
					if parts[i], ok = known[tools[i].Content()]; !ok {
						parts[i] = snap.Parts(tools[i])
					}
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	counts := make(map[model.Hash]engine.Parts, len(tools))
	for i, t := range tools {
		counts[t.Content()] = parts[i]
	}
	return counts, nil
}

// Update takes in the outcome of the newest count.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		s.state = msg.After
		s.list.of, s.listing.of = nil, nil
		s.listing.pane.Drop()
		if s.view == viewListing && !s.lists() {
			s.view = viewCosts
		}
		s.cursor = min(s.cursor, len(s.knobs())-1)
		return nil
	case report.Case:
		without := s.host.Knobs.Files().Snapshot
		if s.state.Baseline == nil {
			without = nil
		}
		return s.host.Clip.CopyReport("repro of Budget", msg.Budget(without, s.host.Knobs.Habits()))
	}
	p := &s.parts
	counts, cmd, mine := p.counting.Update(msg)
	if mine && counts != nil {
		p.registry, p.tokenizer, p.byContent = p.counting.Of.registry, p.counting.Of.tokenizer, *counts
	}
	return cmd
}
