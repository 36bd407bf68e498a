package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"caliper/model"
)

// settle works out configuration, settings and warnings from what the file
// and the flags say.
func (f *File) settle() {
	f.Config = Default()
	f.Settings = nil
	f.Warnings = slices.Clone(f.structural)
	ruin, why := f.ruin()
	for _, r := range table {
		switch {
		case r.key == sessionsKey:
			f.settleSessions()
		case r.key == policyKey:
			f.settlePolicy()
		case r.key == contextKey:
			f.settleModel()
		case r.set != nil && ruin != "" && inToolSearch(r.key) && f.given[r.key].origin != OriginFlag:
			f.settleRuined(r, ruin, why)
		case r.set != nil:
			f.settleRow(r)
		}
	}
	f.settleUnknown()
	f.settleRescue()
	f.Warnings = inOrder(f.Warnings)
}

// ruin returns the key of the first setting of tools.tool_search that makes
// the reference give up on the whole section, and why; empty strings when
// there is none.
func (f *File) ruin() (key, why string) {
	for _, r := range table {
		g, ok := f.given[r.key]
		if !ok || g.known != nil || !inToolSearch(r.key) {
			continue
		}
		scratch := Default()
		if out := r.set(&scratch, g.value); out.fate == ruined {
			return r.key, out.note
		}
	}
	return "", ""
}

func inToolSearch(key string) bool {
	return strings.HasPrefix(key, toolSearch+".")
}

// settleRuined gives a setting its default because another one, or itself,
// ruined the section.
func (f *File) settleRuined(r row, ruin, why string) {
	g, ok := f.given[r.key]
	s := Setting{Key: r.key, Origin: OriginDefault}
	if ok && g.value.kind != null {
		s.File, s.Line, s.Col = f.name, g.line, g.col
		s.Given, s.Note = g.value.source(), "the whole section has its defaults because of "+ruin
	}
	if r.key == ruin {
		s.Note = why + "; the whole section has its defaults"
		f.warn(g, r.key, "section_fallback", s.Note)
	}
	if r.always != "" {
		r.set(&f.Config, value{}) // against what a flag may have set
	}
	s.Value = r.read(&f.Config)
	f.Settings = append(f.Settings, s)
}

func (f *File) settleRow(r row) {
	g, ok := f.given[r.key]
	if ok && g.value.kind == null && g.origin == OriginFile {
		ok = false
	}
	s := Setting{Key: r.key, Origin: OriginDefault}
	before := f.Config
	var out outcome
	switch {
	case ok && g.known != nil:
		out = *g.known
	case ok || r.always != "":
		out = r.set(&f.Config, g.value)
	}
	s.Value = r.read(&f.Config)
	if ok {
		if out.fate == taken {
			s.Origin = g.origin
		}
		if g.origin == OriginFile {
			s.File, s.Line, s.Col = f.name, g.line, g.col
		}
		if g.known == nil {
			quotesMatter(&out, r, before, g.value, s.Value)
		}
	}
	if r.conceal != nil {
		s.Value, g.value = r.conceal(value{kind: text, text: s.Value.(string)}).text, r.conceal(g.value)
	}
	if ok && g.value.written != "" && out.fate == taken {
		// SECURITY: free text, such as an address, may hold a secret of the
		// environment, so it is shown as the file has it.
		if r.domain.Kind == Text {
			s.Value = g.value.asWritten()
		}
		if out.code == "" {
			s.Given, s.Note = g.value.source(), "its variables are expanded"
		}
	}
	path := r.key
	if ok {
		path = cmp.Or(g.path, path)
	}
	if out.code != "" {
		s.Note = out.note
		if ok {
			s.Given = g.value.source()
		} else {
			g = f.given[r.always]
		}
		f.warn(g, path, out.code, out.note)
	}
	if note := g.value.unsetNote(); ok && note != "" {
		if s.Note == "" {
			s.Given, s.Note = g.value.source(), note
		}
		f.warn(g, path, unsetVariable, note)
	}
	for _, item := range out.items {
		at := g
		if item.at.node != nil {
			at.line, at.col = f.doc.position(item.at.node)
		}
		f.warn(at, path+"["+strconv.Itoa(item.index)+"]", item.code, item.note)
	}
	f.Settings = append(f.Settings, s)
}

// quotesMatter adds to the outcome of a quoted value what the value would be
// without its quotes, when that is another.
func quotesMatter(out *outcome, r row, before Config, v value, effective any) {
	if !v.quoted || v.kind != text || v.written != "" {
		return
	}
	plain, problem := resolvePlain(v.text)
	if plain.kind == text || problem != "" {
		return
	}
	plain.text = v.text
	if r.set(&before, plain).fate == ruined {
		return
	}
	bare := r.read(&before)
	if reflect.DeepEqual(bare, effective) {
		return
	}
	aside := fmt.Sprintf("without the quotes it would be %v", bare)
	if out.code != "" {
		out.note += "; " + aside
		return
	}
	*out = outcome{code: "quotes_matter", note: fmt.Sprintf("%s in quotes is %v; %s", v.source(), effective, aside)}
}

func (f *File) settleSessions() {
	if len(f.scopes) == 0 {
		row, _ := rowOf(sessionsKey)
		for _, member := range row.members {
			f.Settings = append(f.Settings, Setting{Key: join(sessionsKey, DefaultSession) + "." + member, Origin: OriginDefault})
		}
		return
	}
	f.Sessions = nil
	for _, s := range f.scopes {
		session := s.Session
		session.Enabled, session.Disabled = slices.Clone(s.Enabled), slices.Clone(s.Disabled)
		f.Sessions = append(f.Sessions, session)
		f.Settings = append(f.Settings, s.settings...)
	}
}

func (f *File) settlePolicy() {
	f.Policy, f.Hooks = slices.Clone(f.rules), slices.Clone(f.hooks)
	s := f.policies
	s.Key, s.Value = policyKey, append([]Rule{}, f.rules...)
	if s.Origin == "" {
		s.Origin = OriginDefault
	}
	f.Settings = append(f.Settings, s)
}

// warn adds a warning about a value, at its place if it is from the file.
func (f *File) warn(g given, path, code, message string) {
	d := model.Diagnostic{Path: cut(path, maxPath), Code: code, Message: message}
	if g.origin == OriginFile {
		d.File, d.Line, d.Col = f.name, g.line, g.col
	}
	f.Warnings = append(f.Warnings, d)
}

// maxWarnings bounds what is said about one file. Nobody reads more.
const maxWarnings = 1000

// inOrder sorts warnings by their place, those without one last, and keeps
// the first maxWarnings and a last one that counts the others.
func inOrder(list []model.Diagnostic) []model.Diagnostic {
	placeless := func(d model.Diagnostic) int {
		if d.Line == 0 {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b model.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(placeless(a), placeless(b)),
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
