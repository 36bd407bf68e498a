package replay

import (
	"slices"
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

// newCatalog returns the catalog of a snapshot's registry.
func newCatalog(s *engine.Snapshot) catalog {
	c := catalog{s, make(map[string][]*model.Tool, len(s.Registry.Tools)), map[string]*model.Tool{}}
	for _, t := range s.Registry.Tools {
		if engine.IsBridge(t.Name) {
			continue
		}
		for _, name := range append(t.Aliases(), t.Name) {
			if key := model.FoldName(name); !slices.Contains(c.byName[key], t) {
				c.byName[key] = append(c.byName[key], t)
			}
		}
	}
	return c
}

// find returns the tool of a logged name: the one that bears it, else one whose name or
// alias is the same but for the number of underscores (mcp__s__t and mcp_s_t). Of
// several, a granted one goes before the others, then registry order counts.
// It is nil for a name of no tool.
func (c catalog) find(name string) *model.Tool {
	t, ok := c.found[name]
	if !ok {
		t = c.search(name)
		if len(c.found) >= maxFound {
			clear(c.found)
		}
		c.found[strings.Clone(name)] = t // which may be a part of a whole line
	}
	return t
}

// search is find for a name that is not remembered.
func (c catalog) search(name string) *model.Tool {
	key := model.FoldName(name)
	tools := c.byName[key]
	if len(tools) == 0 {
		if whole, ok := unhashed(name); ok {
			tools = c.beginning(model.FoldName(whole))
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
	return best
}

// beginning returns the only tool whose folded name begins with a text; none
// when there are several.
func (c catalog) beginning(text string) []*model.Tool {
	var only []*model.Tool
	for key, tools := range c.byName {
		if !strings.HasPrefix(key, text) {
			continue
		}
		if len(tools) > 1 || only != nil && only[0] != tools[0] {
			return nil
		}
		only = tools
	}
	return only
}

// maxFlatName is how long the flat names of Codex are at most, and hashDigits
// how many hexadecimal digits at least stand at the end of one that was cut.
const (
	maxFlatName = 64
	hashDigits  = 8
)

// unhashed returns what stands before the hash of a name that was cut to the
// greatest length; ok is false for any other name.
func unhashed(name string) (before string, ok bool) {
	if len(name) != maxFlatName {
		return "", false
	}
	end := len(name)
	for end > 0 && strings.IndexByte("0123456789abcdef", name[end-1]) >= 0 {
		end--
	}
	if len(name)-end < hashDigits {
		return "", false
	}
	return name[:min(end, maxFlatName-hashDigits)], true
}
