package strategies

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/selection"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// enterMeaning is the action of enter.
type enterMeaning int

const (
	opensNothing enterMeaning = iota
	startsWork                // begins a job that waits
	typesKnob                 // opens the value of a knob for typing
	choosesCore               // opens the list of core tools
	showsSent                 // shows what the selected strategy sends
	showsTable                // shows the strategies again
	triesPoint                // tries the strategy and the K of a point of the frontier
)

// open does what enter means.
func (s *Screen) open() tea.Cmd {
	switch s.meaning() {
	case startsWork:
		return s.beginMeasuring(true)
	case typesKnob:
		return s.host.Send(desk.Turn{Knob: selectionKnobs[s.Knob]})
	case choosesCore:
		return s.pickCore()
	case showsSent:
		s.show(viewBytes)
	case showsTable:
		s.show(viewComparison)
	case triesPoint:
		return s.tryPoint()
	}
	return nil
}

// opens tells what enter does, empty for nothing.
func (s *Screen) opens() string {
	return [...]string{opensNothing: "", startsWork: "start", typesKnob: "type it", choosesCore: "choose", showsSent: "bytes", showsTable: "strategies", triesPoint: "try it"}[s.meaning()]
}

// meaning returns what enter does.
func (s *Screen) meaning() enterMeaning {
	switch {
	case s.editing || s.state == nil:
		return opensNothing
	case s.measuringWaits():
		return startsWork
	case s.onCoreKnob():
		return choosesCore
	case s.Focused() == ui.AreaKnobs:
		return typesKnob
	case s.view == viewComparison && s.answer.selections != nil:
		return showsSent
	case s.view == viewBytes:
		return showsTable
	case s.view == viewPareto && s.Focused() == ui.AreaList && len(s.frontier()) > 0:
		return triesPoint
	}
	return opensNothing
}

// onCoreKnob reports whether the knob of the core tools has the keys.
func (s *Screen) onCoreKnob() bool {
	return s.Focused() == ui.AreaKnobs && selectionKnobs[s.Knob].Key == config.KeyRAGCore
}

// ViewAreas returns the areas of the view: knobs that are beside it come after the list,
// which they change.
func (s *Screen) ViewAreas() []ui.Area {
	switch {
	case s.view == viewTuning:
		return []ui.Area{ui.AreaKnobs}
	case s.view == viewBytes:
		return []ui.Area{ui.AreaBelow}
	case s.Wide():
		return []ui.Area{ui.AreaList, ui.AreaKnobs, ui.AreaBelow}
	}
	return []ui.Area{ui.AreaList, ui.AreaBelow}
}

// Next gives the area that is some areas further the keys.
func (s *Screen) Next(by int) {
	if s.state == nil {
		return
	}
	s.changes++
	s.leaveMessage()
	if s.Wide() {
		s.Turn(by)
		return
	}
	next := s.beside(by)
	switch {
	case next == ui.AreaKnobs:
		s.show(viewTuning)
	case s.view == viewTuning:
		s.view = s.tunedFrom
	}
	s.Focus = next
}

// beside returns the area that is some areas further where the knobs do not stand
// beside: they come after the list, in a view of their own.
func (s *Screen) beside(by int) ui.Area {
	v, at := s.view, s.Focused()
	if v == viewTuning {
		v = s.tunedFrom
	}
	order := []ui.Area{ui.AreaList, ui.AreaKnobs, ui.AreaBelow}
	if v == viewBytes {
		order = order[1:]
	}
	return order[(slices.Index(order, at)+by+len(order))%len(order)]
}

// Beside names what tab gives the keys, empty for nothing.
func (s *Screen) Beside() string {
	if s.editing {
		return "leave"
	}
	if !s.Wide() && s.state != nil {
		return s.beside(1).String()
	}
	return s.Following()
}

// tabs returns the views that take turns: the knobs only where they do not stand
// beside.
func (s *Screen) tabs() []view {
	var list []view
	for v := range viewCount {
		if v != viewTuning || s.view == viewTuning || !s.Wide() {
			list = append(list, v)
		}
	}
	return list
}

// Views returns the names of the views that take turns, and which is shown.
func (s *Screen) Views() (names []string, current int) {
	list := s.tabs()
	for _, v := range list {
		names = append(names, v.String())
	}
	return names, slices.Index(list, s.view)
}

// ShowView shows one of the views that take turns.
func (s *Screen) ShowView(i int) {
	s.changes++
	s.leaveMessage()
	s.show(s.tabs()[i])
}

// show shows a view.
func (s *Screen) show(v view) {
	if v == viewTuning && s.view != viewTuning {
		s.tunedFrom = s.view
	}
	s.view = v
	s.LeaveBelow()
}

// turn turns the knob under the cursor, or, where a strategy's bytes are
// shown, goes to the next strategy.
func (s *Screen) turn(by int) tea.Cmd {
	switch {
	case s.Focused() == ui.AreaKnobs:
		return s.host.Send(desk.Turn{Knob: selectionKnobs[s.Knob], By: by})
	case s.view == viewBytes:
		l := &s.lists[viewComparison]
		l.Cursor = max(0, min(l.Cursor+by, len(selection.Strategies)-1))
		s.Below.Top = 0
	}
	return nil
}

// turns tells which value the keys that turn a knob change, empty for none.
func (s *Screen) turns() string {
	switch {
	case s.onCoreKnob():
		return ""
	case s.Focused() == ui.AreaKnobs:
		return "value"
	case s.view == viewBytes:
		return "strategy"
	}
	return ""
}

// list returns the position in the list of the view. The views whose rows are
// the strategies share one.
func (s *Screen) list() *ui.ListPosition {
	if s.view == viewLabelled {
		return &s.lists[viewComparison]
	}
	return &s.lists[s.view]
}

// Click selects the row under the pointer. On the message it begins to type.
func (s *Screen) Click(x, y int) {
	s.changes++
	switch {
	case s.state == nil:
	case y == 0:
		s.typeMessage()
	default:
		s.leaveMessage()
		s.Press(x, y)
	}
}

// List returns the list of the view and its number of rows.
func (s *Screen) List() (*ui.ListPosition, int) { return s.list(), s.rowCount() }

// KnobCount returns the number of knobs.
func (s *Screen) KnobCount() int { return len(selectionKnobs) }

// Moved follows a move in an area. A knob that is turned next is a new one.
func (s *Screen) Moved(a ui.Area) {
	s.changes++
	if a == ui.AreaKnobs {
		s.host.Knobs.Pause()
	}
}
