package arguments

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// string parses a string and returns what it stands for. Lone surrogates and
// bytes that are not UTF-8 become U+FFFD.
func (p *parser) string() string {
	open := p.at
	p.at++
	start := p.at
	for p.at < len(p.src) { // most strings are plain and need no copy but one
		c := p.src[p.at]
		if c == '"' {
			p.at++
			return string(p.src[start : p.at-1])
		}
		if c < ' ' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
		p.at++
	}
	out := bytes.Clone(p.src[start:p.at])
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '"':
			p.at++
			return string(out)
		case c == '\\':
			r, ok := p.escape()
			if !ok {
				return ""
			}
			out = utf8.AppendRune(out, r)
		case c < ' ':
			p.fail(p.at, "a raw "+controlName(c)+" in a string", "write it as "+controlEscape(c))
			return ""
		default:
			r, size := utf8.DecodeRune(p.src[p.at:])
			out = utf8.AppendRune(out, r)
			p.at += size
		}
	}
	line, col := position(p.src, open)
	p.fail(p.at, "the end of the text in a string", fmt.Sprintf("the string that begins at %d:%d is not closed; if the text was cut off, send it whole", line, col))
	return ""
}

// escape parses one escape sequence.
func (p *parser) escape() (rune, bool) {
	start := p.at
	if start+1 == len(p.src) {
		p.at++
		p.fail(p.at, "the end of the text in a string", "if it was cut off, send it whole")
		return 0, false
	}
	c := p.src[start+1]
	p.at += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		r, ok := p.hex()
		if !ok {
			p.fail(start, `\u without four hexadecimal digits`, `write a backslash as \\`)
			return 0, false
		}
		if utf16.IsSurrogate(r) {
			back := p.at
			if p.take('\\') && p.take('u') {
				if low, ok := p.hex(); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						return pair, true
					}
				}
			}
			p.at = back
			r = utf8.RuneError
		}
		return r, true
	}
	p.at = start + 1
	p.fail(start, `\`+p.seen()+" in a string, which is no escape", `write a backslash as \\`)
	return 0, false
}

// hex parses four hexadecimal digits.
func (p *parser) hex() (rune, bool) {
	if p.at+4 > len(p.src) {
		return 0, false
	}
	digits := p.src[p.at : p.at+4]
	for _, c := range digits {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(string(digits), 16, 32)
	p.at += 4
	return rune(n), err == nil
}

// controlName names a control character.
func controlName(c byte) string {
	switch c {
	case '\n':
		return "line break"
	case '\r':
		return "carriage return"
	case '\t':
		return "tab"
	}
	return fmt.Sprintf("control character 0x%02x", c)
}

// controlEscape returns the escape sequence of a control character.
func controlEscape(c byte) string {
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, c)
}
