package repro

import (
	"fmt"
	"slices"
	"strconv"

	"caliper/engine"
)

// Callers is who can call a tool, and how, in our own words.
type Callers struct {
	Tool     string
	Sessions []Reached
}

// Reached is how a session reaches a tool.
type Reached struct{ Session, How string }

// Scope returns the repro of an audit: what every session reaches, those with
// violations first; each violation; what another session and the one in force
// do not share; and, unless it is nil, who can call a tool.
func Scope(c Case, a engine.Audit, other string, who *Callers) string {
	var d document
	d.heading(2, "caliper scope")
	c.surroundings(&d)
	d.heading(3, "Sessions")
	sessions := slices.Clone(a.Sessions)
	slices.SortStableFunc(sessions, func(a, b engine.SessionAudit) int { return wrong(a) - wrong(b) })
	out := tableOf("session", "granted", "direct", "searchable", "describable", "callable", "violations")
	for _, s := range sessions[:min(len(sessions), maxRows)] {
		cells := []string{code(s.Name)}
		for _, n := range []int{len(s.Granted), len(s.Direct), len(s.Searchable), len(s.Describable), len(s.Callable), len(s.Violations)} {
			cells = append(cells, strconv.Itoa(n))
		}
		out.add(cells...)
	}
	d.table(out)
	d.more(len(sessions) - maxRows)
	violations(&d, sessions)
	differences(&d, sessions, c.Snapshot.Session.Name, other)
	if who != nil {
		callers(&d, *who)
	}
	c.again(&d, c.command("scope"))
	return c.end(&d)
}

// wrong is 0 for a session with violations, and 1 for another.
func wrong(s engine.SessionAudit) int {
	if len(s.Violations) > 0 {
		return 0
	}
	return 1
}

// violations writes what is wrong.
func violations(d *document, sessions []engine.SessionAudit) {
	out := tableOf("session", "tool", "reached by")
	all := 0
	for _, s := range sessions {
		for _, v := range s.Violations {
			if all++; len(out.rows) < maxRows {
				out.add(code(s.Name), code(v.Tool), code(v.Path))
			}
		}
	}
	if all == 0 {
		d.line("The audit asked for every tool in every session: no violation.")
		return
	}
	d.heading(3, "Violations")
	d.table(out)
	d.more(all - maxRows)
}

// differences writes the tools that only one of two sessions is granted,
// nothing when they are one.
func differences(d *document, sessions []engine.SessionAudit, current, other string) {
	at := func(name string) int {
		return slices.IndexFunc(sessions, func(s engine.SessionAudit) bool { return s.Name == name })
	}
	a, b := at(current), at(other)
	if a < 0 || b < 0 || a == b {
		return
	}
	here, there := sessions[a].Granted, sessions[b].Granted
	left, right := without(here, there), without(there, here)
	d.heading(3, "Two sessions")
	d.line(fmt.Sprintf("The first is %s, the second %s. Both are granted %s.",
		code(current), code(other), counted(len(here)-len(left), "tool")))
	rows := max(len(left), len(right))
	if rows == 0 {
		d.line("Nothing differs.")
		return
	}
	out := tableOf(strconv.Itoa(len(left))+" only in the first", strconv.Itoa(len(right))+" only in the second")
	nameAt := func(names []string, i int) string {
		if i >= len(names) {
			return ""
		}
		return code(names[i])
	}
	for i := range min(rows, maxRows) {
		out.add(nameAt(left, i), nameAt(right, i))
	}
	d.table(out)
	d.more(rows - maxRows)
}

// without returns what a holds and b, which is sorted, does not.
func without(a, b []string) []string {
	var out []string
	for _, name := range a {
		if _, both := slices.BinarySearch(b, name); !both {
			out = append(out, name)
		}
	}
	return out
}

// callers writes who can call a tool.
func callers(d *document, who Callers) {
	d.heading(3, "Who can call "+or(code(who.Tool), "a tool without a name"))
	out := tableOf("session", "reaches it")
	for _, s := range who.Sessions[:min(len(who.Sessions), maxRows)] {
		out.add(code(s.Session), code(s.How))
	}
	d.table(out)
	d.more(len(who.Sessions) - maxRows)
}
