package tui

import (
	"fmt"

	"caliper/engine"
	"caliper/tui/cells"
)

// draw returns exactly h lines of w cells: the tool's place in the session,
// its description, and the tree.
func (p *schemaPane) draw(t *Theme, w, h int, focused bool) []string {
	if p.tool == nil {
		return message(t, w, h, "no tool selected")
	}
	if p.width != w {
		at, _ := p.row()
		p.width = w
		p.lay()
		p.toPath(at.path)
	}
	lines := make([]string, 0, h)
	lines = append(lines, p.drawHead(t, w))
	p.list.follow(p.cursor, max(1, h-headLines), len(p.rows))
	var l cells.Line
	for row := p.list.top; len(lines) < h; row++ {
		l.Start(w)
		switch {
		case row < len(p.rows):
			p.drawRow(&l, t, row, focused)
		case row == len(p.rows) && p.root == nil:
			l.Text(t.Faint, " "+p.noTree())
		}
		lines = append(lines, l.End())
	}
	return lines[:h]
}

// noTree says why there are no rows.
func (p *schemaPane) noTree() string {
	if p.problem != "" {
		return "parameters: " + p.problem
	}
	return "no parameters"
}

// drawHead draws what the tool is in this session.
func (p *schemaPane) drawHead(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	l.Text(t.Accent, p.tool.ShownToolset)
	l.Text(t.Faint, " · "+engine.SourceOf(p.tool.Toolset)+" · ")
	status, style := p.snapshot.Status(p.tool), t.Text
	if status > engine.Deferred {
		style = t.Warn
	}
	l.Text(style, status.String())
	l.Text(t.Faint, " · ")
	l.Text(t.Number, thousands(p.snapshot.ToolTokens(p.tool)))
	l.Text(t.Faint, " tok "+string(p.snapshot.Tokenizer))
	return l.End()
}

// drawRow draws one line of the tree.
func (p *schemaPane) drawRow(l *cells.Line, t *Theme, i int, focused bool) {
	row := p.rows[i]
	drawGutter(l, t, i == p.cursor && focused, true)
	n := row.node
	if n == nil {
		l.Text(t.Text, row.detail)
		return
	}
	l.Gap(indentOf(row.depth))
	if row.detail != "" {
		l.Text(t.Faint, "  "+row.detail)
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
	l.Text(t.Text, n.Key)
	if n.Required {
		l.Text(t.Require, " *")
	}
	kind := n.Kind
	if row.path == rootPath && len(n.Children) > 0 {
		kind = fmt.Sprintf("%s, %s", kind, plural(len(n.Children), "member"))
	}
	column := max(l.At()+2, min(28, l.At()+l.Room()-cells.Width(kind)-1))
	l.To(column)
	l.Text(t.Type, kind)
	if n.Description != "" && !p.expanded()[row.path] && l.Room() > 12 {
		l.Text(t.Faint, "  "+folded(n.Description))
	}
}
