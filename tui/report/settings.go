package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/ui"
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
			t.Below(func(r *Report) { r.Indented(6, "%s", settingNote(s)) })
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

// settingNote returns a remark about an unusual setting, empty for none.
func settingNote(s config.Setting) string {
	note := safetext.Line(s.Note)
	if given := safetext.Line(s.Given); !strings.Contains(note, given) {
		note = "given " + given + ": " + note
	}
	if s.Origin != config.OriginFile && s.Line > 0 {
		note = fmt.Sprintf("%s:%d: %s", safetext.Line(s.File), s.Line, note)
	}
	return note
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
