package tui

import (
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// makeupRows is how many lines the makeup of the definitions takes.
const makeupRows = 5

// The widths of the columns of numbers.
const (
	tokenCells = 8
	shareCells = 7
)

// drawCosts draws toolsets and tools with what they cost.
func (s *budgetScreen) drawCosts(t *Theme, w, h int) []string {
	p := &s.list
	lines := make([]string, 0, h)
	heading := "toolsets"
	if p.filter != "" {
		heading = thousands(p.shown.tools) + " of " + plural(s.state.Budget.Tools, "tool")
	}
	lines = append(lines, s.rule(t, w, s.focused(partCosts), heading, costHeads(w)))
	if len(p.rows) == 0 {
		words := "the session is granted no tools"
		if p.filter != "" {
			words = "nothing holds " + model.Sanitize(p.filter)
		}
		return append(lines, message(t, w, max(0, h-1), words)...)
	}
	full := s.fullName(w, h)
	p.window.follow(p.cursor, h-1-len(full), len(p.rows))
	var l cells.Line
	for i := p.window.top; i < len(p.rows) && len(lines) < h-len(full); i++ {
		l.Start(w)
		s.drawCost(&l, t, i)
		lines = append(lines, l.End())
	}
	for len(full) > 0 && len(lines) < h-len(full) {
		lines = append(lines, cells.Spaces(w))
	}
	for _, text := range full {
		l.Start(w)
		l.Gap(1)
		l.Text(t.Faint, text)
		lines = append(lines, l.End())
	}
	return lines
}

// fullName returns the name of the selected tool in lines of w cells, to stand
// below a list of h lines, unless the heading of what the tool is made of stands
// there and has room for it.
func (s *budgetScreen) fullName(w, h int) []string {
	row := s.list.rows[min(s.list.cursor, len(s.list.rows)-1)]
	if row.tool == nil || h < 6 || s.sizeIn(s.w, s.h) != budgetSmall && cells.Width(row.tool.ShownName) <= w-4 {
		return nil
	}
	lines := cells.Wrap(row.tool.ShownName, w-2)
	if most := max(2, h/4); len(lines) > most { // of a name that no model would take
		lines = append(lines[:most-1], fitName(strings.Join(lines[most-1:], ""), w-2))
	}
	return lines
}

// costHeads names the columns of numbers, right over them.
func costHeads(w int) string {
	if w < 50 {
		return " tokens  share"
	}
	return " tokens  share  total"
}

// drawCost draws one row of the list.
func (s *budgetScreen) drawCost(l *cells.Line, t *Theme, i int) {
	p := &s.list
	row := p.rows[i]
	name, number, faint := t.Text, t.Number, t.Faint
	if i == p.cursor && s.focused(partCosts) {
		drawGutter(l, t, true, true)
	} else {
		l.Gap(1)
		if i == p.cursor {
			l.Under(t.SelectionBlur)
		}
	}
	w := l.Room() + 1
	columns := tokenCells + shareCells
	if w >= 50 {
		columns += shareCells
	}
	label, note := s.costLabel(t, row)
	room := l.Room() - columns - 1 // for the name and the bar
	l.Text(faint, s.foldGlyph(t, row))
	room -= 2
	need := cells.Width(label)
	if note != "" && cells.Width(note)+1+need <= room {
		need += cells.Width(note) + 1
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
	text := room
	if note != "" {
		text -= cells.Width(note) + 1
	}
	l.Text(style, fitName(label, max(0, text)))
	if note != "" {
		l.Text(faint, " "+note)
	}
	l.To(3 + room - barWidth)
	if barWidth > 0 && row.set != biggestTen {
		fill := t.GaugeFill
		if row.tool != nil && s.state.Snapshot.Class(row.tool) == engine.Visible {
			fill = t.GaugeSent
		}
		bar{fraction: float64(row.tokens) / float64(max(1, p.widest)), mark: -1, fill: fill}.draw(l, t, barWidth)
	}
	l.To(3 + room)
	l.Gap(1)
	l.CellRight(number, thousands(row.tokens), tokenCells)
	l.CellRight(t.Text, s.shareOf(row.tokens), shareCells)
	if w >= 50 && row.running >= 0 {
		l.CellRight(faint, s.shareOf(row.running), shareCells)
	}
}

// costLabel returns the name on a row, and a word about it.
func (s *budgetScreen) costLabel(t *Theme, row costRow) (label, note string) {
	switch {
	case row.tool != nil:
		if s.state.Snapshot.Class(row.tool) == engine.Visible {
			note = statusWord(s.state.Snapshot, row.tool)
		}
		return row.name, note
	case row.set == biggestTen:
		return "the biggest " + thousands(row.tools), ""
	}
	return model.Sanitize(row.set), thousands(row.tools)
}

// foldGlyph is what stands before a row: whether it is open, or its indent.
func (s *budgetScreen) foldGlyph(t *Theme, row costRow) string {
	switch {
	case row.tool != nil:
		return "  "
	case s.list.open[row.set]:
		return t.Expanded + " "
	}
	return t.Collapsed + " "
}

// shareOf returns a number of tokens as a share of everything granted.
func (s *budgetScreen) shareOf(n int) string {
	all := s.state.Budget.EagerTokens
	if all == 0 {
		return ""
	}
	return percent(min(100, 100*float64(n)/float64(all)))
}

// clickCosts selects the row on a line of the list.
func (s *budgetScreen) clickCosts(line int) {
	row := s.list.window.top + line - 1
	if line < 1 || row >= len(s.list.rows) {
		return
	}
	again := s.part == partCosts && s.list.cursor == row
	s.part = partCosts
	s.list.moveTo(row)
	if again && s.list.rows[row].tool == nil {
		s.fold()
	}
}

// drawMakeup draws what the definitions are made of: those of the row under
// the cursor, and of everything.
func (s *budgetScreen) drawMakeup(t *Theme, w, h int) []string {
	p := &s.list
	heading, note := "made of", "everything"
	var own, all engine.Parts
	counted := s.parts.of(s.state)
	if w < 50 || !counted {
		note = ""
	}
	if p.cursor < len(p.rows) {
		row := p.rows[p.cursor]
		label, _ := s.costLabel(t, row)
		if row.tool != nil {
			label = row.tool.ShownName
		}
		heading = label + " is made of"
		for _, shorter := range []string{label, fitName(label, w-4)} { // the name is worth more than words
			if cells.Width(heading)+len(note)+4 > w {
				heading = shorter
			}
		}
		if counted {
			own, all = s.parts.sum(s.toolsOf(row)), s.parts.sum(p.groups[0].tools)
		}
	}
	if !counted {
		heading += " … counting"
	}
	lines := []string{s.rule(t, w, s.focused(partMakeup), heading, note)}
	sum := func(p engine.Parts) int { return p.Name + p.Description + p.Descriptions + p.Structure }
	var l cells.Line
	for _, part := range []struct {
		long, short string
		own, all    int
	}{
		{"name", "name", own.Name, all.Name},
		{"description", "description", own.Description, all.Description},
		{"parameter descriptions", "parameters", own.Descriptions, all.Descriptions},
		{"structure", "structure", own.Structure, all.Structure},
	} {
		l.Start(w)
		l.Gap(3)
		label, cell := part.long, 23
		if w < 50 {
			label, cell = part.short, 14
		}
		l.Cell(t.Text, label, cell)
		if counted {
			l.CellRight(t.Number, thousands(part.own), tokenCells)
			l.CellRight(t.Text, ratio(part.own, sum(own)), shareCells)
			if w >= 50 {
				l.Right(t.Faint, cells.PadLeft(thousands(part.all), tokenCells)+cells.PadLeft(ratio(part.all, sum(all)), shareCells))
			}
		}
		lines = append(lines, l.End())
	}
	return lines
}

// toolsOf returns the tools that a row stands for.
func (s *budgetScreen) toolsOf(row costRow) []*model.Tool {
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
	return percent(100 * float64(part) / float64(whole))
}
