package budget

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/desk"
	"caliper/tui/ui"
)

// CopyListing is the action of this screen that no other has.
const CopyListing ui.Action = "copy the listing"

// open folds or unfolds the selected toolset, or opens the box for the knob's value.
func (s *Screen) open() tea.Cmd {
	switch {
	case s.state == nil:
	case s.keysIn() == viewKnobs:
		return s.host.Send(desk.Turn{Knob: s.knobs()[s.cursor]})
	case s.keysIn() == viewListing:
		s.foldGroup(!s.listing.open[s.listing.pane.ID])
	case s.view == viewCosts:
		s.fold()
	}
	return nil
}

// opens returns the footer's label of open in the view that has the keyboard.
func (s *Screen) opens() string {
	return map[view]string{viewCosts: "open", viewListing: "open", viewKnobs: "type it"}[s.keysIn()]
}

// turn turns the knob under the cursor, or opens or closes the selected toolset.
func (s *Screen) turn(by int) tea.Cmd {
	if s.state == nil {
		return nil
	}
	switch s.keysIn() {
	case viewKnobs:
		return s.host.Send(desk.Turn{Knob: s.knobs()[s.cursor], By: by})
	case viewListing:
		s.foldGroup(by > 0)
	default:
		s.foldTo(by > 0)
	}
	return nil
}

// turns returns the footer's label of turn, empty when it does nothing.
func (s *Screen) turns() string {
	return map[view]string{viewCosts: "fold", viewListing: "fold", viewKnobs: "value"}[s.keysIn()]
}

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewCosts:   {"tool", "toolset", "token", "chars4", "rendered:openai", "everything", "deferrable", "deferred", "core tool", "source"},
	viewMakeup:  {"assembly", "bridge", "everything", "sent", "saved", "saved in Hermes", "deferred", "core tool"},
	viewListing: {"listing", "form", "group", "deferred", "token", "chars4"},
	viewKnobs:   {"generation", "knob", "WHAT IF", "cannot be saved", "active", "mode", "threshold", "context"},
	viewChange:  {"WHAT IF", "everything", "sent", "saved", "active"},
	viewCurve:   {"threshold", "context", "deferrable", "active"},
	viewSession: {"break-even", "extra round trips", "turns", "tools used", "tokens per search result", "prompt cache", "saved"},
}

// Words returns the setting under the cursor, and the labels of all views in sight.
func (s *Screen) Words() (here, pane []string) {
	keys := s.keysIn()
	if keys == viewKnobs {
		k := s.knobs()[s.cursor]
		here = []string{k.Key, k.Label}
	}
	pane = glossed[keys]
	if s.sizeIn(s.w, s.h) == small {
		return here, pane
	}
	beside := []view{viewChange, viewCurve, viewSession}
	switch keys {
	case viewCosts:
		beside = []view{viewMakeup}
	case viewListing:
		beside = []view{viewCurve}
	}
	for _, v := range beside {
		pane = slices.Concat(pane, glossed[v])
	}
	return here, pane
}
