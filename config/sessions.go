package config

import (
	"slices"
	"strconv"
)

// scope is one session and what the file says about its two lists.
type scope struct {
	Session
	settings []Setting
}

// sessions reads the named scopes.
//
// SECURITY: a scope that cannot be read grants nothing. Guessing at what was
// meant could give a session tools that it must not have.
func (p *parser) sessions(e entry) {
	v := p.value(e.val)
	switch v.kind {
	case null:
		return
	case mapping:
	default:
		p.warn(e.place(), sessionsKey, "unusable_sessions", v.source()+" is not a mapping of sessions; the session default is granted nothing")
		p.scopes = []scope{p.closed(DefaultSession, e, "sessions is not a mapping")}
		return
	}
	seen := make(map[string]int)
	for _, s := range entries(v.node) {
		path := join(sessionsKey, s.name)
		p.duplicate(s, path)
		if !s.isText {
			p.warn(s.key, path, "unquoted_name", "not text in YAML 1.1; it is taken as the name "+quoted(s.name))
		}
		read := p.session(path, s)
		if at, ok := seen[s.name]; ok {
			p.warn(s.key, path, "duplicate_key", "given before, in line "+strconv.Itoa(p.scopes[at].Line)+"; the last one counts")
			p.scopes[at] = read
			continue
		}
		seen[s.name] = len(p.scopes)
		p.scopes = append(p.scopes, read)
	}
}

func (p *parser) session(path string, e entry) scope {
	line, _ := p.doc.position(e.key)
	v := p.value(e.val)
	if v.kind != null && v.kind != mapping {
		p.warn(e.place(), path, "unusable_session", v.source()+" is not a mapping; the session is granted nothing")
		return p.closed(e.name, e, "the session is not a mapping")
	}
	s := scope{Session: Session{Name: e.name, Line: line}, settings: make([]Setting, 2)}
	row, _ := rowOf(sessionsKey)
	for i, member := range row.members {
		s.settings[i] = Setting{Key: path + "." + member, Origin: OriginDefault}
	}
	lists := make([][]string, len(row.members))
	shut := "" // why the session is granted nothing
	var by entry
	for _, m := range memberEntries(v) {
		i := slices.Index(row.members, m.name)
		if i < 0 || !m.isText {
			p.unknown(m, path, row.members)
			// SECURITY: ignoring a misspelt list would grant what it withholds.
			if suggestion(m.name, row.members) != "" {
				shut, by = "the key "+printable(m.name)+" is unknown", m
			}
			continue
		}
		p.duplicate(m, s.settings[i].Key)
		names, why := p.toolsets(s.settings[i].Key, m, i == 0)
		lists[i] = names
		s.settings[i] = p.said(s.settings[i].Key, m, why)
		if why != "" {
			shut, by = why, m
		}
	}
	s.Enabled, s.Disabled = lists[0], lists[1]
	if shut != "" {
		s.Enabled = []string{}
		s.settings[0] = p.said(s.settings[0].Key, by, shut)
	}
	s.settings[0].Value, s.settings[1].Value = listed(s.Enabled), listed(s.Disabled)
	return s
}

// said returns a setting, without its value, that stands where e does. Null
// says nothing. The reason, if there is one, is why the session is granted
// nothing.
func (p *parser) said(key string, e entry, reason string) Setting {
	v := p.value(e.val)
	s := Setting{Key: key, Origin: OriginDefault}
	if v.kind == null && reason == "" {
		return s
	}
	s.Origin, s.File = OriginFile, p.doc.file
	s.Line, s.Col = p.doc.position(e.place())
	if reason != "" {
		s.Given, s.Note = v.source(), reason+", so the session is granted nothing"
	}
	return s
}

// memberEntries returns the entries of a mapping, none of anything else.
func memberEntries(v value) []entry {
	if v.kind != mapping {
		return nil
	}
	return entries(v.node)
}

// toolsets reads one list of a session. Null is an absent one. There is a
// reason when nothing may be granted because of it: when it is no list, or
// when it has an item that is no name, or one with a variable that is not set.
// In enabled_toolsets such an item is left out, or grants nothing; leaving it
// out of disabled_toolsets would grant what somebody meant to take away.
func (p *parser) toolsets(path string, e entry, enabled bool) (names []string, reason string) {
	v := p.value(e.val)
	if v.kind == null {
		return nil, ""
	}
	if v.kind != list {
		message := v.source() + " is not a list of toolsets; the session is granted nothing"
		if v.kind == text {
			message += "; did you mean [" + printable(v.asWritten()) + "]?"
		}
		p.warn(e.place(), path, "unusable_scope", message)
		return nil, e.name + " is not a list"
	}
	names, items := v.names()
	for _, item := range items {
		at := path + "[" + strconv.Itoa(item.index) + "]"
		switch {
		case enabled, item.code != unnamed && item.code != unsetVariable:
			p.warn(item.at.node, at, item.code, item.note)
		case item.code == unsetVariable:
			reason = e.name + " names a variable that is not set"
			p.warn(item.at.node, at, "unusable_scope", item.note+"; the session is granted nothing")
		default:
			reason = e.name + " has an item that is not a name"
			p.warn(item.at.node, at, "unusable_scope", item.at.source()+" is not a name; the session is granted nothing")
		}
	}
	return names, reason
}

// closed returns a session that is granted nothing, because of what e says.
func (p *parser) closed(name string, e entry, reason string) scope {
	path := join(sessionsKey, name)
	row, _ := rowOf(sessionsKey)
	enabled := p.said(path+"."+row.members[0], e, reason)
	enabled.Value = []string{}
	line, _ := p.doc.position(e.key)
	return scope{
		Session:  Session{Name: name, Enabled: []string{}, Line: line},
		settings: []Setting{enabled, {Key: path + "." + row.members[1], Origin: OriginDefault}},
	}
}

// listed returns names as the value of a setting: a nil list is null.
func listed(names []string) any {
	if names == nil {
		return nil
	}
	return slices.Clone(names)
}
