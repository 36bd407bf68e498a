package tui

import (
	"strings"

	"caliper/tui/cells"
)

// helpView is the help over the screen: every key of the key map, by group.
// It is made from the map alone, so that it cannot say anything else than what
// the keys do.
type helpView struct {
	sections []section
	top      int // first line that is drawn
	height   int // lines that were drawn last
	total    int // lines there were then
}

// newHelp returns the help for a key map.
func newHelp(k *Keys) *helpView { return &helpView{sections: k.sections()} }

const (
	helpColumn = 54 // cells of a column of keys
	helpKey    = 16 // of the key in it
)

// scroll moves by lines.
func (v *helpView) scroll(by int) {
	v.top = max(0, min(v.top+by, v.total-v.height))
}

// page returns how far a page is.
func (v *helpView) page() int { return max(v.height-1, 1) }

// toTop and toBottom go to the ends.
func (v *helpView) toTop()    { v.scroll(-v.total) }
func (v *helpView) toBottom() { v.scroll(v.total) }

// draw returns the help as a box for a screen of w×h cells: with two columns
// where there is room, and as many lines as fit.
func (v *helpView) draw(t *Theme, w, h int) []string {
	columns := 1
	if w >= 2*helpColumn+6 {
		columns = 2
	}
	inner := min(columns*helpColumn, max(w-6, 10))
	lines := v.lines(t, inner, columns)
	v.total, v.height = len(lines), max(min(len(lines), h-4), 1)
	v.scroll(0)
	title := "help"
	if v.total > v.height {
		title = "help  " + t.Up + t.Down + " scrolls, esc closes"
	}
	return dialog(t, title, lines[v.top:v.top+v.height], inner+4)
}

// lines returns all lines of the help. Groups stay whole; the columns are as
// equally long as that allows.
func (v *helpView) lines(t *Theme, w, columns int) []string {
	width := w / columns
	var blocks [][]string
	total := 0
	for _, s := range v.sections {
		block := v.block(t, s, width)
		blocks = append(blocks, block)
		total += len(block)
	}
	left := make([]string, 0, total)
	var right []string
	for _, block := range blocks {
		if columns == 1 || len(right) == 0 && len(left) < (total+1)/2 {
			left = append(left, block...)
		} else {
			right = append(right, block...)
		}
	}
	if columns == 1 {
		return left
	}
	all := make([]string, max(len(left), len(right)))
	for i := range all {
		all[i] = lineOr(left, i, width) + lineOr(right, i, w-width)
	}
	return all
}

// lineOr returns a line in exactly w cells, blank where there is none.
func lineOr(lines []string, i, w int) string {
	if i >= len(lines) {
		return cells.Spaces(w)
	}
	return cells.Fit(lines[i], w)
}

// block returns the lines of one group: its heading, a line for each action,
// and a blank one.
func (v *helpView) block(t *Theme, s section, w int) []string {
	var lines []string
	var l cells.Line
	l.Start(w)
	l.Text(t.TitleFocus, s.title)
	lines = append(lines, l.End())
	for _, b := range s.binds {
		shown := b.Help()
		l.Start(w)
		l.Gap(1)
		l.Cell(t.Key, strings.TrimSpace(s.after+" "+shown.Key), helpKey)
		l.Gap(1)
		l.Text(t.Text, shown.Desc)
		lines = append(lines, l.End())
	}
	return append(lines, cells.Spaces(w))
}
