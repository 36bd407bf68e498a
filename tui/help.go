package tui

import (
	"slices"
	"strings"

	"caliper/tui/cells"
	"caliper/tui/keymap"
	"caliper/tui/ui"
)

// help opens a box with all keys by group, and the signs. It is generated from
// the bindings and the glyphs, so that it always agrees with them.
func (a *App) help() {
	groups := a.helpGroups()
	a.read(&ui.Reader{Title: "help", Text: func(t *ui.Theme, w int) (lines []string, inner int) {
		columns := 1
		if w >= 2*helpColumn {
			columns = 2
		}
		inner = min(columns*helpColumn, w)
		return helpLines(t, append(slices.Clone(groups), signs(t)), inner, columns), inner
	}})
}

// helpGroups returns the groups of keys in the order of the help: those of the
// visible screen come right after the keys that lead to other screens. Bindings
// that several screens have under one title appear once.
func (a *App) helpGroups() []*keymap.Group {
	var groups []*keymap.Group
	for _, g := range slices.Concat([]*keymap.Group{a.keys.navigation}, a.screen().Groups(), a.everyGroup()) {
		i := slices.IndexFunc(groups, func(other *keymap.Group) bool { return other.Title == g.Title })
		if i < 0 {
			groups = append(groups, &keymap.Group{Title: g.Title, After: g.After, Bindings: slices.Clone(g.Bindings)})
			continue
		}
		for _, b := range g.Bindings {
			if groups[i].Binding(b.Action) == nil {
				groups[i].Bindings = append(groups[i].Bindings, b)
			}
		}
	}
	return groups
}

const (
	helpColumn = 54 // cells of a column
	helpKey    = 16 // cells of the key in a column
)

// helpLines returns all lines of the help in columns of similar length. Groups
// are not split.
func helpLines(t *ui.Theme, groups []*keymap.Group, w, columns int) []string {
	width := w / columns
	var blocks [][]string
	total := 0
	for _, g := range groups {
		block := helpBlock(t, g, width)
		blocks = append(blocks, block)
		total += len(block)
	}
	var left, right []string
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

// signs returns the meanings of the signs in the lists, as a group.
func signs(t *ui.Theme) *keymap.Group {
	g := &keymap.Group{Title: "Signs"}
	for _, s := range [][2]string{
		{t.Tie, "tie: another hit has the same score"},
		{t.Risen + " " + t.Fallen, "rank risen, fallen since on disk"},
		{t.Same, "rank unchanged since on disk"},
		{"new", "found only with the knobs"},
		{t.Pin, "the tool that is expected"},
		{t.Cut + " limit " + t.Cut, "cut line: nothing below is returned"},
	} {
		g.Bindings = append(g.Bindings, keymap.Bind("", s[0], s[1], ""))
	}
	return g
}

// lineOr returns lines[i] in exactly w cells, blank beyond the last line.
func lineOr(lines []string, i, w int) string {
	if i >= len(lines) {
		return cells.Spaces(w)
	}
	return cells.Fit(lines[i], w)
}

// helpBlock returns the lines of one group: its heading, a line for each binding
// that help shows, and a blank one.
func helpBlock(t *ui.Theme, g *keymap.Group, w int) []string {
	var lines []string
	var l cells.Line
	l.Start(w)
	l.Text(t.TitleFocus, g.Title)
	lines = append(lines, l.End())
	for i := range g.Bindings {
		b := &g.Bindings[i]
		if b.Help().Desc == "" {
			continue
		}
		l.Start(w)
		l.Gap(1)
		l.Cell(t.Key, strings.TrimSpace(g.Shown(b)), helpKey)
		l.Gap(1)
		l.Text(t.Text, b.Help().Desc)
		lines = append(lines, l.End())
	}
	return append(lines, cells.Spaces(w))
}
