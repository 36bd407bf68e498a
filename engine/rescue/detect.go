package rescue

import (
	"bytes"
	"unicode/utf8"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// sample is how much of each end of a blob the kind is detected by, in bytes.
const sample = 64 << 10

// Detect returns what a text looks like to the agent's plugin: JSON by reading
// it, a page or code by its first word. A blob that is no text is Binary, and of what is
// text to the plugin JSON lines, XML and diffs are kinds of their own. Broken JSON, JSON
// with more after it that is not on lines, and JSON deeper than 1000 are text.
func Detect(text []byte) Kind {
	head, tail := text[:min(len(text), sample)], text[max(0, len(text)-sample):]
	const space = " \t\r\n" // of JSON
	first, last := bytes.TrimLeft(head, space), bytes.TrimRight(tail, space)
	switch {
	case isBinary(head, false) || isBinary(tail, len(text) > sample):
		return Binary
	case len(first) > 0 && len(last) > 0 && (first[0] == '{' && last[len(last)-1] == '}' || first[0] == '[' && last[len(last)-1] == ']'):
		s := newScanner(text)
		opening, begun := s.Peek(), s.Breaks
		_, _, ok := s.Value()
		ended := s.Breaks
		if ok && s.AtEnd() {
			if opening == '[' {
				return JSONArray
			}
			return JSONObject
		}
		if ok && ended == begun && isJSONLines(s, ended) {
			return JSONLines
		}
	}
	switch start := bytes.TrimLeftFunc(head, words.PythonSpace); {
	case htmlStart().Match(start):
		return HTML
	case codeStart().Match(start):
		return Code
	}
	// By both ends, without a mark of the order of bytes.
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

// isBinary reports whether a sample is no text: it is not all UTF-8, and it has
// a zero byte, or more than one character in ten is no character or a control.
// One that is cut may begin inside a character.
func isBinary(b []byte, isCut bool) bool {
	for i := 0; isCut && i < 3 && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
		b = b[1:]
	}
	b = WholeChars(b)
	if utf8.Valid(b) {
		return false
	}
	if bytes.IndexByte(b, 0) >= 0 {
		return true
	}
	bad, all := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 || r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1B {
			bad++
		}
		all++
		b = b[size:]
	}
	return bad*10 > all
}

// How a page and a program begin for the plugin. Names of tags are beginnings:
// <divider> is a page to it.
var (
	htmlStart = words.LazyRegexp(`^(?i:<!doctype[\s\v\x{85}\p{Z}]+html|<html|<body|<div|<table|<svg|<xml)`)
	codeStart = words.LazyRegexp(`^(?:#!|(?:import|def|class|function|const|let|var|use|package|module) )`)
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
