package tui

import "image"

// area is what can have the keys on a screen of three areas: a list, what
// belongs to its selected row, and knobs.
type area int

const (
	areaList area = iota
	areaBelow
	areaKnobs
	areaCount
)

// String returns what the footer calls the area.
func (a area) String() string { return [areaCount]string{"list", "below", "knobs"}[a] }

// knobsBeside is from how many cells on the knobs stand beside the list, in a
// column of knobsColumn.
const (
	knobsBeside = 98
	knobsColumn = 28
)

// listPlace is the place in a list.
type listPlace struct {
	cursor int
	window window
}

// areas is what screens of three areas have in common: which one has the keys,
// how far each is scrolled, and where it was drawn.
type areas struct {
	area area // that has the keys, where it is shown

	knob     int // under the cursor
	knobList window
	knobRoom int

	below     window
	belowRoom int
	belowAll  int

	w, h   int // that were last drawn in
	places [areaCount]image.Rectangle
}

// wide reports whether the knobs stand beside.
func (s *areas) wide() bool { return s.w >= knobsBeside }

// among returns which of the areas that are shown has the keys, and its place
// among them.
func (s *areas) among(all []area) (area, int) {
	for i, a := range all {
		if a == s.area {
			return a, i
		}
	}
	return all[0], 0
}

// turnAmong gives the keys to the area that is some places further.
func (s *areas) turnAmong(all []area, by int) {
	_, at := s.among(all)
	s.area = all[(at+by+len(all))%len(all)]
}

// nextAmong names the area that tab gives the keys, empty for none.
func (s *areas) nextAmong(all []area) string {
	if len(all) < 2 {
		return ""
	}
	_, at := s.among(all)
	return all[(at+1)%len(all)].String()
}

// toTop scrolls what is below to its beginning.
func (s *areas) toTop() { s.below.top = 0 }

// leaveBelow gives the keys to the list where they are below it, as another
// part begins with its list.
func (s *areas) leaveBelow() {
	s.toTop()
	if s.area == areaBelow {
		s.area = areaList
	}
}

// scrollBelow scrolls what is below by lines.
func (s *areas) scrollBelow(by int) { s.below.scroll(by, s.belowRoom, s.belowAll) }

// moveKnob moves the cursor among some knobs.
func (s *areas) moveKnob(by, count int) { s.knob = max(0, min(s.knob+by, count-1)) }

// selectRow selects a row of a list of some rows.
func (s *areas) selectRow(l *listPlace, row, count int) {
	if row = max(0, min(row, count-1)); row != l.cursor {
		l.cursor = row
		s.toTop()
	}
}

// pageIn returns how far a page is in an area.
func (s *areas) pageIn(a area) int {
	return max(1, [areaCount]int{s.places[areaList].Dy(), s.belowRoom, s.knobRoom}[a]-1)
}

// areaAt returns what is under a cell.
func (s *areas) areaAt(x, y int) (area, bool) {
	for a, place := range s.places {
		if image.Pt(x, y).In(place) {
			return area(a), true
		}
	}
	return 0, false
}

// lineIn returns which line of an area a cell is on.
func (s *areas) lineIn(a area, y int) int { return y - s.places[a].Min.Y }

// knobAt returns the knob on a line of their area, whose first is the heading.
func (s *areas) knobAt(line, count int) (knob int, ok bool) {
	knob = s.knobList.top + line - 1
	return knob, line > 0 && knob < count
}
