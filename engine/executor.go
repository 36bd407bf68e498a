package engine

import (
	"slices"

	"caliper/config"
	"caliper/model"
)

// executor decides whether a session may execute a tool, as an agent's tool executor
// does after it has unwrapped a tool_call. It goes from the tool upwards: it finds
// the toolsets that hold the tool and checks whether the session names one of them.
// The catalog is computed the other way, from the session down (scope.go). The two
// must agree, and neither may read what the other computed.
type executor struct {
	tools     []*model.Tool
	toolsets  []*model.Toolset
	holders   [][]int // by Tool.Index: toolsets that list the tool or are named by it
	includers [][]int // toolset -> toolsets that include it
}

// newExecutor indexes the registry from tools to the toolsets holding them.
func newExecutor(r *model.Registry) *executor {
	e := &executor{
		tools:     r.Tools,
		toolsets:  r.Toolsets,
		holders:   make([][]int, len(r.Tools)),
		includers: make([][]int, len(r.Toolsets)),
	}
	number := make(map[string]int, len(r.Toolsets))
	for i, ts := range r.Toolsets {
		number[ts.Name] = i
	}
	listers := e.listers(number)
	named := make([]int, 0, len(r.Tools)) // one memory for the first holder of every tool
	for i, t := range r.Tools {
		if n, ok := number[t.Toolset]; ok {
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
func (e *executor) listers(number map[string]int) map[string][]int {
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
			if j, ok := number[in]; ok {
				e.includers[j] = append(e.includers[j], i)
			}
		}
	}
	return listers
}

// allows reports whether the session may execute the tool. A tool that this
// registry does not hold, or whose availability check failed, may never be.
func (e *executor) allows(sess config.Session, t *model.Tool) bool {
	if t == nil || !t.Available {
		return false
	}
	if t.Index >= len(e.tools) || e.tools[t.Index] != t {
		return false
	}
	chain := e.ancestry(e.holders[t.Index])
	enabled := sess.Enabled == nil || e.anyNamed(chain, sess.Enabled)
	return enabled && !e.anyNamed(chain, sess.Disabled)
}

// ancestry returns the given toolsets and every toolset that includes one of
// them, directly or not.
func (e *executor) ancestry(held []int) []int {
	chain := slices.Clone(held)
	for i := 0; i < len(chain); i++ {
		for _, up := range e.includers[chain[i]] {
			if !slices.Contains(chain, up) {
				chain = append(chain, up)
			}
		}
	}
	return chain
}

// anyNamed reports whether one of the names stands for one of the toolsets.
func (e *executor) anyNamed(chain []int, names []string) bool {
	for _, name := range names {
		if name == "*" || name == "all" {
			return true
		}
		for _, i := range chain {
			if e.standsFor(name, i) {
				return true
			}
		}
	}
	return false
}

// standsFor reports whether a name in a session means toolset i: by its own
// name, or by the bare name of its server when no toolset is called that and
// no earlier toolset has that server.
func (e *executor) standsFor(name string, i int) bool {
	if e.toolsets[i].Name == name {
		return true
	}
	first := -1
	for j, ts := range e.toolsets {
		if ts.Name == name {
			return false
		}
		if first < 0 && name != "" && ts.Server == name {
			first = j
		}
	}
	return first == i
}
