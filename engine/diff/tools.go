package diff

import (
	"slices"
	"strings"

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
	var c comparer
	for _, t := range new.Tools {
		was := old.Named(t.Qualified)
		if was == nil {
			added = append(added, ToolChange{Name: t.Qualified, Toolset: t.Toolset})
		} else if parts := c.changed(was, t); parts != nil {
			changed = append(changed, ToolChange{Name: t.Qualified, Toolset: t.Toolset, Parts: parts})
		}
	}
	for _, t := range old.Tools {
		if new.Named(t.Qualified) == nil {
			removed = append(removed, ToolChange{Name: t.Qualified, Toolset: t.Toolset})
		}
	}
	for _, list := range [][]ToolChange{added, removed, changed} {
		slices.SortFunc(list, func(a, b ToolChange) int { return strings.Compare(a.Name, b.Name) })
	}
	return added, removed, changed
}

// changed returns the parts of a tool that changed, nil for none.
func (c *comparer) changed(was, now *model.Tool) []ChangedPart {
	var parts []ChangedPart
	sameDefinition := c.sameDefinition(was, now)
	if !sameDefinition && was.Description != now.Description {
		parts = append(parts, ChangedDescription)
	}
	if !sameDefinition && !c.same(was.Parameters, now.Parameters) {
		parts = append(parts, ChangedParameters)
	}
	explained := len(parts) > 0
	if was.Toolset != now.Toolset {
		parts = append(parts, ChangedToolset)
	}
	if !sameDefinition && !explained {
		parts = append(parts, ChangedDefinition)
	}
	if was.Available != now.Available {
		parts = append(parts, ChangedAvailability)
	}
	return parts
}

// kept returns a copy of bounded size.
func (t ToolChange) kept() ToolChange {
	return ToolChange{Name: kept(t.Name), Toolset: kept(t.Toolset), Parts: slices.Clone(t.Parts)}
}
