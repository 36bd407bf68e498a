package replay

import (
	"strings"

	"caliper/engine"
	"caliper/model"
)

// catalog finds the tools of a registry by the names that agents log.
type catalog struct {
	snapshot *engine.Snapshot
	byName   map[string][]*model.Tool // by fold of the name
	found    map[string]*model.Tool   // by logged name; of no tool too
}

// maxFound is how many logged names are remembered.
const maxFound = 1 << 12

// find returns the tool of a logged name: the one that bears it, else one whose name or
// alias is the same but for the number of underscores (mcp__s__t and mcp_s_t). Of
// several, a granted one goes before the others, then registry order counts.
// It is nil for a name of no tool.
func (c catalog) find(name string) *model.Tool {
	if t, ok := c.found[name]; ok {
		return t
	}
	key := model.FoldName(name)
	tools := c.byName[key]
	if before := strings.TrimRight(name, "0123456789abcdef"); len(tools) == 0 && len(name) == maxFlatName && len(name)-len(before) >= hashDigits {
		before = model.FoldName(name[:min(len(before), maxFlatName-hashDigits)])
		for folded, those := range c.byName { // the only tool whose name begins so
			if !strings.HasPrefix(folded, before) {
				continue
			}
			if len(those) > 1 || tools != nil && tools[0] != those[0] {
				tools = nil
				break
			}
			tools = those
		}
	}
	var best *model.Tool
	points := -1
	for _, t := range tools {
		p := 0
		if t.Name == name {
			p += 4
		} else if model.FoldName(t.Name) == key {
			p += 2
		}
		if c.snapshot.Granted(t) {
			p++
		}
		if p > points {
			best, points = t, p
		}
	}
	if len(c.found) >= maxFound {
		clear(c.found)
	}
	c.found[strings.Clone(name)] = best // the name may be a part of a whole line
	return best
}

// maxFlatName is how long the flat names of Codex are at most, and hashDigits
// how many hexadecimal digits at least stand at the end of one that was cut.
const (
	maxFlatName = 64
	hashDigits  = 8
)
