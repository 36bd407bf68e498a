package explore

import (
	"caliper/engine"
	"caliper/tui/ui"
)

// draw returns exactly h lines of w cells: the status of the tool in the
// session, its description, and the tree.
func (p *schemaPane) draw(t *ui.Theme, w, h int, focused bool) []string {
	if p.tool == nil {
		return ui.Centered(t, w, h, "no tool selected")
	}
	p.fit(w)
	lines := make([]string, 0, h)
	lines = append(lines, p.drawHead(t, w))
	p.scroll(max(1, h-headLines))
	var l ui.Line
	for row := p.list.Top; len(lines) < h; row++ {
		l.Start(w)
		switch {
		case row < len(p.rows):
			p.drawRow(&l, t, row, focused)
		case row == len(p.rows) && p.root == nil:
			why := "no parameters"
			if p.problem != "" {
				why = "parameters: " + p.problem
			}
			l.Text(t.Faint, " "+why)
		}
		lines = append(lines, l.End())
	}
	return lines[:h]
}

// fit breaks the descriptions into rows of w cells. The cursor stays where it is.
func (p *schemaPane) fit(w int) {
	if p.width != w {
		at, _ := p.row()
		p.width = w
		p.computeRows()
		p.toPath(at.path)
	}
}

// shortPane is the number of rows that fits a collapsed description and the
// first parameters.
const shortPane = shortDescription + 5

// scroll moves the cursor into the h visible rows of the pane. While the cursor
// is on the root of a short pane, the tree takes all rows, because the
// parameters are worth more than the end of the description.
func (p *schemaPane) scroll(h int) {
	at, _ := p.row()
	if root := at.path == rootPath && at.detail == ""; root && h < shortPane && p.cursor > h/2 {
		p.list.Top = p.cursor
		p.list.Clamp(h, len(p.rows))
		return
	}
	p.list.Follow(p.cursor, h, len(p.rows))
}

// drawHead draws the status of the tool in this session.
func (p *schemaPane) drawHead(t *ui.Theme, w int) string {
	l := ui.StartLine(w, 1)
	l.Text(t.Accent, p.tool.ShownToolset())
	l.Text(t.Faint, " · "+engine.SourceOf(p.tool.Toolset)+" · ")
	status, style := p.snapshot.Status(p.tool), t.Text
	if status > engine.Deferred {
		style = t.Warn
	}
	l.Text(style, status.String())
	l.Text(t.Faint, " · ")
	l.Text(t.Number, ui.Thousands(p.snapshot.ToolTokens(p.tool)))
	l.Text(t.Faint, " tok "+string(p.snapshot.Tokenizer))
	if p.tool.Override != "" {
		l.Text(t.Warn, " · description overridden")
	}
	return l.End()
}

// drawRow draws one line of the tree.
func (p *schemaPane) drawRow(l *ui.Line, t *ui.Theme, i int, focused bool) {
	row := p.rows[i]
	ui.DrawGutter(l, t, i == p.cursor && focused, true)
	n := row.node
	if n == nil {
		p.marks.draw(l, t.Text, t.Match, t.Near, row.detail)
		return
	}
	l.Gap(p.indent(row.depth))
	if row.detail != "" {
		_, found, _ := ui.WholeMatch(p.find, row.detail)
		l.Text(t.Faint, "  ")
		l.Spans(t.Faint, t.Match, row.detail, found)
		return
	}
	marker := " "
	if p.expandable(n) {
		marker = t.Collapsed
		if p.expanded()[row.path] {
			marker = t.Expanded
		}
	}
	l.Text(t.Faint, marker+" ")
	_, found, _ := ui.WholeMatch(p.find, n.Key)
	l.Spans(t.Text, t.Match, n.Key, found)
	if n.Required {
		l.Text(t.Require, " *")
	}
	kind := p.kindOf(n)
	column := max(l.At()+2, min(28, l.At()+l.Room()-ui.Width(kind)-1))
	l.To(column)
	l.Text(t.Type, kind)
	if n.Description != "" && !p.expanded()[row.path] && l.Room() > 12 {
		l.Text(t.Faint, "  "+ui.OneLine(n.Description))
	}
}
