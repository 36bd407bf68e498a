package ui

import (
	"image"
	"slices"

	"caliper/tui/cells"
)

// Area is one of the three areas of a sheet: the list, the details of its
// selected row, and the knobs.
type Area int

const (
	AreaList Area = iota
	AreaBelow
	AreaKnobs
	AreaCount
)

// String returns the name of the area in the footer.
func (a Area) String() string { return [AreaCount]string{"list", "below", "knobs"}[a] }

// KnobsBeside is the width from which the knobs are drawn beside the list.
const KnobsBeside = 98

// ListPosition is the cursor and the scroll position of a list.
type ListPosition struct {
	Cursor int
	Window Window
}

// Sheet is what screens with three areas have in common: which area has the
// keyboard, how far each is scrolled, where each was drawn, and what keys and
// mouse do in them.
type Sheet struct {
	Content SheetContent

	Focus Area // area that has the keyboard, if it is visible

	Knob     int // index of the selected knob
	KnobList Window
	KnobRoom int

	Below     Window
	BelowRoom int
	belowAll  int

	W, H  int // size of the last picture
	Areas [AreaCount]image.Rectangle
}

// SheetContent is what a sheet holds at the moment.
type SheetContent interface {
	// ViewAreas returns the areas of the view in the order of tab; knobs that are
	// beside it come last unless it has them.
	ViewAreas() []Area
	// List returns the list of the view and its number of rows.
	List() (list *ListPosition, rows int)
	// KnobCount returns the number of knobs.
	KnobCount() int
	// Moved is called after the cursor of an area has moved, or it has scrolled.
	Moved(Area)
}

// Wide reports whether the knobs are drawn beside the list.
func (s *Sheet) Wide() bool { return s.W >= KnobsBeside }

// visible returns the visible areas, and the index of the one that has the
// keyboard.
func (s *Sheet) visible() (all []Area, at int) {
	all = s.Content.ViewAreas()
	if s.Wide() && !slices.Contains(all, AreaKnobs) {
		all = append(slices.Clip(all), AreaKnobs)
	}
	return all, max(0, slices.Index(all, s.Focus))
}

// Focused returns the area that has the keyboard.
func (s *Sheet) Focused() Area {
	all, at := s.visible()
	return all[at]
}

// Turn moves the keyboard by some areas.
func (s *Sheet) Turn(by int) {
	all, at := s.visible()
	s.Focus = all[(at+by+len(all))%len(all)]
}

// Hidden returns how many rows of the list are above and below those that are seen.
func (s *Sheet) Hidden() (above, below int) {
	if list, rows := s.Content.List(); rows > 0 && list != nil {
		return list.Window.Hidden()
	}
	return 0, 0
}

// Following returns the name of the area that tab leads to, empty for none.
func (s *Sheet) Following() string {
	all, at := s.visible()
	if len(all) < 2 {
		return ""
	}
	return all[(at+1)%len(all)].String()
}

// toTop scrolls the details to their beginning.
func (s *Sheet) toTop() { s.Below.Top = 0 }

// LeaveBelow moves the keyboard from the details to the list, because another
// view begins at its list.
func (s *Sheet) LeaveBelow() {
	s.toTop()
	if s.Focus == AreaBelow {
		s.Focus = AreaList
	}
}

// Move moves the cursor of the area that has the keyboard, or scrolls it.
func (s *Sheet) Move(rows int) { s.MoveIn(s.Focused(), rows) }

// MoveIn moves the cursor of an area, or scrolls it.
func (s *Sheet) MoveIn(a Area, rows int) {
	switch a {
	case AreaKnobs:
		s.Knob = max(0, min(s.Knob+rows, s.Content.KnobCount()-1))
	case AreaBelow:
		s.Below.Scroll(rows, s.BelowRoom, s.belowAll)
	default:
		list, count := s.Content.List()
		s.SelectRow(list, list.Cursor+rows, count)
	}
	s.Content.Moved(a)
}

// SelectRow selects a row of a list of count rows.
func (s *Sheet) SelectRow(l *ListPosition, row, count int) {
	if row = max(0, min(row, count-1)); row != l.Cursor {
		l.Cursor = row
		s.toTop()
	}
}

// Page returns the lines of a page in the area that has the keyboard.
func (s *Sheet) Page() int {
	return max(1, [AreaCount]int{s.Areas[AreaList].Dy(), s.BelowRoom, s.KnobRoom}[s.Focused()]-1)
}

// AreaAt returns the area at a cell.
func (s *Sheet) AreaAt(x, y int) (Area, bool) {
	for a, r := range s.Areas {
		if image.Pt(x, y).In(r) {
			return Area(a), true
		}
	}
	return 0, false
}

// Wheel scrolls the area at a cell.
func (s *Sheet) Wheel(x, y, rows int) {
	if a, ok := s.AreaAt(x, y); ok {
		s.MoveIn(a, rows)
	}
}

// Press moves the keyboard to the area at a cell, and selects the row or knob
// there. The first line of the knobs is their heading.
func (s *Sheet) Press(x, y int) {
	a, ok := s.AreaAt(x, y)
	if !ok {
		return
	}
	s.Focus = a
	line := y - s.Areas[a].Min.Y
	switch a {
	case AreaKnobs:
		if k := s.KnobList.Top + line - 1; line > 0 && k < s.Content.KnobCount() {
			s.MoveIn(a, k-s.Knob)
		}
	case AreaList:
		list, count := s.Content.List()
		if row := list.Window.Top + line; row < count {
			s.SelectRow(list, row, count)
		}
	}
}

// Area returns where the area with a name was drawn.
func (s *Sheet) Area(name string) image.Rectangle {
	for a := range AreaCount {
		if a.String() == name {
			return s.Areas[a]
		}
	}
	return image.Rectangle{}
}

// DrawRows draws a list of count rows in exactly h lines from line y of the
// box, with a line of column headings when heading is set. With keys the cursor
// is highlighted.
func (s *Sheet) DrawRows(t *Theme, columns []Column, list *ListPosition, count int, heading, keys bool, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	var l cells.Line
	var lines []string
	if heading {
		l.Start(w)
		l.Gap(1)
		for _, c := range columns {
			c.draw(&l, t.Faint, c.Head)
		}
		lines = append(lines, l.End())
	}
	list.Cursor = max(0, min(list.Cursor, count-1))
	list.Window.Follow(list.Cursor, h-len(lines), count)
	s.Areas[AreaList] = image.Rect(0, y+len(lines), w, y+h)
	for row := list.Window.Top; len(lines) < h; row++ {
		l.Start(w)
		if row < count {
			DrawGutter(&l, t, row == list.Cursor, keys)
			for _, c := range columns {
				style, text := c.Cell(row)
				c.draw(&l, style, text)
			}
		}
		lines = append(lines, l.End())
	}
	return lines
}

// DrawUnder draws the details of the selected row in exactly h lines from line
// y of the box. The first line is a heading.
func (s *Sheet) DrawUnder(t *Theme, below Lines, keys bool, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	s.Areas[AreaBelow] = image.Rect(0, y, w, y+h)
	s.BelowRoom, s.belowAll = h-1, below.Count
	s.Below.Clamp(s.BelowRoom, s.belowAll)
	note := below.Note
	if more := below.Count - s.Below.Top - s.BelowRoom; more > 0 && (note == "" || w >= 90) {
		if note != "" {
			note += "  "
		}
		note += Thousands(more) + " more"
	}
	if note != "" {
		note += " "
	}
	lines := []string{DrawHeading(t, w, keys, below.Heading, note)}
	for i := s.Below.Top; i < below.Count && len(lines) < h; i++ {
		lines = append(lines, below.Line(i))
	}
	return FitLines(lines, w, h)
}
