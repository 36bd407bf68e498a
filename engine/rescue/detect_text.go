package rescue

import (
	"bytes"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// The kinds that are text to the agent's plugin.

// diffStart is how a diff, or a commit or a mail with one, may begin, also below a
// line that announces it, as mcp-server-git writes; diffPart is what it has then.
// Source: the unified format of GNU diff and of git.
var (
	diffStart = words.LazyRegexp(`^(?:[^\n]*:\s+)?(?:diff -|Index: |--- |[Cc]ommit:? '?[0-9a-f]{7,64}['\s]|From [0-9a-f]{40,64} )`)
	diffPart  = words.LazyRegexp(`(?m)^(?:diff --(?:git|cc|combined) .|@@+ (?:-\d+(?:,\d+)? )+\+\d|\d+(?:,\d+)?[acd]\d+(?:,\d+)?\r?$)`)
)

// xmlDeclared begins a document declared as XML, and xmlRoot one that may
// be by its first element, below comments and its type.
var (
	xmlDeclared = words.LazyRegexp(`^<\?xml\s`)
	xmlRoot     = words.LazyRegexp(`^(?s:<!--.*?-->\s*|<!DOCTYPE\s[^>[]*>\s*)*<([A-Za-z_][\w.:-]*)[\s>/]`)
)

// elementsOfHTML are the elements that a part of a page begins with, by which it
// is no XML.
var elementsOfHTML = words.Set("a abbr address article aside audio b base blockquote body br button canvas caption cite code dd del details div dl dt em " +
	"fieldset figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins label li link main mark meta nav noscript ol " +
	"option p picture pre q s script section select small span strong style sub summary sup table tbody td template textarea tfoot th thead time " +
	"title tr u ul video")

// detectText tells texts apart by both ends.
func detectText(head, tail []byte) Kind {
	isSpace := func(c rune) bool { return c == '\uFEFF' || words.PythonSpace(c) }
	head, tail = bytes.TrimLeftFunc(head, isSpace), bytes.TrimRightFunc(tail, isSpace)
	switch root := xmlRoot().FindSubmatch(head); {
	case diffStart().Match(head) && diffPart().Match(head):
		return Diff
	case xmlDeclared().Match(head),
		root != nil && !elementsOfHTML[string(bytes.ToLower(root[1]))] && bytes.HasSuffix(tail, []byte("</"+string(root[1])+">")):
		return XML
	}
	return Text
}

// isJSONLines reports whether a scanner, which has read one value, has more of
// them up to the end: objects and arrays, each on a line of its own. ended is how
// many line breaks there were at the end of the first.
func isJSONLines(s *jsontree.Scanner, ended int64) bool {
	for {
		c := s.Peek()
		if s.AtEnd() {
			return true
		}
		begun := s.Breaks
		if begun == ended || c != '{' && c != '[' {
			return false
		}
		if _, _, ok := s.Value(); !ok || s.Breaks != begun {
			return false
		}
		ended = begun
	}
}
