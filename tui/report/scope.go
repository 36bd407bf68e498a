package report

import (
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/reach"
	"caliper/model"
)

// Scope returns the report of an audit of a snapshot's sessions, violations first, with what
// decides the search of an agent that is not the reference agent. With names it lists the tools
// of every session.
func Scope(a engine.Audit, s *engine.Snapshot, p reach.Posture, names bool) *Report {
	r, withoutGates := new(Report), s.WithoutGates()
	agent := "agent of " + string(s.Config.ToolSearch.Generation)
	if h := s.Host(); h.Generation == "" {
		agent = "as " + h.Called() + ", search " + strings.ToLower(OnOff(s.Active())) + " " + SearchBy(h, p)
	}
	if len(withoutGates) > 0 {
		r.Line(Alarm("DRY RUN WITHOUT %s", strings.Join(withoutGates, " AND ")))
	}
	if n := a.Violations(); n > 0 {
		r.Line(Strong("%s", Count(n, "violation")))
		for _, s := range a.Sessions {
			for _, reached := range s.Reached() {
				if _, granted := slices.BinarySearch(s.Granted, reached.Tool); granted {
					r.Indented(2, "%s: session %s finds it and cannot call it", Name(reached.Tool), Name(s.Name))
				} else {
					r.Indented(2, "%s: session %s reaches it by %s and is not granted it", Name(reached.Tool), Name(s.Name), strings.Join(reached.Paths, ", "))
				}
			}
		}
	} else {
		r.Head("no violation", "in %s, %s", Count(len(a.Sessions), "session"), agent)
		if len(withoutGates) == 1 {
			r.Say("The other scope gate still stops every such call; leave both out to see what they hold back.")
		}
	}
	r.Blank()
	ruled := slices.ContainsFunc(a.Sessions, func(s engine.SessionAudit) bool { return len(s.Ruled()) > 0 })
	titles := []string{"session", ">granted", ">direct", ">searchable", ">describable", ">callable", ">violations"}
	if ruled {
		titles = append(titles, ">denied")
	}
	t := Columns(titles...)
	for _, s := range a.Sessions {
		counts := []any{Name(s.Name), len(s.Granted), len(s.Direct), len(s.Searchable), len(s.Describable), len(s.Callable), len(s.Violations)}
		if ruled {
			counts = append(counts, len(s.Ruled()))
		}
		t.Row(counts...)
		if names {
			t.Below(func(r *Report) { // a row for every tool that the session is granted or reaches, with the ways that reach it
				t := Columns("", "", "", "", "", "", "")
				ways := [][]string{s.Granted, s.Direct, s.Searchable, s.Describable, s.Callable, s.Ruled()}
				all := slices.Concat(ways...)
				slices.Sort(all)
				for _, tool := range slices.Compact(all) {
					cells := []any{Textf("  %s", Name(tool)), "granted", "direct", "searchable", "describable", "callable", "denied"}
					for i, tools := range ways {
						if _, in := slices.BinarySearch(tools, tool); !in {
							cells[i+1] = ""
						}
					}
					t.FaintRow(cells...)
				}
				r.Table(t)
			})
		}
	}
	r.Table(t)
	if ruled {
		r.Say("Denied: a rule of the policy refuses the call; direct and callable count the scope alone.")
	}
	return r
}

// Scope returns the report of an audit for an issue, with what else is told of its sessions.
func (c Case) Scope(a engine.Audit, title string, more *Report) *Report {
	r := Scope(a, c.Snapshot, c.Posture, false)
	r.Heading(3, "%s", Sentence(title))
	r.Add(more)
	return c.Issue("caliper scope", r, c.Command("scope"))
}

// ToolStatus returns the short text for the status of a tool in the session.
func ToolStatus(s *engine.Snapshot, t *model.Tool) string {
	switch s.Status(t) {
	case engine.Sent:
		switch {
		case s.Core(t):
			return "core"
		case engine.PreSelects(s.Assembly().Strategy):
			return "selected"
		}
		return "sent"
	case engine.Deferred:
		return strconv.Itoa(s.ToolTokens(t)) + " tok"
	case engine.Unreachable:
		return "unreachable"
	case engine.NotGranted:
		return "out of scope"
	case engine.Unavailable:
		return "unavailable"
	default:
		return "replaced"
	}
}
