package scope

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/keymap"
)

// Gates is the action that leaves the next scope gates out of the dry run.
const Gates keymap.Action = "leave a scope gate out"

// bind declares the keys.
func (s *Screen) bind() *keymap.Layer {
	keys := &keymap.Group{Title: "Scope", Bindings: []keymap.Binding{
		keymap.Bind(keymap.Open, "enter", "switch to the session", "", "enter").Does(s.open),
		keymap.Bind(keymap.View, "v", "compare, or who can call", "Go to the next view of the screen", "v").Runs(s.nextView),
		keymap.Bind(Gates, "x", "leave a scope gate out of the dry run", "Leave a scope gate out of the dry run", "x").Does(s.leaveGatesOut),
		keymap.Bind(keymap.Find, "/", "filter", "", "/").Runs(func() { s.host.Find("") }),
	}}
	return &keymap.Layer{Groups: []*keymap.Group{keys}, Hints: keymap.Hints(
		keymap.Down.After(keymap.Up, "rows"), keymap.Next, keymap.Open.As("switch to it"), keymap.View.As("compare or who"), Gates.As("without a gate"),
		keymap.Find, keymap.Session, keymap.Palette, keymap.Help, keymap.Quit)}
}

// Layer returns the keys of the screen.
func (s *Screen) Layer() *keymap.Layer { return s.layer }

// Groups returns the keys for help and palette.
func (s *Screen) Groups() []*keymap.Group { return s.layer.Groups }

// open switches to the session under the cursor, or begins an audit that waits
// for it.
func (s *Screen) open() tea.Cmd {
	switch {
	case s.auditing.Held:
		return s.begin()
	case s.cursor() < 0:
		return nil
	}
	s.host.Input().Flags.Session = s.session
	return s.host.Load(false)
}

// leaveGatesOut leaves the next scope gates out of the dry run.
func (s *Screen) leaveGatesOut() tea.Cmd {
	flags := &s.host.Input().Flags
	flags.WithoutGates = nextGates(flags.WithoutGates)
	return s.host.Load(false)
}
