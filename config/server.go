package config

import (
	"slices"
	"strings"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// serversKey is the agent's section of MCP servers.
const serversKey = "mcp_servers"

// Server is an MCP server of the agent, and which of its tools the agent registers.
// What it does not register, no session has.
type Server struct {
	Name      string
	Off       bool     // enabled: false
	Include   []string // tools.include; nil: no list
	Exclude   []string // tools.exclude
	Resources bool     // tools.resources: the tools that list and read resources
	Prompts   bool     // tools.prompts: those that list and get prompts

	// Later: the filters are read as in september-2026: an item may be a
	// pattern, and an empty list of included tools leaves none.
	Later bool
}

// filterKeys are the keys of mcp_servers.NAME.tools.
var filterKeys = []string{"include", "exclude", "resources", "prompts"}

// readServers reads the servers and their filters.
func (p *parser) readServers(e yamltext.Entry) {
	p.servers = nil
	for _, entry := range memberEntries(p.value(e.Val)) {
		s := Server{Name: entry.Name, Resources: true, Prompts: true}
		path := yamltext.Join(serversKey, entry.Name)
		for _, member := range memberEntries(p.value(entry.Val)) {
			switch v := p.value(member.Val); member.Name {
			case "enabled":
				s.Off = !v.boolish()
			case "tools":
				p.readFilter(&s, yamltext.Join(path, member.Name), v)
			}
		}
		p.servers = slices.DeleteFunc(p.servers, func(o Server) bool { return o.Name == s.Name })
		p.servers = append(p.servers, s)
	}
}

// readFilter reads which tools of a server are registered. A list that cannot be read
// does not count, as in the agent, with a warning.
func (p *parser) readFilter(s *Server, path string, v value) {
	for _, e := range memberEntries(v) {
		at, v := yamltext.Join(path, e.Name), p.value(e.Val)
		switch e.Name {
		case "include", "exclude":
			names, ok := v.filterNames()
			if !ok && v.Kind != yamltext.Null {
				p.warn(e.Place(), at, "not_a_list", v.source()+" is not a list of tools; the agent ignores it")
			}
			if e.Name == "include" {
				s.Include = names
			} else {
				s.Exclude = names
			}
		case "resources":
			s.Resources = v.boolish()
		case "prompts":
			s.Prompts = v.boolish()
		default:
			p.memberNear(e, at, filterKeys)
		}
	}
}

// filterNames returns the names of a filter: a list, or one text.
func (v value) filterNames() (names []string, ok bool) {
	switch v.Kind {
	case yamltext.Text:
		return []string{v.Text}, true
	case yamltext.List:
		names, _ = v.names()
		return names, true
	}
	return nil, false
}

// boolish returns whether a value means yes to the agent; what means neither does.
func (v value) boolish() bool {
	switch v.Kind {
	case yamltext.Boolean:
		return v.Yes
	case yamltext.Integer:
		return v.Int != 0
	case yamltext.Text:
		return !slices.Contains([]string{"false", "0", "no", "off"}, strings.ToLower(words.Strip(v.Text)))
	}
	return true
}

// Registers reports whether the agent registers a tool of the server, given the
// tool's name at the server, or with exact false one whose characters other than
// letters, digits and underscores became underscores.
func (s Server) Registers(tool string, exact bool) bool {
	switch {
	case s.Off:
		return false
	case tool == "list_resources" || tool == "read_resource":
		return s.Resources
	case tool == "list_prompts" || tool == "get_prompt":
		return s.Prompts
	case s.Include != nil && (s.Later || len(s.Include) > 0):
		return s.has(s.Include, tool, exact)
	}
	return !s.has(s.Exclude, tool, exact)
}

// has reports whether a list of the filter names a tool.
func (s Server) has(list []string, tool string, exact bool) bool {
	return slices.ContainsFunc(list, func(item string) bool {
		if item == tool || s.Later && fnmatch(item, tool) {
			return true
		}
		return !exact && (plainName(item) == tool || s.Later && fnmatch(plainName(item), tool))
	})
}

// plainName replaces the characters of a name, or of a pattern, that the agent
// replaces in the names of tools.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r < 0x80 && words.PythonWord(r) || strings.ContainsRune("*?[]!", r) {
			return r
		}
		return '_'
	}, s)
}
