package ui

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Style is the SGR sequence that is written before text, such as "\x1b[1m".
// The empty Style is the terminal's own. Styles come from a theme and are
// written as they are.
type Style string

const reset = "\x1b[0m"

// Line builds one line of an exact width from styled segments. The zero value
// is ready for Start. A Line may be started again and again; it keeps its
// buffer, so that a finished line costs one allocation.
type Line struct {
	buf   []byte
	width int   // of the finished line
	at    int   // cells drawn
	under Style // lies below the style of every segment
	style style // in effect at the end of buf
	tail  int   // where in buf the last unit begins; -1 if it joins nothing
	cut   cut
}

// style is a segment's style and what lies below it.
type style struct{ under, over Style }

// cut is a place where drawn text can be cut to make room for an ellipsis.
type cut struct {
	ok    bool
	end   int // length of buf
	at    int
	style style
}

// Start begins a line of w cells and forgets the one before.
func (l *Line) Start(w int) {
	*l = Line{buf: l.buf[:0], width: max(w, 0), tail: -1}
	if l.buf == nil {
		l.buf = make([]byte, 0, 2*min(l.width, len(blanks))) // with the sequences of some styles
	}
}

// StartAt begins a line of w cells, of which the first n are blank.
func (l *Line) StartAt(w, n int) {
	l.Start(w)
	l.Gap(n)
}

// StartLine returns a line of w cells that begins with n blank ones.
func StartLine(w, n int) (l Line) {
	l.StartAt(w, n)
	return l
}

// TextLine returns a line of w cells: n blank ones and a text.
func TextLine(w, n int, st Style, text string) string {
	l := StartLine(w, n)
	l.Text(st, text)
	return l.End()
}

// Under sets a style that lies below the style of every following segment and
// of the spaces between them: the background of a selected row.
func (l *Line) Under(st Style) { l.under = st }

// At returns the number of cells drawn so far.
func (l *Line) At() int { return l.at }

// Room returns the number of cells that are left.
func (l *Line) Room() int { return l.width - l.at }

// Text draws s. What does not fit is dropped, and … drawn over the end of the
// text, which may be the end of an earlier segment.
func (l *Line) Text(st Style, s string) {
	if s == "" {
		return
	}
	if l.Room() <= 0 {
		l.drop(s)
		return
	}
	l.use(st)
	l.mark()
	for fresh := true; s != ""; {
		room := l.Room()
		// One character more than there is room for decides whether s fits.
		n := plainPrefix(s[:min(len(s), room+1)])
		switch {
		case n > room:
			// Spaces are dropped without a sign.
			room := l.Room()
			keep := max(room-ellipsisWidth, 0)
			if strings.Trim(s[room:], " ") == "" {
				keep = room
			}
			if keep > 0 {
				l.plain(s[:keep])
			}
			l.drop(s[keep:])
			return
		case n > 0:
			l.plain(s[:n])
			s, fresh = s[n:], false
			continue
		}
		draw, n, w := next(s)
		if fresh && l.joins(draw) {
			draw, w = replacement, 1
		}
		if w > room {
			l.elide()
			return
		}
		if draw != "" {
			l.tail = -1
			if draw[0] >= utf8.RuneSelf {
				l.tail = len(l.buf)
			}
			l.buf = append(l.buf, draw...)
			l.at += w
			l.mark()
			fresh = false
		}
		s = s[n:]
	}
}

// plain draws printable ASCII that fits.
func (l *Line) plain(s string) {
	l.buf = append(l.buf, s...)
	l.at += len(s)
	l.tail = -1
	if back := max(l.at+ellipsisWidth-l.width, 0); back <= len(s) {
		l.cut = cut{true, len(l.buf) - back, l.at - back, l.style}
	}
}

// joins reports whether unit would become one cluster with the unit drawn
// last, which belongs to another segment. Widths would not add up then.
func (l *Line) joins(unit string) bool {
	if l.tail < 0 || unit == "" || unit[0] < utf8.RuneSelf {
		return false
	}
	last, _, _ := bytes.Cut(l.buf[l.tail:], []byte{'\x1b'})
	cluster, _ := ansi.FirstGraphemeCluster(string(last)+unit, ansi.GraphemeWidth)
	return len(cluster) > len(last)
}

// mark remembers the end of the line as a place to cut, if … fits behind it.
func (l *Line) mark() {
	if l.at+ellipsisWidth <= l.width {
		l.cut = cut{true, len(l.buf), l.at, l.style}
	}
}

// drop takes note that there is no room for s: if it is more than spaces and
// marks, the line ends in ….
func (l *Line) drop(s string) {
	for s != "" {
		draw, n, w := next(s)
		if w > 0 && draw != " " {
			l.elide()
			return
		}
		s = s[n:]
	}
}

// elide cuts the line where … fits, and draws it.
func (l *Line) elide() {
	if !l.cut.ok {
		return
	}
	l.buf, l.at, l.style = append(l.buf[:l.cut.end], ellipsis...), l.cut.at+ellipsisWidth, l.cut.style
	l.tail, l.cut = l.cut.end, cut{}
}

// Gap draws n spaces.
func (l *Line) Gap(n int) { l.Repeat("", " ", n) }

// To draws spaces up to cell at, counted from 0.
func (l *Line) To(at int) { l.Gap(at - l.at) }

// Repeat draws glyph n times, as often as it fits.
func (l *Line) Repeat(st Style, glyph string, n int) {
	w := Width(glyph)
	if w == 0 {
		return
	}
	n = min(n, l.Room()/w)
	if n <= 0 {
		return
	}
	l.use(st)
	l.at += n * w
	l.cut = cut{}
	if glyph == " " { // most of a screen
		l.buf = append(l.buf, Spaces(n)...)
		l.tail = -1
		return
	}
	glyph = Clean(glyph)
	l.buf = slices.Grow(l.buf, n*len(glyph))
	for range n {
		l.tail = len(l.buf)
		l.buf = append(l.buf, glyph...)
	}
	if glyph[0] < utf8.RuneSelf {
		l.tail = -1
	}
}

// Cell draws s in exactly w cells, or in what room there is: cut, or filled
// with spaces on the right.
func (l *Line) Cell(st Style, s string, w int) {
	whole := l.width
	l.width = min(whole, l.at+max(w, 0))
	l.cut = cut{}
	l.Text(st, s)
	l.Gap(l.Room())
	l.width = whole
	l.cut = cut{}
}

// CellRight is Cell with the spaces on the left.
func (l *Line) CellRight(st Style, s string, w int) {
	w = min(w, l.Room())
	if gap := w - Width(s); gap > 0 {
		l.Gap(gap)
		w -= gap
	}
	l.Cell(st, s, w)
}

// Right draws s so that it ends where the line ends, cut if need be.
func (l *Line) Right(st Style, s string) { l.CellRight(st, s, l.Room()) }

// Spans draws s, with the bytes that are in spans in another style.
// Each span is [from, to); they are in order and do not overlap. What lies
// outside s is ignored.
func (l *Line) Spans(st, marked Style, s string, spans [][2]int) {
	l.SpansOf(st, s, spans, func(int) Style { return marked })
}

// SpansOf is Spans with a style for each span.
func (l *Line) SpansOf(st Style, s string, spans [][2]int, styleOf func(span int) Style) {
	at := 0
	for i, span := range spans {
		from, to := min(max(span[0], at), len(s)), min(span[1], len(s))
		if from >= to {
			continue
		}
		l.Text(st, s[at:from])
		l.Text(styleOf(i), s[from:to])
		at = to
	}
	l.Text(st, s[at:])
}

// use writes the sequences that bring st into effect.
func (l *Line) use(st Style) {
	want := style{l.under, st}
	if want == l.style {
		return
	}
	if l.style != (style{}) {
		l.buf = append(l.buf, reset...)
	}
	l.buf = append(append(l.buf, want.under...), want.over...)
	l.style = want
}

// End fills the line with spaces and returns it: exactly as many cells as
// Start was told, without a newline, and with every style ended.
func (l *Line) End() string {
	l.Gap(l.Room())
	if l.style != (style{}) {
		l.buf = append(l.buf, reset...)
		l.style = style{}
	}
	return string(l.buf)
}
