package report

import (
	"strings"

	"caliper/config"
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
	length := TextOf("unknown")
	if n := st.Config.ContextLength; n != nil && *n > 0 {
		length = Count(*n, "token")
	}
	t.Row("context", length, ContextOrigin(st.Config.Model.Origin))
	r.Table(t)
	read, unread := keys(st.Config.Sections)
	for _, list := range []struct {
		title string
		keys  []string
	}{{"Read", read}, {"Not read", unread}} {
		if len(list.keys) > 0 {
			r.Blank()
			r.Say("%s: %s.", list.title, Names(list.keys, len(list.keys)))
		}
	}
	return r
}

// keys returns the keys of a configuration that are read and those that are not,
// without the sections that have keys of their own in the list.
func keys(sections []config.Section) (read, unread []string) {
	for i, s := range sections {
		switch opened := i+1 < len(sections) && strings.HasPrefix(sections[i+1].Key, s.Key+"."); {
		case opened:
		case s.Read:
			read = append(read, s.Key)
		default:
			unread = append(unread, s.Key)
		}
	}
	return read, unread
}
