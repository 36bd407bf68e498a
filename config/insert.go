package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// defaultStep is how far a mapping is indented in a file that has none inside another.
const defaultStep = 2

// insert adds a branch to the mapping n, to which the first i keys of the path lead.
func (p *patch) insert(n *yaml.Node, i int, b branch) error {
	list, indent := pairs(n), p.indent(n)
	var beside yamltext.Entry // after which the key belongs: the nearest before it in config show, or else the last
	known, place := KeysIn(strings.Join(p.path[:i], ".")), 0
	wanted := slices.Index(known, b.name)
	for j, o := range list {
		key, isText := yamltext.KeyName(o.Key)
		if at := slices.Index(known, key); isText && at < wanted && at >= place {
			beside, place = list[j], at
		}
	}
	if beside.Key == nil && len(list) > 0 {
		beside = list[len(list)-1]
	}
	if isFlow(n) {
		return p.insertFlow(n, beside, b)
	}
	end, err := p.pairEnd(beside, indent)
	if err != nil {
		return err
	}
	at := p.lineEnd(end) // or behind the comments below it that are indented further
	for _, line := range p.gap(at) {
		width := leadingSpaces(p.data[line.start:line.end])
		if line.start+width == line.end {
			continue
		}
		if width <= indent {
			break
		}
		at = line.end
	}
	if len(b.children) == 0 {
		if at, err = p.commentedKey(list, b.name, indent, at); err != nil {
			return err
		}
	}
	newline := p.newline(at)
	text := newline
	if i == 0 && p.style == kept && p.hasBlankLines(list, indent) { // behind a literal, a blank line may be text
		text += newline
	}
	p.edit(at, at, text+strings.Join(blocks([]branch{b}, indent, p.step(n)), newline))
	return nil
}

// gap returns the blank lines and comments that follow the line of an offset.
func (p *patch) gap(at int) []fileLine {
	var lines []fileLine
	for line := range p.linesFrom(p.lineEnd(at)) {
		if !p.isRemark(line) {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// isRemark reports whether a line is blank or a comment.
func (p *patch) isRemark(line fileLine) bool {
	text := p.data[line.start:line.end]
	width := leadingSpaces(text)
	return width == len(text) || text[width] == '#'
}

var commentedOut = words.LazyRegexp(`^ *#+ *([a-z_]+): +[^ #]+ *(?:#.*)?$`)

// commentedKey returns the end of a line in which the key is commented out, or otherwise.
func (p *patch) commentedKey(list []yamltext.Entry, name string, indent, otherwise int) (int, error) {
	for start := p.lineStart(p.doc.At(list[0].Key)); start > 0; { // above the first key
		start = p.lineStart(start - 1)
		line := fileLine{start, p.lineEnd(start)}
		if !p.isRemark(line) {
			break
		}
		if p.hasCommentedKey(line, name) {
			return line.end, nil
		}
	}
	for i, o := range list {
		end, err := p.pairEnd(o, indent)
		if err != nil {
			return 0, err
		}
		for _, line := range p.gap(end) {
			// Below the last pair, a comment that is indented less is about something else.
			inside := i < len(list)-1 || leadingSpaces(p.data[line.start:line.end]) >= indent
			if inside && p.hasCommentedKey(line, name) {
				return line.end, nil
			}
		}
	}
	return otherwise, nil
}

func (p *patch) hasCommentedKey(line fileLine, name string) bool {
	m := commentedOut().FindSubmatch(p.data[line.start:line.end])
	return m != nil && string(m[1]) == name
}

// hasBlankLines reports whether blank lines stand between the pairs of a mapping.
func (p *patch) hasBlankLines(list []yamltext.Entry, indent int) bool {
	for _, o := range list[:len(list)-1] {
		end, err := p.pairEnd(o, indent)
		if err != nil {
			return false
		}
		for _, line := range p.gap(end) {
			if leadingSpaces(p.data[line.start:line.end]) == line.end-line.start {
				return true
			}
		}
	}
	return false
}

// step returns how much further than n a mapping in it is, or would be, indented: as far as the first
// block mapping in it, or else in the file.
func (p *patch) step(n *yaml.Node) int {
	for _, around := range []*yaml.Node{n, p.doc.Root} {
		list := pairs(around)
		first := slices.IndexFunc(list, func(o yamltext.Entry) bool { return o.Val.Kind == yaml.MappingNode && !isFlow(o.Val) })
		if first >= 0 && p.indent(list[first].Val) > p.indent(around) {
			return p.indent(list[first].Val) - p.indent(around)
		}
	}
	return defaultStep
}

// expand writes a mapping over a scalar, an alias or nothing behind the colon of a pair of n.
func (p *patch) expand(n *yaml.Node, kv yamltext.Entry, children []branch) error {
	x, err := p.extent(kv.Val, p.indent(n))
	if err != nil {
		return err
	}
	colon, has := p.afterColon(kv)
	if unwritten(kv) && x.start == x.end {
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
	first := x.end // on the line of the value that may end in a comment
	if x.header > 0 {
		first = x.header
		p.edit(p.lineEnd(first), x.end, "")
	}
	line := p.lineStart(x.start)
	if line > colon { // the value begins on another line than the key
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

// insertFlow adds a branch to a flow mapping, after the pair beside.
func (p *patch) insertFlow(n *yaml.Node, beside yamltext.Entry, b branch) error {
	text := b.flow(p.json())
	if len(n.Content) == 0 {
		_, open := p.properties(p.doc.At(n), false)
		p.edit(open+1, open+1, text)
		return nil
	}
	key := p.doc.At(beside.Key)
	if unwritten(beside) {
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
