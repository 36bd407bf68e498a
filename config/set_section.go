package config

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// expand writes a mapping of children in place of the value of a pair of n,
// which is a scalar, an alias or not written.
func (p *patch) expand(n *yaml.Node, own pair, children []branch) error {
	x, err := p.extent(own.val, p.indent(n))
	if err != nil {
		return err
	}
	colon, has := p.afterColon(own)
	if own.unwritten() && x.start == x.end {
		x = extent{start: colon, text: colon, end: colon}
	}
	if isFlow(n) {
		text := " " + flows(children, p.json())
		if !has {
			text = ":" + text
		}
		p.edit(min(colon, x.start), x.end, text)
		return nil
	}
	step := p.step(n)
	first := x.end // of the value's lines, the one whose end may have a comment
	if x.header > 0 {
		first = x.header
		p.edit(p.lineEnd(first), x.end, "")
	}
	line := p.lineStart(x.start)
	if line > colon { // the value has lines of its own
		indent := x.start - line
		newline := p.newline(p.lineEnd(first))
		text := strings.Join(blocks(children, indent, step), newline)
		p.edit(x.start, first, strings.TrimLeft(text, " "))
		return nil
	}
	p.edit(colon, first, "")
	at := p.lineEnd(first)
	newline := p.newline(at)
	p.edit(at, at, newline+strings.Join(blocks(children, p.indent(n)+step, step), newline))
	return nil
}

// insertFlow adds a branch to a flow mapping, after the pair beside it.
func (p *patch) insertFlow(n *yaml.Node, beside pair, b branch) error {
	text := b.flow(p.json())
	if len(n.Content) == 0 {
		_, open := p.properties(p.doc.at(n), false)
		p.edit(open+1, open+1, text)
		return nil
	}
	key := p.doc.at(beside.key)
	if beside.unwritten() {
		p.edit(key, key, text+", ")
		return nil
	}
	end, err := p.pairEnd(beside, p.indent(n))
	if err != nil {
		return err
	}
	line := p.lineStart(key)
	if leadingSpaces(p.data[line:key]) != key-line {
		p.edit(end, end, ", "+text)
		return nil
	}
	// One key to a line.
	stop := p.lineEnd(end)
	rest := strings.TrimLeft(string(p.data[end:stop]), " ")
	rest, comma := strings.CutPrefix(rest, ",")
	rest = strings.TrimLeft(rest, " ")
	if rest != "" && rest[0] != '#' {
		p.edit(end, end, ", "+text)
		return nil
	}
	text = p.newline(stop) + string(p.data[line:key]) + text
	if comma {
		text += ","
	} else {
		p.edit(end, end, ",")
	}
	p.edit(stop, stop, text)
	return nil
}
