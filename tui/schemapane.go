package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// schemaPane shows one tool: what it is in this session, its description, and
// its parameters as a tree. What is expanded is kept per tool, so that a
// reload and a look at another tool lose nothing.
type schemaPane struct {
	snapshot *engine.Snapshot
	tool     *model.Tool
	root     *model.Schema
	problem  string                     // why there is no tree
	open     map[string]map[string]bool // tool -> paths of expanded nodes
	rows     []schemaRow
	cursor   int // row
	list     window
	find     string // lower-cased text that / searches
	width    int    // that rows are wrapped to
	version  uint64
}

// schemaRow is one line of the tree: a node, or a line of what a node's
// expansion says about it.
type schemaRow struct {
	node   *model.Schema // nil in the description
	path   string        // of the node, from the root, through references
	depth  int
	detail string // text of a detail line; empty for the node's own line
}

// keptTools bounds how many tools' expansion is remembered.
const keptTools = 500

// rootPath is the path of the root node, textPath that of the tool's
// description, which stands above the tree.
const (
	rootPath = "/"
	textPath = "description"
)

// shortDescription is how many lines of a description are shown before it is
// expanded.
const shortDescription = 6

// headLines is how many lines of the pane do not belong to rows.
const headLines = 1

// show turns the pane to a tool.
func (p *schemaPane) show(s *engine.Snapshot, t *model.Tool) {
	p.version++
	same := p.tool != nil && t != nil && p.tool.Qualified == t.Qualified
	sameContent := same && p.tool.Hash == t.Hash
	p.snapshot, p.tool = s, t
	if !sameContent {
		p.root, p.problem = nil, ""
		if t != nil && t.Parameters != nil {
			root, err := model.ParseSchema(t.Parameters)
			if err != nil {
				p.problem = model.Sanitize(err.Error())
			}
			p.root = root
		}
	}
	p.lay()
	if !same {
		p.list.top = 0
		p.toPath(rootPath)
	}
}

// expanded returns the paths that are expanded for the tool. The root is at
// first.
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
		p.open[p.tool.Qualified] = set
	}
	return set
}

// lay computes the rows for the expansion and the width.
func (p *schemaPane) lay() {
	p.rows = p.rows[:0]
	if p.tool == nil {
		return
	}
	p.layDescription(p.expanded())
	if p.root != nil {
		p.layNode(p.root, rootPath, 0, p.expanded())
	}
	p.cursor = max(0, min(p.cursor, len(p.rows)-1))
}

// layDescription appends the rows of the tool's description, the first lines
// of it until it is expanded.
func (p *schemaPane) layDescription(open map[string]bool) {
	text := strings.TrimSpace(model.SanitizeText(p.tool.Description))
	if text == "" {
		text = "(no description)"
	}
	lines := cells.Wrap(text, max(8, p.width-1))
	more := len(lines) - shortDescription
	if more > 1 && !open[textPath] {
		lines = append(lines[:shortDescription:shortDescription], fmt.Sprintf("… %s more, enter shows them", plural(more, "line")))
	}
	for _, line := range append(lines, "") {
		p.rows = append(p.rows, schemaRow{path: textPath, detail: line + " "})
	}
}

// layNode appends the rows of a node and of what is expanded below it.
func (p *schemaPane) layNode(n *model.Schema, path string, depth int, open map[string]bool) {
	p.rows = append(p.rows, schemaRow{node: n, path: path, depth: depth})
	if !open[path] {
		return
	}
	for _, text := range details(n) {
		for _, line := range cells.Wrap(text, max(8, p.width-indentOf(depth+1)-2)) {
			p.rows = append(p.rows, schemaRow{node: n, path: path, depth: depth + 1, detail: line})
		}
	}
	for i, c := range p.children(n) {
		p.layNode(c, childPath(path, i, c), depth+1, open)
	}
}

// childPath is the path of the i-th child of a node.
func childPath(path string, i int, c *model.Schema) string {
	return fmt.Sprintf("%s%d:%s/", path, i, c.Key)
}

// children returns the children of a node: its own, or those of what it
// refers to. A reference is followed one step for each expansion, so that a
// schema that contains itself ends where the reader stops.
func (p *schemaPane) children(n *model.Schema) []*model.Schema {
	if len(n.Children) > 0 || n.Ref == "" {
		return n.Children
	}
	if target, err := p.root.Resolve(n.Ref); err == nil && target != n {
		return target.Children
	}
	return nil
}

// details returns what an expanded node says about itself, a paragraph each.
func details(n *model.Schema) []string {
	var out []string
	if n.Description != "" {
		out = append(out, n.Description)
	}
	if len(n.Enum) > 0 {
		out = append(out, "one of "+strings.Join(n.Enum, ", "))
	}
	if len(n.Notes) > 0 {
		out = append(out, strings.Join(n.Notes, "; "))
	}
	return out
}

// indentOf is how far a depth is indented. Deep trees are not, so that they
// stay in the pane.
func indentOf(depth int) int { return min(2*depth, 24) }

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

// expand expands the node under the cursor, or collapses it. To collapse what
// is not expanded goes to the parent.
func (p *schemaPane) expand(on bool) {
	row, ok := p.row()
	if !ok {
		return
	}
	p.version++
	open := p.expanded()
	if !on && !open[row.path] {
		p.toParent(row)
		return
	}
	if on && (row.node == nil || p.expandable(row.node)) {
		open[row.path] = true
	}
	if !on {
		delete(open, row.path)
	}
	p.lay()
	p.toPath(row.path)
}

// toParent moves to the node above in the tree.
func (p *schemaPane) toParent(row schemaRow) {
	for i := p.cursor; i >= 0; i-- {
		if p.rows[i].detail == "" && p.rows[i].depth < row.depth {
			p.cursor = i
			return
		}
	}
}

// toPath moves to the node of a path.
func (p *schemaPane) toPath(path string) {
	for i, r := range p.rows {
		if r.path == path && (r.detail == "" || r.node == nil) {
			p.cursor = i
			return
		}
	}
}

// expandTo expands every node above a depth and collapses the rest. References
// are not followed.
func (p *schemaPane) expandTo(depth int) {
	if p.root == nil {
		return
	}
	p.version++
	open := p.expanded()
	clear(open)
	var walk func(n *model.Schema, path string, level int)
	walk = func(n *model.Schema, path string, level int) {
		if level >= depth {
			return
		}
		open[path] = true
		for i, c := range n.Children {
			walk(c, childPath(path, i, c), level+1)
		}
	}
	walk(p.root, rootPath, 0)
	p.lay()
}

// expandAll expands everything but references.
func (p *schemaPane) expandAll() { p.expandTo(1 << 20) }

// follow goes to what the node under the cursor refers to; it returns what
// there is to say when that is not possible.
func (p *schemaPane) follow() (complaint string) {
	row, ok := p.row()
	if !ok || row.node == nil || row.node.Ref == "" {
		return "no $ref here"
	}
	target, err := p.root.Resolve(row.node.Ref)
	if err != nil {
		return model.Sanitize(err.Error())
	}
	p.version++
	if path, found := p.reveal(p.root, rootPath, target); found {
		p.lay()
		p.toPath(path)
		return ""
	}
	return "the reference leads outside the tree"
}

// reveal expands the way down to a node and returns its path.
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

// setFind sets what is searched for: its matches are shown in the keys and
// counted. Nothing is for an empty text.
func (p *schemaPane) setFind(text string) {
	p.version++
	p.find = strings.ToLower(text)
}

// matching reports whether a node's name, type or description holds what is
// searched for.
func (p *schemaPane) matching(n *model.Schema) bool {
	return p.find != "" && strings.Contains(strings.ToLower(n.Key+"\n"+n.Kind+"\n"+n.Description), p.find)
}

// matches says in words which match the cursor is on, and of how many.
func (p *schemaPane) matches() string {
	if p.find == "" {
		return ""
	}
	at, total := 0, 0
	row, _ := p.row()
	if p.root != nil {
		for _, n := range allNodes(p.root, rootPath, nil) {
			if !p.matching(n.node) {
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

// search goes to the next node whose name, type or description holds the
// text, by step 1 forwards and by -1 backwards, in what is expanded and in
// what is not. With here set, the node under the cursor counts too, so that a
// search that is still being typed stays where it matches. It returns false
// when there is no match.
func (p *schemaPane) search(text string, step int, here bool) bool {
	p.setFind(text)
	if p.root == nil || text == "" {
		return false
	}
	all := allNodes(p.root, rootPath, nil)
	at := 0
	if row, ok := p.row(); ok {
		at = max(0, slices.IndexFunc(all, func(n placedNode) bool { return n.path == row.path }))
	}
	if here {
		at -= step
	}
	for range all {
		at = (at + step + len(all)) % len(all)
		if n := all[at].node; p.matching(n) {
			p.reveal(p.root, rootPath, n)
			p.lay()
			p.toPath(all[at].path)
			return true
		}
	}
	return false
}

// placedNode is a node and its path.
type placedNode struct {
	path string
	node *model.Schema
}

// allNodes appends a node and everything below it, in the order of the tree.
func allNodes(n *model.Schema, path string, all []placedNode) []placedNode {
	all = append(all, placedNode{path, n})
	for i, c := range n.Children {
		all = allNodes(c, childPath(path, i, c), all)
	}
	return all
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
	p.version++
	p.cursor = max(0, min(p.cursor+by, len(p.rows)-1))
}

// rowAt returns the row on a line of the pane.
func (p *schemaPane) rowAt(line int) (int, bool) {
	row := p.list.top + line - headLines
	return row, line >= headLines && row < len(p.rows)
}
