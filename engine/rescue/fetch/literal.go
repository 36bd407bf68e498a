package fetch

import (
	"bytes"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// literal is one of some strings; every match of a pattern holds one (of the
// pattern's set). Lines without any need no look by the automaton.
type literal struct {
	text []byte
	fold bool       // ASCII letters match in either case
	skip [256]uint8 // how far a window moves on its last byte; only with fold
}

func newLiteral(text string, fold bool) *literal {
	l := &literal{text: []byte(text), fold: fold}
	if !fold {
		return l
	}
	l.text = bytes.ToLower(l.text)
	l.text = l.text[:min(len(l.text), 255)]
	n := len(l.text)
	for i := range l.skip {
		l.skip[i] = uint8(n)
	}
	for i, c := range l.text[:n-1] {
		l.skip[c] = uint8(n - 1 - i)
		l.skip[upper(c)] = uint8(n - 1 - i)
	}
	return l
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}

// index returns where l first stands in b, or -1. With fold it is Horspool's
// search.
func (l *literal) index(b []byte) int {
	if !l.fold {
		return bytes.Index(b, l.text)
	}
	n := len(l.text)
	last := l.text[n-1]
	for end := n - 1; end < len(b); {
		c := b[end]
		if lower(c) == last && l.equal(b[end-n+1:end]) {
			return end - n + 1
		}
		end += int(l.skip[c])
	}
	return -1
}

func (l *literal) equal(b []byte) bool {
	for i, c := range b {
		if lower(c) != l.text[i] {
			return false
		}
	}
	return true
}

// literals finds the next place of any of a set in one buffer, searching each
// stretch once for each.
type literals struct {
	set  []*literal
	next []int
}

func newLiterals(set []*literal) literals { return literals{set, make([]int, len(set))} }

// reset begins a new buffer.
func (s *literals) reset() {
	for i := range s.next {
		s.next[i] = -1
	}
}

// from returns the first place >= at of any literal in b, or -1. Calls for one
// buffer come with growing at.
func (s *literals) from(b []byte, at int) int {
	best := -1
	for i, l := range s.set {
		if s.next[i] < at {
			if n := l.index(b[at:]); n >= 0 {
				s.next[i] = at + n
			} else {
				s.next[i] = len(b)
			}
		}
		if n := s.next[i]; n < len(b) && (best < 0 || n < best) {
			best = n
		}
	}
	return best
}

// required returns literals such that every match of re holds at least one, or
// nil when none are known.
func required(re *syntax.Regexp) []*literal {
	switch re.Op {
	case syntax.OpLiteral:
		if l := longest(string(re.Rune), re.Flags&syntax.FoldCase != 0); l != nil {
			return []*literal{l}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []*literal
		for _, sub := range re.Sub {
			if set := required(sub); set != nil && shortest(set) > shortest(best) {
				best = set
			}
		}
		return best
	case syntax.OpAlternate:
		var all []*literal
		for _, sub := range re.Sub {
			set := required(sub)
			if set == nil || len(all)+len(set) > 8 {
				return nil
			}
			all = append(all, set...)
		}
		return all
	}
	return nil
}

func shortest(set []*literal) int {
	n := 0
	for _, l := range set {
		if n == 0 || len(l.text) < n {
			n = len(l.text)
		}
	}
	return n
}

// longest returns the longest stretch of text that can be searched by bytes:
// U+FFFD stands for many bytes, and under fold letters outside ASCII, k
// (Kelvin sign) and s (long s) have cases of other lengths.
func longest(text string, fold bool) *literal {
	best := ""
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return c == utf8.RuneError || fold && (c >= utf8.RuneSelf || strings.ContainsRune("kKsS", c))
	}) {
		if len(part) > len(best) {
			best = part
		}
	}
	if best == "" {
		return nil
	}
	return newLiteral(best, fold)
}
