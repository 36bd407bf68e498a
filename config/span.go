package config

import (
	"bytes"
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model/yamltext"
)

// fileLine is one line of a file, as YAML breaks lines, without its line break.
type fileLine struct{ start, end int }

// lineEnd returns the end of the line of an offset, before its line break.
func (p *patch) lineEnd(at int) int {
	for at < len(p.data) && !yamltext.BreaksLine(p.data[at:]) {
		at++
	}
	if at < len(p.data) && p.data[at] == '\n' && at > 0 && p.data[at-1] == '\r' {
		at--
	}
	return at
}

// lineStart returns the offset at which the line of an offset begins.
func (p *patch) lineStart(at int) int {
	for ; at > 0; at-- {
		for n := 1; n <= min(3, at); n++ {
			if yamltext.BreaksLine(p.data[at-n:]) && lineBreak(p.data[at-n:]) == n {
				return at
			}
		}
	}
	return at
}

// linesFrom yields the lines after the line that ends at an offset.
func (p *patch) linesFrom(end int) iter.Seq[fileLine] {
	return func(yield func(fileLine) bool) {
		for {
			n := lineBreak(p.data[end:])
			if n == 0 || end+n == len(p.data) {
				return
			}
			l := fileLine{start: end + n, end: p.lineEnd(end + n)}
			if !yield(l) {
				return
			}
			end = l.end
		}
	}
}

// lineBreak returns the length of the line break that b begins with, 0 for none.
func lineBreak(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case bytes.HasPrefix(b, []byte("\r\n")):
		return 2
	case !yamltext.BreaksLine(b):
		return 0
	case b[0] == 0xC2:
		return 2
	case b[0] == 0xE2:
		return 3
	}
	return 1
}

// newline returns the line break of the line that ends at an offset, at the end of the file its
// first; a line feed for one beyond ASCII.
func (p *patch) newline(at int) string {
	if lineBreak(p.data[at:]) == 0 {
		at = p.lineEnd(0)
	}
	if s := string(p.data[at : at+lineBreak(p.data[at:])]); s == "\r\n" || s == "\r" {
		return s
	}
	return "\n"
}

// skipBlanks returns the offset of the next character that is no white space.
func (p *patch) skipBlanks(at int) int {
	for at < len(p.data) && isBlank(p.data[at:]) {
		at += max(1, lineBreak(p.data[at:]))
	}
	return at
}

// isBlank reports whether b begins with white space or a line break.
func isBlank(b []byte) bool {
	return b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || yamltext.BreaksLine(b)
}

// leadingSpaces returns how many spaces b begins with.
func leadingSpaces(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " ")) }

// extent has the offsets of a scalar or an alias; an unwritten value has no width.
type extent struct {
	start  int // of its tag and anchor if it has any
	text   int // of the scalar itself
	end    int
	header int // of a block scalar: the end of its indicators; otherwise 0
}

// extent returns the extent of n in a block collection at the column indent. The YAML library
// knows only where nodes start.
func (p *patch) extent(n *yaml.Node, indent int) (extent, error) {
	at := p.doc.At(n)
	x := extent{start: at, text: at, end: at}
	if n.Kind == yaml.AliasNode {
		x.end = p.name(at + 1)
		return x, nil
	}
	unwritten := n.Value == "" && n.Style&yamltext.QuotedStyles == 0
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
	default: // by its value, whose line breaks are folded
		folded := func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' } // other spaces are text
		x.end = 0
		for word := range strings.FieldsFuncSeq(n.Value, folded) {
			for x.end > 0 && x.end < len(rest) && isBlank(rest[x.end:]) {
				x.end++
			}
			if ok = bytes.HasPrefix(rest[x.end:], []byte(word)); !ok {
				break
			}
			x.end += len(word)
		}
	}
	if !ok {
		return extent{}, p.blocked(n, unusual)
	}
	x.end += x.text
	return x, nil
}

// properties skips the tag and the anchor of a node: end is the offset behind them, next the one
// of the text. Those of an unwritten node are on one line.
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

// blockScalar returns the ends of a literal's or folded scalar's indicators and last line.
func (p *patch) blockScalar(at, indent int) (header, end int) {
	header = at + 1
	least, keep := -1, false // least: how far its lines are indented
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

// end returns the offset behind a node: for a flow collection behind its bracket.
func (p *patch) end(n *yaml.Node, indent int) (int, error) {
	if n.Kind == yaml.AliasNode || n.Kind == yaml.ScalarNode {
		x, err := p.extent(n, indent)
		return x.end, err
	}
	_, start := p.properties(p.doc.At(n), false)
	open := isFlow(n) && start < len(p.data) && (p.data[start] == '{' || p.data[start] == '[')
	end := start + 1
	column := p.indent(n)
	if len(n.Content) > 0 { // only the last item matters
		part, last := n.Content[len(n.Content)-1], 0
		var err error
		if n.Kind == yaml.MappingNode {
			last, err = p.pairEnd(yamltext.Entry{Key: n.Content[len(n.Content)-2], Val: part}, column)
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
func (p *patch) pairEnd(kv yamltext.Entry, indent int) (int, error) {
	if !unwritten(kv) {
		return p.end(kv.Val, indent)
	}
	at, _ := p.afterColon(kv)
	x, err := p.extent(kv.Val, indent)
	if x.end > x.start { // a tag or an anchor
		at = x.end
	}
	return at, err
}

// afterColon returns the offset behind the colon of a pair, or its key if it has none.
func (p *patch) afterColon(kv yamltext.Entry) (at int, colon bool) {
	at, _ = p.end(kv.Key, 0) // where a key cannot be found, the change is refused when it is read again
	if next := p.skipBlanks(at); next < len(p.data) && p.data[next] == ':' {
		return next + 1, true
	}
	return at, false
}
