package config

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// style is how a scalar is written.
type style uint8

// The styles, in the order in which they are tried. The first in which the value
// reads as it should is taken.
const (
	kept   style = iota // with the quotes and the tag that the old one had
	bare                // without quotes and tag, if that is safe
	double              // in double quotes
	styles              // how many there are
)

var safeInPlain = words.LazyRegexp(`^[A-Za-z0-9](?:[A-Za-z0-9_./:+-]*[A-Za-z0-9_./+-])?$`)

// plainSafe reports whether s can stand without quotes, perhaps as another type.
func plainSafe(s string) bool { return safeInPlain().MatchString(s) }

// doubleQuoted returns s in the double quotes of YAML, which know the escapes of Go's ASCII
// quotes.
func doubleQuoted(s string) string { return strconv.QuoteToASCII(strings.ToValidUTF8(s, "\ufffd")) }

// literal returns the wanted value in the style of the patch. JSON has all strings in quotes.
func (p *patch) literal() string {
	return literal(p.want.Value, p.style == double || p.json())
}

// replace writes the wanted value over the one that a pair has.
func (p *patch) replace(n *yaml.Node, kv yamltext.Entry) error {
	val := kv.Val
	if names, list := p.want.Value.([]string); list && val.Kind == yaml.SequenceNode {
		// Items that stay are not touched, nor is any comment but the one behind an item that goes.
		parts := listParts(yamltext.Items(kv.Val), names)
		if isFlow(kv.Val) {
			return p.flowList(kv.Val, parts)
		}
		return p.blockList(kv, parts)
	}
	if val.Kind != yaml.ScalarNode && val.Kind != yaml.AliasNode {
		kind := "a mapping"
		if yamltext.Follow(val).Kind == yaml.SequenceNode {
			kind = "a list"
		}
		return p.blocked(val, "a single value belongs here, and the file has "+kind)
	}
	x, err := p.extent(val, p.indent(n))
	if err != nil {
		return err
	}
	if x.start == x.end { // nothing after the colon
		at, colon := p.afterColon(kv)
		text := " " + p.literal()
		if !colon {
			text = ":" + text
		}
		p.edit(at, at, text)
		return nil
	}
	if p.style == kept && x.header == 0 && val.Kind == yaml.ScalarNode {
		space := ""
		if x.text == x.end {
			space = " " // after a tag or an anchor that had no value
		}
		p.edit(x.text, x.end, space+p.inQuotesOf(val))
		return nil
	}
	text := p.literal()
	if val.Anchor != "" {
		text = "&" + val.Anchor + " " + text
	}
	if x.header == 0 {
		p.edit(x.start, x.end, text)
		return nil
	}
	p.edit(x.start, x.header, text)
	p.edit(p.lineEnd(x.header), x.end, "")
	return nil
}

// inQuotesOf returns the wanted value in the quotes of the old one; null has none.
func (p *patch) inQuotesOf(old *yaml.Node) string {
	text, isText := p.want.Value.(string)
	if !isText {
		text = literal(p.want.Value, false)
	}
	switch {
	case p.want.Value == nil:
	case old.Style&yaml.DoubleQuotedStyle != 0:
		return doubleQuoted(text)
	case old.Style&yaml.SingleQuotedStyle != 0 && plainSafe(text):
		return "'" + text + "'"
	}
	return p.literal()
}

// json reports whether the file is one flow mapping with keys in double quotes.
func (p *patch) json() bool {
	root := p.doc.Root
	if root == nil || root.Kind != yaml.MappingNode || !isFlow(root) {
		return false
	}
	for _, kv := range pairs(root) {
		if kv.Key.Style&yaml.DoubleQuotedStyle == 0 {
			return false
		}
	}
	return len(root.Content) > 0
}

// literal returns a value as YAML, a string in double quotes where those are needed or wanted.
func literal(val any, double bool) string {
	switch x := val.(type) {
	case nil:
		return "null"
	case int:
		return strconv.Itoa(x)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []string:
		parts := make([]string, len(x))
		for i, name := range x {
			parts[i] = listItem(name, double)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text := fmt.Sprint(val)
	if double || !plainSafe(text) {
		return doubleQuoted(text)
	}
	return text
}

// branch is a key that is added, with a scalar or a mapping of children.
type branch struct {
	name     string
	text     string
	children []branch
}

// blocks returns the lines of branches in block style.
func blocks(list []branch, indent, step int) []string {
	var lines []string
	for _, b := range list {
		head := strings.Repeat(" ", indent) + b.key(false) + ":"
		if len(b.children) == 0 {
			lines = append(lines, head+" "+b.text)
			continue
		}
		lines = append(append(lines, head), blocks(b.children, indent+step, step)...)
	}
	return lines
}

// flow returns a branch in flow style, its keys in double quotes if quoted.
func (b branch) flow(quoted bool) string {
	if len(b.children) == 0 {
		return b.key(quoted) + ": " + b.text
	}
	return b.key(quoted) + ": " + flows(b.children, quoted)
}

// flows returns a flow mapping.
func flows(list []branch, quoted bool) string {
	parts := make([]string, len(list))
	for i, b := range list {
		parts[i] = b.flow(quoted)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (b branch) key(quoted bool) string {
	if b.name != "<<" && (quoted || !plainSafe(b.name)) {
		return doubleQuoted(b.name)
	}
	return b.name
}
