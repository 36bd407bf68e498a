package config

import (
	"bytes"
	"iter"
)

// fileLine is one line of a file, as YAML breaks them, without what ends it.
type fileLine struct{ start, end int }

// lineEnd returns the offset at which the line of an offset ends, before what
// ends it.
func (p *patch) lineEnd(at int) int {
	for at < len(p.data) && !breaksLine(p.data[at:]) {
		at++
	}
	if at < len(p.data) && p.data[at] == '\n' && at > 0 && p.data[at-1] == '\r' {
		at--
	}
	return at
}

// lineStart returns the offset at which the line of an offset begins.
func (p *patch) lineStart(at int) int {
	for at > 0 && !p.afterBreak(at) {
		at--
	}
	return at
}

// afterBreak says whether a line break ends at an offset, which is not 0.
func (p *patch) afterBreak(at int) bool {
	for n := 1; n <= min(3, at); n++ {
		if breaksLine(p.data[at-n:]) && lineBreak(p.data[at-n:]) == n {
			return true
		}
	}
	return false
}

// linesFrom yields the lines after the one that ends at an offset.
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

// lineBreak returns the length of the line break that b begins with, 0 when it
// begins with none.
func lineBreak(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case bytes.HasPrefix(b, []byte("\r\n")):
		return 2
	case !breaksLine(b):
		return 0
	case b[0] == 0xC2:
		return 2
	case b[0] == 0xE2:
		return 3
	}
	return 1
}

// newline returns the line break for what is added at the end of a line: the
// one that ends it or, at the end of the file, the file's first.
func (p *patch) newline(at int) string {
	if n := lineBreak(p.data[at:]); n > 0 {
		return asciiBreak(p.data[at : at+n])
	}
	first := p.lineEnd(0)
	return asciiBreak(p.data[first : first+lineBreak(p.data[first:])])
}

// asciiBreak returns a line break as text, a line feed for the rare ones.
func asciiBreak(b []byte) string {
	if s := string(b); s == "\r\n" || s == "\r" {
		return s
	}
	return "\n"
}

// skipBlanks returns the offset of the next character that neither is white
// space nor ends a line.
func (p *patch) skipBlanks(at int) int {
	for at < len(p.data) && isBlank(p.data[at:]) {
		at += max(1, lineBreak(p.data[at:]))
	}
	return at
}

func isBlank(b []byte) bool {
	return b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || breaksLine(b)
}

func leadingSpaces(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " ")) }
