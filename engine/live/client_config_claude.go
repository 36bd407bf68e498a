package live

import (
	"fmt"
	"path/filepath"
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
//	deniedMcpServers,                settings                      servers of any file, by serverName
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
	denied   map[string]Setting
	allowed  []string // nil for all
	limits   Setting  // the last that says what is allowed
	deny     []denied
	unread   []string // settings that cannot be used
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
	r = ClaudeRules{project: project, state: state.Name, rejected: map[string]Setting{}, denied: map[string]Setting{}}
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
		for _, list := range []string{"deniedMcpServers", "allowedMcpServers"} {
			for _, item := range v.Member(list).Items {
				name := item.Member("serverName").Text
				switch {
				case name == "":
					r.unread = append(r.unread, list)
				case list == "deniedMcpServers":
					r.denied[name] = Setting{Key: list, File: f.Name}
				}
				if list == "allowedMcpServers" {
					r.allowed, r.limits = append(r.allowed, name), Setting{Key: list, File: f.Name}
				}
			}
		}
		for _, p := range v.Member("permissions", "deny").Strings() {
			r.deny = append(r.deny, denied{p, Setting{Key: "permissions.deny", File: f.Name}})
		}
	}
	if slices.Contains(r.unread, "allowedMcpServers") { // by command or address
		r.allowed = nil
	}
	slices.Sort(r.unread)
	r.unread = slices.Compact(r.unread)
	return r, faults
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
		by, off := r.denied[name], ""
		if by != (Setting{}) {
			off = by.String()
		}
		switch reject, rejected := r.rejected[openCodeName(name)]; {
		case s.Project != "" && !sameFolder(s.Project, r.project):
			by, off = Setting{}, "of the project "+s.Project
		case slices.Contains(r.disabled, name):
			by, off = Setting{Key: "projects." + r.project + ".disabledMcpServers", File: r.state}, "disabledMcpServers of "+r.project
		case mcpJSON && rejected:
			by, off = reject, reject.String()
		case off == "" && r.allowed != nil && !slices.Contains(r.allowed, name):
			by, off = r.limits, "not in allowedMcpServers"
		}
		if off != "" {
			s.Enabled, s.Off, s.OffBy = false, off, by
		}
		s.Unread = append(s.Unread, r.unread...)
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

// EntryName returns the name that the entry of a server has in its file.
func (s Server) EntryName() string {
	return strings.TrimSuffix(s.Name, " ("+s.Project+")")
}
