package config

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// extent is where a scalar or an alias stands, as offsets. A value that is not
// written, as after "key:", has no width.
type extent struct {
	start  int // of its tag and anchor if it has any
	text   int // of what follows them
	end    int
	header int // of a block scalar: the end of its indicators; otherwise 0
}

// extent returns where n stands; indent is the column, from 0, of the block
// collection that it is in. The YAML library knows where nodes start and
// nothing else.
func (p *patch) extent(n *yaml.Node, indent int) (extent, error) {
	at := p.doc.at(n)
	x := extent{start: at, text: at, end: at}
	if n.Kind == yaml.AliasNode {
		x.end = p.name(at + 1)
		return x, nil
	}
	unwritten := n.Value == "" && n.Style&quotedStyles == 0
	x.end, x.text = p.properties(at, unwritten)
	if unwritten {
		x.text = x.end
		return x, nil
	}
	rest := p.data[min(x.text, len(p.data)):]
	ok := false
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		x.end, ok = quotedEnd(rest, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		x.end, ok = quotedEnd(rest, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		if ok = len(rest) > 0 && (rest[0] == '|' || rest[0] == '>'); ok {
			x.header, x.end = p.blockScalar(x.text, indent)
			return x, nil
		}
	default:
		x.end, ok = plainEnd(rest, n.Value)
	}
	if !ok {
		return extent{}, p.inTheWay(n, handmade)
	}
	x.end += x.text
	return x, nil
}

// properties skips the tag and the anchor that a node may begin with: end is
// after them, next at what follows. Those of a node that is not written are
// all on one line.
func (p *patch) properties(at int, unwritten bool) (end, next int) {
	end, next = at, at
	for next < len(p.data) && (p.data[next] == '&' || p.data[next] == '!') {
		end = p.name(next + 1)
		if p.data[next] == '!' {
			for end = next; end < len(p.data) && !isBlank(p.data[end:]); end++ {
			}
		}
		next = p.skipBlanks(end)
		if unwritten && next > p.lineEnd(end) {
			break
		}
	}
	return end, next
}

// name returns the end of the anchor's name that begins at an offset.
func (p *patch) name(at int) int {
	for at < len(p.data) {
		c := p.data[at]
		if !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-') {
			break
		}
		at++
	}
	return at
}

// quotedEnd returns the length of the quoted scalar that s begins with.
func quotedEnd(s []byte, quote byte) (n int, ok bool) {
	if len(s) == 0 || s[0] != quote {
		return 0, false
	}
	for i := 1; i < len(s); i++ {
		switch {
		case quote == '"' && s[i] == '\\':
			i++
		case s[i] == quote && quote == '\'' && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1, true
		}
	}
	return 0, false
}

// plainEnd returns the length of the plain scalar that s begins with and whose
// value is known; one of several lines is folded in it.
func plainEnd(s []byte, value string) (n int, ok bool) {
	folded := func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' } // other spaces are text
	for word := range strings.FieldsFuncSeq(value, folded) {
		for n > 0 && n < len(s) && isBlank(s[n:]) {
			n++
		}
		if !bytes.HasPrefix(s[n:], []byte(word)) {
			return 0, false
		}
		n += len(word)
	}
	return n, n > 0
}

// blockScalar returns the end of the indicators of the literal or folded
// scalar at an offset, and the end of its last line.
func (p *patch) blockScalar(at, indent int) (header, end int) {
	header = at + 1
	least, keep := -1, false // of its lines: how far they are indented
	for ; header < len(p.data) && strings.IndexByte("+-0123456789", p.data[header]) >= 0; header++ {
		switch c := p.data[header]; c {
		case '+':
			keep = true
		case '-':
		default:
			least = max(indent, 0) + int(c-'0')
		}
	}
	end = p.lineEnd(header)
	for line := range p.linesFrom(end) {
		text := p.data[line.start:line.end]
		width := leadingSpaces(text)
		blank := width == len(text)
		switch {
		case blank && keep, blank && least >= 0 && width > least:
			end = line.end
			continue
		case blank:
			continue
		case least < 0 && width > indent:
			least = width
		}
		if least < 0 || width < least {
			break
		}
		end = line.end
	}
	return header, end
}

// end returns the offset after a node. What a flow collection closes with
// counts as part of it.
func (p *patch) end(n *yaml.Node, indent int) (int, error) {
	if n.Kind == yaml.AliasNode || n.Kind == yaml.ScalarNode {
		x, err := p.extent(n, indent)
		return x.end, err
	}
	_, start := p.properties(p.doc.at(n), false)
	open := isFlow(n) && start < len(p.data) && (p.data[start] == '{' || p.data[start] == '[')
	end := start + 1
	column := p.indent(n)
	if len(n.Content) > 0 { // nothing but the last part matters
		part, last := n.Content[len(n.Content)-1], 0
		var err error
		if n.Kind == yaml.MappingNode {
			last, err = p.pairEnd(pair{n.Content[len(n.Content)-2], part}, column)
		} else {
			last, err = p.end(part, column)
		}
		if err != nil {
			return 0, err
		}
		end = max(end, last)
	}
	if !open {
		return end, nil
	}
	for end < len(p.data) && p.data[end] != '}' && p.data[end] != ']' {
		if p.data[end] == '#' {
			end = p.lineEnd(end)
			continue
		}
		end++
	}
	return min(end+1, len(p.data)), nil
}

// pairEnd returns the offset after a key and its value.
func (p *patch) pairEnd(own pair, indent int) (int, error) {
	if !own.unwritten() {
		return p.end(own.val, indent)
	}
	at, _ := p.afterColon(own)
	x, err := p.extent(own.val, indent)
	if x.end > x.start { // a tag or an anchor
		at = x.end
	}
	return at, err
}

// afterColon returns the offset after the colon of a pair, or after its key
// when there is none.
func (p *patch) afterColon(own pair) (at int, colon bool) {
	at, err := p.end(own.key, 0)
	if err != nil {
		return p.doc.at(own.val), true
	}
	if next := p.skipBlanks(at); next < len(p.data) && p.data[next] == ':' {
		return next + 1, true
	}
	return at, false
}
