//go:build unix

package e2e

import (
	"fmt"
	"slices"
	"strings"
)

// What a border may hold at the left and at the right end of a row.
const (
	leftEdges  = "╭├│╰"
	rightEdges = "╮┤│╯"
)

// unfocused makes the border of the focused pane like any other's.
var unfocused = strings.NewReplacer("┏", "╭", "┓", "╮", "┗", "╰", "┛", "╯", "┃", "│",
	"┢", "├", "┡", "├", "┪", "┤", "┩", "┤", "━", "─")

// intact returns an error unless the screen is whole: a header above, boxes
// that reach from edge to edge with every piece of their borders in its
// column, and a footer in the last row. A frame that is too tall lacks its
// top, one that is too wide its right border.
func intact(s screen) error {
	top := slices.IndexFunc(s.cells, func(row []string) bool { return unfocused.Replace(row[0]) == "╭" })
	switch {
	case top < 1:
		return fmt.Errorf("no header above the boxes")
	case strings.TrimSpace(s.lines[0]) == "":
		return fmt.Errorf("the first line is empty")
	case s.w >= 80 && s.h >= 24 && !strings.HasPrefix(s.lines[0], "caliper"):
		return fmt.Errorf("the first line is not the header's")
	case strings.TrimSpace(s.lines[s.h-1]) == "":
		return fmt.Errorf("no footer")
	}
	end := s.h - 2
	for end > top && s.cells[end][0] == " " { // a notice lies over the end of the boxes
		end--
	}
	if unfocused.Replace(s.cells[end][0]) != "╰" && end == s.h-2 {
		return fmt.Errorf("the boxes do not end above the footer")
	}
	return bordered(s, top, end)
}

// bordered returns an error unless the borders of the rows of the boxes, from top to end,
// stand in their columns.
func bordered(s screen, top, end int) error {
	lefts, rights := []int{0}, []int{s.w - 1}
	for x := range s.w - 1 {
		if unfocused.Replace(s.cells[top][x]+s.cells[top][x+1]) == "╮╭" {
			rights, lefts = append(rights, x), append(lefts, x+1)
		}
	}
	for y := top; y <= end; y++ {
		for _, x := range lefts {
			if c := unfocused.Replace(s.cells[y][x]); c == "" || !strings.Contains(leftEdges, c) {
				return fmt.Errorf("row %d has %q in column %d, where a border begins", y, c, x)
			}
		}
		for _, x := range rights {
			if c := unfocused.Replace(s.cells[y][x]); c == "" || !strings.Contains(rightEdges, c) {
				return fmt.Errorf("row %d has %q in column %d, where a border ends", y, c, x)
			}
		}
	}
	return nil
}

// queryLine returns the first line of the query box, without its borders.
func queryLine(s screen) string {
	for y, line := range s.lines {
		if line = unfocused.Replace(line); strings.HasPrefix(line, "╭") && strings.Contains(line, "query") && y+1 < s.h {
			inside, _, _ := strings.Cut(strings.TrimPrefix(unfocused.Replace(s.lines[y+1]), "│"), "│")
			return strings.TrimRight(inside, " ")
		}
	}
	return ""
}

// selected returns the line of the hits that is selected, without what stands
// in the panes beside it.
func selected(s screen) string {
	for _, line := range s.lines {
		if rest, ok := strings.CutPrefix(unfocused.Replace(line), "│▌"); ok {
			inside, _, _ := strings.Cut(rest, "│")
			return strings.TrimSpace(inside)
		}
	}
	return ""
}

// untilSelected waits until the selected row holds a text.
func (x *terminal) untilSelected(text string) screen {
	x.t.Helper()
	return x.UntilFunc(text+" selected", func(s screen) bool { return strings.Contains(selected(s), text) })
}

// search types a query into the empty query box and waits for its hits.
func (x *terminal) search(text string) screen {
	x.t.Helper()
	x.Type(text)
	return x.untilQuery(text)
}

// untilQuery waits until the query is a text. The rows drawn with it are its
// hits.
func (x *terminal) untilQuery(text string) screen {
	x.t.Helper()
	return x.UntilFunc("the query "+text, func(s screen) bool { return queryLine(s) == strings.TrimRight(" > "+text, " ") })
}
