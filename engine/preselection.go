package engine

import (
	"slices"

	"caliper/config"
	"caliper/model"
)

// Preselection is the tools that a session lets a strategy of pre-selection choose from.
// Its slices must not be changed.
type Preselection struct {
	Sendable   []*model.Tool // granted, available and no bridge name; in registry order
	Always     []*model.Tool // of these, the ones sent with every message; in registry order
	Candidates []*model.Tool // of these, what can be selected; by name, then qualified name
	Excluded   []*model.Tool // of these, the ones never selected; by name, then qualified name
}

// TakesAll reports whether there are no more than k candidates, so that all are
// selected and nothing is ranked.
func (p Preselection) TakesAll(k int) bool { return len(p.Candidates) <= k }

// Preselection returns what the session lets a strategy choose from, when the
// tools named core are always sent and those named excluded never selected. A
// tool on both lists is excluded. Names are raw or qualified.
//
// SECURITY: only granted tools are in it. A selection that takes its tools
// from here cannot reach beyond the scope by a core name, a mention in the
// message or a history.
func (s *Snapshot) Preselection(core, excluded []string) Preselection {
	return s.preselectionOf(s.granted, core, excluded)
}

// preselectionOf is Preselection for any scope, by Tool.Index.
func (s *Snapshot) preselectionOf(granted []bool, core, excluded []string) Preselection {
	always, never := bearersOf(s.Registry, core), bearersOf(s.Registry, excluded)
	p := Preselection{Sendable: s.sendable(granted)}
	for _, t := range p.Sendable {
		if always[t] && !never[t] {
			p.Always = append(p.Always, t)
		}
	}
	for _, t := range s.facts.byName() {
		switch {
		case !granted[t.Index] || IsBridge(t.Name):
		case never[t]:
			p.Excluded = append(p.Excluded, t)
		case !always[t]:
			p.Candidates = append(p.Candidates, t)
		}
	}
	return p
}

// sendable returns what a scope, by Tool.Index, may be sent, in registry order.
func (s *Snapshot) sendable(granted []bool) []*model.Tool {
	return slices.DeleteFunc(slices.Clone(s.Registry.Tools), func(t *model.Tool) bool {
		return !granted[t.Index] || s.classByName[t.Index] == Dropped
	})
}

// bearersOf returns the tools that names stand for, raw or qualified, or as the agent's
// other generation names them.
func bearersOf(r *model.Registry, names []string) map[*model.Tool]bool {
	set := map[*model.Tool]bool{}
	for _, name := range names {
		for _, t := range r.Called(name) {
			set[t] = true
		}
	}
	return set
}

// unselected returns the tools that are sent with a message that selects
// nothing: those always sent, and all candidates where no more than top_k exist.
// It is nothing for lazy.
func (s *Snapshot) unselected(granted []bool) []*model.Tool {
	c := s.Config.PreSelection
	if s.Config.Selection == config.SelectLazy || !PreSelects(s.Config.Selection) {
		return nil
	}
	p := s.preselectionOf(granted, c.Core, c.Exclude)
	if !p.TakesAll(c.TopK) {
		return p.Always
	}
	rest := slices.Clone(p.Candidates)
	slices.SortFunc(rest, func(a, b *model.Tool) int { return a.Index - b.Index })
	return slices.Concat(p.Always, rest)
}
