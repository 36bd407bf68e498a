package scope

import (
	"slices"

	"caliper/config"
	"caliper/model"
)

// Executor decides whether a session may execute a tool, as an agent's tool executor
// does after it has unwrapped a tool_call. It goes from the tool upwards: it finds
// the toolsets that hold the tool and checks whether the session names one of them.
// The catalog is computed the other way, from the session down (scope.go). The two
// must agree, and neither may read what the other computed.
type Executor struct {
	tools     []*model.Tool
	toolsets  []*model.Toolset
	holders   [][]int        // by Tool.Index: toolsets that list the tool or are named by it
	includers [][]int        // toolset -> toolsets that include it
	number    map[string]int // toolset by its own name
	servers   map[string]int // the first toolset of a server
}

// NewExecutor indexes the registry from tools to the toolsets holding them.
func NewExecutor(r *model.Registry) *Executor {
	e := &Executor{
		tools:     r.Tools,
		toolsets:  r.Toolsets,
		holders:   make([][]int, len(r.Tools)),
		includers: make([][]int, len(r.Toolsets)),
		number:    make(map[string]int, len(r.Toolsets)),
		servers:   map[string]int{},
	}
	for i, ts := range r.Toolsets {
		e.number[ts.Name] = i
		if _, later := e.servers[ts.Server]; !later && ts.Server != "" {
			e.servers[ts.Server] = i
		}
	}
	listers := e.listers()
	named := make([]int, 0, len(r.Tools)) // one memory for the first holder of every tool
	for i, t := range r.Tools {
		if n, ok := e.number[t.Toolset]; ok {
			named = append(named, n)
			e.holders[i] = named[len(named)-1 : len(named) : len(named)]
		}
		if len(listers) == 0 {
			continue
		}
		e.holders[i] = append(e.holders[i], listers[t.Name]...)
		if t.Qualified != t.Name {
			e.holders[i] = append(e.holders[i], listers[t.Qualified]...)
		}
	}
	return e
}

// listers fills in includers, and returns the toolsets that list each name. A
// toolset that a definition of the name names is left out: it holds that
// definition, and no other.
func (e *Executor) listers() map[string][]int {
	listers := map[string][]int{}
	var owners map[[2]string]bool // {toolset, tool name} where a definition names the toolset
	for i, ts := range e.toolsets {
		if len(ts.Tools) > 0 && owners == nil {
			owners = make(map[[2]string]bool, len(e.tools))
			for _, t := range e.tools {
				owners[[2]string{t.Toolset, t.Name}] = true
			}
		}
		for _, name := range ts.Tools {
			if !owners[[2]string{ts.Name, name}] {
				listers[name] = append(listers[name], i)
			}
		}
		for _, in := range ts.Includes {
			if j, ok := e.number[in]; ok {
				e.includers[j] = append(e.includers[j], i)
			}
		}
	}
	return listers
}

// Session is the executor of one session. It never changes and is safe for
// concurrent use.
type Session struct {
	*Executor
	everything bool // the session has no list of enabled toolsets
	enabled    namedToolsets
	disabled   namedToolsets
	filters    map[string]config.Server // of the configuration, by name
	kept       map[string]bool          // qualified names that a list keeps from the session
}

// namedToolsets are the toolsets that a list of a session names.
type namedToolsets struct {
	all      bool   // every toolset is named, and a tool without one too
	toolsets []bool // by toolset: it is named, or a toolset that includes it is, directly or not; nil: none
}

// Serving returns the executor of a session.
func (e *Executor) Serving(session config.Session, c config.Config) *Session {
	enabled := session.Enabled
	if session.Platform {
		enabled = e.platformNames(session, c)
	}
	disabled := append(session.Disabled[:len(session.Disabled):len(session.Disabled)], e.unbundled(c.Agent.Disabled, c.Core)...)
	out := &Session{Executor: e, everything: session.Enabled == nil, enabled: e.named(enabled), disabled: e.named(disabled)}
	for _, s := range c.Agent.Servers {
		if out.filters == nil {
			out.filters = map[string]config.Server{}
		}
		out.filters[s.Name] = s
	}
	for _, w := range session.Withheld {
		if out.kept == nil {
			out.kept = map[string]bool{}
		}
		out.kept[w.Tool] = true
	}
	return out
}

// Allows reports whether the session may execute the tool. A tool that this
// registry does not hold, or whose availability check failed, may never be. It costs
// a look at each toolset that holds the tool.
func (e *Session) Allows(t *model.Tool) bool {
	if t == nil || !t.Available || e.kept[t.Qualified] || e.withheld(t) {
		return false
	}
	if t.Index >= len(e.tools) || e.tools[t.Index] != t {
		return false
	}
	held := e.holders[t.Index]
	return (e.everything || e.enabled.holdAny(held)) && !e.disabled.holdAny(held)
}

// holdAny reports whether one of some toolsets is named, or included by one that is.
func (n *namedToolsets) holdAny(toolsets []int) bool {
	return n.all || n.toolsets != nil && slices.ContainsFunc(toolsets, func(i int) bool { return n.toolsets[i] })
}

// named returns the toolsets that a list of a session names.
func (e *Executor) named(names []string) namedToolsets {
	n := namedToolsets{}
	for _, name := range names {
		if name == "*" || name == "all" {
			return namedToolsets{all: true}
		}
		i, ok := e.meant(name)
		if !ok {
			continue
		}
		if n.toolsets == nil {
			n.toolsets = make([]bool, len(e.toolsets))
		}
		n.toolsets[i] = true
	}
	for again := n.toolsets != nil; again; { // one round for each step that inclusions go down
		again = false
		for i, named := range n.toolsets {
			if !named && slices.ContainsFunc(e.includers[i], func(up int) bool { return n.toolsets[up] }) {
				n.toolsets[i], again = true, true
			}
		}
	}
	return n
}

// meant returns the toolset that a name in a session stands for: the one that is
// called that, or else the first of the server that is.
func (e *Executor) meant(name string) (toolset int, ok bool) {
	if i, ok := e.number[name]; ok {
		return i, true
	}
	i, ok := e.servers[name]
	return i, ok
}
