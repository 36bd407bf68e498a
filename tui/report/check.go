package report

import (
	"caliper/tui/workbench"
)

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
	t.Row("config", Textf("%s, %s", Count(len(st.Config.Sessions), "session"), Count(len(st.Config.Policy), "policy rule")), Name(configName))
	length := textOf("unknown")
	if n := st.Config.ContextLength; n != nil && *n > 0 {
		length = Count(*n, "token")
	}
	t.Row("context", length, ContextOrigin(st.Config.Model.Origin))
	var unread []string
	for _, s := range st.Config.Sections {
		if !s.Read {
			unread = append(unread, s.Key)
		}
	}
	if len(unread) > 0 {
		t.Row("not read", Count(len(unread), "section"), FirstNames(unread))
	}
	r.Table(t)
	return r
}
