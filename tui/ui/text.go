package ui

import (
	"strings"
	"unicode/utf8"

	"caliper/tui/cells"
)

// FitName cuts a name to at most w cells. It cuts in the middle, because the
// names of one server begin alike.
func FitName(name string, w int) string {
	if cells.Width(name) <= w || w < 8 {
		return name
	}
	end := name
	for cells.Width(end) > w/2 {
		_, size := utf8.DecodeRuneInString(end)
		end = end[size:]
	}
	head := cells.Truncate(name, w-cells.Width(end)) // ends in …
	return head + end
}

// Longest returns the first of the texts that fits w cells. When none fits, it
// cuts the last one to w cells.
func Longest(w int, texts ...string) string {
	for _, text := range texts {
		if cells.Width(text) <= w {
			return text
		}
	}
	return strings.TrimSpace(cells.Truncate(texts[len(texts)-1], w))
}

// OneLine returns text as one line, with every run of white space as one space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
