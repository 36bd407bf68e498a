package budget

import (
	"caliper/engine/listing"
	"caliper/tui/clip"
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/keymap"
	"caliper/tui/ui"
)

// CopyListing is the action of this screen that no other has.
const CopyListing keymap.Action = "copy the listing"

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) *keymap.Layer {
	keys := &keymap.Group{Title: "Budget", Bindings: []keymap.Binding{
		keymap.Bind(keymap.Open, "enter", "open or close, or type the value of a knob", "", "enter").Does(s.open).Says(s.opens).Unless(s.nothingToOpen),
		keymap.Bind(keymap.Less, g.Left+" h", "fold, or turn the knob down", "Turn the knob down", "left", "h").Does(func() tea.Cmd { return s.turn(-1) }).Unless(s.nothingToTurn),
		keymap.Bind(keymap.More, g.Right+" l", "unfold, or turn the knob up", "Turn the knob up", "right", "l").Does(func() tea.Cmd { return s.turn(1) }).Says(s.turns).Unless(s.nothingToTurn),
		keymap.Bind(keymap.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.list.filter) }),
	}}
	copies := &keymap.Group{Title: "Copying, after y", After: "y", Bindings: []keymap.Binding{
		keymap.Bind(CopyListing, "l", "listing that the model sees", "Copy the listing that the model sees", "l").Does(s.copyListing).Unless(s.nothingListed),
	}}
	s.groups = []*keymap.Group{keys, copies}
	return &keymap.Layer{Groups: []*keymap.Group{keys}, Hints: keymap.Hints(
		keymap.More.After(keymap.Less, "turn or fold"), keymap.View.As("view"), keymap.Undo.As("undo"), keymap.Save.As("save"), keymap.Open.As("open"), keymap.Reset.As("reset all"),
		keymap.Unwrite.As("undo save"), keymap.Down.After(keymap.Up, "rows"), keymap.Help, keymap.Find, keymap.Palette, keymap.Session)}
}

// Layer returns the keys of the screen.
func (s *Screen) Layer() *keymap.Layer { return s.layer }

// Groups returns the keys for help, palette and the menu of what can be copied.
func (s *Screen) Groups() []*keymap.Group { return s.groups }

// open opens or closes the selected toolset, or the box in which the value of the
// knob under the cursor is typed.
func (s *Screen) open() tea.Cmd {
	switch {
	case s.state == nil:
	case s.keysIn() == viewKnobs:
		s.changes++
		return s.host.TypeKnob(s.knobs()[s.cursor])
	case s.keysIn() == viewListing:
		s.foldGroup(!s.listing.isOpen())
	case s.view == viewCosts:
		s.fold()
		s.changes++
	}
	return nil
}

// opens returns the footer's label of open in the view that has the keyboard.
func (s *Screen) opens() string {
	return map[view]string{viewCosts: "open", viewListing: "open", viewKnobs: "type it"}[s.keysIn()]
}

// nothingToOpen returns why enter does nothing.
func (s *Screen) nothingToOpen() string {
	if s.opens() == "" {
		return "nothing to open in this view"
	}
	return ""
}

// turn turns the knob under the cursor, or opens or closes the selected toolset.
func (s *Screen) turn(by int) tea.Cmd {
	if s.state == nil {
		return nil
	}
	s.changes++
	switch s.keysIn() {
	case viewKnobs:
		return s.host.Turn(s.knobs()[s.cursor], by)
	case viewListing:
		s.foldGroup(by > 0)
	default:
		s.foldTo(by > 0)
	}
	return nil
}

// turns returns the footer's label of turn in the view that has the keyboard,
// empty when it does nothing.
func (s *Screen) turns() string {
	return map[view]string{viewCosts: "fold", viewListing: "fold", viewKnobs: "value"}[s.keysIn()]
}

// nothingToTurn returns why turn would do nothing.
func (s *Screen) nothingToTurn() string {
	if s.turns() == "" {
		return "nothing to turn here: v goes to the knobs"
	}
	return ""
}

// copyListing copies the list of the deferred tools, as the model is shown it.
func (s *Screen) copyListing() tea.Cmd {
	return s.host.Copy("the listing", clip.Text, s.state.Snapshot.Assembly().Listing.Text())
}

// nothingListed returns why there is no list to copy.
func (s *Screen) nothingListed() string {
	switch {
	case s.state == nil || !s.lists():
		return "the agent of june-2026 lists no tools: the knob agent tries september-2026"
	case s.state.Budget.Listing.Form == listing.None:
		return "the model is shown no list: the view listing says what one would take"
	}
	return ""
}
