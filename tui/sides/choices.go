package sides

import (
	"strings"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// The IDs of the states that can be chosen. A session has its name after idSession,
// and a generation of the agent after idAgent.
const (
	idTrials   = "trials"
	idBefore   = "before"
	idRegistry = "registry"
	idConfig   = "config"
	idSession  = "session:"
	idAgent    = "agent:"
)

// choice is the state on the right.
type choice struct{ id, path string }

// generation returns the generation of the agent that is chosen; empty for none.
func (c choice) generation() string {
	if g, ok := strings.CutPrefix(c.id, idAgent); ok {
		return g
	}
	return ""
}

// PathTitles are, for the choices of Choices that are a file, the titles of the box in which it is named.
var PathTitles = map[string]string{idRegistry: "registry to compare with", idConfig: "configuration to compare with"}

// Choices returns the states that can be compared with the one on disk. One that cannot tells
// why.
func (s *Screen) Choices() []ui.Choice {
	if s.state == nil {
		return nil
	}
	current := func(id string) bool { return s.open && s.choice.id == id }
	trials := ui.Choice{ID: idTrials, Label: "the trials (WHAT IF)", Current: current(idTrials)}
	if s.state.Baseline == nil {
		trials.Why = "none yet; the palette has every setting"
	}
	before := ui.Choice{ID: idBefore, Label: "the files before the last reload", Current: current(idBefore)}
	if s.before == nil {
		before.Why = "nothing was reloaded yet"
	}
	list := []ui.Choice{trials, before}
	for _, g := range config.Generations {
		if saved := s.state.OnDisk().Snapshot.Config.ToolSearch.Generation; g != string(saved) {
			list = append(list, ui.Choice{ID: idAgent + g, Label: "the agent of " + g, Current: current(idAgent + g)})
		}
	}
	for _, session := range s.state.OnDisk().Snapshot.Config.Sessions {
		if session.Name != s.state.Snapshot.Session.Name {
			list = append(list, ui.Choice{ID: idSession + session.Name, Label: "session " + safetext.Line(session.Name), Current: current(idSession + session.Name)})
		}
	}
	return append(list,
		ui.Choice{ID: idRegistry, Label: "another registry …", Note: "path", Current: current(idRegistry)},
		ui.Choice{ID: idConfig, Label: "another configuration …", Note: "path", Current: current(idConfig)})
}
