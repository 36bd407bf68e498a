package ui

import (
	"slices"
	"strconv"
)

// Centered draws a short text in the middle of an empty pane, wrapped to its
// width.
func Centered(t *Theme, w, h int, words ...string) []string {
	var text []string
	for _, s := range words {
		text = append(text, Wrap(s, max(1, w-4))...)
	}
	text = text[:min(len(text), h)]
	lines := make([]string, 0, h)
	for range (h - len(text)) / 2 {
		lines = append(lines, Spaces(w))
	}
	for _, s := range text {
		lines = append(lines, TextLine(w, (w-Width(s))/2, t.Faint, s))
	}
	return FitLines(lines, w, h)
}

// stepsWidth is the widest that steps are set.
const stepsWidth = 100

// Steps draws in an empty pane what to do, first things first: the steps by number, below a
// heading and above a remark, which is empty for none. Where the pane is low, the remark
// gives way, then the blank lines, then the heading.
func Steps(t *Theme, w, h int, heading, remark string, steps ...string) []string {
	var l Line
	inner := max(1, min(w-2, stepsWidth))
	set := func(style Style, number, text string) (lines []string) {
		for i, row := range Wrap(text, max(1, inner-3)) {
			l.StartAt(w, (w-inner)/2)
			if i == 0 && number != "" {
				l.Text(t.Key, number)
			}
			if number != "" {
				l.To((w-inner)/2 + 3)
			}
			l.Text(style, row)
			lines = append(lines, l.End())
		}
		return lines
	}
	head, foot := set(t.Strong, "", heading), set(t.Faint, "", remark)
	var body []string
	for i, step := range steps {
		body = append(body, set(t.Text, strconv.Itoa(i+1), step)...)
	}
	blank := []string{Spaces(w)}
	if len(foot) > 0 {
		foot = append(blank, foot...)
	}
	all := slices.Concat(head, blank, body, foot)
	for _, lower := range [][]string{slices.Concat(head, blank, body), slices.Concat(head, body), body} {
		if len(all) > h {
			all = lower
		}
	}
	for range (h - len(all)) / 2 {
		all = append(blank, all...)
	}
	return FitLines(all, w, h)
}
