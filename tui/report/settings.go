package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Settings returns the report of settings: their values and origins.
func Settings(settings []config.Setting) *Report {
	r := new(Report)
	t := Columns("setting", "value", "origin")
	for _, s := range settings {
		from := Name(s.Origin)
		if s.Origin == config.OriginFile && s.Line > 0 {
			from = Name(fmt.Sprintf("%s:%d", s.File, s.Line))
		}
		t.Row(Name(s.Key), SettingValue(s.Value), from)
		if s.Note != "" {
			note := safetext.Line(s.Note)
			if given := safetext.Line(s.Given); !strings.Contains(note, given) {
				note = "given " + given + ": " + note
			}
			if s.Origin != config.OriginFile && s.Line > 0 {
				note = fmt.Sprintf("%s:%d: %s", safetext.Line(s.File), s.Line, note)
			}
			t.Below(func(r *Report) { r.Indented(6, "%s", note) })
		}
	}
	r.Table(t)
	return r
}

// SettingValue returns a value as it would be written in one line of YAML. JSON
// has all of it.
func SettingValue(value any) string {
	const most = 48 // cells
	if text, ok := value.(string); ok {
		return ui.Truncate(safetext.Line(text), most)
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	if list, ok := value.([]string); ok && len(list) > 4 {
		return Count(len(list), "name").String()
	}
	return ui.Truncate(safetext.Line(string(raw)), most)
}

// Unified returns the report of a unified diff, which has a line or more.
func Unified(diff string) *Report {
	r := new(Report)
	for line := range strings.SplitSeq(diff, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch line[0] {
		case '+', '-':
			r.Exact(Strong("%s", line))
		default:
			r.Exact(Faint("%s", line))
		}
	}
	return r
}

// Check returns the report of inputs without errors.
func Check(st workbench.State, configName string) *Report {
	r := new(Report)
	registry := st.Snapshot.Registry
	var sources []string
	for _, s := range registry.Sources {
		sources = append(sources, s.Name)
	}
	r.Line(Strong("ok"), "  ", Count(len(st.Warnings), "warning"))
	r.Blank()
	t := Columns("", "", "…")
	shape := ""
	if registry.Shape != "" {
		shape = ", " + registry.Shape
	}
	t.Row("registry", Textf("%s in %s%s", Count(len(registry.Tools), "tool"), Count(len(registry.Toolsets), "toolset"), shape), Names(sources, len(sources)))
	if len(st.Skills) > 0 {
		t.Row("skills", Count(len(st.Skills), "skill"), "listed beside the tools: caliper budget")
	}
	t.Row("config", Textf("%s, %s", Count(len(st.Config.Sessions), "session"), Count(len(st.Config.Policy), "policy rule")), Name(configName))
	length := TextOf("unknown")
	if n := st.Config.ContextLength; n != nil && *n > 0 {
		length = Count(*n, "token")
	}
	t.Row("context", length, ContextOrigin(st.Config.Model.Origin))
	r.Table(t)
	for _, read := range []bool{true, false} {
		var keys []string // without the sections that have keys of their own in the list
		for i, sections := 0, st.Config.Sections; i < len(sections); i++ {
			if opened := i+1 < len(sections) && strings.HasPrefix(sections[i+1].Key, sections[i].Key+"."); !opened && sections[i].Read == read {
				keys = append(keys, sections[i].Key)
			}
		}
		if len(keys) > 0 {
			r.Blank()
			r.Say("%s: %s.", map[bool]string{true: "Read", false: "Not read"}[read], Names(keys, len(keys)))
		}
	}
	return r
}
