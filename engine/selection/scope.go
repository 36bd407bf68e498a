package selection

import (
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
)

// scope is what a session lets a selection choose from.
type scope struct {
	snapshot   *engine.Snapshot
	sendable   []*model.Tool // granted and available, in registry order
	core       []*model.Tool // of sendable, what is always sent; in registry order
	candidates []*model.Tool // of sendable, what is chosen from; by name, then qualified name
	place      []int         // by Tool.Index: place in candidates, from 1; 0: no candidate
	excluded   map[*model.Tool]bool
	names      mentions // of candidates and excluded
	units      *tokens.Cache
	budget     engine.Budget
}

// newScope returns the scope of a snapshot.
//
// SECURITY: this is the only place that lets tools into a selection, and it
// asks the snapshot's scope first: neither a core name, nor a mention, nor a
// history reaches a tool that the session is not granted.
func newScope(s *engine.Snapshot, set Settings) *scope {
	c := &scope{
		snapshot: s,
		place:    make([]int, len(s.Registry.Tools)),
		excluded: bearers(s.Registry, set.Exclude),
		units:    tokens.NewCache(s.Tokenizer),
		budget:   s.Budget(false),
	}
	core := bearers(s.Registry, set.Core)
	for _, t := range s.Registry.Tools {
		if !sendable(s, t) {
			continue
		}
		c.sendable = append(c.sendable, t)
		if core[t] && !c.excluded[t] {
			c.core = append(c.core, t)
		}
	}
	var named []*model.Tool
	for _, t := range s.ByName() {
		if !sendable(s, t) || core[t] && !c.excluded[t] {
			continue
		}
		named = append(named, t)
		if !c.excluded[t] {
			c.candidates = append(c.candidates, t)
			c.place[t.Index] = len(c.candidates)
		}
	}
	c.names = newMentions(named)
	return c
}

// sendable reports whether a session may be sent a tool: granted, available,
// and not of a bridge's name, whose place the bridge takes.
func sendable(s *engine.Snapshot, t *model.Tool) bool {
	status := s.Status(t)
	return status == engine.Sent || status == engine.Deferred
}

// bearers returns the tools that bear one of the names, or the qualified name.
func bearers(r *model.Registry, names []string) map[*model.Tool]bool {
	set := map[*model.Tool]bool{}
	for _, name := range names {
		for _, t := range r.Lookup(name) {
			set[t] = true
		}
	}
	return set
}

// mentioned returns the places of the candidates that a message names, in
// ascending order, and whether it names an excluded tool.
func (c *scope) mentioned(message string) (places []int, excluded *model.Tool) {
	for _, t := range c.names.find(message) {
		if place := c.place[t.Index]; place > 0 {
			places = append(places, place-1)
		} else if excluded == nil {
			excluded = t
		}
	}
	return places, excluded
}

// remembered returns the places of the candidates of a history, in its order,
// each once.
func (c *scope) remembered(history []string) []int {
	var places []int
	seen := map[int]bool{}
	for _, name := range history {
		for _, t := range c.snapshot.Registry.Lookup(name) {
			if place := c.place[t.Index]; place > 0 && !seen[place] {
				seen[place] = true
				places = append(places, place-1)
			}
		}
	}
	return places
}
