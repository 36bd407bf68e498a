package engine

import (
	"slices"

	"caliper/model"
)

// ModelName returns the name by which the session's model calls a granted tool:
// its own, unless the session is granted another tool of that name; then the
// qualified one, which only the bridge takes, as a value in its arguments.
// Providers refuse a slash in the name of a tool, so that no definition is ever
// sent under a qualified name.
func (s *Snapshot) ModelName(t *model.Tool) string {
	if t.Qualified == t.Name {
		return t.Name
	}
	for _, other := range s.Registry.Lookup(t.Name) {
		if other != t && s.granted[other.Index] {
			return t.Qualified
		}
	}
	return t.Name
}

// bearers returns the tools that a name stands for in this session, raw or
// qualified: those that it is granted, else the first of those that it is not,
// which a scope gate then stops.
func (s *Snapshot) bearers(name string) []*model.Tool {
	all := s.Registry.Lookup(name)
	if len(all) < 2 {
		return all
	}
	granted := slices.DeleteFunc(slices.Clone(all), func(t *model.Tool) bool { return !s.granted[t.Index] })
	if len(granted) > 0 {
		return granted
	}
	return all[:1]
}
