package tui

import (
	"slices"
	"strings"

	"caliper/tui/cells"
)

// helpText is the help over the screen: every key of the key map, by group,
// and the signs. It is made from the map and the glyphs alone, so that it
// cannot say anything else than what the keys do and what is drawn.
type helpText struct{ sections []section }

// newHelp returns the help for a key map.
func newHelp(k *Keys) *reader {
	return &reader{title: "help", text: helpText{k.sections()}.text}
}

const (
	helpColumn = 54 // cells of a column of keys
	helpKey    = 16 // of the key in it
)

// text returns the help for at most w cells: with two columns where there is
// room.
func (v helpText) text(t *Theme, w int) (lines []string, inner int) {
	columns := 1
	if w >= 2*helpColumn {
		columns = 2
	}
	inner = min(columns*helpColumn, w)
	return v.lines(t, inner, columns), inner
}

// lines returns all lines of the help. Groups stay whole; the columns are as
// equally long as that allows.
func (v helpText) lines(t *Theme, w, columns int) []string {
	width := w / columns
	var blocks [][]string
	total := 0
	for _, s := range append(slices.Clone(v.sections), signs(t)) {
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

// signs returns what the signs in the lists mean.
func signs(t *Theme) section {
	sign := func(shown, means string) Bind { return bind("", shown, means, "") }
	return section{title: "Signs", binds: []Bind{
		sign(t.Tie, "tie: another hit has the same score"),
		sign(t.Risen+" "+t.Fallen, "rank risen, fallen since on disk"),
		sign(t.Same, "rank unchanged since on disk"),
		sign("new", "found only with the knobs"),
		sign(t.Pin, "the tool that is expected"),
		sign(t.Cut+" limit "+t.Cut, "cut line: nothing below is returned"),
	}}
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
func (v helpText) block(t *Theme, s section, w int) []string {
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
