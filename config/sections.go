package config

import (
	"slices"

	"caliper/model/yamltext"
)

// Section is one key of the file: at the top level, or in a section with keys of others.
type Section struct {
	Key  string `json:"key"` // dotted
	Line int    `json:"line"`
	Read bool   `json:"read"` // whether anything in it counts here
}

func (p *parser) appendSections(list []Section, path []string, e yamltext.Entry, read bool) []Section {
	line, _ := p.doc.Position(e.Key)
	key := path[0]
	for _, name := range path[1:] {
		key = yamltext.Join(key, name)
	}
	list = append(list, Section{Key: yamltext.Cut(key, maxPath), Line: line, Read: read})
	// Which entries are read; nil where they are not told apart.
	var reads func(yamltext.Entry) bool
	named := func(names ...string) func(yamltext.Entry) bool {
		return func(e yamltext.Entry) bool { return slices.Contains(names, e.Name) }
	}
	s, isSection := sectionOf(key)
	switch {
	case path[0] == serversKey && len(path) == 1:
		reads = func(yamltext.Entry) bool { return true }
	case path[0] == serversKey && len(path) == 2:
		reads = named("enabled", "tools")
	case path[0] == serversKey && len(path) == 3 && path[2] == "tools":
		reads = named(filterKeys...)
	case key == agentKey:
		reads = named(disabledKey, hostKey)
	case key == sessionsKey && len(path) == 1 && p.agentHas:
		reads = func(e yamltext.Entry) bool { return !p.agentsOwn(e) }
	case isSection && s.key != rescueKey && s.alias == "":
		reads = func(e yamltext.Entry) bool {
			inner := yamltext.Join(key, e.Name)
			if s, _ := sectionOf(inner); s.alias != "" {
				if _, shadowed := p.lineOf(s.alias); shadowed {
					return false
				}
			}
			return p.reads(inner)
		}
	}
	if reads == nil || !read && path[0] != sessionsKey {
		return list
	}
	for _, inner := range memberEntries(p.value(e.Val)) {
		list = p.appendSections(list, append(slices.Clone(path), inner.Name), inner, inner.IsText && reads(inner))
	}
	return list
}

// reads reports whether this package reads a dotted key.
func (p *parser) reads(key string) bool {
	r, isRow := rowOf(key)
	_, isSection := sectionOf(key)
	return isSection || isRow && (r.at != nil || r.members != nil) ||
		slices.Contains([]string{hooksKey, serversKey, platformsKey, knownPluginsKey, agentKey}, key)
}
