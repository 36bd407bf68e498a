package live

import (
	"slices"
	"strings"

	"caliper/engine/glob"
	"caliper/model/clientfile"
)

// Which of a server's tools a client takes is said in the entry of the server, or in
// settings that are about all servers. A setting that looks like such a filter and is
// not heeded is named in Unread.

// includeKeys and excludeKeys are what clients call the filters of an entry: Codex;
// Gemini CLI and Amp; LiteLLM; others; and Goose, of which an empty list takes all.
var (
	includeKeys = []string{"enabled_tools", "includeTools", "allowed_tools", "allowedTools", "enabledTools", "available_tools"}
	excludeKeys = []string{"disabled_tools", "excludeTools", "disallowed_tools", "disallowedTools", "disabledTools"}
)

// harmlessKeys hold the word tool and take no tools away.
var harmlessKeys = []string{"tools", "tool_timeout_sec", "toolCallTimeout", "tool_call_timeout", "tool_name_to_display_name", "tool_name_to_description"}

// readFilters reads the filters of an entry.
func (s *Server) readFilters(v clientfile.Value, client string) {
	tools := v.Member("tools") // Hermes: an object; Copilot: a list
	include := []clientfile.Value{tools.Member("include")}
	if tools.Kind == clientfile.List {
		include = append(include, tools)
	}
	for _, key := range includeKeys {
		if m := v.Member(key); key != "available_tools" || len(m.Items) > 0 {
			include = append(include, m)
		}
	}
	s.Include = either(include...)
	if client == "gemini" {
		s.Include = withoutArguments(s.Include)
	}
	if either(tools.Member("include")) == nil { // beside which Hermes does not read the other
		exclude := []clientfile.Value{tools.Member("exclude")}
		for _, key := range excludeKeys {
			exclude = append(exclude, v.Member(key))
		}
		s.Exclude = either(exclude...)
	}
	for _, m := range v.Members {
		known := slices.Contains(includeKeys, m.Name) || slices.Contains(excludeKeys, m.Name) || slices.Contains(harmlessKeys, m.Name)
		if strings.Contains(strings.ToLower(m.Name), "tool") && !known && m.Kind != clientfile.Null {
			s.Unread = append(s.Unread, m.Name)
		}
	}
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
				s.exclude(root.Member(key...).Strings(), "mcp__"+s.Name+"__")
			}
		case "crush":
			s.exclude(root.Member("options", "disabled_tools").Strings(), "mcp_"+s.Name+"_")
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
