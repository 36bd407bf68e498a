package explore

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model"
	"caliper/tui/ui"
)

// setFind sets the search text. Its matches are highlighted and counted; an
// empty text ends the search.
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

// matches returns text such as "2 of 5": the match under the cursor and the
// number of matches.
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
