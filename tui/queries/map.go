package queries

import (
	"caliper/engine/lint"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// The view of the map lists the servers that do what another does, then the pairs of tools
// that are confused, the most confused first. Beside the list, or below it on a narrow
// terminal, is the heat map around the selected pair.

// mapped returns the pair of servers or of tools of a row; the other is nil.
func (s *Screen) mapped(i int) (servers *lint.ConfusedServers, pair *lint.ConfusedPair) {
	m := s.found.confused
	if i < len(m.Servers) {
		return &m.Servers[i], nil
	}
	return nil, &m.Pairs[i-len(m.Servers)]
}

// mapTool returns the tool that a row is about: of a pair the second one, which the first
// is taken for; of servers the first that dropping one loses, empty for none.
func (s *Screen) mapTool(i int) string {
	m := s.found.confused
	servers, pair := s.mapped(i)
	switch {
	case pair != nil:
		return m.Tools[pair.B].Name
	case len(servers.Lost) > 0:
		return m.Tools[servers.Lost[0]].Name
	}
	return ""
}

// leastBeside is the width from which the heat map is beside the list, and heatShare how
// much of the width it then has at most.
const (
	leastBeside = 100
	heatShare   = 3
)

// heatWidth returns how wide the heat map beside the list is; 0 where it is below.
func (s *Screen) heatWidth() int {
	if s.W < leastBeside || s.H < ui.SplitHeight {
		return 0
	}
	return min(s.W/heatShare, len(s.found.confused.Tools))
}

// drawMapSummary draws what was compared.
func (s *Screen) drawMapSummary(t *ui.Theme, w, _ int, _ bool) ([]string, bool) {
	m := s.found.confused
	labelled := 0
	for _, tool := range m.Tools {
		if tool.Labelled > 0 {
			labelled++
		}
	}
	l := ui.StartLine(w, 1)
	all := ui.Count(len(m.Tools), "tool")
	l.Text(t.Faint, ui.Longest(w-2, all+", each asked by its own words, "+ui.Thousands(labelled)+" of them by labelled queries too; "+ui.Count(len(m.Servers), "server")+" that another duplicates",
		all+", "+ui.Thousands(labelled)+" with labelled queries, "+ui.Count(len(m.Servers), "duplicate server"), all))
	return []string{l.End()}, false
}

// pairColumns returns the columns of the map in a list of w cells.
func (s *Screen) pairColumns(t *ui.Theme, w int) []ui.Column {
	value, kind, longest := 10, 8, 0
	for i := range s.rows[viewMap] {
		if a, b := s.mapped(s.rows[viewMap][i].i); a != nil {
			longest = max(longest, ui.Width(a.A), ui.Width(a.B))
		} else {
			longest = max(longest, ui.Width(s.found.confused.Tools[b.A].Shown), ui.Width(s.found.confused.Tools[b.B].Shown))
		}
	}
	if w-1-value-kind-3 < 2*(longest+1) { // the figure, which is said below, gives way to names
		value = 0
	}
	name := max(8, (w-1-value-kind-3)/2)
	of := func(servers func(lint.ConfusedServers) (ui.Style, string), tools func(lint.ConfusedPair) (ui.Style, string)) func(int) (ui.Style, string) {
		return func(row int) (ui.Style, string) {
			if a, b := s.mapped(s.rows[viewMap][row].i); a != nil {
				return servers(*a)
			} else {
				return tools(*b)
			}
		}
	}
	named := func(name string, w int) (ui.Style, string) { return t.Text, ui.FitName(name, w-1) }
	shown := func(tool int) string { return s.found.confused.Tools[tool].Shown }
	columns := []ui.Column{
		{Head: "confusion", Width: value, Cell: of(
			func(p lint.ConfusedServers) (ui.Style, string) { return t.Number, ui.Percent(100 * p.Overlap) },
			func(p lint.ConfusedPair) (ui.Style, string) { return t.Number, report.Hundredths(p.Confusion) })},
		{Head: "kind", Gap: 1, Width: kind, Left: true, Cell: of(
			func(lint.ConfusedServers) (ui.Style, string) { return t.Warn, "server" },
			func(p lint.ConfusedPair) (ui.Style, string) {
				if p.Kind == lint.Twin {
					return t.Bad, string(p.Kind)
				}
				return t.Text, string(p.Kind)
			})},
		{Head: "tool", Width: name, Left: true, Cell: of(
			func(p lint.ConfusedServers) (ui.Style, string) { return named(safetext.Line(p.B), name) },
			func(p lint.ConfusedPair) (ui.Style, string) { return named(shown(p.B), name) })},
		{Head: "confused with", Gap: 1, Width: name, Left: true, Cell: of(
			func(p lint.ConfusedServers) (ui.Style, string) { return named(safetext.Line(p.A), name) },
			func(p lint.ConfusedPair) (ui.Style, string) { return named(shown(p.A), name) })},
	}
	if value == 0 {
		return columns[1:]
	}
	return columns
}

// heatAt returns the part of the heat map around the selected pair: its corner and its size.
func (s *Screen) heatAt(rows, columns int) (top, left, shownRows, shownColumns int) {
	n := len(s.found.confused.Tools)
	rows, columns = min(rows, n), min(columns, n)
	a, b := s.selectedPair()
	around := func(at, size int) int { return max(0, min(at-size/2, n-size)) }
	top, left = around(b, rows), around(a, columns)
	if middle := (a + b) / 2; max(a-b, b-a) < min(rows, columns)-1 {
		top, left = around(middle, rows), around(middle, columns)
	}
	return top, left, rows, columns
}

// selectedPair returns the tools of the selected row; of servers, where the first lost
// tool is, or the first tool of the one to drop.
func (s *Screen) selectedPair() (a, b int) {
	row, ok := s.row()
	if !ok {
		return 0, 0
	}
	servers, pair := s.mapped(row.i)
	if pair != nil {
		return pair.A, pair.B
	}
	for p, tool := range s.found.confused.Tools {
		if tool.Toolset == servers.B {
			return p, p
		}
	}
	return 0, 0
}

// drawHeatLine draws line i of a heat map that has some lines and columns.
func (s *Screen) drawHeatLine(l *ui.Line, t *ui.Theme, i, lines, columns int) {
	m := s.found.confused
	a, b := s.selectedPair()
	top, left, rows, columns := s.heatAt(t.HeatRows(lines), columns)
	if i >= t.HeatLines(rows) {
		return
	}
	ui.DrawHeat(l, t, i, rows, columns, func(row, column int) (float64, bool) {
		from, to := top+row, left+column
		if from == to {
			return 1, false
		}
		return m.Link(from, to).Confusion, from == b && to == a
	})
}

// mapDetail tells the relation of two tools or servers, and what dropping one saves and loses.
func (s *Screen) mapDetail(t *ui.Theme, w, i int) []string {
	m := s.found.confused
	servers, pair := s.mapped(i)
	var out []string
	say := func(style ui.Style, text string) {
		out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: style, Text: text}})...)
	}
	if servers != nil {
		say(t.Text, report.ServerSentence(m, *servers).String())
	} else {
		say(t.Text, report.PairSentence(m, *pair).String())
		for _, side := range [][2]int{{pair.A, pair.B}, {pair.B, pair.A}} {
			tool := m.Tools[side[0]]
			out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Name, Text: tool.Shown}, {Style: t.Number, Text: ui.Thousands(tool.Tokens) + " tok"},
				{Style: t.Faint, Text: "asked by " + report.AskedOf(tool).String()},
				{Style: t.Text, Text: "the other has " + ui.Percent(100*m.Link(side[0], side[1]).Confusion) + " of its score, and is above it in " + ui.Percent(100*m.Above(side[0], side[1]))}})...)
			if d := s.state.Snapshot.Registry.Named(tool.Name); d != nil && d.Description != "" {
				out = append(out, ui.Flow(w, 3, []ui.Phrase{{Style: t.Faint, Text: safetext.Line(ui.OneLine(d.Description))}})...)
			}
		}
		tool := m.Tools[pair.B]
		alone := "the queries of " + tool.Shown + " then find " + m.Tools[pair.A].Shown + ", at " + ui.Percent(100*m.Link(pair.B, pair.A).Confusion) + " of its score"
		if m.Link(pair.B, pair.A).Confusion >= lint.ConfusedFrom {
			alone = "the queries of " + tool.Shown + " are answered without it"
		}
		say(t.Faint, "dropping one takes its definition out of the catalog; "+alone)
	}
	if s.heatWidth() > 0 {
		return out
	}
	out = append(out, ui.Spaces(w))
	key := ui.StartLine(w, 1)
	ui.DrawHeatKey(&key, t, "confusion", "selected")
	out = append(out, key.End())
	n := min(len(m.Tools), max(8, w-2), 24)
	for line := range t.HeatLines(n) {
		l := ui.StartLine(w, 1)
		s.drawHeatLine(&l, t, line, t.HeatLines(n), n)
		out = append(out, l.End())
	}
	return out
}
