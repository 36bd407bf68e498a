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
	p.scopes = nil
	v, _ := resolveNode(e.val)
	switch v.kind {
	case null:
		return
	case mapping:
	default:
		p.warn(e.place(), sessionsKey, "unusable_sessions", v.source()+" is not a mapping of sessions; the session default is granted nothing")
		line, col := p.doc.position(e.place())
		p.scopes = []scope{p.closed(DefaultSession, line, line, col, v.source(), "sessions is not a mapping")}
		return
	}
	seen := make(map[string]int)
	for _, s := range entries(v.node) {
		path := join(sessionsKey, s.name)
		p.duplicate(s, path)
		if !s.isText {
			p.warn(s.key, path, "unquoted_name", "not text in YAML 1.1; it is taken as the name "+strconv.Quote(cut(s.name)))
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
	v, _ := resolveNode(e.val)
	if v.kind != null && v.kind != mapping {
		p.warn(e.place(), path, "unusable_session", v.source()+" is not a mapping; the session is granted nothing")
		at, col := p.doc.position(e.place())
		return p.closed(e.name, line, at, col, v.source(), "the session is not a mapping")
	}
	s := scope{Session: Session{Name: e.name, Line: line}, settings: make([]Setting, 2)}
	row, _ := rowOf(sessionsKey)
	for i, member := range row.members {
		s.settings[i] = Setting{Key: path + "." + member, Origin: OriginDefault}
	}
	lists := make([][]string, len(row.members))
	closed := -1 // the list because of which nothing is granted
	for _, m := range memberEntries(v) {
		i := slices.Index(row.members, m.name)
		if i < 0 || !m.isText {
			p.unknown(m, path, row.members)
			continue
		}
		p.duplicate(m, s.settings[i].Key)
		var ok bool
		if lists[i], ok = p.toolsets(&s.settings[i], m, i == 0); !ok {
			closed = i
		}
	}
	s.Enabled, s.Disabled = lists[0], lists[1]
	if closed >= 0 {
		s.Enabled = []string{}
	}
	if closed == 1 {
		by := s.settings[1]
		s.settings[0] = Setting{Key: s.settings[0].Key, Origin: OriginFile, File: by.File, Line: by.Line, Col: by.Col,
			Note: "disabled_toolsets cannot be read, so the session is granted nothing"}
	}
	s.settings[0].Value, s.settings[1].Value = listed(s.Enabled), listed(s.Disabled)
	return s
}

// memberEntries returns the entries of a mapping, none of anything else.
func memberEntries(v value) []entry {
	if v.kind != mapping {
		return nil
	}
	return entries(v.node)
}

// toolsets reads one list of a session. Null is an absent one. It is not ok
// when nothing may be granted because of it: when it is no list, or when it
// has an item that is no name. For enabled_toolsets leaving the item out would
// do; for disabled_toolsets it would grant what somebody meant to take away.
func (p *parser) toolsets(s *Setting, e entry, enabled bool) (names []string, ok bool) {
	v, _ := resolveNode(e.val)
	if v.kind == null {
		return nil, true
	}
	s.Origin, s.File = OriginFile, p.doc.file
	s.Line, s.Col = p.doc.position(e.place())
	if v.kind != list {
		s.Given, s.Note = v.source(), "not a list of toolsets, so the session is granted nothing"
		message := v.source() + " is not a list of toolsets; the session is granted nothing"
		if v.kind == text {
			message += "; did you mean [" + printable(v.text) + "]?"
		}
		p.warn(e.place(), s.Key, "unusable_scope", message)
		return nil, false
	}
	names, items := v.names()
	ok = true
	for _, item := range items {
		path := s.Key + "[" + strconv.Itoa(item.index) + "]"
		if item.code != unnamed || enabled {
			p.warn(item.at.node, path, item.code, item.note)
			continue
		}
		ok = false
		s.Given, s.Note = v.source(), "an item is not a name, so the session is granted nothing"
		p.warn(item.at.node, path, "unusable_scope", item.at.source()+" is not a name; the session is granted nothing")
	}
	return names, ok
}

// closed returns a session that is granted nothing, because of what was given
// at a place.
func (p *parser) closed(name string, key, line, col int, given, note string) scope {
	path := join(sessionsKey, name)
	return scope{
		Session: Session{Name: name, Enabled: []string{}, Line: key},
		settings: []Setting{
			{Key: path + ".enabled_toolsets", Value: []string{}, Origin: OriginFile, File: p.doc.file, Line: line, Col: col, Given: given, Note: note + ", so it is granted nothing"},
			{Key: path + ".disabled_toolsets", Origin: OriginDefault},
		},
	}
}

// listed returns names as the value of a setting: a nil list is null.
func listed(names []string) any {
	if names == nil {
		return nil
	}
	return slices.Clone(names)
}
