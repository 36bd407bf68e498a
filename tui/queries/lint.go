package queries

import (
	"strconv"

	"caliper/engine/lint"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// darkCell is how wide the rank of one probe is.
func darkCell(w int) int {
	if w < 60 {
		return 7
	}
	return 10
}

// darkHeads are the headings of the probes in w cells.
func darkHeads(w int) []string {
	if w < 60 {
		return []string{"name", "text", "params"}
	}
	return []string{"name", "sentence", "params"}
}

// drawReach draws by what the tools are found, all together.
func (s *Screen) drawReach(t *ui.Theme, w, _ int, _ bool) ([]string, bool) {
	reach := s.found.reach
	share := func(of func(lint.Reach) lint.Probe) string {
		asked, found := 0, 0
		for _, r := range reach {
			if p := of(r); p.Query != "" {
				asked++
				if p.Found {
					found++
				}
			}
		}
		if asked == 0 {
			return ui.NoRank
		}
		return ui.Percent(100 * float64(found) / float64(asked))
	}
	l := ui.StartLine(w, 1)
	gap := 3
	if w < 60 {
		gap = 2
	}
	part := func(label, value string) {
		if l.At() > 1 {
			l.Gap(gap)
		}
		l.Text(t.Faint, label+" ")
		l.Text(t.Number, value)
	}
	if w >= 70 {
		l.Text(t.Faint, "found within the limit by")
	}
	heads := darkHeads(w)
	part(heads[0], share(func(r lint.Reach) lint.Probe { return r.Name }))
	part(heads[1], share(func(r lint.Reach) lint.Probe { return r.Sentence }))
	part(heads[2], share(func(r lint.Reach) lint.Probe { return r.Parameters }))
	return []string{l.End()}, false
}

// darkColumns returns the columns of the tools that their own words do not find.
func (s *Screen) darkColumns(t *ui.Theme, w int) []ui.Column {
	at := func(row int) *lint.Reach { return &s.found.reach[s.rows[viewDark][row].i] }
	names, heads := w-1-3*darkCell(w), darkHeads(w)
	if w >= 70 {
		names /= 2
	}
	columns := []ui.Column{{Head: "tool", Width: names, Left: true, Cell: func(row int) (ui.Style, string) {
		style := t.Text
		if at(row).Dark() {
			style = t.Bad
		}
		return style, ui.FitName(at(row).Tool.ShownName, names-1)
	}}}
	for i, of := range []func(*lint.Reach) lint.Probe{
		func(r *lint.Reach) lint.Probe { return r.Name },
		func(r *lint.Reach) lint.Probe { return r.Sentence },
		func(r *lint.Reach) lint.Probe { return r.Parameters },
	} {
		columns = append(columns, ui.Column{Head: heads[i], Width: darkCell(w), Cell: func(row int) (ui.Style, string) { return probeText(t, of(at(row))) }})
	}
	if w < 70 {
		return columns
	}
	return append(columns, ui.Column{Head: "before it", Gap: 3, Left: true, Cell: func(row int) (ui.Style, string) {
		by := at(row).Shadows()
		if len(by) == 0 {
			return t.Faint, ""
		}
		return t.Faint, ui.FitName(by[0].ShownName, w-4-names-3*darkCell(w))
	}})
}

// probeText returns the rank that a probe gave, with a cross beyond the limit; a dash for none.
func probeText(t *ui.Theme, p lint.Probe) (ui.Style, string) {
	switch {
	case p.Query == "":
		return t.Faint, "none"
	case p.Found:
		return t.Number, strconv.Itoa(p.Rank)
	case p.Rank == 0:
		return t.Bad, t.Cross + " " + ui.NoRank
	}
	return t.Bad, t.Cross + " " + strconv.Itoa(p.Rank)
}

// drawSeverities draws how many findings there are of each severity.
func (s *Screen) drawSeverities(t *ui.Theme, w, _ int, _ bool) ([]string, bool) {
	counts := s.found.report.Counts()
	l := ui.StartLine(w, 1)
	for i, severity := range lint.Severities() {
		if i > 0 {
			l.Gap(3)
		}
		count := ui.Count(counts[severity], string(severity))
		if severity == lint.Info {
			count = ui.Thousands(counts[severity]) + " info"
		}
		l.Text(severityStyle(t, severity), count)
	}
	if n := s.found.report.Untried; n > 0 && w >= 70 {
		l.Gap(3)
		l.Text(t.Faint, ui.Thousands(n)+" remedies not tried")
	}
	return []string{l.End()}, false
}

// severityStyle returns the style of a severity.
func severityStyle(t *ui.Theme, s lint.Severity) ui.Style {
	switch s {
	case lint.Error:
		return t.Bad
	case lint.Warning:
		return t.Warn
	}
	return t.Faint
}

// drawFinding draws the header of a group, or one of its findings: the tool, and why.
func (s *Screen) drawFinding(l *ui.Line, t *ui.Theme, row int) {
	r := s.rows[viewFindings][row]
	if r.header {
		g := s.groups[r.group]
		mark := t.Expanded
		if s.isFolded(g.kind) {
			mark = t.Collapsed
		}
		style := severityStyle(t, g.severity)
		l.Text(style, mark+" ")
		l.Cell(style, string(g.severity), 8)
		number := ui.Thousands(g.count)
		if g.matches < g.count {
			number = ui.Thousands(g.matches) + " of " + number
		}
		l.CellRight(t.Number, number, max(5, ui.Width(number)))
		l.Gap(2)
		code := 0
		if s.W >= 70 {
			code = len(g.code.Label()) + 2
		}
		l.Cell(t.Text, g.code.Meaning(), l.Room()-code)
		l.Text(t.Faint, ui.PadLeft(g.code.Label(), code))
		return
	}
	f := &s.found.report.Findings[r.i]
	name := "catalog"
	if f.Tool != nil {
		name = f.Tool.ShownName
	}
	l.Gap(2)
	if s.W < 70 {
		l.Text(t.Text, ui.FitName(name, l.Room()))
		return
	}
	tool := min(l.Room()*2/5, 36)
	l.Cell(t.Text, ui.FitName(name, tool-2), tool)
	l.Text(t.Faint, f.Message)
}

// darkDetail tells how each probe of a tool ended.
func (s *Screen) darkDetail(t *ui.Theme, w, i int) []string {
	r := &s.found.reach[i]
	verdict := ui.Phrase{Style: t.Warn, Text: "some of its words do not find it"}
	if r.Dark() {
		verdict = ui.Phrase{Style: t.Bad, Text: "unfindable: none of its words find it"}
	}
	out := ui.Flow(w, 1, []ui.Phrase{{Style: t.Name, Text: r.Tool.ShownName}, verdict})
	out = append(out, s.triedLines(t, w, r.Tool)...)
	draw := func(by string, p lint.Probe) {
		if p.Query == "" {
			return
		}
		style, rank := probeText(t, p)
		out = append(out, ui.Flow(w, 1, []ui.Phrase{
			{Style: t.Faint, Text: ui.Pad(by, 8)}, {Style: style, Text: rank}, {Style: t.Text, Text: safetext.Line(ui.OneLine(p.Query))},
		})...)
		for _, shadow := range p.Shadows {
			out = append(out, ui.Flow(w, 11, []ui.Phrase{{Style: t.Faint, Text: "before it"}, {Style: t.Text, Text: shadow.ShownName}})...)
		}
	}
	draw("name", r.Name)
	draw("sentence", r.Sentence)
	draw("params", r.Parameters)
	return out
}

// rankText returns a rank as text, or the sign of a tool without a rank.
func rankText(rank int) string {
	if rank == 0 {
		return ui.NoRank
	}
	return ui.Thousands(rank)
}
