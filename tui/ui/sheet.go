package ui

import (
	"image"
	"slices"
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

// SplitHeight is the height from which a list and the details of its selected row are shown
// together.
const SplitHeight = 12

// ListView is a list and the details of its selected row. One without both is the knobs, where
// they do not stand beside.
type ListView struct {
	Name    string
	Rows    func() Rows // of the list; nil where there is none
	Cursor  *Cursor     // of the list, which views may share; AddViews gives the others one each
	Columns func(t *Theme, w int) []Column
	Row     func(l *Line, t *Theme, i int)                                    // draws a row without columns
	Above   func(t *Theme, w, h int, split bool) (lines []string, whole bool) // of all rows together, in at most h lines; whole: the list has no place
	Below   func(t *Theme, w int) Lines
	Nothing func() []string // why there is nothing to draw; nil when there is something
	Least   int             // lines of the list and its heading that come before the details; 0: 4
	Most    int             // lines that they take of what the details ask for; 0: any
}

// Sheet is the common part of the screens of such views: which view is shown, which area has
// the keyboard, how far each is scrolled, where each was drawn, and what keys and mouse do.
type Sheet struct {
	Tabs  []ListView
	Tab   int        // the view that is shown
	Moved func(Area) // is called when the keyboard or a cursor has moved, and when another view is shown; nil for nothing

	Focus Area // area that has the keyboard, if it is visible

	KnobCount  int
	KnobsWidth int                               // beside the list
	DrawKnobs  func(t *Theme, w, h int) []string // nil: there are no knobs
	Knob       int                               // index of the selected knob
	KnobList   Window
	KnobRoom   int
	KnobsNext  bool // the keyboard goes from the list to the knobs beside it, and then to the details

	Below     Window
	BelowRoom int
	belowAll  int

	W, H    int // size of the last picture
	Areas   [AreaCount]image.Rectangle
	untuned int // the view before the knobs
}

// AddViews sets the views.
func (s *Sheet) AddViews(views ...ListView) {
	s.Tabs = views
	for i := range s.Tabs {
		if v := &s.Tabs[i]; v.Cursor == nil {
			v.Cursor = new(Cursor)
		}
	}
}

// Wide reports whether the knobs are drawn beside the list.
func (s *Sheet) Wide() bool { return s.DrawKnobs != nil && s.W >= KnobsBeside }

// view returns the view that is shown.
func (s *Sheet) view() *ListView { return &s.Tabs[s.Tab] }

// isKnobs reports whether the view is the knobs.
func (v *ListView) isKnobs() bool { return v.Below == nil }

// turns returns the indexes of the views that take turns: the knobs only where they do not stand
// beside.
func (s *Sheet) turns() (all []int) {
	for i := range s.Tabs {
		if i == s.Tab || !s.Wide() || !s.Tabs[i].isKnobs() {
			all = append(all, i)
		}
	}
	return all
}

// Views returns the names of the views that take turns, and which is shown.
func (s *Sheet) Views() (names []string, current int) {
	all := s.turns()
	for _, i := range all {
		names = append(names, s.Tabs[i].Name)
	}
	return names, slices.Index(all, s.Tab)
}

// ShowView shows one of the views that take turns.
func (s *Sheet) ShowView(i int) { s.Show(s.turns()[i]) }

// Show shows a view. It begins at its list.
func (s *Sheet) Show(tab int) {
	if s.Tabs[tab].isKnobs() && tab != s.Tab {
		s.untuned = s.Tab
	}
	s.Tab = tab
	s.Below.Top = 0
	if s.Focus == AreaBelow {
		s.Focus = AreaList
	}
	s.moved(s.Focused())
}

// LeaveKnobs shows the view before the knobs.
func (s *Sheet) LeaveKnobs() { s.Tab = s.untuned }

// Untuned returns the view that is shown, or before the knobs.
func (s *Sheet) Untuned() int {
	if s.view().isKnobs() {
		return s.untuned
	}
	return s.Tab
}

// moved follows a move in an area.
func (s *Sheet) moved(a Area) {
	if s.Moved != nil {
		s.Moved(a)
	}
}

// visible returns the visible areas in the order of tab, and the index of the one that has the
// keyboard.
func (s *Sheet) visible() (all []Area, at int) {
	v := s.view()
	if v.Rows != nil {
		all = append(all, AreaList)
	}
	if !v.isKnobs() {
		all = append(all, AreaBelow)
	}
	switch {
	case !s.Wide() && !v.isKnobs():
	case s.KnobsNext && v.Rows != nil:
		all = slices.Insert(all, 1, AreaKnobs)
	default:
		all = append(all, AreaKnobs)
	}
	return all, max(0, slices.Index(all, s.Focus))
}

// Focused returns the area that has the keyboard.
func (s *Sheet) Focused() Area {
	all, at := s.visible()
	return all[at]
}

// Next moves the keyboard by some areas.
func (s *Sheet) Next(by int) {
	all, at := s.visible()
	s.Focus = all[(at+by+len(all))%len(all)]
	s.moved(s.Focused())
}

// Beside returns the name of the area that tab leads to, empty for none.
func (s *Sheet) Beside() string {
	all, at := s.visible()
	if len(all) < 2 {
		return ""
	}
	return all[(at+1)%len(all)].String()
}

// Hidden returns how many rows of the list are above and below those that are seen.
func (s *Sheet) Hidden() (above, below int) {
	if v := s.view(); v.Rows != nil && v.Rows().N > 0 && !s.Areas[AreaList].Empty() {
		return v.Cursor.Hidden()
	}
	return 0, 0
}

// Row returns the selected row of a view; ok is false in an empty list.
func (s *Sheet) Row(tab int) (row int, ok bool) {
	v := &s.Tabs[tab]
	if v.Rows == nil {
		return 0, false
	}
	r := v.Rows()
	return v.Cursor.At(r), r.N > 0
}

// Select selects a row of the view that is shown, or the nearest there is.
func (s *Sheet) Select(row int) {
	v := s.view()
	r := v.Rows()
	if was := v.Cursor.At(r); max(0, min(row, r.N-1)) != was {
		s.Below.Top = 0
	}
	v.Cursor.To(r, row)
}

// Move moves the cursor of the area that has the keyboard, or scrolls it.
func (s *Sheet) Move(rows int) { s.MoveIn(s.Focused(), rows) }

// MoveIn moves the cursor of an area, or scrolls it.
func (s *Sheet) MoveIn(a Area, rows int) {
	switch at, _ := s.Row(s.Tab); a {
	case AreaKnobs:
		s.Knob = max(0, min(s.Knob+rows, s.KnobCount-1))
	case AreaBelow:
		s.Below.Scroll(rows, s.BelowRoom, s.belowAll)
	default:
		s.Select(at + rows)
	}
	s.moved(a)
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

// Click moves the keyboard to the area at a cell, and selects the row or knob
// there. The first line of the knobs is their heading.
func (s *Sheet) Click(x, y int) {
	a, ok := s.AreaAt(x, y)
	if !ok {
		return
	}
	s.Focus = a
	line := y - s.Areas[a].Min.Y
	switch a {
	case AreaKnobs:
		if k := s.KnobList.Top + line - 1; line > 0 && k < s.KnobCount {
			s.Knob = k
		}
	case AreaList:
		if row := s.view().Cursor.Window.Top + line; row < s.view().Rows().N {
			s.Select(row)
		}
	}
	s.moved(a)
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

// MainWidth returns the width of the view, which the knobs may stand beside.
func (s *Sheet) MainWidth() int {
	if s.Wide() {
		return s.W - s.KnobsWidth - 3
	}
	return s.W
}

// Resize takes in the size of the picture that is drawn next.
func (s *Sheet) Resize(w, h int) {
	s.W, s.H = w, h
	s.Areas = [AreaCount]image.Rectangle{}
	if len(s.Tabs) > 0 && s.Wide() && s.view().isKnobs() {
		s.LeaveKnobs()
	}
}

// DrawView draws the view that is shown, and the knobs where they stand beside, in exactly h lines
// of w cells from line y of the frame on.
func (s *Sheet) DrawView(t *Theme, w, h, y int) []string {
	if !s.Wide() {
		return s.drawView(t, w, h, y)
	}
	main := s.MainWidth()
	lines := s.drawView(t, main, h, y)
	s.Areas[AreaKnobs] = image.Rect(main+3, y, w, y+h)
	return Beside(t, lines, s.DrawKnobs(t, s.KnobsWidth, h))
}

// drawView draws the view without the knobs beside it.
func (s *Sheet) drawView(t *Theme, w, h, y int) []string {
	v := s.view()
	switch {
	case h <= 0:
		return nil
	case v.isKnobs():
		s.Areas[AreaKnobs] = image.Rect(0, y, w, y+h)
		return s.DrawKnobs(t, w, h)
	}
	if text := v.Nothing(); text != nil {
		return Centered(t, w, h, text...)
	}
	below, split, whole := s.Focused() == AreaBelow, s.H >= SplitHeight, false
	var lines []string
	if v.Above != nil {
		lines, whole = v.Above(t, w, h, split)
	}
	at, room := y+len(lines), h-len(lines)
	switch {
	case whole:
	case v.Rows == nil, below && !split:
		lines = append(lines, s.DrawUnder(t, v.Below(t, w), below, w, room, at)...)
	case !split:
		lines = append(lines, s.DrawRows(t, v, !below, w, room, at)...)
	default:
		under := v.Below(t, w)
		list, ask := Ask{Least: 4, Rows: v.Rows().N + 1}, Ask{Least: 6, Rows: under.Count + 1}
		if v.Least > 0 {
			list.Least = v.Least
		}
		if v.Most > 0 {
			list.Rows = min(list.Rows, v.Most)
		}
		if under.Fill != nil {
			ask.Rows = room
		}
		shares := Share(room, 1, list, ask)
		lines = append(lines, s.DrawRows(t, v, !below, w, shares[0], at)...)
		lines = append(lines, s.DrawUnder(t, under, below, w, shares[1], at+shares[0])...)
	}
	return FitLines(lines, w, h)
}

// DrawRows draws the list of a view in exactly h lines from line y of the frame, with a line of
// column headings where there is room. With keys the cursor is highlighted.
func (s *Sheet) DrawRows(t *Theme, v *ListView, keys bool, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	var lines []string
	var columns []Column
	rows := v.Rows()
	if v.Columns != nil {
		columns = v.Columns(t, w)
	}
	if columns != nil && rows.N > 0 && (h > 3 || h > rows.N || h > 1 && s.H >= SplitHeight) {
		lines = append(lines, DrawHeads(t, w, columns))
	}
	s.Areas[AreaList] = image.Rect(0, y+len(lines), w, y+h)
	return append(lines, v.Cursor.Draw(t, rows, w, h-len(lines), keys, func(l *Line, i int, _ bool) {
		if v.Row != nil {
			v.Row(l, t, i)
		}
		drawCells(l, columns, i)
	})...)
}

// DrawUnder draws the details of the selected row in exactly h lines from line
// y of the frame. The first line is a heading.
func (s *Sheet) DrawUnder(t *Theme, below Lines, keys bool, w, h, y int) []string {
	if h <= 0 {
		return nil
	}
	if below.Fill != nil {
		below = DrawnLines(below.Heading, below.Note, below.Fill(h-1))
	}
	s.Areas[AreaBelow] = image.Rect(0, y, w, y+h)
	s.BelowRoom, s.belowAll = h-1, below.Count
	s.Below.Clamp(s.BelowRoom, s.belowAll)
	note := below.Note
	if hidden := Beyond(s.Below.Hidden()); len(hidden) > 0 && (note == "" || w >= 90) {
		if note != "" {
			note += "  "
		}
		more := hidden[0]
		if Width(below.Heading+note+more)+6 > w {
			more = hidden[len(hidden)-1]
		}
		note += more
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
