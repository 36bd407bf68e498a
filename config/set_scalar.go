package config

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// style is how a scalar is written.
type style uint8

// The styles, in the order in which they are tried: the first in which the
// value reads as it should is taken.
const (
	kept   style = iota // with the quotes and the tag that the old one had
	bare                // without quotes and tag, if that is safe
	double              // in double quotes
	styles              // how many there are
)

var safeInPlain = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_./:+-]*[A-Za-z0-9_./+-])?$`)

// plainSafe says whether a string can stand without quotes wherever a scalar
// can. Whether it is then still a string is another question.
func plainSafe(s string) bool { return safeInPlain.MatchString(s) }

// doubleQuoted returns s in the double quotes of YAML, which know the escapes
// of Go's ASCII quotes: \a \b \f \n \r \t \v \\ \" \xXX \uXXXX \UXXXXXXXX.
func doubleQuoted(s string) string { return strconv.QuoteToASCII(strings.ToValidUTF8(s, "\ufffd")) }

// literal returns the wanted value in the style of the patch; JSON has every
// string in quotes.
func (p *patch) literal() string {
	return literal(p.wish.wanted, p.style == double || p.json())
}

// replace writes the wanted value in place of the one that a pair has.
func (p *patch) replace(n *yaml.Node, own pair) error {
	val := own.val
	if names, list := p.wish.wanted.([]string); list && val.Kind == yaml.SequenceNode {
		return p.replaceList(own, names)
	}
	if val.Kind != yaml.ScalarNode && val.Kind != yaml.AliasNode {
		return p.inTheWay(val, "a single value belongs here, and the file has "+printable(kindName(val)))
	}
	x, err := p.extent(val, p.indent(n))
	if err != nil {
		return err
	}
	if x.start == x.end { // nothing after the colon
		at, colon := p.afterColon(own)
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

// inQuotesOf returns the wanted value in the quotes that the old one has. Null
// is nothing in quotes.
func (p *patch) inQuotesOf(old *yaml.Node) string {
	text, isText := p.wish.wanted.(string)
	if !isText {
		text = literal(p.wish.wanted, false)
	}
	switch {
	case p.wish.wanted == nil:
	case old.Style&yaml.DoubleQuotedStyle != 0:
		return doubleQuoted(text)
	case old.Style&yaml.SingleQuotedStyle != 0 && plainSafe(text):
		return "'" + text + "'"
	}
	return p.literal()
}

func kindName(n *yaml.Node) string {
	if follow(n).Kind == yaml.SequenceNode {
		return "a list"
	}
	return "a mapping"
}

// json says whether the file is written as JSON is: one flow mapping whose
// keys are in double quotes.
func (p *patch) json() bool {
	root := p.doc.root
	if root == nil || root.Kind != yaml.MappingNode || !isFlow(root) {
		return false
	}
	for _, own := range pairs(root) {
		if own.key.Style&yaml.DoubleQuotedStyle == 0 {
			return false
		}
	}
	return len(root.Content) > 0
}
