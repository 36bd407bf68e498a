package config

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model/yamltext"
)

// listItem returns a name for a flow list, in double quotes where those are needed or wanted.
func listItem(name string, double bool) string {
	v, _ := yamltext.Plain(name)
	if double || v.Kind != yamltext.Text || !plainSafe(name) {
		return doubleQuoted(name)
	}
	return name
}

// listPart is an item of the list that is written, an old or a new one.
type listPart struct {
	old  int // index of the item in the old list; -1 for a new one
	text string
}

// listParts returns the wanted list with the longest common subsequence of the old one kept. Its
// cost is the product of both lengths.
func listParts(items []yamltext.Value, wanted []string) []listPart {
	same := func(i, j int) bool {
		return items[i].Kind != yamltext.Null && items[i].Kind != yamltext.Mapping && items[i].Kind != yamltext.List && items[i].Text == wanted[j]
	}
	// longest[i][j] is how many of items[i:] can be kept for wanted[j:].
	longest := make([][]int, len(items)+1)
	for i := range longest {
		longest[i] = make([]int, len(wanted)+1)
	}
	for i := range slices.Backward(items) {
		for j := range slices.Backward(wanted) {
			if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); same(i, j) {
				longest[i][j] = max(longest[i][j], longest[i+1][j+1]+1)
			}
		}
	}
	var parts []listPart
	for i, j := 0, 0; j < len(wanted); {
		switch {
		case i < len(items) && same(i, j) && longest[i][j] == longest[i+1][j+1]+1:
			parts = append(parts, listPart{i, wanted[j]})
			i, j = i+1, j+1
		case i < len(items) && longest[i][j] == longest[i+1][j]:
			i++
		default:
			parts = append(parts, listPart{-1, wanted[j]})
			j++
		}
	}
	return parts
}

// flowList writes parts into a list between brackets.
func (p *patch) flowList(n *yaml.Node, parts []listPart) error {
	end, err := p.end(n, 0)
	_, open := p.properties(p.doc.At(n), false)
	if err != nil || open >= end || p.data[open] != '[' {
		return p.blocked(n, unusual)
	}
	inside := p.data[open+1 : end-1]
	if bytes.ContainsAny(inside, "\r\n#") {
		return p.flowLines(n, open, parts)
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = listItem(part.text, p.style == double || p.json())
		if part.old >= 0 {
			item := n.Content[part.old]
			to, err := p.end(item, 0)
			if err != nil {
				return err
			}
			texts[i] = string(p.data[p.doc.At(item):to])
		}
	}
	p.edit(open+1, end-1, strings.Join(texts, ", "))
	return nil
}

// flowLines writes parts into a flow list of several lines or with a comment. A new item follows
// the one before it on its line.
func (p *patch) flowLines(n *yaml.Node, open int, parts []listPart) error {
	kept := map[int]bool{}
	last := -1 // of the items that are kept
	for _, part := range parts {
		if part.old >= 0 {
			kept[part.old], last = true, part.old
		}
	}
	commas := make([]int, len(n.Content)) // after the comma of each; 0: it has none
	ends := make([]int, len(n.Content))
	for i, item := range n.Content {
		end, err := p.end(item, 0)
		if err != nil {
			return err
		}
		ends[i] = end
		if at := p.skipBlanks(end); at < len(p.data) && p.data[at] == ',' {
			commas[i] = at + 1
		}
		if kept[i] {
			continue
		}
		from, to := p.doc.At(item), max(end, commas[i])
		line, stop := p.lineStart(from), p.lineEnd(to)
		if leadingSpaces(p.data[line:from]) == from-line && p.skipBlanks(to) >= stop && line > 0 { // alone on its line
			from, to = p.lineEnd(line-1), stop
		}
		p.edit(from, to, "")
	}
	if end := len(n.Content) - 1; end >= 0 && commas[end] == 0 && last >= 0 && last < end && commas[last] > 0 {
		p.edit(commas[last]-1, commas[last], "")
	}
	at := open + 1
	for i, part := range parts {
		if part.old >= 0 {
			at = ends[part.old]
			continue
		}
		text := listItem(part.text, p.style == double || p.json())
		switch {
		case at > open+1:
			text = ", " + text
		case i < len(parts)-1:
			text += ", "
		}
		p.edit(at, at, text)
	}
	return nil
}

// blockList writes parts into a list with a line for each item.
func (p *patch) blockList(kv yamltext.Entry, parts []listPart) error {
	n := kv.Val
	places := make([]fileLine, len(n.Content)) // from the first line to the last
	indent := ""
	for i, item := range n.Content {
		at := p.doc.At(item)
		from := p.lineStart(at)
		before := p.data[from:at]
		spaces := leadingSpaces(before)
		end, err := p.end(item, p.indent(n))
		if err != nil || strings.TrimRight(string(before[spaces:]), " ") != "-" {
			return p.blocked(item, unusual)
		}
		places[i] = fileLine{from, p.lineEnd(end)}
		if i == 0 {
			indent = string(before[:spaces])
		}
	}
	kept := map[int]bool{}
	for _, part := range parts {
		kept[part.old] = true
	}
	for i, place := range places {
		if !kept[i] { // with the line break before it: that after it may not be there
			p.edit(p.lineEnd(place.start-1), place.end, "")
		}
	}
	if len(parts) == 0 {
		at, _ := p.afterColon(kv)
		p.edit(at, at, " []")
		return nil
	}
	at := p.lineEnd(places[0].start - 1)
	for _, part := range parts {
		if part.old >= 0 {
			at = places[part.old].end
			continue
		}
		p.edit(at, at, p.newline(at)+indent+"- "+listItem(part.text, p.style == double))
	}
	return nil
}
