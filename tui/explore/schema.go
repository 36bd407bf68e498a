package explore

import (
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// schemaPane shows one tool: its status in this session, its description, and
// its parameters as a tree. It keeps the expanded nodes of each tool, so that a
// reload or selecting another tool loses nothing.
type schemaPane struct {
	snapshot *engine.Snapshot
	tool     *model.Tool
	root     *model.Schema
	problem  string                     // why there is no tree
	open     map[string]map[string]bool // tool -> paths of expanded nodes
	rows     []schemaRow
	cursor   int // row
	list     ui.Window
	find     string // lower-cased text that / searches
	unfolded string // path of the node that the search has expanded; empty for none
	width    int    // width that rows are wrapped to
	marks    marks  // words of the description that are near in meaning to the query
}

// schemaRow is one line of the tree: a node, or a detail of an expanded node.
type schemaRow struct {
	node   *model.Schema // nil in the description
	path   string        // path of the node from the root, through references
	depth  int
	detail string // text of a detail line; empty for the node's own line
}

// keptTools is the number of tools whose expanded nodes are kept.
const keptTools = 500

// rootPath is the path of the root node, textPath the one of the tool's
// description above the tree.
const (
	rootPath = "/"
	textPath = "description"
)

// shortDescription is the number of lines of a description that is not expanded.
const shortDescription = 6

// headLines is the number of lines above the rows.
const headLines = 1

// show changes the tool of the pane. The words that carry its nearness in meaning to a query
// are highlighted in its description, and the query's beside them.
func (p *schemaPane) show(s *engine.Snapshot, t *model.Tool, query string) {
	p.marks = marks{}
	if _, meanings := s.Compares(); meanings && t != nil && query != "" {
		if near := s.Carriers(query, t); near != nil {
			p.marks = newMarks(query, near)
		}
	}
	same := p.tool != nil && t != nil && p.tool.Qualified == t.Qualified
	sameContent := same && p.tool.Content() == t.Content()
	p.snapshot, p.tool = s, t
	if !sameContent {
		p.root, p.problem = nil, ""
		if t != nil && t.Parameters != nil {
			root, err := model.ParseSchema(t.Parameters)
			if err != nil {
				p.problem = safetext.Line(err.Error())
			}
			p.root = root
		}
	}
	p.computeRows()
	if !same {
		p.list.Top = 0
		p.toPath(rootPath)
	}
}

// expanded returns the paths of the tool's expanded nodes. Initially the root is expanded.
func (p *schemaPane) expanded() map[string]bool {
	if p.tool == nil {
		return nil
	}
	set := p.open[p.tool.Qualified]
	if set == nil {
		if p.open == nil || len(p.open) >= keptTools {
			p.open = map[string]map[string]bool{}
		}
		set = map[string]bool{rootPath: true}
		// A copy, because the name is a part of the file that it was read from and
		// would keep all of it.
		p.open[strings.Clone(p.tool.Qualified)] = set
	}
	return set
}

// computeRows computes the rows for the expanded nodes and the width.
func (p *schemaPane) computeRows() {
	p.rows = p.rows[:0]
	if p.tool == nil {
		return
	}
	text := strings.TrimSpace(safetext.Lines(p.tool.Description))
	if text == "" {
		text = "(no description)"
	}
	lines := ui.Wrap(text, max(8, p.width-1))
	more := len(lines) - shortDescription
	if more > 1 && !p.expanded()[textPath] {
		lines = append(lines[:shortDescription:shortDescription], fmt.Sprintf("… %s more, enter shows them", ui.Count(more, "line")))
	}
	for _, line := range append(lines, "") {
		p.rows = append(p.rows, schemaRow{path: textPath, detail: line + " "})
	}
	if p.root != nil {
		p.addNode(p.root, rootPath, 0, p.expanded())
	}
	p.cursor = max(0, min(p.cursor, len(p.rows)-1))
}

// addNode appends the rows of a node and of the expanded nodes below it.
func (p *schemaPane) addNode(n *model.Schema, path string, depth int, open map[string]bool) {
	p.rows = append(p.rows, schemaRow{node: n, path: path, depth: depth})
	if !open[path] {
		return
	}
	for _, text := range details(n) {
		for _, line := range ui.Wrap(text, max(leastText, p.width-detailLead-p.indent(depth+1))) {
			p.rows = append(p.rows, schemaRow{node: n, path: path, depth: depth + 1, detail: line})
		}
	}
	for i, c := range p.children(n) {
		p.addNode(c, childPath(path, i, c), depth+1, open)
	}
}

// childPath returns the path of the i-th child of a node.
func childPath(path string, i int, c *model.Schema) string {
	return fmt.Sprintf("%s%d:%s/", path, i, c.Key)
}

// children returns the children of a node, or of the target of its
// reference. Each expansion follows one reference, so that a schema that
// contains itself can be shown.
func (p *schemaPane) children(n *model.Schema) []*model.Schema {
	if len(n.Children) > 0 || n.Ref == "" {
		return n.Children
	}
	if target, err := p.root.Resolve(n.Ref); err == nil && target != n {
		return target.Children
	}
	return nil
}

// details returns the details of an expanded node, one paragraph each.
func details(n *model.Schema) []string {
	var out []string
	if n.Description != "" {
		out = append(out, n.Description)
	}
	if len(n.Enum) > 0 {
		out = append(out, "one of "+strings.Join(n.Enum, ", "))
	}
	if len(n.Notes) > 0 {
		out = append(out, strings.Join(n.NoteTexts(), "; "))
	}
	return out
}

// kindOf returns the type of a node as its line says it; the root counts its members too.
func (p *schemaPane) kindOf(n *model.Schema) string {
	if n == p.root && len(n.Children) > 0 {
		return n.Kind + ", " + ui.Count(len(n.Children), "member")
	}
	return n.Kind
}

// detailLead is the cells of the gutter and a node's marker before a detail.
const detailLead = 3

// The cells to which a tree is indented at most, and those that are left to its texts
// in the narrowest pane.
const (
	mostIndent = 24
	leastText  = 8
)

// indent returns the indentation of a depth. It is limited, so that deep trees stay in the pane.
func (p *schemaPane) indent(depth int) int {
	return max(0, min(2*depth, mostIndent, p.width-detailLead-leastText))
}

// expandable reports whether expanding a node shows anything.
func (p *schemaPane) expandable(n *model.Schema) bool {
	return len(n.Children) > 0 || n.Description != "" || len(n.Enum) > 0 || len(n.Notes) > 0 || len(p.children(n)) > 0
}

// toggle expands or collapses the node under the cursor.
func (p *schemaPane) toggle() {
	if row, ok := p.row(); ok {
		p.expand(!p.expanded()[row.path])
	}
}

// expand expands or collapses the node under the cursor; a collapsed one leads to its parent.
func (p *schemaPane) expand(on bool) {
	row, ok := p.row()
	if !ok {
		return
	}
	open := p.expanded()
	if !on && !open[row.path] {
		for i := p.cursor; i >= 0; i-- { // to the node above in the tree
			if p.rows[i].detail == "" && p.rows[i].depth < row.depth {
				p.cursor = i
				break
			}
		}
		return
	}
	if on && (row.node == nil || p.expandable(row.node)) {
		open[row.path] = true
	}
	if !on {
		delete(open, row.path)
	}
	p.computeRows()
	p.toPath(row.path)
}

// toPath moves to the node with a path.
func (p *schemaPane) toPath(path string) {
	for i, r := range p.rows {
		if r.path == path && (r.detail == "" || r.node == nil) {
			p.cursor = i
			return
		}
	}
}

// expandAll expands every node, or, when all are, collapses all but the root.
func (p *schemaPane) expandAll() {
	if p.root == nil {
		return
	}
	open := p.expanded()
	collapsed := false // a node is
	var walk func(n *model.Schema, path string)
	walk = func(n *model.Schema, path string) {
		collapsed = collapsed || !open[path] && p.expandable(n)
		open[path] = true
		for i, c := range n.Children {
			walk(c, childPath(path, i, c))
		}
	}
	walk(p.root, rootPath)
	if !collapsed {
		clear(open)
		open[rootPath] = true
	}
	p.computeRows()
}

// reveal expands the nodes on the path to a target and returns the path.
func (p *schemaPane) reveal(n *model.Schema, path string, target *model.Schema) (string, bool) {
	if n == target {
		return path, true
	}
	for i, c := range n.Children {
		if found, ok := p.reveal(c, childPath(path, i, c), target); ok {
			p.expanded()[path] = true
			return found, true
		}
	}
	return "", false
}

// row returns the row under the cursor.
func (p *schemaPane) row() (schemaRow, bool) {
	if p.cursor >= len(p.rows) {
		return schemaRow{}, false
	}
	return p.rows[p.cursor], true
}

// move moves the cursor by rows; above the first it scrolls to the top.
func (p *schemaPane) move(by int) {
	p.cursor = max(0, min(p.cursor+by, len(p.rows)-1))
}
