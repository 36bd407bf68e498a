// Package scope computes which tools a session is granted, twice: a Resolver goes from the
// session down to tools, as the catalog of an agent does, and an Executor from a tool up to
// the session, as the agent's tool executor does. Neither reads what the other computed, so
// that a fault in the one is found by the other; where they differ, a tool is offered that
// cannot be called, or the reverse.
//
// Non-goals: policy rules and the other gates (package engine).
package scope

import (
	"slices"
	"strings"
	"sync"

	"caliper/config"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Resolver resolves sessions to the tools they are granted, set by set. It is
// the first of two independent computations of a scope; the second is the
// executor's, in executor.go, and shares nothing with this one.
type Resolver struct {
	registry *model.Registry
	naming   func() map[string][]int // toolset -> tools that name it
	alias    map[string]string       // bare server name -> its toolset
}

// NewResolver indexes the registry for resolving sessions.
func NewResolver(r *model.Registry) *Resolver {
	s := &Resolver{registry: r, alias: map[string]string{}}
	s.naming = sync.OnceValue(func() map[string][]int {
		naming := map[string][]int{}
		for _, t := range r.Tools {
			naming[t.Toolset] = append(naming[t.Toolset], t.Index)
		}
		return naming
	})
	for _, ts := range r.Toolsets {
		if _, taken := r.Toolset(ts.Server); taken || ts.Server == "" {
			continue
		}
		if _, taken := s.alias[ts.Server]; !taken {
			s.alias[ts.Server] = ts.Name
		}
	}
	return s
}

// everyToolset reports whether a name in a session means every toolset.
func everyToolset(name string) bool { return name == "*" || name == "all" }

// Grant returns, by Tool.Index, whether the session is granted each tool.
// Disabled toolsets are subtracted last, with all they resolve to, and so are the tools that
// the agent's own sections take away. Unknown names grant and take nothing; a tool
// that is not available is never granted.
func (s *Resolver) Grant(sess config.Session, c config.Config) []bool {
	granted := make([]bool, len(s.registry.Tools))
	if sess.Enabled == nil {
		s.mark(granted, "*", true)
	}
	enabled := sess.Enabled
	if sess.Platform {
		enabled = s.platformToolsets(sess, c)
	}
	for _, name := range enabled {
		s.mark(granted, name, true)
	}
	for _, name := range sess.Disabled {
		s.mark(granted, name, false)
	}
	for _, name := range c.Agent.Disabled {
		for _, name := range s.withoutBundle(name, c) {
			s.mark(granted, name, false)
		}
	}
	for _, t := range s.registry.Tools {
		if !t.Available || granted[t.Index] && !s.registered(t, c.Agent) {
			granted[t.Index] = false
		}
	}
	// SECURITY: as the executor, which reads the same list by itself.
	for _, w := range sess.Withheld {
		if t := s.registry.Named(w.Tool); t != nil {
			granted[t.Index] = false
		}
	}
	return granted
}

// mark sets to value every tool that a name in a session stands for.
func (s *Resolver) mark(granted []bool, name string, value bool) {
	if everyToolset(name) {
		for i := range granted {
			granted[i] = value
		}
		return
	}
	s.markToolset(granted, s.resolve(name), value, map[string]bool{})
}

// resolve returns the toolset that a name stands for: its own, or the one it
// is an alias of. A toolset's own name always wins.
func (s *Resolver) resolve(name string) string {
	if _, ok := s.registry.Toolset(name); ok {
		return name
	}
	return s.alias[name]
}

// markToolset marks the tools of a toolset and of all it includes; seen cuts
// inclusion cycles.
func (s *Resolver) markToolset(granted []bool, name string, value bool, seen map[string]bool) {
	ts, ok := s.registry.Toolset(name)
	if !ok || seen[name] {
		return
	}
	seen[name] = true
	for _, i := range s.naming()[name] {
		granted[i] = value
	}
	for _, listed := range ts.Tools {
		for _, i := range s.listed(name, listed) {
			granted[i] = value
		}
	}
	for _, included := range ts.Includes {
		s.markToolset(granted, included, value, seen)
	}
}

// listed returns the tools that a toolset's list adds by a name to those that
// name the toolset: every definition of the name when none of them is its own.
// So two servers that list one name do not grant each other's tool.
func (s *Resolver) listed(toolset, name string) []int {
	var all []int
	for _, t := range s.registry.Lookup(name) {
		if t.Toolset == toolset {
			return nil
		}
		all = append(all, t.Index)
	}
	return all
}

// Meant returns "; did you mean x?" with the first toolset or server whose
// name is like this one, and nothing when there is none.
func (s *Resolver) Meant(name string) string {
	like := strings.Map(words.FoldRune, name)
	var found []string
	add := func(candidate string) {
		if c := strings.Map(words.FoldRune, candidate); like != "" && (c == like || strings.HasSuffix(c, like) || words.Levenshtein([]byte(c), []byte(like), 1) <= 1) && !slices.Contains(found, candidate) {
			found = append(found, candidate)
		}
	}
	for _, ts := range s.registry.Toolsets {
		add(ts.Name)
		if ts.Server != "" {
			add(ts.Server)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return words.DidYouMean(safetext.Line(found[0]))
}

// Unknown returns the names of a session that stand for no toolset,
// in the order they are written.
func (s *Resolver) Unknown(sess config.Session, agent config.AgentScope) []string {
	var out []string
	for _, names := range [][]string{sess.Enabled, sess.Disabled} {
		for _, name := range names {
			if sess.Platform && agent.Knows(name) {
				continue
			}
			if !everyToolset(name) && s.resolve(name) == "" {
				out = append(out, name)
			}
		}
	}
	return out
}
