package diff

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine"
)

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
	slices.SortFunc(all, func(a, b ToolsetChange) int {
		return cmp.Or(cmp.Compare(max(b.Delta(), -b.Delta()), max(a.Delta(), -a.Delta())), strings.Compare(a.Name, b.Name))
	})
	return all
}
