package engine

import (
	"context"
	"slices"
	"strings"
	"sync"

	"caliper/engine/tokens"
	"caliper/model"
)

// facts is what can be said of a registry without a session.
type facts struct {
	registry *model.Registry
	scopes   *scopes
	executor *executor
	byName   []*model.Tool // sorted by name, then qualified name: catalog order

	units map[tokens.Method][]int32 // by Tool.Index; the Builder's mutex guards the map
}

// newFacts computes the facts of a registry.
func newFacts(r *model.Registry) *facts {
	f := &facts{
		registry: r, scopes: newScopes(r), executor: newExecutor(r), byName: slices.Clone(r.Tools),
		units: map[tokens.Method][]int32{},
	}
	slices.SortStableFunc(f.byName, func(a, b *model.Tool) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Qualified, b.Qualified)
	})
	return f
}

// factsOf returns the facts of a registry, computing them when it is not the
// registry of the last build.
func (b *Builder) factsOf(r *model.Registry) *facts {
	b.mu.Lock()
	known := b.facts
	b.mu.Unlock()
	if known != nil && known.registry == r {
		return known
	}
	f := newFacts(r)
	b.mu.Lock()
	b.facts, b.laid = f, nil
	b.mu.Unlock()
	return f
}

// study sets what a snapshot is told by its registry alone: the facts, and
// beside them the size of every definition.
func (b *Builder) study(ctx context.Context, s *Snapshot) (err error) {
	var beside sync.WaitGroup
	beside.Go(func() { s.facts = b.factsOf(s.Registry) })
	b.mu.Lock()
	if b.facts != nil && b.facts.registry == s.Registry {
		s.units = b.facts.units[s.Tokenizer]
	}
	b.mu.Unlock()
	if s.units == nil {
		s.units, err = b.countsBy(s.Tokenizer).Registry(ctx, s.Registry)
	}
	beside.Wait()
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.facts.units[s.Tokenizer] = s.units
	return ctx.Err()
}
