package cells

import "strings"

// Fit returns a line that is already styled in exactly w cells: s itself if it
// has them, else cut or filled with spaces. It keeps SGR sequences; any other
// control is replaced as in Clean.
func Fit(s string, w int) string {
	width := 0
	for rest := s; rest != ""; {
		if n := plainPrefix(rest); n > 0 {
			width += n
			rest = rest[n:]
			continue
		}
		if n := sgr(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		draw, n, cw := next(rest)
		if draw != rest[:n] {
			return refit(s, w)
		}
		width += cw
		rest = rest[n:]
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
	at, styled := 0, false
	for s != "" {
		if n := sgr(s); n > 0 {
			b.WriteString(s[:n])
			styled = s[:n] != reset && s[:n] != "\x1b[m"
			s = s[n:]
			continue
		}
		draw, n, cw := next(s)
		if at+cw > w {
			break
		}
		b.WriteString(draw)
		at += cw
		s = s[n:]
	}
	if styled {
		b.WriteString(reset)
	}
	b.WriteString(Spaces(w - at))
	return b.String()
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
