package report

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
)

// Scope returns the report of an audit of a generation of the agent without some scope
// gates, violations first. With names it lists the tools of every session.
func Scope(a engine.Audit, g config.Generation, withoutGates []string, names bool) *Report {
	r := new(Report)
	if len(withoutGates) > 0 {
		r.Line(Alarm("DRY RUN WITHOUT %s", strings.Join(withoutGates, " AND ")))
	}
	if n := a.Violations(); n > 0 {
		r.Line(Strong("%s", Count(n, "violation")))
		for _, s := range a.Sessions {
			violationTexts(r, s)
		}
	} else {
		r.Head("no violation", "in %s, agent of %s", Count(len(a.Sessions), "session"), g)
		if len(withoutGates) == 1 {
			r.Say("The other scope gate still stops every such call; leave both out to see what they hold back.")
		}
	}
	r.Blank()
	t := Columns("session", ">granted", ">direct", ">searchable", ">describable", ">callable", ">violations")
	for _, s := range a.Sessions {
		t.Row(Name(s.Name), len(s.Granted), len(s.Direct), len(s.Searchable), len(s.Describable), len(s.Callable), len(s.Violations))
		if names {
			t.Below(func(r *Report) { r.Table(reachTable(s)) })
		}
	}
	r.Table(t)
	return r
}

// violationTexts adds what is wrong in one session, in a line a tool.
func violationTexts(r *Report, s engine.SessionAudit) {
	for _, reached := range s.Reached() {
		if _, granted := slices.BinarySearch(s.Granted, reached.Tool); granted {
			r.Indented(2, "%s: session %s finds it and cannot call it", Name(reached.Tool), Name(s.Name))
		} else {
			r.Indented(2, "%s: session %s reaches it by %s and is not granted it", Name(reached.Tool), Name(s.Name), strings.Join(reached.Paths, ", "))
		}
	}
}

// reachTable returns a row for every tool that a session is granted or
// reaches, with the ways that reach it.
func reachTable(s engine.SessionAudit) *Table {
	t := Columns("", "", "", "", "", "")
	ways := []struct {
		word  string
		tools []string
	}{{"granted", s.Granted}, {"direct", s.Direct}, {"searchable", s.Searchable}, {"describable", s.Describable}, {"callable", s.Callable}}
	var all []string
	for _, w := range ways {
		all = append(all, w.tools...)
	}
	slices.Sort(all)
	for _, tool := range slices.Compact(all) {
		cells := []any{Textf("  %s", Name(tool))}
		for _, w := range ways {
			word := ""
			if _, in := slices.BinarySearch(w.tools, tool); in {
				word = w.word
			}
			cells = append(cells, word)
		}
		t.FaintRow(cells...)
	}
	return t
}

// Callers is who can call a tool, and how.
type Callers struct {
	Tool     string
	Sessions []Reached
}

// Reached is how a session reaches a tool.
type Reached struct{ Session, How string }

// Scope returns the report of an audit for an issue, with what another session and the one
// in force do not share and, unless it is nil, who can call a tool.
func (c Case) Scope(a engine.Audit, other string, who *Callers) *Report {
	r := Scope(a, c.Snapshot.Config.ToolSearch.Generation, c.Snapshot.WithoutGates(), false)
	differences(r, a.Sessions, c.Snapshot.Session.Name, other)
	if who != nil {
		r.Heading(3, "Who can call %s", or(Name(who.Tool), "a tool without a name"))
		t := Columns("session", "reaches it")
		for _, s := range who.Sessions {
			t.Row(Name(s.Session), Sentence(s.How))
		}
		r.Table(t)
	}
	return c.issue("caliper scope", r, c.command("scope"))
}

// differences adds the tools that only one of two sessions is granted, nothing
// when they are one.
func differences(r *Report, sessions []engine.SessionAudit, current, other string) {
	at := func(name string) int {
		return slices.IndexFunc(sessions, func(s engine.SessionAudit) bool { return s.Name == name })
	}
	a, b := at(current), at(other)
	if a < 0 || b < 0 || a == b {
		return
	}
	here, there := sessions[a].Granted, sessions[b].Granted
	first, second := without(here, there), without(there, here)
	r.Heading(3, "Two sessions")
	r.Say("The first is %s, the second %s. Both are granted %s.", Name(current), Name(other), Count(len(here)-len(first), "tool"))
	if len(first)+len(second) == 0 {
		r.Say("Nothing differs.")
		return
	}
	t := Columns(Textf("%d only in the first", len(first)).String(), Textf("%d only in the second", len(second)).String())
	for i := range max(len(first), len(second)) {
		t.Row(nameAt(first, i), nameAt(second, i))
	}
	r.Table(t)
}

// nameAt returns the name at an index, nothing beyond the last.
func nameAt(names []string, i int) Text {
	if i >= len(names) {
		return nil
	}
	return Name(names[i])
}

// without returns what a holds and b, which is sorted, does not.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool {
		_, both := slices.BinarySearch(b, name)
		return both
	})
}
