package yamltext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxShown is how much of a value a message shows, in code points.
const MaxShown = 80

// Printable returns the beginning of s as a message may show it.
func Printable(s string) string {
	return plain(Cut(s, MaxShown))
}

// plain returns s itself, or quoted when it holds anything that a terminal might not print.
func plain(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// Quote returns the beginning of s in quotes.
func Quote(s string) string {
	return strconv.Quote(Cut(s, MaxShown))
}

// Cut returns the first code points of s, with an ellipsis for the rest.
func Cut(s string, points int) string {
	if len(s) <= points {
		return s
	}
	n := 0
	for i := range s {
		if n == points {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// Join returns the dotted path of a name in a mapping, quoted where it would be ambiguous or does not
// print.
func Join(prefix, name string) string {
	if name == "" || strings.ContainsAny(name, ".\"'[] ") {
		name = strconv.Quote(name)
	} else {
		name = plain(name)
	}
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// Source returns v as the file has it, in the flow style and on one line.
func (v Value) Source() string {
	switch {
	case v.Quoted:
		return Quote(v.Text)
	case v.Node != nil && (v.Kind == List || v.Kind == Mapping):
		var b strings.Builder
		outline(&b, v.Node, 3)
		return Printable(b.String())
	case v.Kind == Null:
		return "null"
	}
	return Printable(v.Text)
}

// outline writes n in flow style until b is long enough. An alias may lead back: depth bounds it.
func outline(b *strings.Builder, n *yaml.Node, depth int) {
	n = Follow(n)
	if n.Kind == yaml.ScalarNode {
		if n.Style&QuotedStyles != 0 {
			b.WriteString(Quote(n.Value))
		} else {
			b.WriteString(Cut(n.Value, MaxShown))
		}
		return
	}
	open, end := "[", "]"
	if n.Kind == yaml.MappingNode {
		open, end = "{", "}"
	}
	b.WriteString(open)
	for i, child := range n.Content {
		switch {
		case i == 0:
		case n.Kind == yaml.MappingNode && i%2 == 1:
			b.WriteString(": ")
		default:
			b.WriteString(", ")
		}
		if depth == 0 || b.Len() > 4*MaxShown {
			b.WriteString("…")
			break
		}
		outline(b, child, depth-1)
	}
	b.WriteString(end)
}
