package config

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// defaultStep is how far a mapping is indented in a file that shows no custom
// of its own.
const defaultStep = 2

// insert adds a branch to a mapping, which the first i keys of the path lead
// to.
func (p *patch) insert(n *yaml.Node, i int, b branch) error {
	list, indent := pairs(n), p.indent(n)
	beside := neighbour(list, p.path[:i], b.name)
	if isFlow(n) {
		return p.insertFlow(n, beside, b)
	}
	end, err := p.pairEnd(beside, indent)
	if err != nil {
		return err
	}
	at := p.afterRemarks(end, indent)
	if len(b.children) == 0 {
		if at, err = p.mention(list, b.name, indent, at); err != nil {
			return err
		}
	}
	newline := p.newline(at)
	text := newline
	if i == 0 && p.style == kept && p.spaced(list, indent) { // after a literal, a blank line may be text
		text += newline
	}
	p.edit(at, at, text+strings.Join(b.block(indent, p.step(n)), newline))
	return nil
}

// startFile adds a branch to a file without content: at its end, or before the
// line that says that it ends.
func (p *patch) startFile(b branch) {
	newline := p.newline(0)
	text := strings.Join(b.block(0, defaultStep), newline)
	at := len(p.data)
	for line := range p.linesFrom(p.lineEnd(0)) {
		if strings.HasPrefix(string(p.data[line.start:line.end]), "...") {
			at = line.start
		}
	}
	if at == len(p.data) && at > p.lineStart(at) {
		p.edit(at, at, newline+text) // and no line break at the end, as before
		return
	}
	p.edit(at, at, text+newline)
}

// neighbour returns the pair after which a key belongs in a mapping: of the
// keys that come before it in the table the nearest that is there, or else the
// last pair.
func neighbour(list []pair, path []string, name string) pair {
	if len(list) == 0 {
		return pair{}
	}
	known := knownAt(path)
	wanted := slices.Index(known, name)
	best, place := len(list)-1, -1
	for i, o := range list {
		key, isText := keyName(o.key)
		if at := slices.Index(known, key); isText && at < wanted && at >= max(place, 0) {
			best, place = i, at
		}
	}
	return list[best]
}

// knownAt returns the known keys of a mapping, in the order of the table.
func knownAt(path []string) []string {
	if len(path) > 0 {
		return keysOf(strings.Join(path, "."))
	}
	var known []string
	for _, r := range table {
		name, _, _ := strings.Cut(r.key, ".")
		known = append(known, name)
	}
	return slices.Compact(known)
}

// afterRemarks returns the end of the line of an offset, or of the last of the
// comments below it that are indented further than its mapping and so belong
// to what stands there.
func (p *patch) afterRemarks(at, indent int) int {
	at = p.lineEnd(at)
	for _, line := range p.gap(at) {
		width := leadingSpaces(p.data[line.start:line.end])
		switch {
		case line.start+width == line.end:
		case width > indent:
			at = line.end
		default:
			return at
		}
	}
	return at
}

// gap returns the lines after that of an offset up to the next that is neither
// blank nor a comment.
func (p *patch) gap(at int) []fileLine {
	var lines []fileLine
	for line := range p.linesFrom(p.lineEnd(at)) {
		if !p.remark(line) {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// remark says whether a line is blank or a comment.
func (p *patch) remark(line fileLine) bool {
	text := p.data[line.start:line.end]
	width := leadingSpaces(text)
	return width == len(text) || text[width] == '#'
}

var commentedOut = regexp.MustCompile(`^ *#+ *([a-z_]+): +[^ #]+ *(?:#.*)?$`)

// mention returns the end of the line on which a comment has the key as if it
// was given, which many files have for every default, or else an offset that
// is handed in.
func (p *patch) mention(list []pair, name string, indent, otherwise int) (int, error) {
	for _, line := range p.above(list[0].key) {
		if p.mentions(line, name) {
			return line.end, nil
		}
	}
	for i, o := range list {
		end, err := p.pairEnd(o, indent)
		if err != nil {
			return 0, err
		}
		for _, line := range p.gap(end) {
			// Below the last pair, what is indented less is about something else.
			inside := i < len(list)-1 || leadingSpaces(p.data[line.start:line.end]) >= indent
			if inside && p.mentions(line, name) {
				return line.end, nil
			}
		}
	}
	return otherwise, nil
}

func (p *patch) mentions(line fileLine, name string) bool {
	m := commentedOut.FindSubmatch(p.data[line.start:line.end])
	return m != nil && string(m[1]) == name
}

// above returns the comments and blank lines before the line of the first key
// of a mapping, the last first.
func (p *patch) above(key *yaml.Node) []fileLine {
	var lines []fileLine
	for start := p.lineStart(p.doc.at(key)); start > 0; {
		start = p.lineStart(start - 1)
		line := fileLine{start, p.lineEnd(start)}
		if !p.remark(line) {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// spaced says whether there are blank lines between the sections of the file.
func (p *patch) spaced(list []pair, indent int) bool {
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

// step returns how much further than a mapping the mappings in it are
// indented: as its own are, or else as in the rest of the file.
func (p *patch) step(n *yaml.Node) int {
	if step := p.stepIn(n); step > 0 {
		return step
	}
	if step := p.stepIn(p.doc.root); step > 0 {
		return step
	}
	return defaultStep
}

// stepIn returns how much further than n the first mapping in it is indented,
// or the first in that and so on; 0 when there is none in block style.
func (p *patch) stepIn(n *yaml.Node) int {
	for _, o := range pairs(n) {
		if o.val.Kind != yaml.MappingNode || isFlow(o.val) || len(o.val.Content) == 0 {
			continue
		}
		return max(0, p.indent(o.val)-p.indent(n))
	}
	return 0
}
