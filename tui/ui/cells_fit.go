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
