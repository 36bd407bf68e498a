package rescue

import (
	"unicode"
	"unicode/utf8"
)

// errorPatterns are the texts of error_line_patterns, which make a line look like
// an error wherever they stand in it. Case does not count.
type errorPatterns struct {
	texts [][]rune
	first [256]bool // the bytes that one of them can begin with
}

// newErrorPatterns returns nil when no text can stand in a line.
func newErrorPatterns(texts []string) *errorPatterns {
	p := &errorPatterns{}
	for _, text := range texts {
		if text == "" || CountBreaks([]byte(text)) > 0 {
			continue
		}
		runes := []rune(text)
		p.texts = append(p.texts, runes)
		for c, more := runes[0], true; more; more = c != runes[0] {
			p.first[utf8.AppendRune(nil, c)[0]] = true
			c = unicode.SimpleFold(c)
		}
	}
	if p.texts == nil {
		return nil
	}
	return p
}

// find returns where the next of the texts begins, from i and before upTo, and
// the text as it stands there; -1 without any.
func (p *errorPatterns) find(b []byte, i, upTo int) (int, string) {
	for ; i < upTo; i++ {
		if !p.first[b[i]] {
			continue
		}
		for _, text := range p.texts {
			if n := foldedPrefix(b[i:], text); n > 0 {
				return i, string(b[i : i+n])
			}
		}
	}
	return -1, ""
}

// foldedPrefix returns how many bytes at the beginning of b are the text in any
// case of letters, 0 when it is not there.
func foldedPrefix(b []byte, text []rune) int {
	at := 0
	for _, want := range text {
		c, size := utf8.DecodeRune(b[at:])
		if size == 0 || c == utf8.RuneError && size == 1 || !equalFold(c, want) {
			return 0
		}
		at += size
	}
	return at
}

// equalFold reports whether two characters differ in case alone.
func equalFold(a, b rune) bool {
	for c := unicode.SimpleFold(a); ; c = unicode.SimpleFold(c) {
		if c == b {
			return true
		}
		if c == a {
			return false
		}
	}
}
