package reach

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/live"
	"caliper/model"
)

// Files holds the settings in the files of an agent: its servers and their filters, what decides deferral,
// and its own sessions.
type Files struct {
	Clients  []live.ClientFile // nil: none was read
	Posture  Posture
	Sessions []FileSession
}

// FileSession is a session that a file of the agent makes: a subagent of Claude Code, or a
// profile of Codex.
type FileSession struct {
	Name     string
	Subagent *live.Subagent // nil for a profile
	Posture  Posture
}

// FilesOf reads what the files of an agent say, of whose configurations some are given. The
// environment is that of this program, and lookup may be nil. Those of the reference agent are
// not read, whose configuration says it all.
func FilesOf(p live.ClientPlaces, h *hosts.Host, clients []live.ClientFile, lookup func(string) (string, bool)) Files {
	f := Files{Clients: clients}
	if h.Generation != "" {
		return f
	}
	f.Posture = PostureOf(p, h.Client, clients, lookup)
	switch h.Client {
	case "claude-code":
		for _, s := range p.Subagents() {
			own := FileSession{s.Name, &s, f.Posture}
			if by, ok := s.Takes("ToolSearch"); !ok { // it is sent its tools in full
				own.Posture = Posture{Search: SearchOff, By: by, Model: f.Posture.Model}
			}
			f.Sessions = append(f.Sessions, own)
		}
	case "codex":
		for _, path := range p.CodexProfiles() {
			posture := PostureOf(p, h.Client, append([]live.ClientFile{{Path: path}}, clients...), lookup)
			f.Sessions = append(f.Sessions, FileSession{strings.TrimSuffix(filepath.Base(path), live.CodexProfile), nil, posture})
		}
	}
	return f
}

// Session returns what the files say of a session, which need not be of theirs.
func (f Files) Session(name string) FileSession {
	i := slices.IndexFunc(f.Sessions, func(s FileSession) bool { return s.Name == name })
	if i < 0 {
		return FileSession{Name: name, Posture: f.Posture}
	}
	return f.Sessions[i]
}

// entry returns the entry of a server, and its file: of several the first that is on; nil for
// none.
func (f Files) entry(server string) (e *live.Server, of *live.ClientFile) {
	for i := range f.Clients {
		for j := range f.Clients[i].Config.Servers {
			s := &f.Clients[i].Config.Servers[j]
			if server != "" && (s.Name == server || s.EntryName() == server) && (e == nil || !e.Enabled && s.Enabled) {
				e, of = s, &f.Clients[i]
			}
		}
	}
	return e, of
}

// Configure returns a configuration of an agent with what its files say of tools: the sessions
// of its own, which tools each does not have, and those that are always sent.
func (f Files) Configure(c config.Config, h *hosts.Host, tools []*model.Tool) config.Config {
	var left []config.Withheld
	c.Always, c.Never = nil, nil
	var entry *live.Server
	var file *live.ClientFile
	for i, t := range tools {
		if i == 0 || t.Server != tools[i-1].Server {
			entry, file = f.entry(t.Server)
		}
		if entry == nil {
			continue
		}
		by, out := entry.LeftOut(cmp.Or(t.OriginalName, t.AtServer()))
		if !entry.Enabled {
			by, out = entry.OffBy, true
		}
		switch {
		case out:
			left = append(left, config.Withheld{Tool: t.Qualified, Key: by.Key, File: cmp.Or(by.File, file.Path)})
		case entry.AlwaysBy.Key != "" && entry.Always:
			c.Always = append(c.Always, t.Name)
		case entry.AlwaysBy.Key != "":
			c.Never = append(c.Never, t.Name)
		}
	}
	c.Sessions = slices.Clone(c.Sessions)
	for i := range c.Sessions {
		c.Sessions[i].Withheld, c.Sessions[i].InFull = left, f.Posture.Search == SearchOff
	}
	for _, own := range f.Sessions {
		s := config.Session{Name: own.Name, Withheld: slices.Clip(left), InFull: own.Posture.Search == SearchOff}
		for _, t := range tools {
			if own.Subagent == nil || t.Server == "" {
				continue // a dump of another agent need not have its own tools
			}
			if by, ok := own.Subagent.Takes(h.FullName(t)); !ok {
				s.Withheld = append(s.Withheld, config.Withheld{Tool: t.Qualified, Key: by.Key, File: by.File})
			}
		}
		c.Sessions = append(slices.DeleteFunc(c.Sessions, func(o config.Session) bool { return o.Name == own.Name }), s)
	}
	return c
}
