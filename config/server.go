package config

import (
	"slices"
	"strings"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// serversKey is the agent's section of MCP servers.
const serversKey = "mcp_servers"

// Server is an MCP server of the agent, and which of its tools it registers: no session has
// others.
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

// readFilter reads a server's filters. A list that cannot be read does not count, with a warning.
func (p *parser) readFilter(s *Server, path string, v value) {
	for _, e := range memberEntries(v) {
		at, v := yamltext.Join(path, e.Name), p.value(e.Val)
		switch e.Name {
		case "include", "exclude":
			var names []string
			switch v.Kind {
			case yamltext.Text:
				names = []string{v.Text}
			case yamltext.List:
				names, _ = v.names()
			case yamltext.Null:
			default:
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
			if near := words.Nearest(e.Name, filterKeys); near != "" {
				p.warn(e.Key, at, "unknown_key", "the agent does not know it"+words.DidYouMean(near))
			}
		}
	}
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

// Registers reports whether the agent registers a tool by its name at the server, or with exact
// false by one whose odd characters became underscores.
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

// plainName replaces the characters that the agent replaces in names of tools, but for a
// pattern's.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r < 0x80 && words.PythonWord(r) || strings.ContainsRune("*?[]!", r) {
			return r
		}
		return '_'
	}, s)
}

// fnmatch reports whether a name fits a pattern of Python's fnmatchcase: *, ?, [ab], [a-z], [!ab].
// It backtracks to the last asterisk alone: its cost is the product of the lengths.
func fnmatch(pattern, name string) bool {
	p, n := []rune(pattern), []rune(name)
	star, from := -1, 0 // the last asterisk, and where the text that it stands for ends
	i := 0
	for j := 0; j < len(n); {
		if i < len(p) && p[i] == '*' {
			star, from = i, j
			i++
			continue
		}
		if width, fits := oneOf(p[i:], n[j]); fits {
			i, j = i+width, j+1
			continue
		}
		if star < 0 {
			return false
		}
		from++
		i, j = star+1, from
	}
	return strings.Trim(string(p[i:]), "*") == ""
}

// oneOf reports whether c fits the beginning of a pattern, and the length of that.
func oneOf(p []rune, c rune) (width int, fits bool) {
	switch {
	case len(p) == 0:
		return 0, false
	case p[0] == '?':
		return 1, true
	case p[0] != '[':
		return 1, p[0] == c
	}
	first, not := 1, len(p) > 1 && p[1] == '!'
	if not {
		first++
	}
	end := first + 1 // a bracket that comes first is in the set
	for end < len(p) && p[end] != ']' {
		end++
	}
	if end >= len(p) {
		return 1, c == '['
	}
	in := false
	for i := first; i < end; i++ {
		if i+2 < end && p[i+1] == '-' {
			in = in || p[i] <= c && c <= p[i+2]
			i += 2
			continue
		}
		in = in || p[i] == c
	}
	return end + 1, in != not
}
