package live

import (
	"slices"
	"strings"

	"caliper/model/clientfile"
	"caliper/model/words"
)

// Which tools a client takes is also said in settings that are about all of its servers.
// They name a tool as the model sees it, with the server's name before its own: such
// a pattern is turned into those that the server's own names have to fit (see behind).

// filterGemini heeds mcp.allowed and mcp.excluded, tools.exclude, and their older names: a tool is
// left out by its own name, and by that behind mcp_SERVER_ or SERVER__
// (packages/core/src/tools/tool-registry.ts of Gemini CLI). tools.core is named in Unread, since
// versions differ in whether it is about servers' tools.
func (s *Server) filterGemini(root clientfile.Value) {
	for _, path := range [][]string{{"mcp", "allowed"}, {"allowMCPServers"}} {
		if list := root.Member(path...); list.Kind == clientfile.List && !slices.Contains(list.Strings(), s.Name) {
			s.Enabled, s.OffBy.Key = false, strings.Join(path, ".")
		}
	}
	for _, path := range [][]string{{"mcp", "excluded"}, {"excludeMCPServers"}} {
		if slices.Contains(root.Member(path...).Strings(), s.Name) {
			s.Enabled, s.OffBy.Key = false, strings.Join(path, ".")
		}
	}
	for _, path := range [][]string{{"tools", "exclude"}, {"excludeTools"}} {
		patterns, key := s.firstOf([]filter{{strings.Join(path, "."), root.Member(path...)}}, patternsOf)
		for _, p := range patterns {
			if strings.Contains(p, "(") { // some calls of a tool of the client itself
				continue
			}
			list := append(behind(p, "mcp_"+s.Name+"_"), behind(p, s.Name+"__")...)
			if len(list) == 0 {
				list = []string{literalBut(p, "*?")}
			}
			s.Exclude = append(s.Exclude, list...)
			s.excluded(Setting{Key: key})
		}
	}
	for _, path := range [][]string{{"tools", "core"}, {"coreTools"}} {
		if v := root.Member(path...); v.Kind != 0 && v.Kind != clientfile.Null {
			s.Unread = append(s.Unread, strings.Join(path, "."))
		}
	}
}

// filterAmp heeds amp.tools.disable, with or without mcp__SERVER__ before names, and names rules
// that reject calls.
func (s *Server) filterAmp(root clientfile.Value) {
	prefix := "mcp__" + s.Name + "__"
	of := func(key string) []filter {
		first, rest, _ := strings.Cut(key, ".")
		return []filter{{"amp." + key, root.Member("amp." + key)}, {"amp." + key, root.Member("amp", key)}, {"amp." + key, root.Member("amp", first, rest)}}
	}
	patterns, key := s.firstOf(of("tools.disable"), excluded)
	for _, pattern := range patterns {
		prefixes := []string{prefix, ""}
		switch {
		case strings.HasPrefix(pattern, "builtin:"): // no server's tool
			continue
		case strings.HasPrefix(pattern, "mcp__"):
			prefixes = prefixes[:1]
		}
		s.exclude([]string{pattern}, Setting{Key: key}, prefixes...)
	}
	for _, key := range []string{"tools.enable", "permissions", "mcpPermissions"} {
		for _, f := range of(key) {
			rejects := func(v clientfile.Value) bool { return v.Member("action").Says("reject") }
			if f.Kind != 0 && f.Kind != clientfile.Null && (key == "tools.enable" || slices.ContainsFunc(f.Items, rejects)) {
				s.Unread = append(s.Unread, f.name)
				break
			}
		}
	}
}

// exclude leaves out the tools whose names behind a prefix fit patterns of a setting. A pattern
// with brackets or braces that may fit is named instead.
func (s *Server) exclude(patterns []string, by Setting, prefixes ...string) {
	for _, p := range patterns {
		if strings.ContainsAny(p, bracketed) {
			fixed := p[:strings.IndexAny(p+"*", `*?[{\`)]
			_, err := words.CompileGlob(p)
			mayFit := func(prefix string) bool {
				return strings.HasPrefix(fixed, prefix) && (err == nil || fixed == p) || fixed != p && strings.HasPrefix(prefix, fixed)
			}
			if slices.ContainsFunc(prefixes, mayFit) {
				s.Unread = append(s.Unread, p)
			}
			continue
		}
		var globs []string
		for _, prefix := range prefixes {
			for _, g := range behind(p, prefix) {
				if !slices.Contains(globs, g) {
					globs = append(globs, g)
				}
			}
		}
		s.Exclude = append(s.Exclude, globs...)
		s.excluded(by)
	}
}

// bracketed are the characters of globs that behind does not know.
const bracketed = `[]{}\`

// behind returns the globs that a name fits, any of them, if and only if the prefix with
// the name fits a pattern of * and ?; other characters stand for themselves. With the prefix
// a_ the rests of a_rm are {rm}, of a* {*}, of *e {*e}, and of *_rm {*_rm, rm}. There are none for
// a pattern that no such name fits. Its cost is the product of both lengths.
func behind(pattern, prefix string) []string {
	text := []rune(pattern)
	at := make([]bool, len(text)+1) // at[i]: the rest of the pattern may begin at i
	at[0] = true
	for _, c := range prefix {
		next := make([]bool, len(text)+1)
		for i := range text {
			switch {
			case !at[i]:
			case text[i] == '*':
				next[i] = true
				at[i+1] = true // a star may stand for nothing
			case text[i] == '?' || text[i] == c:
				next[i+1] = true
			}
		}
		at = next
	}
	var globs []string
	for i := range text {
		if at[i] {
			globs = append(globs, literalBut(string(text[i:]), "*?"))
		}
	}
	return globs
}

// literalBut returns a glob in which all but the characters of wild stand for themselves.
func literalBut(text, wild string) string {
	var b strings.Builder
	for i, c := range text {
		if strings.ContainsRune(`*?[]{}\`, c) && !strings.ContainsRune(wild, c) || i == 0 && strings.HasPrefix(text, again) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
