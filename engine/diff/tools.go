package diff

import (
	"bytes"
	"cmp"
	"strings"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
)

// ChangedPart is a part of a tool that can change while its name stays.
type ChangedPart string

// The parts, in the order in which they are listed.
const (
	ChangedDescription  ChangedPart = "description"
	ChangedParameters   ChangedPart = "parameters"
	ChangedToolset      ChangedPart = "toolset"
	ChangedDefinition   ChangedPart = "definition"   // neither description nor parameters, but other members of the definition, or their order
	ChangedAvailability ChangedPart = "availability" // the outcome of the availability check
)

// ToolChange is one tool that is not the same in two registries.
type ToolChange struct {
	Name    string        // qualified
	Toolset string        // in the new registry; of a removed tool, in the old one
	Parts   []ChangedPart // of a changed tool, at least one
}

// Changes returns the tools that only the new registry has, the ones that only
// the old one has, and those of both that changed, each list sorted by name.
// Tools are identified by qualified name, so that one whose name begins or
// ceases to be borne by several is removed under one name and added under the
// other. Description and parameters are compared as the model is sent them:
// white space and ways to write a text or a number do not count, the order of
// members does.
//
// It costs two look-ups for each tool, and for those whose bytes differ a pass
// over their definitions.
func Changes(old, new *model.Registry) (added, removed, changed []ToolChange) {
	if old == new {
		return nil, nil, nil
	}
	for _, t := range new.Tools {
		change := ToolChange{Name: t.Qualified, Toolset: t.Toolset}
		was := old.Named(t.Qualified)
		if was == nil {
			added = append(added, change)
			continue
		}
		same := sameDefinition(was, t)
		if !same && was.Description != t.Description {
			change.Parts = append(change.Parts, ChangedDescription)
		}
		if !same && !sentAlike(was.Parameters, t.Parameters) {
			change.Parts = append(change.Parts, ChangedParameters)
		}
		explained := len(change.Parts) > 0
		if was.Toolset != t.Toolset {
			change.Parts = append(change.Parts, ChangedToolset)
		}
		if !same && !explained {
			change.Parts = append(change.Parts, ChangedDefinition)
		}
		if was.Available != t.Available {
			change.Parts = append(change.Parts, ChangedAvailability)
		}
		if change.Parts != nil {
			changed = append(changed, change)
		}
	}
	for _, t := range old.Tools {
		if new.Named(t.Qualified) == nil {
			removed = append(removed, ToolChange{Name: t.Qualified, Toolset: t.Toolset})
		}
	}
	for _, list := range [][]ToolChange{added, removed, changed} {
		model.Sort(list, func(a, b ToolChange) int { return strings.Compare(a.Name, b.Name) })
	}
	return added, removed, changed
}

// sameDefinition reports whether two tools are sent as the same bytes.
func sameDefinition(a, b *model.Tool) bool {
	beforeA, afterA := a.Around()
	beforeB, afterB := b.Around()
	if bytes.Equal(a.Function, b.Function) && beforeA == beforeB && afterA == afterB {
		return true
	}
	return a.Name == b.Name && sentAlike(tokens.Definition(a), tokens.Definition(b))
}

// sentAlike reports whether two JSON values are sent as the same bytes.
func sentAlike(a, b []byte) bool { return bytes.Equal(tokens.Compact(nil, a), tokens.Compact(nil, b)) }

// ToolsetChange is the cost of one toolset in two budgets. A toolset that a budget
// does not have costs it nothing.
type ToolsetChange struct {
	Name               string
	OldTools, NewTools int // granted
	Old, New           int // tokens of the definitions, each by the method of its budget
}

// Delta returns how many tokens more the new budget has for the toolset.
func (c ToolsetChange) Delta() int { return c.New - c.Old }

// Toolsets returns the toolsets of two budgets, also those that cost the same, the
// largest difference first and equal ones by name.
func Toolsets(old, new engine.Budget) []ToolsetChange {
	at := map[string]int{}
	var all []ToolsetChange
	of := func(name string) *ToolsetChange {
		i, known := at[name]
		if !known {
			i = len(all)
			at[name] = i
			all = append(all, ToolsetChange{Name: name})
		}
		return &all[i]
	}
	for _, t := range old.Toolsets {
		c := of(t.Name)
		c.OldTools, c.Old = t.Tools, t.Tokens
	}
	for _, t := range new.Toolsets {
		c := of(t.Name)
		c.NewTools, c.New = t.Tools, t.Tokens
	}
	model.Sort(all, func(a, b ToolsetChange) int {
		return cmp.Or(cmp.Compare(max(b.Delta(), -b.Delta()), max(a.Delta(), -a.Delta())), strings.Compare(a.Name, b.Name))
	})
	return all
}
