package config

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// How much of a file's text is shown, in code points: of a value in a message,
// and of a path of keys.
const (
	maxShown = 80
	maxPath  = 300
)

// printable returns the beginning of s as a message may show it.
func printable(s string) string {
	return plain(cut(s, maxShown))
}

// plain returns s itself, or quoted with escapes when it holds anything that a
// terminal might not print.
func plain(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// quoted returns the beginning of s in quotes.
func quoted(s string) string {
	return strconv.Quote(cut(s, maxShown))
}

func cut(s string, points int) string {
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

// segment returns a name as part of a dotted path: quoted when it would be
// ambiguous there or does not print.
func segment(name string) string {
	if name == "" || strings.ContainsAny(name, ".\"'[] ") {
		return strconv.Quote(name)
	}
	return plain(name)
}

func join(prefix, name string) string {
	if prefix == "" {
		return segment(name)
	}
	return prefix + "." + segment(name)
}

// source returns v as the file has it, in the flow style and on one line.
func (v value) source() string {
	switch {
	case v.quoted:
		return quoted(v.asWritten())
	case v.node != nil && (v.kind == list || v.kind == mapping):
		var b strings.Builder
		outline(&b, v.node, 3)
		return printable(b.String())
	case v.kind == list:
		words := make([]string, len(v.items))
		for i, item := range v.items {
			words[i] = item.text
		}
		return printable("[" + strings.Join(words, ", ") + "]")
	case v.kind == null:
		return "null"
	}
	return printable(v.asWritten())
}

// outline writes n in flow style until b is long enough for a message. Depth
// bounds the recursion, since an alias may lead back.
func outline(b *strings.Builder, n *yaml.Node, depth int) {
	n = follow(n)
	if n.Kind == yaml.ScalarNode {
		if n.Style&quotedStyles != 0 {
			b.WriteString(quoted(n.Value))
		} else {
			b.WriteString(cut(n.Value, maxShown))
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
		if depth == 0 || b.Len() > 4*maxShown {
			b.WriteString("…")
			break
		}
		outline(b, child, depth-1)
	}
	b.WriteString(end)
}
