package explore

import (
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/ui"
)

// draw returns exactly h lines of w cells: the status of the tool, its description, and the tree.
func (p *schemaPane) draw(t *ui.Theme, w, h int, focused bool) []string {
	if p.tool == nil {
		return ui.Centered(t, w, h, "no tool selected")
	}
	p.fit(w)
	lines := make([]string, 0, h)
	head := ui.StartLine(w, 1)
	head.Text(t.Accent, p.tool.ShownToolset())
	head.Text(t.Faint, " · "+engine.SourceOf(p.tool.Toolset)+" · ")
	status, style := p.snapshot.Status(p.tool), t.Text
	if status > engine.Deferred {
		style = t.Warn
	}
	head.Text(style, status.String())
	head.Text(t.Faint, " · ")
	head.Text(t.Number, ui.Thousands(p.snapshot.ToolTokens(p.tool)))
	head.Text(t.Faint, " tok "+string(p.snapshot.Tokenizer))
	if p.tool.Override != "" {
		head.Text(t.Warn, " · description overridden")
	}
	lines = append(lines, head.End())
	p.scroll(max(1, h-headLines))
	var l ui.Line
	for row := p.list.Top; len(lines) < h; row++ {
		l.Start(w)
		switch {
		case row < len(p.rows):
			node := p.rows[row]
			ui.DrawGutter(&l, t, row == p.cursor && focused, true)
			n := node.node
			if n == nil {
				p.marks.draw(&l, t.Text, t.Match, t.Near, node.detail)
			} else {
				l.Gap(p.indent(node.depth))
				if node.detail != "" {
					_, found, _ := ui.WholeMatch(p.find, node.detail)
					l.Text(t.Faint, "  ")
					l.Spans(t.Faint, t.Match, node.detail, found)
				} else {
					marker := " "
					if p.expandable(n) {
						marker = t.Collapsed
						if p.expanded()[node.path] {
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
					if n.Description != "" && !p.expanded()[node.path] && l.Room() > 12 {
						l.Text(t.Faint, "  "+ui.OneLine(n.Description))
					}
				}
			}
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

// shortPane is the number of rows that fits a collapsed description and the first parameters.
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

// setFind sets the text whose matches are highlighted and counted; empty ends the search.
func (p *schemaPane) setFind(text string) {
	if p.find = strings.ToLower(text); text == "" {
		p.unfolded = "" // what the search has expanded stays so
	}
}

// matching reports whether a text of a node contains the search text: every text
// that the tree shows of it. Inside means that only the expanded node is sure to show
// it whole.
func (p *schemaPane) matching(n *model.Schema) (ok, inside bool) {
	if p.find == "" {
		return false, false
	}
	has := func(text string) bool { return strings.Contains(strings.ToLower(ui.OneLine(text)), p.find) }
	if has(n.Key) || has(p.kindOf(n)) {
		return true, false
	}
	ok = slices.ContainsFunc(details(n), has)
	return ok, ok
}

// matches returns text such as "2 of 5": the match under the cursor and the number of matches.
func (p *schemaPane) matches() string {
	if p.find == "" {
		return ""
	}
	at, total := 0, 0
	row, _ := p.row()
	if p.root != nil {
		for _, n := range allNodes(p.root, rootPath, nil) {
			if ok, _ := p.matching(n.node); !ok {
				continue
			}
			if total++; n.path == row.path {
				at = total
			}
		}
	}
	switch {
	case total == 0:
		return "no match"
	case at == 0:
		return strconv.Itoa(total) + " found"
	}
	return strconv.Itoa(at) + " of " + strconv.Itoa(total)
}

// search moves to the next node that has the text, in expanded and in collapsed
// nodes: forwards with step 1, backwards with -1. With here the node under the cursor
// counts too, so that the cursor stays on a match while the text is typed. A node is
// expanded where its line may not show the text, until the search goes on to another
// node. It returns false when there is no match.
func (p *schemaPane) search(text string, step int, here bool) bool {
	if row, ok := p.row(); ok && row.path == p.unfolded {
		delete(p.expanded(), p.unfolded)
		p.unfolded = ""
		p.computeRows()
		p.toPath(row.path)
	}
	p.setFind(text)
	if p.root == nil || text == "" {
		return false
	}
	all := allNodes(p.root, rootPath, nil)
	at := 0
	if row, ok := p.row(); ok {
		at = max(0, slices.IndexFunc(all, func(n pathNode) bool { return n.path == row.path }))
	}
	if here {
		at -= step
	}
	for range all {
		at = (at + step + len(all)) % len(all)
		n := all[at].node
		if ok, inside := p.matching(n); ok {
			p.reveal(p.root, rootPath, n)
			if open := p.expanded(); inside && !open[all[at].path] {
				open[all[at].path], p.unfolded = true, all[at].path
			}
			p.computeRows()
			p.toPath(all[at].path)
			return true
		}
	}
	return false
}

// pathNode is a node with its path.
type pathNode struct {
	path string
	node *model.Schema
}

// allNodes appends a node and everything below it, in the order of the tree.
func allNodes(n *model.Schema, path string, all []pathNode) []pathNode {
	all = append(all, pathNode{path, n})
	for i, c := range n.Children {
		all = allNodes(c, childPath(path, i, c), all)
	}
	return all
}
