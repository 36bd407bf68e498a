package ui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Fit returns a line that is already styled in exactly w cells: s itself if it
// has them, else cut or filled with spaces. It keeps SGR sequences; any other
// control is replaced as in Clean. So is a mark that the line begins with: it
// would join the border that stands before it.
func Fit(s string, w int) string {
	width, first := 0, true
	for rest := s; rest != ""; {
		if n := plainPrefix(rest); n > 0 {
			width += n
			rest, first = rest[n:], false
			continue
		}
		if n := sgr(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		draw, n, cw := next(rest)
		if draw != rest[:n] || first && joinsBorder(draw) {
			return refit(s, w)
		}
		width += cw
		rest, first = rest[n:], false
	}
	if width == w {
		return s
	}
	return refit(s, w)
}

// refit builds the line anew, unit by unit.
func refit(s string, w int) string {
	var b strings.Builder
	b.Grow(len(s) + max(w, 0))
	at, styled, first := 0, false, true
	for s != "" {
		if n := sgr(s); n > 0 {
			b.WriteString(s[:n])
			styled = s[:n] != reset && s[:n] != "\x1b[m"
			s = s[n:]
			continue
		}
		draw, n, cw := next(s)
		if first && joinsBorder(draw) {
			draw, cw = replacement, 1
		}
		if at+cw > w {
			break
		}
		b.WriteString(draw)
		at += cw
		s = s[n:]
		first = first && draw == ""
	}
	if styled {
		b.WriteString(reset)
	}
	b.WriteString(Spaces(w - at))
	return b.String()
}

// joinsBorder reports whether a unit would become one cluster with any
// character before it.
func joinsBorder(unit string) bool {
	if unit == "" || unit[0] < utf8.RuneSelf {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(unit); r >= 0x2500 && r < 0x2600 {
		return false // boxes, blocks and arrows, which most lines begin with
	}
	const border = "│"
	cluster, _ := ansi.FirstGraphemeCluster(border+unit, ansi.GraphemeWidth)
	return len(cluster) > len(border)
}

// sgr returns the length of the SGR sequence that s begins with, or 0.
func sgr(s string) int {
	if len(s) < 3 || s[0] != '\x1b' || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9' || c == ';' || c == ':':
		case c == 'm':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// Wrap breaks s into lines of at most w cells: at newlines, else between
// words, else, if a word is longer than a line, between units. Spaces at a
// break are dropped, spaces at the beginning of a paragraph are kept. Lines
// are not filled, and hold nothing that Clean would replace; a unit wider than
// a whole line is drawn as …. The result is empty if s is empty or w is not
// positive.
func Wrap(s string, w int) []string {
	if s == "" || w <= 0 {
		return nil
	}
	lines := make([]string, 0, len(s)/w+1)
	for paragraph := range strings.SplitSeq(s, "\n") {
		paragraph = strings.TrimSuffix(paragraph, "\r")
		line, rest := breakLine(Clean(paragraph), w)
		for lines = append(lines, line); rest != ""; lines = append(lines, line) {
			line, rest = breakLine(rest, w)
		}
	}
	return lines
}

// breakLine returns the first line of s, and the rest for the next ones.
func breakLine(s string, w int) (line, rest string) {
	at, i := 0, 0
	word, after := 0, 0 // where the last word ended that fits, and where the next one begins
	for i < len(s) {
		_, n, cw := next(s[i:])
		if at+cw > w {
			break
		}
		if s[i] == ' ' && i > 0 {
			if s[i-1] != ' ' {
				word = i
			}
			after = i + 1
		}
		at += cw
		i += n
	}
	switch {
	case i == len(s):
		return strings.TrimRight(s, " "), ""
	case s[i] == ' ' && i > 0 && s[i-1] != ' ':
		word, after = i, i
	}
	if word > 0 {
		return s[:word], strings.TrimLeft(s[after:], " ")
	}
	if i == 0 { // a unit wider than the line
		_, n, _ := next(s)
		return Truncate(s, w), s[n:]
	}
	return s[:i], s[i:]
}
