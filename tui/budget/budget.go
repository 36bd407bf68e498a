// Package budget is the screen of the cost of every definition, and of what the
// settings of tool search would change about it: the user turns knobs, and sees
// the result beside the state on disk.
//
// Invariants:
//   - every number of tokens is counted by the method in the heading;
//   - figures "on disk" are those of the state without knobs.
package budget

import (
	"image"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/keymap"
	"caliper/tui/knob"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Screen is Budget.
type Screen struct {
	screen.Base
	host    screen.Host
	layer   *keymap.Layer
	state   *workbench.State
	visible bool
	changes uint64

	view     view
	w, h     int // of the last picture
	areas    [viewCount]image.Rectangle
	list     costList
	cursor   int // among budgetKnobs
	knobList ui.Window
	parts    partCounts // what the definitions are made of
	outlook  outlook
}

// budgetKnobs are the knobs of the screen: those of settings, and from firstHabit
// on the habits of a session.
var (
	budgetKnobs = slices.Concat(knob.In(knob.Budget), knob.In(knob.Session))
	firstHabit  = len(knob.In(knob.Budget))
)

// view is one of the areas of the screen. Where there is room for all, only the
// list and the knobs take turns to have the keys.
type view int

const (
	viewCosts view = iota // toolsets and tools
	viewMakeup
	viewKnobs
	viewChange  // on disk against now
	viewCurve   // the hits of the query instead, while a knob of the ranking is turned
	viewSession // habits and break-even
	viewCount
)

var _ screen.Viewed = (*Screen)(nil)

// New returns the screen before anything is loaded.
func New(h screen.Host, g ui.Glyphs) *Screen {
	s := &Screen{host: h}
	s.layer = s.bind(g)
	return s
}

// Name returns the label of the tab.
func (s *Screen) Name() string { return "Budget" }

// Show takes in a state. What is shown of it is worked out when it is drawn.
func (s *Screen) Show(l screen.Loaded) {
	s.state = l.After
	s.list.of = nil
	s.changes++
}

// Start returns the command that counts the makeup of the definitions, while
// the screen is visible.
func (s *Screen) Start(visible bool) tea.Cmd {
	s.visible = visible
	return s.measure()
}

// Title returns the heading of the box, and on its right how many knobs are turned.
func (s *Screen) Title() (heading, note string) {
	if s.state == nil {
		return "", ""
	}
	b := s.state.Budget
	if s.list.filter != "" {
		heading = "/" + safetext.Line(s.list.filter) + "  "
	}
	heading += ui.Thousands(b.EagerTokens) + " tok " + string(b.Tokenizer) + " in " + ui.Count(b.Tools, "tool")
	if n := s.host.Knobs().CountTurned(); n > 0 {
		note = ui.Count(n, "knob") + " changed"
	}
	return heading, screen.Note(s.host, note)
}

// Filtered reports whether the heading tells a filter.
func (s *Screen) Filtered() bool { return s.list.filter != "" }

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.w, s.h = w, h
	s.areas = [viewCount]image.Rectangle{}
	if s.state == nil {
		return ui.Centered(t, w, h)
	}
	s.listCosts()
	switch size := s.sizeIn(w, h); {
	case size == large:
		left := min(w/2, 84)
		return s.sideBySide(t, 0, 0, left, w, h, []viewRow{{viewCosts, h - makeupRows}, {viewMakeup, makeupRows}}, nil)
	case size == medium && s.view == viewCosts:
		return s.stack(t, 0, 0, w, h, []viewRow{{viewCosts, h - makeupRows}, {viewMakeup, makeupRows}})
	case size == medium:
		return s.tune(t, 0, w, h)
	}
	return s.drawView(t, s.view, 0, 0, w, h)
}

// Version changes whenever the picture may.
func (s *Screen) Version() uint64 { return s.changes }

// Views returns the names of the views that take turns to be seen or, where there is
// room for all, to have the keys, and which does.
func (s *Screen) Views() (names []string, current int) {
	if s.sizeIn(s.w, s.h) == small {
		return viewNames[:], int(s.view)
	}
	current = 0
	if s.view != viewCosts {
		current = 1
	}
	return []string{viewNames[viewCosts], viewNames[viewKnobs]}, current
}

// viewNames are the names of the views.
var viewNames = [viewCount]string{"tools", "made of", "knobs", "change", "curve", "session"}

// ShowView shows one of the views that take turns, and gives it the keys.
func (s *Screen) ShowView(i int) {
	s.view = view(i)
	if i > 0 && s.sizeIn(s.w, s.h) != small {
		s.view = viewKnobs
	}
	s.changes++
}

// focused reports whether a view has the keyboard.
func (s *Screen) focused(v view) bool { return s.keysIn() == v }

// keysIn returns the view that has the keys: in most sizes the list or the knobs.
func (s *Screen) keysIn() view {
	if s.view != viewCosts && s.sizeIn(s.w, s.h) != small {
		return viewKnobs
	}
	return s.view
}

// Move moves the cursor of the view that has the keys.
func (s *Screen) Move(rows int) {
	s.changes++
	switch s.keysIn() {
	case viewCosts, viewMakeup:
		s.listCosts()
		s.list.moveTo(s.list.cursor + rows)
	default:
		s.cursor = max(0, min(s.cursor+rows, len(budgetKnobs)-1))
		s.host.Knobs().Pause()
	}
}

// Click selects what is under the pointer. It opens or closes a toolset that is
// selected already.
func (s *Screen) Click(x, y int) {
	at := image.Pt(x, y)
	s.changes++
	for v, area := range s.areas {
		if !at.In(area) {
			continue
		}
		line := y - area.Min.Y - 1
		switch view(v) {
		case viewCosts:
			s.clickCosts(y - area.Min.Y)
		case viewKnobs:
			s.clickKnob(s.knobList.Top + line)
		case viewSession:
			if line >= 0 {
				s.clickKnob(firstHabit + line)
			}
		}
	}
}

// clickKnob selects a knob.
func (s *Screen) clickKnob(i int) {
	if i >= 0 && i < len(budgetKnobs) {
		s.view, s.cursor = viewKnobs, i
		s.host.Knobs().Pause()
	}
}

// Filter shows only the tools whose name or toolset holds the text.
func (s *Screen) Filter(text string) bool { return s.list.setFilter(text, &s.changes) }

// Next gives the next view the keys.
func (s *Screen) Next(by int) {
	names, at := s.Views()
	s.ShowView((at + by + len(names)) % len(names))
}

// Beside names the next view.
func (s *Screen) Beside() string { return "view" }

// Page returns how far a page is.
func (s *Screen) Page() int { return max(1, s.h-1) }

// Wheel moves the selection.
func (s *Screen) Wheel(_, _, rows int) { s.Move(rows) }

// Report copies a repro of the figures, the knobs and the break-even.
func (s *Screen) Report(c report.Case) tea.Cmd {
	without := s.host.Knobs().Files().Snapshot
	if s.state.Baseline == nil {
		without = nil
	}
	return s.host.CopyReport("repro of Budget", c.Budget(without, s.host.Knobs().Habits()))
}

// Area returns where a view was drawn, by the names that other screens have for
// their areas.
func (s *Screen) Area(name string) image.Rectangle {
	v, ok := map[string]view{"list": viewCosts, "below": viewSession, "knobs": viewKnobs}[name]
	if !ok {
		return image.Rectangle{}
	}
	return s.areas[v]
}
