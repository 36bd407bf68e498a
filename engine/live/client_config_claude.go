package live

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"caliper/model/clientfile"
)

// Which servers Claude Code has, and which of their tools, is said outside of their entries.
// Measured on 2.1.332, with settings as follows (its ~/.claude.json is the state):
//
//	setting                          in                            switches off
//	disabledMcpjsonServers           settings, state of a project  servers of .mcp.json, by name; any character
//	                                                               but letters, digits, - and _ is as _
//	disabledMcpServers               state of a project            servers of any file, by the very name
//	deniedMcpServers,                settings                      servers of any file: see policy
//	allowedMcpServers
//	permissions.deny                 settings                      tools: mcp__SERVER, or a pattern of mcp__SERVER__TOOL
//
// The lists of several files are joined. enabledMcpjsonServers and enableAllProjectMcpServers
// only spare the question that a terminal asks before a server of .mcp.json is first used:
// with -p all of them are on.

// ClaudeFile is a file of settings of Claude Code, or its state.
type ClaudeFile struct {
	Name string
	Data []byte
}

// ClaudeRules are what Claude Code does with its servers in one folder.
type ClaudeRules struct {
	project  string
	state    string             // the file
	rejected map[string]Setting // names in disabledMcpjsonServers
	disabled []string
	denied   []policy
	allowed  []policy
	limits   Setting // the last setting that allows servers; zero: all are allowed
	deny     []denied
	lookup   func(string) (string, bool) // variables of the environment; nil: none
}

// policy is an entry of deniedMcpServers or allowedMcpServers: the name of a server, its command with
// all arguments, or its address with * for any letters. Servers that are started are allowed by
// their commands alone once one is listed, others by their addresses. An address without a path
// is any path, one without a query any query; the path's case counts. An entry with two of the
// three is none.
type policy struct {
	name    string
	command []string
	url     string
	by      Setting
}

// is reports whether a server is the one of an entry.
func (p policy) is(name string, h *hidden) bool {
	switch {
	case p.url != "":
		pattern, url := compared(p.url, "/*"), compared(h.url, "/")
		if !strings.Contains(pattern, "?") {
			url, _, _ = strings.Cut(url, "?")
		}
		return h.url != "" && regexp.MustCompile("(?s)^"+strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")+"$").MatchString(url)
	case len(p.command) > 0:
		return h.url == "" && slices.Equal(p.command, append([]string{h.command}, h.args...))
	}
	return p.name == name
}

// compared returns an address with its scheme and host in lower case, and with a path.
func compared(url, path string) string {
	host := regexp.MustCompile("^[^/]*//[^/?]*").FindString(url)
	if host != "" && !strings.HasPrefix(url[len(host):], "/") {
		return strings.ToLower(host) + path + url[len(host):]
	}
	return strings.ToLower(host) + url[len(host):]
}

// denied is a pattern of tools, and the setting that has it.
type denied struct {
	pattern string
	by      Setting
}

// String returns the setting with its file.
func (s Setting) String() string { return s.Key + " of " + s.File }

// ReadClaudeRules reads the settings and the state of Claude Code for a project's folder. A file
// that cannot be read is left out, as in the client, and named in faults, without its values.
func ReadClaudeRules(project string, state ClaudeFile, settings []ClaudeFile) (r ClaudeRules, faults []string) {
	r = ClaudeRules{project: project, state: state.Name, rejected: map[string]Setting{}}
	parse := func(f ClaudeFile) clientfile.Value {
		parsed, _, err := clientfile.Parse("-.json", f.Data)
		if err != nil && len(f.Data) > 0 {
			faults = append(faults, fmt.Sprintf("%s:%v: what it says about servers is not used", f.Name, err))
		}
		return parsed.Root
	}
	for _, m := range parse(state).Member("projects").Members {
		if sameFolder(m.Name, project) {
			r.reject(m.Value, state.Name)
			r.disabled = m.Member("disabledMcpServers").Strings()
		}
	}
	for _, f := range settings {
		v := parse(f)
		r.reject(v, f.Name)
		r.denied = append(r.denied, policies(v.Member("deniedMcpServers"), Setting{Key: "deniedMcpServers", File: f.Name})...)
		if allowed := v.Member("allowedMcpServers"); allowed.Kind == clientfile.List {
			r.limits = Setting{Key: "allowedMcpServers", File: f.Name}
			r.allowed = append(r.allowed, policies(allowed, r.limits)...)
		}
		for _, p := range v.Member("permissions", "deny").Strings() {
			r.deny = append(r.deny, denied{p, Setting{Key: "permissions.deny", File: f.Name}})
		}
	}
	return r, faults
}

// policies returns the entries of a list.
func policies(list clientfile.Value, by Setting) (out []policy) {
	for _, item := range list.Items {
		p := policy{by: by}
		given := 0
		if p.name = item.Member("serverName").Text; p.name != "" {
			given++
		}
		if p.command = item.Member("serverCommand").Strings(); len(p.command) > 0 {
			given++
		}
		if p.url = item.Member("serverUrl").Text; p.url != "" {
			given++
		}
		if given == 1 {
			out = append(out, p)
		}
	}
	return out
}

// reject adds the names of disabledMcpjsonServers, a list or one name.
func (r *ClaudeRules) reject(v clientfile.Value, file string) {
	list, _ := patternsOf(v.Member("disabledMcpjsonServers"))
	for _, name := range list {
		r.rejected[openCodeName(name)] = Setting{Key: "disabledMcpjsonServers", File: file}
	}
}

// sameFolder reports whether two paths are one, as they are written.
func sameFolder(a, b string) bool {
	return filepath.Clean(filepath.FromSlash(a)) == filepath.Clean(filepath.FromSlash(b))
}

// Heed switches off the servers that Claude Code does not have, by the setting in Off, and leaves
// out the tools that it denies. Servers of .mcp.json are the project's.
func (r ClaudeRules) Heed(c *Config, mcpJSON bool) {
	for i := range c.Servers {
		s := &c.Servers[i]
		name := s.EntryName()
		by, off := r.limit(name, s)
		switch reject, rejected := r.rejected[openCodeName(name)]; {
		case s.Project != "" && !sameFolder(s.Project, r.project):
			by, off = Setting{}, "of the project "+s.Project
		case slices.Contains(r.disabled, name):
			by, off = Setting{Key: "projects." + r.project + ".disabledMcpServers", File: r.state}, "disabledMcpServers of "+r.project
		case mcpJSON && rejected:
			by, off = reject, reject.String()
		}
		if off != "" {
			s.Enabled, s.Off, s.OffBy = false, off, by
		}
		own := "mcp__" + openCodeName(name)
		for _, d := range r.deny {
			switch {
			case d.pattern == own:
				s.Exclude = append(s.Exclude, "*")
				s.excluded(d.by)
			case !strings.Contains(d.pattern, "("): // some calls of a tool
				s.exclude([]string{d.pattern}, d.by, own+"__")
			}
		}
	}
}

// limit returns the setting that a server is denied or not allowed by, and the words of Off; "" for a
// server that it may have.
//
// SECURITY: a server that an organisation denies is not started.
func (r ClaudeRules) limit(name string, s *Server) (by Setting, off string) {
	h := &hidden{}
	if s.hidden != nil {
		h = s.hidden()
		if r.lookup != nil {
			if expanded, err := s.Expand(r.lookup); err == nil {
				h = expanded.hidden()
			}
		}
	}
	is := func(p policy) bool { return p.is(name, h) }
	if i := slices.IndexFunc(r.denied, is); i >= 0 {
		return r.denied[i].by, r.denied[i].by.String()
	}
	counted := r.allowed
	strict := slices.DeleteFunc(slices.Clone(r.allowed), func(p policy) bool {
		return p.url == "" && (h.url != "" || len(p.command) == 0) || p.url != "" && h.url == ""
	})
	if len(strict) > 0 {
		counted = strict
	}
	if r.limits == (Setting{}) || slices.ContainsFunc(counted, is) {
		return Setting{}, ""
	}
	return r.limits, "not in allowedMcpServers"
}

// EntryName returns the name that the entry of a server has in its file.
func (s Server) EntryName() string {
	return strings.TrimSuffix(s.Name, " ("+s.Project+")")
}
