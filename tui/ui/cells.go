package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	// replacement stands for a unit that must not be drawn. It is ASCII, so
	// that it can never join its neighbours to one cluster.
	replacement = "?"

	// ellipsis ends text that was cut.
	ellipsis = "…"

	// longestUnit is the length in bytes of the longest cluster that is drawn.
	// The longest emoji sequences have 35 bytes; a longer one is a heap of
	// combining marks that would leave its row.
	longestUnit = 40
)

// ellipsisWidth is 1, or 2 where RUNEWIDTH_EASTASIAN says so.
var ellipsisWidth = ansi.StringWidth(ellipsis)

// boxWidths holds the widths of boxes and blocks, from firstBox on: every border and bar is made
// of them, and looking for a cluster takes ten times as long.
var boxWidths = func() (widths [0xa0]int) {
	for i := range widths {
		_, widths[i] = ansi.FirstGraphemeCluster(string(firstBox+rune(i)), ansi.GraphemeWidth)
	}
	return widths
}()

const firstBox = '\u2500'

// plain reports whether c is a printable ASCII character.
func plain(c byte) bool { return c >= 0x20 && c < 0x7f }

// plainPrefix returns the number of printable ASCII characters that s begins
// with.
func plainPrefix(s string) int {
	for i := range len(s) {
		if !plain(s[i]) {
			return i
		}
	}
	return len(s)
}

// next returns the first unit of s, which is not empty: what to draw for it,
// how many bytes of s it takes, and its width in cells.
func next(s string) (draw string, n, width int) {
	if s[0] < utf8.RuneSelf {
		if plain(s[0]) {
			return s[:1], 1, 1
		}
		return replacement, 1, 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r >= firstBox && int(r-firstBox) < len(boxWidths) && (n == len(s) || s[n] < utf8.RuneSelf || strings.HasPrefix(s[n:], s[:2])) {
		return s[:n], n, boxWidths[r-firstBox] // nothing joins it: behind it is ASCII, or a box or a block as well
	}
	// SECURITY: the last guard before the terminal; keep it ahead of drawing.
	var hostile bool
	switch {
	case r == utf8.RuneError:
		hostile = n == 1
	case r < 0xa0:
		hostile = true
	case r < 0x300:
		hostile = r == 0xad
	default:
		hostile = unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point) ||
			unicode.Is(prepended, r)
	}
	if hostile {
		return replacement, n, 1
	}
	cluster, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if valid := validPrefix(cluster); valid < len(cluster) {
		cluster, width = ansi.FirstGraphemeCluster(s[:valid], ansi.GraphemeWidth)
	}
	switch {
	case len(cluster) > longestUnit:
		return replacement, len(cluster), 1
	case r >= 0xfe00 && r <= 0xfe0f:
		// A selector of no base would change the width of whatever stands
		// before it, in some terminals only.
		return "", len(cluster), 0
	case width == 0 && !unicode.In(r, unicode.Mn, unicode.Me):
		// Marks join to one cluster; anything else without width could follow
		// itself for ever in one cell.
		return replacement, len(cluster), 1
	}
	return cluster, len(cluster), width
}

// validPrefix returns the number of bytes of UTF-8 that s begins with. A
// character that the end of the text cuts short is no text, but would be
// counted to the cluster before it.
func validPrefix(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
}

// prepended holds the letters that join the character after them to one
// cluster (Grapheme_Cluster_Break=Prepend), but for those in Cf.
var prepended = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1},
		{Lo: 0x113d1, Hi: 0x113d1, Stride: 1},
		{Lo: 0x1193f, Hi: 0x1193f, Stride: 1},
		{Lo: 0x11941, Hi: 0x11941, Stride: 1},
		{Lo: 0x11a3a, Hi: 0x11a3a, Stride: 1},
		{Lo: 0x11a84, Hi: 0x11a89, Stride: 1},
		{Lo: 0x11d46, Hi: 0x11d46, Stride: 1},
		{Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}

// Clean returns s with every unit replaced that must not be drawn, newlines
// and tabs among them. It returns s itself when there is none.
func Clean(s string) string {
	for i := plainPrefix(s); i < len(s); {
		draw, n, _ := next(s[i:])
		if draw != s[i:i+n] {
			clean := []byte(s[:i])
			for i < len(s) {
				draw, n, _ := next(s[i:])
				clean = append(clean, draw...)
				i += n
			}
			return string(clean)
		}
		i += n
		i += plainPrefix(s[i:])
	}
	return s
}

// Width returns the number of cells that Clean(s) takes.
func Width(s string) int {
	width := 0
	for len(s) > 0 {
		if n := plainPrefix(s); n > 0 {
			width += n
			s = s[n:]
			continue
		}
		_, n, w := next(s)
		width += w
		s = s[n:]
	}
	return width
}

// Truncate returns Clean(s), cut to at most w cells. What was cut ends in …,
// if there is room for it. It reads no more of s than it needs.
func Truncate(s string, w int) string {
	if len(s) <= w && plainPrefix(s) == len(s) {
		return s
	}
	l := StartLine(w, 0)
	l.Text("", s)
	return string(l.buf)
}

// Pad returns Clean(s) in exactly w cells: cut as Truncate does, or filled
// with spaces on the right.
func Pad(s string, w int) string {
	if len(s) == w && plainPrefix(s) == len(s) {
		return s
	}
	l := StartLine(w, 0)
	l.Text("", s)
	return l.End()
}

// PadLeft is Pad with the spaces on the left.
func PadLeft(s string, w int) string {
	if gap := w - Width(s); gap > 0 {
		return Spaces(gap) + Clean(s)
	}
	return Pad(s, w)
}

const blanks = "                                                                                                                                "

// Spaces returns n spaces; none if n is negative.
func Spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blanks) {
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}
