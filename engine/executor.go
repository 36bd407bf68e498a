package engine

import (
	"slices"

	"caliper/config"
	"caliper/model"
)

// executor decides the scope of one tool as an agent's tool executor does
// when it has unwrapped a tool_call: from the tool upwards, asking which
// toolsets hold it and whether the session names one of them. The catalog's
// computation goes the other way, from the session down (scope.go). The two
// must agree, and neither may read what the other computed.
type executor struct {
	toolsets  []*model.Toolset
	holders   map[*model.Tool][]int // toolsets that list the tool or are named by it
	includers [][]int               // toolset -> toolsets that include it
}

// newExecutor indexes the registry from tools to the toolsets holding them.
func newExecutor(r *model.Registry) *executor {
	e := &executor{
		toolsets:  r.Toolsets,
		holders:   make(map[*model.Tool][]int, len(r.Tools)),
		includers: make([][]int, len(r.Toolsets)),
	}
	number := make(map[string]int, len(r.Toolsets))
	for i, ts := range r.Toolsets {
		number[ts.Name] = i
	}
	owners := map[[2]string]bool{} // {toolset, tool name} where a definition names the toolset
	for _, t := range r.Tools {
		owners[[2]string{t.Toolset, t.Name}] = true
		if i, ok := number[t.Toolset]; ok {
			e.holders[t] = append(e.holders[t], i)
		}
	}
	listers := map[string][]int{}
	for i, ts := range r.Toolsets {
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
	for _, t := range r.Tools {
		e.holders[t] = append(e.holders[t], listers[t.Name]...)
		if t.Qualified != t.Name {
			e.holders[t] = append(e.holders[t], listers[t.Qualified]...)
		}
	}
	return e
}

// allows reports whether the session may execute the tool. A tool that this
// registry does not hold, or whose availability check failed, may never be.
func (e *executor) allows(sess config.Session, t *model.Tool) bool {
	if t == nil || !t.Available {
		return false
	}
	held, known := e.holders[t]
	if !known {
		return false
	}
	chain := e.ancestry(held)
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
		if first < 0 && name != "" && (ts.Server == name || ts.Server == "" && ts.Name == "mcp-"+name) {
			first = j
		}
	}
	return first == i
}
