package sides

import (
	"strings"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// The IDs of the states that can be chosen. A session has its name after idSession,
// a generation of the agent after idAgent, and a ranker after idRanker.
const (
	idTrials   = "trials"
	idBefore   = "before"
	idRegistry = "registry"
	idConfig   = "config"
	idSession  = "session:"
	idAgent    = "agent:"
	idRanker   = "ranker:"
)

// choice is the state on the right.
type choice struct{ id, path string }

// generation returns the generation of the agent that is chosen; empty for none.
func (c choice) generation() string { return c.named(idAgent) }

// ranker returns the ranker that is chosen; empty for none.
func (c choice) ranker() string { return c.named(idRanker) }

// named returns the name after a prefix of the ID; empty where it has another.
func (c choice) named(prefix string) string {
	if name, ok := strings.CutPrefix(c.id, prefix); ok {
		return name
	}
	return ""
}

// PathTitles are, for the choices of Choices that are a file, the titles of the box in which it is named.
var PathTitles = map[string]string{idRegistry: "registry to compare with", idConfig: "configuration to compare with"}

// Choices returns the states to compare with the one on disk; one that cannot be tells why.
func (s *Screen) Choices() []ui.Choice {
	if s.state == nil {
		return nil
	}
	current := func(id string) bool { return s.open && s.choice.id == id }
	trials := ui.Choice{ID: idTrials, Label: "the trials (WHAT IF)", Current: current(idTrials)}
	if s.state.Baseline == nil {
		trials.Why = "nothing is tried yet: ctrl-p has every setting"
	}
	before := ui.Choice{ID: idBefore, Label: "the files before the last reload", Current: current(idBefore)}
	if s.before == nil {
		before.Why = "nothing was reloaded yet"
	}
	list := []ui.Choice{trials, before}
	saved := s.state.OnDisk().Snapshot
	for _, name := range config.Rankers {
		if saved.Host().Generation != "" && name != saved.Config.ToolSearch.Ranker && name != config.RankerLearned {
			list = append(list, ui.Choice{ID: idRanker + name, Label: "the ranker " + name, Current: current(idRanker + name)})
		}
	}
	for _, g := range config.Generations {
		if g != string(saved.Config.ToolSearch.Generation) {
			list = append(list, ui.Choice{ID: idAgent + g, Label: "the agent of " + g, Current: current(idAgent + g)})
		}
	}
	for _, session := range saved.Config.Sessions {
		if session.Name != s.state.Snapshot.Session.Name {
			list = append(list, ui.Choice{ID: idSession + session.Name, Label: "session " + safetext.Line(session.Name), Current: current(idSession + session.Name)})
		}
	}
	return append(list,
		ui.Choice{ID: idRegistry, Label: "another registry …", Note: "path", Current: current(idRegistry)},
		ui.Choice{ID: idConfig, Label: "another configuration …", Note: "path", Current: current(idConfig)})
}
