package explore

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/desk"
	"caliper/tui/screen"
)

// granting returns the change that grants the session the pinned tool, else the selected one,
// or why there is none.
func (s *Screen) granting() (ask screen.Write, why string) {
	if s.state == nil {
		return ask, s.noState()
	}
	return desk.Granting(s.state.Snapshot, s.state.Snapshot.Session.Name, cmp.Or(s.pinned(), s.Tool()))
}

// grant asks to write the change that grants the session the tool.
func (s *Screen) grant() tea.Cmd {
	ask, _ := s.granting()
	return s.host.Send(ask)
}

// noGrant returns why nothing can be granted.
func (s *Screen) noGrant() string {
	_, why := s.granting()
	return why
}
