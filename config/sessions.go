package config

import (
	"slices"
	"strconv"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// scope is one session with the settings that are its two lists.
type scope struct {
	Session
	settings []Setting
}

// sessions reads the named scopes.
//
// SECURITY: a scope that cannot be read grants nothing. Guessing at what was
// meant could give a session tools that it must not have.
func (p *parser) sessions(e yamltext.Entry) {
	v := p.value(e.Val)
	switch v.Kind {
	case yamltext.Null:
		return
	case yamltext.Mapping:
	default:
		p.warn(e.Place(), sessionsKey, "unusable_sessions", v.source()+" is not a mapping of sessions; the session default is granted nothing")
		p.scopes = []scope{p.closed(DefaultSession, e, "sessions is not a mapping")}
		return
	}
	at := map[string]int{} // in p.scopes, by name
	for _, s := range yamltext.Entries(v.Node) {
		if p.agentsOwn(s) {
			continue
		}
		path := yamltext.Join(sessionsKey, s.Name)
		p.duplicate(s, path)
		if !s.IsText {
			p.warn(s.Key, path, "unquoted_name", "not text in YAML 1.1; it is taken as the name "+yamltext.Quote(s.Name))
		}
		read := p.session(path, s)
		if i, again := at[s.Name]; again {
			p.warn(s.Key, path, "duplicate_key", "given before, in line "+strconv.Itoa(p.scopes[i].Line)+"; the last one counts")
			p.scopes[i] = read
			continue
		}
		at[s.Name] = len(p.scopes)
		p.scopes = append(p.scopes, read)
	}
}

func (p *parser) session(path string, e yamltext.Entry) scope {
	line, _ := p.doc.Position(e.Key)
	v := p.value(e.Val)
	if v.Kind != yamltext.Null && v.Kind != yamltext.Mapping {
		p.warn(e.Place(), path, "unusable_session", v.source()+" is not a mapping; the session is granted nothing")
		return p.closed(e.Name, e, "the session is not a mapping")
	}
	s := scope{Session: Session{Name: e.Name, Line: line}, settings: make([]Setting, 2)}
	row, _ := rowOf(sessionsKey)
	for i, member := range row.members {
		s.settings[i] = Setting{Key: path + "." + member, Origin: OriginDefault}
	}
	lists := make([][]string, len(row.members))
	shut := "" // why the session is granted nothing
	var by yamltext.Entry
	for _, m := range memberEntries(v) {
		i := slices.Index(row.members, m.Name)
		if i < 0 || !m.IsText {
			p.unknown(m, path, row.members)
			// SECURITY: ignoring a misspelt list would grant what it withholds.
			if words.Nearest(m.Name, row.members) != "" {
				shut, by = "the key "+yamltext.Printable(m.Name)+" is unknown", m
			}
			continue
		}
		p.duplicate(m, s.settings[i].Key)
		names, why := p.toolsets(s.settings[i].Key, m, i == 0)
		lists[i] = names
		s.settings[i] = p.settingAt(s.settings[i].Key, m, why)
		if why != "" {
			shut, by = why, m
		}
	}
	s.Enabled, s.Disabled = lists[0], lists[1]
	if shut != "" {
		s.Enabled = []string{}
		s.settings[0] = p.settingAt(s.settings[0].Key, by, shut)
	}
	s.settings[0].Value, s.settings[1].Value = namesOrNil(s.Enabled), namesOrNil(s.Disabled)
	return s
}

// settingAt returns the setting of e without its value; null gives none. A reason says why the
// session is granted nothing.
func (p *parser) settingAt(key string, e yamltext.Entry, reason string) Setting {
	v := p.value(e.Val)
	s := Setting{Key: key, Origin: OriginDefault}
	if v.Kind == yamltext.Null && reason == "" {
		return s
	}
	s.Origin, s.File = OriginFile, p.doc.File
	s.Line, s.Col = p.doc.Position(e.Place())
	if reason != "" {
		s.Given, s.Note = v.source(), reason+", so the session is granted nothing"
	}
	return s
}

// memberEntries returns the entries of a mapping; of any other value, none.
func memberEntries(v value) []yamltext.Entry {
	if v.Kind != yamltext.Mapping {
		return nil
	}
	return yamltext.Entries(v.Node)
}

// toolsets reads one list of a session; null is an absent one. reason tells why it grants nothing:
// it is no list, or an item of disabled_toolsets is no name or has an unset variable. To leave
// such an item out would grant what somebody meant to take away.
func (p *parser) toolsets(path string, e yamltext.Entry, enabled bool) (names []string, reason string) {
	v := p.value(e.Val)
	if v.Kind == yamltext.Null {
		return nil, ""
	}
	if v.Kind != yamltext.List {
		message := v.source() + " is not a list of toolsets; the session is granted nothing"
		if v.Kind == yamltext.Text {
			message += words.DidYouMean("[" + yamltext.Printable(v.asWritten()) + "]")
		}
		p.warn(e.Place(), path, "unusable_scope", message)
		return nil, e.Name + " is not a list"
	}
	names, items := v.names()
	for _, item := range items {
		at := path + "[" + strconv.Itoa(item.index) + "]"
		switch {
		case enabled, item.code != unnamed && item.code != unsetVariable:
			p.warn(item.at.Node, at, item.code, item.note)
		case item.code == unsetVariable:
			reason = e.Name + " names a variable that is not set"
			p.warn(item.at.Node, at, "unusable_scope", item.note+"; the session is granted nothing")
		default:
			reason = e.Name + " has an item that is not a name"
			p.warn(item.at.Node, at, "unusable_scope", item.at.source()+" is not a name; the session is granted nothing")
		}
	}
	return names, reason
}

// closed returns a session that is granted nothing, for a reason found at e.
func (p *parser) closed(name string, e yamltext.Entry, reason string) scope {
	path := yamltext.Join(sessionsKey, name)
	row, _ := rowOf(sessionsKey)
	enabled := p.settingAt(path+"."+row.members[0], e, reason)
	enabled.Value = []string{}
	line, _ := p.doc.Position(e.Key)
	return scope{
		Session:  Session{Name: name, Enabled: []string{}, Line: line},
		settings: []Setting{enabled, {Key: path + "." + row.members[1], Origin: OriginDefault}},
	}
}

// namesOrNil returns names as the value of a setting: a nil list is null.
func namesOrNil(names []string) any {
	if names == nil {
		return nil
	}
	return slices.Clone(names)
}
