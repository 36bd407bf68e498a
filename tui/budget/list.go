package budget

import (
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// makeupRows is the number of lines of the makeup of the definitions.
const makeupRows = 5

// The widths of the columns of tokens and of shares.
const (
	tokenCells = 8
	shareCells = 7
)

// costColumns are the columns of numbers behind a name.
var costColumns = []struct {
	title string
	cells int
	wide  bool // whether a pane of less than wideCosts cells leaves it out
	style func(*ui.Theme) ui.Style
	text  func(*Screen, costRow) string
}{
	{"tokens", tokenCells, false, func(t *ui.Theme) ui.Style { return t.Number }, func(_ *Screen, row costRow) string { return ui.Thousands(row.tokens) }},
	{"share", shareCells, false, func(t *ui.Theme) ui.Style { return t.Text }, func(s *Screen, row costRow) string { return s.shareOf(row.tokens) }},
	{"total", shareCells, true, func(t *ui.Theme) ui.Style { return t.Faint }, func(s *Screen, row costRow) string {
		if row.running < 0 {
			return ""
		}
		return s.shareOf(row.running)
	}},
}

// wideCosts is the width from which the list has all columns.
const wideCosts = 50

// drawCosts draws toolsets and tools with what they cost.
func (s *Screen) drawCosts(t *ui.Theme, w, h int) []string {
	p := &s.list
	lines := make([]string, 0, h)
	heading := "toolsets"
	if p.filter != "" {
		heading = ui.Thousands(p.shown.tools) + " of " + ui.Count(s.state.Budget.Tools, "tool")
	}
	lines = append(lines, ui.DrawHeading(t, w, s.focused(viewCosts), heading, costHeads(w)))
	if len(p.rows) == 0 {
		s.look()
		text := append([]string{"the session is granted no tools"}, s.outlook.skills...)
		if p.filter != "" {
			text = []string{"nothing contains " + safetext.Line(p.filter)}
		}
		return append(lines, ui.Centered(t, w, max(0, h-1), text...)...)
	}
	// Below the list stands the full name of the selected tool, unless the heading of the makeup has it.
	var full []string
	if row, _ := s.list.at(); row.tool != nil && h >= 6 && (s.sizeIn(s.w, s.h) == small || ui.Width(row.tool.ShownName) > w-4) {
		full = ui.Wrap(row.tool.ShownName, w-2)
		if most := max(2, h/4); len(full) > most { // of a name that no model would take
			full = append(full[:most-1], ui.FitName(strings.Join(full[most-1:], ""), w-2))
		}
	}
	lines = append(lines, p.cursor.Draw(t, p.listed(), w, h-1-len(full), s.focused(viewCosts), func(l *ui.Line, i int, _ bool) {
		s.drawCost(l, t, p.rows[i])
	})...)
	for _, text := range full {
		lines = append(lines, ui.TextLine(w, 1, t.Faint, text))
	}
	return lines
}

// costHeads returns the headings of the columns of numbers in a list of w cells.
func costHeads(w int) string {
	var heads strings.Builder
	for _, c := range costColumns {
		if !c.wide || w >= wideCosts {
			fmt.Fprintf(&heads, "%*s", c.cells, c.title)
		}
	}
	return heads.String()[1:]
}

// drawCost draws one row of the list.
func (s *Screen) drawCost(l *ui.Line, t *ui.Theme, row costRow) {
	p := &s.list
	name, faint := t.Text, t.Faint
	w := l.Room() + 1
	columns := 1 + ui.Width(costHeads(w))
	label, note := s.costLabel(row)
	room := l.Room() - columns - 1 // for the name and the bar
	var foldGlyph string
	switch {
	case row.tool != nil:
		foldGlyph = "  "
	case s.list.open[row.set]:
		foldGlyph = t.Expanded + " "
	default:
		foldGlyph = t.Collapsed + " "
	}
	l.Text(faint, foldGlyph)
	room -= 2
	need := ui.Width(label)
	if note != "" && ui.Width(note)+1+need <= room {
		need += ui.Width(note) + 1
	} else {
		note = ""
	}
	// A name that needs the room of the bar takes it.
	barWidth := 0
	if w >= 56 {
		barWidth = min(max(8, (w-columns)/5), 24)
	}
	if need > room-barWidth-1 {
		barWidth = 0
	}
	style := name
	if row.tool == nil && row.set != biggestTen {
		style = t.Accent
	}
	labelRoom := room
	if note != "" {
		labelRoom -= ui.Width(note) + 1
	}
	l.Text(style, ui.FitName(label, max(0, labelRoom)))
	if note != "" {
		l.Text(faint, " "+note)
	}
	l.To(3 + room - barWidth)
	if barWidth > 0 && row.set != biggestTen {
		fill := t.Accent
		if row.tool != nil && s.state.Snapshot.Class(row.tool) == engine.Visible {
			fill = t.Ok
		}
		ui.Bar{Fraction: float64(row.tokens) / float64(max(1, p.widest)), Mark: -1, Fill: fill}.Draw(l, t, barWidth)
	}
	l.To(3 + room)
	l.Gap(1)
	for _, c := range costColumns {
		if !c.wide || w >= wideCosts {
			l.CellRight(c.style(t), c.text(s, row), c.cells)
		}
	}
}

// costLabel returns the name on a row, and a word about it.
func (s *Screen) costLabel(row costRow) (label, note string) {
	switch {
	case row.tool != nil:
		if s.state.Snapshot.Class(row.tool) == engine.Visible {
			note = report.ToolStatus(s.state.Snapshot, row.tool)
		}
		return row.name, note
	case row.set == biggestTen:
		return "the biggest " + ui.Thousands(row.tools), ""
	}
	return safetext.Line(row.set), ui.Thousands(row.tools)
}

// shareOf returns a number of tokens as a share of everything granted.
func (s *Screen) shareOf(n int) string {
	all := s.state.Budget.EagerTokens
	if all == 0 {
		return ""
	}
	return ui.Percent(min(100, 100*float64(n)/float64(all)))
}

// drawMakeup draws what the selected row's definitions are made of, and what all are.
func (s *Screen) drawMakeup(t *ui.Theme, w int) []string {
	p := &s.list
	heading, note := "made of", "everything"
	var selected, all engine.Parts
	counted := s.counted()
	if w < 50 || !counted {
		note = ""
	}
	if row, ok := p.at(); ok {
		label, _ := s.costLabel(row)
		if row.tool != nil {
			label = row.tool.ShownName
		}
		heading = label + " is made of"
		for _, shorter := range []string{label, ui.FitName(label, w-4)} { // the name matters more
			if ui.Width(heading)+len(note)+4 > w {
				heading = shorter
			}
		}
		if counted {
			selected, all = s.sum(s.toolsOf(row)), s.sum(p.groups[0].tools)
		}
	}
	if !counted {
		heading += " … counting"
	}
	lines := []string{ui.DrawHeading(t, w, s.focused(viewMakeup), heading, note)}
	sum := func(p engine.Parts) int { return p.Name + p.Description + p.Descriptions + p.Structure }
	parameters, cell := "parameter descriptions", 23
	if w < 50 {
		parameters, cell = "parameters", 14
	}
	draw := func(label string, tokens, ofAll int) {
		l := ui.StartLine(w, 3)
		l.Cell(t.Text, label, cell)
		if counted {
			l.CellRight(t.Number, ui.Thousands(tokens), tokenCells)
			l.CellRight(t.Text, ratio(tokens, sum(selected)), shareCells)
			if w >= 50 {
				l.Right(t.Faint, ui.PadLeft(ui.Thousands(ofAll), tokenCells)+ui.PadLeft(ratio(ofAll, sum(all)), shareCells))
			}
		}
		lines = append(lines, l.End())
	}
	draw("name", selected.Name, all.Name)
	draw("description", selected.Description, all.Description)
	draw(parameters, selected.Descriptions, all.Descriptions)
	draw("structure", selected.Structure, all.Structure)
	return lines
}

// toolsOf returns the tools of a row.
func (s *Screen) toolsOf(row costRow) []*model.Tool {
	if row.tool != nil {
		return []*model.Tool{row.tool}
	}
	for _, g := range s.list.groups {
		if g.name == row.set {
			tools, _, _ := s.list.matching(s.state, g)
			return tools
		}
	}
	return nil
}

// ratio returns a part of a whole as a percentage, empty without a whole.
func ratio(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return ui.Percent(100 * float64(part) / float64(whole))
}
