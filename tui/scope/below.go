package scope

import (
	"cmp"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// view is one of the views that take turns on the screen.
type view int

const (
	viewMatrix  view = iota // tools and sessions
	viewCompare             // the sessions, and below them one beside the header's
	viewAudit               // the sessions, and below them the faults of one
	viewWho                 // the sessions, and below them who can call the tool selected in the matrix or in Explore
	viewCount
)

// ShowView shows a view. Where there is room for only one list, the two sessions
// begin at the sessions, and the other views at the list below them.
func (s *Screen) ShowView(i int) {
	below := s.onDetails()
	s.Sheet.ShowView(i)
	if s.view() != viewMatrix && s.view() != viewCompare && (below || s.H < ui.SplitHeight) {
		s.Focus = ui.AreaBelow
	}
	s.pane = report.Pane{}
}

// view returns the view that is shown.
func (s *Screen) view() view { return view(s.Tab) }

// onDetails reports whether the list below the sessions has the keys.
func (s *Screen) onDetails() bool { return s.view() != viewMatrix && s.Focused() == ui.AreaBelow }

// under returns the headings, the longest first, and the report below the sessions.
func (s *Screen) under() (headings []string, r *report.Report) {
	r = new(report.Report)
	switch s.view() {
	case viewAudit:
		a, known := s.auditOf(s.cursor.ID)
		t := report.Columns("", "tool", "reached by…")
		for _, x := range a.Reached() {
			t.Row(wordViolation, report.Name(x.Tool), strings.Join(x.Paths, ", "))
			t.About(report.News{Level: report.Bad})
		}
		switch {
		case !known:
			r.Say("the audit is not done")
		case t.Empty():
			r.Say("no violation: %s reaches nothing that it is not granted", report.Name(s.cursor.ID))
		default:
			r.Table(t)
		}
		count := ui.Count(len(a.Violations), "violation")
		return []string{safetext.Line(s.cursor.ID) + ": " + count, count}, r
	case viewWho:
		return s.who(r), r
	}
	current := s.state.Snapshot.Session.Name
	here, known := s.auditOf(current)
	there, ok := s.auditOf(s.cursor.ID)
	this, other := safetext.Line(current), safetext.Line(s.cursor.ID)
	switch {
	case !known || !ok:
		r.Say("the audit is not done")
		return []string{other}, r
	case current == s.cursor.ID:
		a := here
		name := safetext.Line(a.Name)
		t := report.Columns("tool", "reached")
		if len(a.Granted) == 0 {
			r.Say("%s is granted no tools", report.Name(a.Name))
		} else {
			r.Say("select another session to compare it")
			s.listTools(r, t, a.Granted, func(tool string) []any { return []any{report.Name(tool), reachOf(&a, tool).short()} })
		}
		return []string{name + " is the current session", "current session"}, r
	}
	left, right := without(here.Granted, there.Granted), without(there.Granted, here.Granted)
	both := "no tool in both"
	if n := len(here.Granted) - len(left); n > 0 {
		both = ui.Count(n, "tool") + " in both"
	}
	switch {
	case len(here.Granted)+len(there.Granted) == 0:
		r.Say("nothing differs: neither is granted a tool")
	case len(left)+len(right) == 0:
		r.Say("nothing differs: both are granted the same tools")
	default:
		r.Say("%d only in %s, %d only in %s", len(left), report.Name(current), len(right), report.Name(s.cursor.ID))
		t := report.Columns("tool").Named(report.Name(current), report.Name(s.cursor.ID))
		s.listTools(r, t, append(left, right...), func(tool string) []any {
			return []any{report.Name(tool), reachOf(&here, tool).short(), reachOf(&there, tool).short()}
		})
	}
	return []string{both + " " + this + " and " + other, both}, r
}

// details returns the list below the sessions under the longest heading that fits.
func (s *Screen) details(t *ui.Theme, w int) ui.Lines {
	headings, r := s.under()
	s.pane.Show(r, w)
	lines := s.pane.Lines(t, w)
	var filter string
	switch typed, finding := s.host.Finding(); {
	case finding && s.onDetails():
		filter = "  " + typed
	case s.pane.Filtered() != "":
		filter = "  /" + safetext.Line(s.pane.Filtered())
	}
	if filter != "" {
		for i := range headings {
			headings[i] += filter
		}
		headings = append(headings, strings.TrimSpace(filter))
	}
	lines.Heading = ui.Longest(w-ui.Width(" 1,000 more ")-4, headings...)
	return lines
}

// mostListed is how many tools a list has: a key may not take the time of 100,000 lines.
const mostListed = 1000

// listTools adds a table of tools: of many the first that pass the filter, and how many more.
func (s *Screen) listTools(r *report.Report, t *report.Table, tools []string, row func(tool string) []any) {
	shown := tools
	if len(tools) > mostListed {
		shown = nil
		for _, tool := range tools {
			if len(shown) < mostListed && (s.pane.Filtered() == "" || strings.Contains(lower(tool), s.pane.Filtered())) {
				shown = append(shown, tool)
			}
		}
	}
	for _, tool := range shown {
		t.Row(row(tool)...)
	}
	r.Table(t)
	if more := len(tools) - len(shown); more > 0 {
		r.Say("%d more: / finds those with a text", more)
	}
}

// who lists how each session calls the subject, those that can before the others.
func (s *Screen) who(r *report.Report) (headings []string) {
	var tool *model.Tool
	if t := s.matrix.selected(); s.fromMatrix && t != nil {
		tool = t
	} else {
		tool = s.tool
	}
	if tool == nil {
		r.Say("no tool is selected, in the matrix or in Explore")
		return []string{"who can call"}
	}
	from := ", the tool selected in Explore"
	if tool != s.tool {
		from = ", the tool selected in the matrix"
	}
	t := report.Columns("session", "¶")
	sessions := s.sessions()
	slices.SortStableFunc(sessions, func(a, b string) int {
		x, _ := s.reaches(a, tool)
		y, _ := s.reaches(b, tool)
		return cmp.Compare(x.access, y.access)
	})
	for _, session := range sessions {
		how, level := "not audited yet", report.Info
		if x, known := s.reaches(session, tool); known {
			how = x.long(s.audited, session, tool)
			level = map[access]report.Level{accessDirect: report.Good, accessSearch: report.Good, accessApproval: report.Warn, accessViolation: report.Bad}[x.access]
		}
		t.Row(report.Name(session), report.Sentence(how))
		t.About(report.News{Level: level})
	}
	r.Table(t)
	return []string{"who can call " + tool.ShownName + from, "who can call " + tool.ShownName}
}

// reaches returns how a session reaches a tool; known is false before its audit.
func (s *Screen) reaches(session string, tool *model.Tool) (r reach, known bool) {
	a, known := s.auditOf(session)
	if !known {
		return reach{access: accessDenied}, false
	}
	return reachOf(&a, tool.Qualified), true
}

// holds reports whether a sorted list holds a name.
func holds(sorted []string, name string) bool {
	_, ok := slices.BinarySearch(sorted, name)
	return ok
}

// without returns what a holds and b does not, both sorted.
func without(a, b []string) []string {
	var out []string
	for _, name := range a {
		if !holds(b, name) {
			out = append(out, name)
		}
	}
	return out
}
