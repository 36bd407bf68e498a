package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// evaluate computes configuration, settings and warnings of what file and flags give.
func (f *File) evaluate() {
	generation, by := f.generation()
	f.Config = DefaultOf(generation)
	f.Settings = nil
	f.Warnings = slices.Clone(f.structural)
	lost, why := f.fatalSetting()
	for _, r := range table {
		switch {
		case !r.Reads(generation):
			if g, ok := f.given[r.Key]; ok {
				f.warn(g, r.Key, "not_read", f.setting(r.Key).Note)
			}
		case r.Key == KeyHost:
			f.evaluateRow(r) // the host that is named, else the generation
			s, before := &f.Settings[len(f.Settings)-1], f.Host
			f.Host = f.host()
			if f.Host == "" {
				// The host that is a generation.
				f.Host = hostJune
				if generation == September2026 {
					f.Host = hostSeptember
				}
			}
			s.Value = f.Host
			if f.Host != before {
				s.Origin = cmp.Or(f.given[KeyGeneration].origin, OriginDefault)
			}
		case r.Key == KeyGeneration:
			// Put the generation into the configuration, and tells what has selected it. The setting itself
			// is checked as any other.
			f.evaluateRow(r)
			f.ToolSearch.Generation = generation
			s := &f.Settings[len(f.Settings)-1]
			s.Value = string(generation)
			switch given, own := f.given[KeyHost], f.given[KeyGeneration].value.Text; {
			case by == "" && f.host() != "" && own != "" && own != string(generation):
				s.Origin, s.Note = given.origin, KeyHost+" says which"
			}
			if by != "" {
				given := f.given[by]
				s.Origin, s.Note = given.origin, by+" is a setting of this generation"
				if given.origin == OriginFile {
					s.File, s.Line, s.Col = f.name, given.line, given.col
				}
			}
		case r.Key == sessionsKey:
			f.evaluateSessions()
		case r.Key == policyKey:
			// Take the rules and the hooks of the file.
			f.Policy, f.Hooks = slices.Clone(f.rules), slices.Clone(f.hooks)
			s := f.policies
			s.Key, s.Value = policyKey, append([]Rule{}, f.rules...)
			if s.Origin == "" {
				s.Origin = OriginDefault
			}
			f.Settings = append(f.Settings, s)
		case r.Key == KeyContext:
			f.evaluateModel()
		case r.at != nil && lost != "" && inToolSearch(r.Key) && f.given[r.Key].origin != OriginFlag:
			f.evaluateLost(r, lost, why)
		case r.at != nil:
			f.evaluateRow(r)
		}
	}
	f.takeDefaultCore()
	f.warnUnknownContext()
	// Switch rescue off when the agent does not load its plugin, with a warning at the list that is
	// the reason.
	switch p := f.Config.Plugins; {
	case slices.Contains(p.Disabled, rescueKey):
		f.Config.Rescue.Off = RescueDisabled
	case p.Enabled != nil && !slices.Contains(p.Enabled, rescueKey):
		f.Config.Rescue.Off = RescueNotEnabled
	}
	if why := f.Config.Rescue.Off; why != RescueOn {
		f.warn(f.given[string(why)], string(why), "rescue_off", f.Config.Rescue.Off.String())
	}
	f.Warnings = sortWarnings(f.Warnings)
}

// takeDefaultCore takes the core tools of the dump where the setting has no value.
func (f *File) takeDefaultCore() {
	i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == KeyCore })
	if f.core == nil || f.Settings[i].Origin != OriginDefault {
		return
	}
	f.Core = slices.Clone(f.core)
	f.Settings[i].Value = slices.Clone(f.core)
	if f.Settings[i].Note == "" {
		f.Settings[i].Note = "as the registry says"
	}
}

// fatalSetting returns the first setting of tools.tool_search at which the reference gives up on
// the section, and why; empty for none.
func (f *File) fatalSetting() (key, why string) {
	defaults := f.Config
	for _, r := range table {
		g, ok := f.given[r.Key]
		if !ok || g.known != nil || !inToolSearch(r.Key) || !r.Reads(defaults.ToolSearch.Generation) {
			continue
		}
		scratch := defaults
		if out := r.put(&scratch, g.value); out.status == fatal {
			return r.Key, out.note()
		}
	}
	return "", ""
}

// inToolSearch reports whether a setting is of the section tools.tool_search.
func inToolSearch(key string) bool {
	return strings.HasPrefix(key, KeyToolSearch+".")
}

// evaluateLost gives a setting its default, because of the fatal setting with the key by.
func (f *File) evaluateLost(r row, by, why string) {
	g, ok := f.given[r.Key]
	s := Setting{Key: r.Key, Origin: OriginDefault}
	if ok && g.value.Kind != yamltext.Null {
		s.File, s.Line, s.Col = f.name, g.line, g.col
		s.Given, s.Note = g.value.source(), "the whole section has its defaults because of "+by
	}
	if r.Key == by {
		s.Note = why + "; the whole section has its defaults"
		f.warn(g, r.Key, "section_fallback", s.Note)
	}
	if r.dependsOn() != "" {
		r.put(&f.Config, value{}) // against what a flag may have set
	}
	s.Value = r.read(&f.Config)
	f.Settings = append(f.Settings, s)
}

// evaluateRow gives a setting its value, with the warnings about it.
func (f *File) evaluateRow(r row) {
	g, ok := f.given[r.Key]
	if ok && g.value.Kind == yamltext.Null && g.origin == OriginFile {
		ok = false
	}
	s := Setting{Key: r.Key, Origin: OriginDefault}
	before := f.Config
	var out outcome
	switch {
	case ok && g.known != nil:
		out = *g.known
	case ok || r.dependsOn() != "":
		out = r.put(&f.Config, g.value)
	}
	s.Value = r.read(&f.Config)
	if ok {
		if out.status == accepted {
			s.Origin = g.origin
		}
		if g.origin == OriginFile {
			s.File, s.Line, s.Col = f.name, g.line, g.col
		}
		if g.known == nil {
			noteQuotes(&out, r, before, g.value, s.Value)
		}
	}
	if r.conceal != nil {
		s.Value, g.value = r.conceal(textValue(s.Value.(string))).Text, r.conceal(g.value)
	}
	if ok && g.value.written != "" && out.status == accepted {
		// SECURITY: free text, such as an address, may hold a secret of the
		// environment, so it is shown as the file has it.
		if r.Kind == Text {
			s.Value = g.value.asWritten()
		}
		if out.code == "" {
			s.Given, s.Note = g.value.source(), "its variables are expanded"
		}
	}
	path := r.Key
	if ok {
		path = cmp.Or(g.path, path)
	}
	if out.code != "" {
		s.Note = out.note()
		if ok {
			s.Given = g.value.source()
		} else {
			g = f.given[r.dependsOn()]
		}
		f.warn(g, path, out.code, s.Note)
	}
	if note := g.value.unsetNote(); ok && note != "" {
		if s.Note == "" {
			s.Given, s.Note = g.value.source(), note
		}
		f.warn(g, path, unsetVariable, note)
	}
	for _, item := range out.items {
		at := g
		if item.at.Node != nil {
			at.line, at.col = f.doc.Position(item.at.Node)
		}
		f.warn(at, path+"["+strconv.Itoa(item.index)+"]", item.code, item.note)
	}
	f.Settings = append(f.Settings, s)
}

// noteQuotes adds a remark about a quoted value that would be another one without quotes.
func noteQuotes(out *outcome, r row, before Config, v value, effective any) {
	if !v.Quoted || v.Kind != yamltext.Text || v.written != "" {
		return
	}
	scalar, problem := yamltext.Plain(v.Text)
	plain := value{Value: scalar}
	if plain.Kind == yamltext.Text || problem != "" {
		return
	}
	plain.Text = v.Text
	if r.put(&before, plain).status == fatal {
		return
	}
	bare := r.read(&before)
	if reflect.DeepEqual(bare, effective) {
		return
	}
	remark := fmt.Sprintf("without the quotes it would be %v", bare)
	if out.code != "" {
		out.problem, out.instead, out.meant = out.note()+"; "+remark, "", ""
		return
	}
	*out = outcome{code: "quotes_matter", problem: fmt.Sprintf("%s in quotes is %v; %s", v.source(), effective, remark)}
}

// evaluateSessions adds the sessions of the file, one for each platform, and what no session has.
func (f *File) evaluateSessions() {
	if len(f.scopes) == 0 {
		row, _ := rowOf(sessionsKey)
		for _, member := range row.members {
			f.Settings = append(f.Settings, Setting{Key: yamltext.Join(sessionsKey, DefaultSession) + "." + member, Origin: OriginDefault})
		}
	} else {
		other := func(s Section) bool { return s.Key != sessionsKey && !strings.HasPrefix(s.Key, sessionsKey+".") }
		f.Sessions, f.OnlySessions = nil, !slices.ContainsFunc(f.Sections, other)
	}
	for _, s := range f.scopes {
		session := s.Session
		session.Enabled, session.Disabled = slices.Clone(s.Enabled), slices.Clone(s.Disabled)
		f.Sessions = append(f.Sessions, session)
		f.Settings = append(f.Settings, s.settings...)
		f.OnlySessions = f.OnlySessions && s.Name != DefaultSession
	}
	f.Agent = AgentScope{Disabled: slices.Clone(f.disabled), Servers: slices.Clone(f.servers)}
	for i := range f.Agent.Servers {
		f.Agent.Servers[i].Later = f.ToolSearch.Generation == September2026
	}
	for _, s := range f.platforms {
		session, setting := s.Session, s.settings[0]
		session.Enabled, session.Known = slices.Clone(s.Enabled), slices.Clone(f.known[s.Name])
		if slices.ContainsFunc(f.scopes, func(o scope) bool { return o.Name == s.Name }) {
			g := given{origin: OriginFile, line: setting.Line, col: setting.Col}
			setting.Note = sessionsKey + " has a session of this name, which counts"
			f.warn(g, setting.Key, "shadowed_section", setting.Note)
		} else {
			f.Sessions = append(f.Sessions, session)
		}
		f.Settings = append(f.Settings, setting)
	}
	if f.disabledAt.Key != "" {
		f.Settings = append(f.Settings, f.disabledAt)
	}
}

// warn adds a warning about a value, with its position when it is from the file.
func (f *File) warn(g given, path, code, text string) {
	d := model.Diagnostic{Path: yamltext.Cut(path, maxPath), Code: code, Message: words.Message(text)}
	if g.origin == OriginFile {
		d.File, d.Line, d.Col = f.name, g.line, g.col
	}
	f.Warnings = append(f.Warnings, d)
}

// maxWarnings bounds the warnings about one file. Nobody reads more.
const maxWarnings = 1000

// sortWarnings returns the first maxWarnings by position, those without one last, and one that
// counts the others.
func sortWarnings(list []model.Diagnostic) []model.Diagnostic {
	unplaced := func(d model.Diagnostic) int {
		if d.Line == 0 {
			return 1
		}
		return 0
	}
	model.Sort(list, func(a, b model.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(unplaced(a), unplaced(b)),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Code, b.Code),
		)
	})
	if len(list) <= maxWarnings {
		return list
	}
	last := list[maxWarnings]
	last.Code, last.Path = "more_warnings", ""
	last.Message = fmt.Sprintf("%d more warnings from here on are left out", len(list)-maxWarnings)
	return append(list[:maxWarnings:maxWarnings], last)
}
