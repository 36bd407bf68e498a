package strategies

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
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
		return s.beginMeasuring(s.view(), true)
	case typesKnob:
		return s.host.Send(desk.Turn{Knob: selectionKnobs[s.Knob]})
	case choosesCore:
		return s.pickCore()
	case showsSent:
		s.Show(int(viewBytes))
	case showsTable:
		s.Show(int(viewComparison))
	case triesPoint:
		row, _ := s.Row(int(viewPareto))
		p := s.frontier()[row]
		values, text := []workbench.Knob{{Key: config.KeySelection, Value: string(p.Strategy)}}, s.strategyName(p.Strategy)
		if p.Strategy.Ranks() {
			values, text = append(values, workbench.Knob{Key: keyTopK, Value: p.K}), text+", K "+strconv.Itoa(p.K)
		}
		if !s.host.Knobs.PutAll(values) {
			return s.host.Notify(ui.LevelInfo, text+": active already")
		}
		return tea.Batch(s.host.Notify(ui.LevelInfo, "tried: "+text), s.host.Load(true))
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
	case s.sampleSize() > 0 && s.selector != nil && s.measuring[s.view()].Waits():
		return startsWork
	case s.onCoreKnob():
		return choosesCore
	case s.Focused() == ui.AreaKnobs:
		return typesKnob
	case s.view() == viewComparison && s.answer.selections != nil:
		return showsSent
	case s.view() == viewBytes:
		return showsTable
	case s.view() == viewPareto && s.Focused() == ui.AreaList && len(s.frontier()) > 0:
		return triesPoint
	}
	return opensNothing
}

// onCoreKnob reports whether the knob of the core tools has the keys.
func (s *Screen) onCoreKnob() bool {
	return s.Focused() == ui.AreaKnobs && selectionKnobs[s.Knob].Key == config.KeyRAGCore
}

// Next gives the area that is some areas further the keys.
func (s *Screen) Next(by int) {
	if s.state == nil {
		return
	}
	s.leaveMessage()
	if s.Wide() {
		s.Sheet.Next(by)
		return
	}
	next := s.beside(by)
	switch {
	case next == ui.AreaKnobs:
		s.Show(int(viewTuning))
	case s.view() == viewTuning:
		s.LeaveKnobs()
	}
	s.Focus = next
}

// beside returns the area that is some areas further where the knobs do not stand
// beside: they come after the list, in a view of their own.
func (s *Screen) beside(by int) ui.Area {
	at := s.Focused()
	order := []ui.Area{ui.AreaList, ui.AreaKnobs, ui.AreaBelow}
	if s.Untuned() == int(viewBytes) {
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
	return s.Sheet.Beside()
}

// ShowView shows one of the views that take turns.
func (s *Screen) ShowView(i int) {
	s.leaveMessage()
	s.Sheet.ShowView(i)
}

// view returns the view that is shown.
func (s *Screen) view() view { return view(s.Tab) }

// turn turns the knob under the cursor, or goes to the next strategy where its bytes are shown.
func (s *Screen) turn(by int) tea.Cmd {
	switch {
	case s.Focused() == ui.AreaKnobs:
		return s.host.Send(desk.Turn{Knob: selectionKnobs[s.Knob], By: by})
	case s.view() == viewBytes:
		s.strategy.Move(strategies(), by)
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
	case s.view() == viewBytes:
		return "strategy"
	}
	return ""
}

// Click selects the row under the pointer. On the message it begins to type.
func (s *Screen) Click(x, y int) {
	switch {
	case s.state == nil:
	case y == 0:
		s.typeMessage()
	default:
		s.leaveMessage()
		s.Sheet.Click(x, y)
	}
}
