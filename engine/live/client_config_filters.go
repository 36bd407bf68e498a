package live

import (
	"slices"
	"strings"

	"caliper/engine/glob"
	"caliper/model/clientfile"
)

// Which of a server's tools a client takes is said in the entry of the server, or in
// settings that are about all servers. A setting that looks like such a filter and is
// not heeded, or not wholly, is named in Unread.
//
// A filter is a list of patterns, or one pattern; one of tools to leave out may also be
// an object of names with true. What of it is something else is not heeded. A filter of
// tools to take of which nothing can be read takes all, as none does.

// includeKeys and excludeKeys are what clients call the filters of an entry: Codex;
// Gemini CLI and Amp; LiteLLM; others; and Goose, of which an empty list takes all.
var (
	includeKeys = []string{"enabled_tools", "includeTools", "allowed_tools", "allowedTools", "enabledTools", "available_tools"}
	excludeKeys = []string{"disabled_tools", "excludeTools", "disallowed_tools", "disallowedTools", "disabledTools"}
)

// harmlessKeys hold the word tool and take no tools away.
var harmlessKeys = []string{"tools", "tool_timeout_sec", "toolCallTimeout", "tool_call_timeout", "tool_name_to_display_name", "tool_name_to_description"}

// toolsMembers are the members of "tools" in an entry: the filters, and what Hermes
// offers beside the tools.
var toolsMembers = []string{"include", "exclude", "resources", "prompts"}

// filter is the value of a setting that chooses tools, with its name.
type filter struct {
	name string
	clientfile.Value
}

// readFilters reads the filters of an entry.
func (s *Server) readFilters(v clientfile.Value, client string) {
	tools := v.Member("tools") // Hermes: an object; Copilot: a list
	include := []filter{{"tools.include", tools.Member("include")}}
	if tools.Kind != clientfile.Object {
		include = append(include, filter{"tools", tools})
	}
	for _, key := range includeKeys {
		if m := v.Member(key); key != "available_tools" || m.Kind != clientfile.List || len(m.Items) > 0 {
			include = append(include, filter{key, m})
		}
	}
	s.Include = s.firstOf(include, included)
	if client == "gemini" {
		s.Include = withoutArguments(s.Include)
	}
	if list, _ := included(tools.Member("include")); list == nil { // beside which Hermes does not read the other
		exclude := []filter{{"tools.exclude", tools.Member("exclude")}}
		for _, key := range excludeKeys {
			exclude = append(exclude, filter{key, v.Member(key)})
		}
		s.Exclude = s.firstOf(exclude, excluded)
	}
	for _, m := range tools.Members {
		if !slices.Contains(toolsMembers, m.Name) && m.Kind != clientfile.Null {
			s.Unread = append(s.Unread, "tools."+m.Name)
		}
	}
	for _, m := range v.Members {
		known := slices.Contains(includeKeys, m.Name) || slices.Contains(excludeKeys, m.Name) || slices.Contains(harmlessKeys, m.Name)
		if strings.Contains(strings.ToLower(m.Name), "tool") && !known && m.Kind != clientfile.Null {
			s.Unread = append(s.Unread, m.Name)
		}
	}
}

// firstOf returns the patterns of the first filter of which any can be read. It names
// those in Unread that cannot be read wholly.
func (s *Server) firstOf(filters []filter, read func(clientfile.Value) ([]string, bool)) []string {
	for _, f := range filters {
		list, whole := read(f.Value)
		if !whole {
			s.Unread = append(s.Unread, f.name)
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// included returns the patterns of a filter of tools to take, and whether all of it can
// be read. An empty list is not nil: it takes no tool. A list of which nothing can be
// read is nil, as no list is.
func included(v clientfile.Value) (list []string, whole bool) {
	list, whole = patternsOf(v)
	if len(list) == 0 && !whole {
		return nil, false
	}
	return list, whole
}

// excluded returns the patterns of a filter of tools to leave out, and whether all of it
// can be read. An object leaves out the names that are true in it.
//
// SECURITY: what cannot be read leaves nothing out, so that it must be told.
func excluded(v clientfile.Value) (list []string, whole bool) {
	if v.Kind != clientfile.Object {
		return patternsOf(v)
	}
	whole = true
	for _, m := range v.Members {
		switch {
		case m.Says("true"):
			list = append(list, m.Name)
		case !m.Says("false"):
			whole = false
		}
	}
	return list, whole
}

// patternsOf returns the patterns of a list, or the one that a text is, and whether all
// of the value can be read; no value and null are read as no filter.
func patternsOf(v clientfile.Value) (list []string, whole bool) {
	isText := func(v clientfile.Value) bool { return v.Kind == clientfile.Text && !v.Number }
	switch {
	case v.Kind == 0, v.Kind == clientfile.Null:
		return nil, true
	case isText(v):
		return []string{v.Text}, true
	case v.Kind != clientfile.List:
		return nil, false
	}
	list, whole = []string{}, true
	for _, item := range v.Items {
		if isText(item) || item.Kind == clientfile.Bool { // in YAML a name may read as one
			list = append(list, item.Text)
		} else {
			whole = false
		}
	}
	return list, whole
}

// withoutArguments returns the names of tools without what Gemini CLI allows behind
// them, as in run(ls).
func withoutArguments(patterns []string) []string {
	for i, p := range patterns {
		patterns[i], _, _ = strings.Cut(p, "(")
	}
	return patterns
}

// filter heeds the settings of a file that are about all of its servers.
func (c *Config) filter(root clientfile.Value) {
	for i := range c.Servers {
		s := &c.Servers[i]
		switch c.Client {
		case "gemini":
			s.switchOff(root, [][]string{{"mcp", "allowed"}, {"allowMCPServers"}}, [][]string{{"mcp", "excluded"}, {"excludeMCPServers"}})
		case "opencode":
			s.excludeByName(root.Member("tools"), s.Name+"_")
		case "amp":
			for _, key := range [][]string{{"amp.tools.disable"}, {"amp", "tools.disable"}, {"amp", "tools", "disable"}} {
				s.exclude(s.firstOf([]filter{{strings.Join(key, "."), root.Member(key...)}}, excluded), "mcp__"+s.Name+"__")
			}
		case "crush":
			s.exclude(s.firstOf([]filter{{"options.disabled_tools", root.Member("options", "disabled_tools")}}, excluded), "mcp_"+s.Name+"_")
		case "zed":
			for _, profile := range root.Member("agent", "profiles").Members {
				if profile.Member("context_servers", s.Name, "tools").Kind != 0 {
					s.Unread = append(s.Unread, "agent.profiles."+profile.Name)
				}
			}
		}
	}
}

// switchOff switches a server off that a list of those to take lacks, or a list of
// those to leave out has.
func (s *Server) switchOff(root clientfile.Value, take, leave [][]string) {
	for _, path := range take {
		if list := root.Member(path...); list.Kind == clientfile.List && !slices.Contains(list.Strings(), s.Name) {
			s.Enabled = false
		}
	}
	for _, path := range leave {
		if slices.Contains(root.Member(path...).Strings(), s.Name) {
			s.Enabled = false
		}
	}
}

// excludeByName heeds what OpenCode has under "tools": names or globs of tools as a
// model sees them, with true or false, of which the last that fits holds. A glob that
// is true again behind one that is false is not heeded.
func (s *Server) excludeByName(tools clientfile.Value, prefix string) {
	var off []string
	if tools.Kind != 0 && tools.Kind != clientfile.Null && tools.Kind != clientfile.Object {
		s.Unread = append(s.Unread, "tools")
	}
	for _, m := range tools.Members {
		switch {
		case m.Says("false"):
			off = append(off, m.Name)
		case len(off) > 0 && concerns(m.Name, prefix):
			s.Unread = append(s.Unread, "tools."+m.Name)
		}
	}
	s.exclude(off, prefix)
}

// exclude leaves out the tools whose names, with a prefix before them, fit patterns.
func (s *Server) exclude(patterns []string, prefix string) {
	for _, p := range patterns {
		switch rest, ok := strings.CutPrefix(p, prefix); {
		case ok && rest != "":
			s.Exclude = append(s.Exclude, rest)
		case !concerns(p, prefix):
		case strings.HasSuffix(p, "*") && !strings.ContainsAny(strings.TrimSuffix(p, "*"), "*?[{"):
			s.Exclude = append(s.Exclude, "*")
		default:
			s.Unread = append(s.Unread, p)
		}
	}
}

// concerns reports whether a pattern may fit a name that begins with a prefix.
func concerns(pattern, prefix string) bool {
	fixed := pattern
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		fixed = pattern[:i]
	} else {
		return strings.HasPrefix(pattern, prefix)
	}
	if strings.HasPrefix(prefix, fixed) {
		return true
	}
	_, err := glob.Compile(pattern)
	return err == nil && strings.HasPrefix(fixed, prefix)
}
