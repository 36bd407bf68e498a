package tui

import (
	"image"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/workbench"
)

// budgetScreen shows what every definition costs, and knobs: settings that are
// tried on the registry at once, with the state on disk beside it.
type budgetScreen struct {
	app     *App
	state   *workbench.State
	changes uint64

	part      budgetPart
	w, h      int // that were last drawn in
	places    [budgetPartCount]image.Rectangle
	list      costList
	knob      knob // under the cursor
	knobList  window
	habits    engine.Habits
	before    []setting // what undo goes back to, the newest last
	turning   bool      // the last thing done was to turn
	turningOf knob      // this knob
	turned    int       // the load that a knob started; its outcome needs no notice
	ours      []byte    // the config file as it was last written here
	parts     partCounts
	outlook   outlook
}

// budgetPart is a part of the screen. Where there is room for all, only the
// list and the knobs take turns to have the keys.
type budgetPart int

const (
	partCosts budgetPart = iota // toolsets and tools
	partMakeup
	partKnobs
	partChange  // on disk against now
	partCurve   // the hits of the query instead, while a knob of the ranking is turned
	partSession // habits and break-even
	budgetPartCount
)

// show takes in a state. What is shown of it is worked out when it is drawn.
func (s *budgetScreen) show(before, state *workbench.State) {
	if before == nil {
		s.habits = engine.DefaultHabits
	}
	s.state = state
	s.list.laid = nil
	s.changes++
}

// settled does what follows a load: knobs that say what the files say by now
// are dropped, and texts that are new are counted.
func (s *budgetScreen) settled() tea.Cmd {
	if kept := s.pending(); len(kept) < len(s.app.input.Flags.Knobs) {
		s.app.input.Flags.Knobs = kept
		return s.load()
	}
	return s.measure()
}

// title returns the heading of the box and what is tried, on its right.
func (s *budgetScreen) title() (heading, note string) {
	heading = "budget"
	if s.state == nil {
		return heading, ""
	}
	b := s.state.Budget
	heading += "  " + thousands(b.EagerTokens) + " tok " + string(b.Tokenizer) + " in " + plural(b.Tools, "tool")
	if s.list.filter != "" {
		heading += "  /" + model.Sanitize(s.list.filter)
	}
	if n := s.turnedKnobs(); n > 0 {
		note = plural(n, "knob") + " turned"
	}
	return heading, note
}

// draw returns exactly h lines of w cells.
func (s *budgetScreen) draw(t *Theme, w, h int) []string {
	s.w, s.h = w, h
	s.places = [budgetPartCount]image.Rectangle{}
	if s.state == nil {
		return message(t, w, h)
	}
	s.lay()
	switch size := s.sizeIn(w, h); {
	case size == budgetLarge:
		left := min(w/2, 84)
		return s.sideBySide(t, 0, 0, left, w, h, []budgetRow{{partCosts, h - makeupRows}, {partMakeup, makeupRows}}, nil)
	case size == budgetMedium && s.part == partCosts:
		return s.stack(t, 0, 0, w, h, []budgetRow{{partCosts, h - makeupRows}, {partMakeup, makeupRows}})
	case size == budgetMedium:
		return s.tune(t, 0, w, h)
	}
	return s.drawPart(t, s.part, 0, 0, w, h)
}

func (s *budgetScreen) version() uint64 { return s.changes }

func (s *budgetScreen) context() Context { return CtxBudget }

// do does what an action means here.
func (s *budgetScreen) do(action Action) tea.Cmd {
	if s.state == nil {
		return nil
	}
	s.changes++
	switch action {
	case ActPart:
		s.part = s.next()
	case ActOpen:
		if s.part == partCosts {
			s.fold()
		}
	case ActLess, ActMore:
		by := map[Action]int{ActLess: -1, ActMore: 1}[action]
		if s.part != partKnobs {
			s.foldTo(by > 0)
			return nil
		}
		return s.turn(s.knob, by)
	case ActUndo:
		return s.undo()
	case ActReset:
		return s.reset()
	case ActSave:
		return s.save()
	}
	return nil
}

// next returns the part that has the keys after this one. Those that are
// always on screen are left out.
func (s *budgetScreen) next() budgetPart {
	if s.sizeIn(s.w, s.h) == budgetSmall {
		return (s.part + 1) % budgetPartCount
	}
	if s.part == partCosts {
		return partKnobs
	}
	return partCosts
}

// focused reports whether a part has the keys.
func (s *budgetScreen) focused(p budgetPart) bool { return s.has() == p }

// has returns the part that has the keys: at most sizes the list or the knobs.
func (s *budgetScreen) has() budgetPart {
	if s.part != partCosts && s.sizeIn(s.w, s.h) != budgetSmall {
		return partKnobs
	}
	return s.part
}

// turns says what the keys that turn a knob do in the part that has the keys,
// empty for nothing.
func (s *budgetScreen) turns() string {
	return map[budgetPart]string{partCosts: "fold", partKnobs: "value"}[s.has()]
}

// move moves the selection of the part that has the keys.
func (s *budgetScreen) move(by int) {
	s.changes++
	switch s.has() {
	case partCosts, partMakeup:
		s.lay()
		s.list.moveTo(s.list.cursor + by)
	default:
		s.knob = knob(max(0, min(int(s.knob)+by, int(knobCount)-1)))
		s.turning = false
	}
}

// click selects what is under the pointer; a toolset that is selected already
// is opened or closed.
func (s *budgetScreen) click(x, y int) {
	at := image.Pt(x, y)
	s.changes++
	for p, place := range s.places {
		if !at.In(place) {
			continue
		}
		line := y - place.Min.Y - 1
		switch budgetPart(p) {
		case partCosts:
			s.clickCosts(y - place.Min.Y)
		case partKnobs:
			s.clickKnob(s.knobList.top + line)
		case partSession:
			if line >= 0 && line < int(knobCount-firstHabit) {
				s.clickKnob(int(firstHabit) + line)
			}
		}
	}
}

// clickKnob selects a knob.
func (s *budgetScreen) clickKnob(i int) {
	if i >= 0 && i < int(knobCount) {
		s.part, s.knob, s.turning = partKnobs, knob(i), false
	}
}

// filter shows only the tools whose name or toolset holds the text.
func (s *budgetScreen) filter(text string) bool { return s.list.setFilter(text, &s.changes) }
