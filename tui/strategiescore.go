package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
)

// coreNames returns the names of the tools that every message is sent with, as
// they are tried.
func (s *strategiesScreen) coreNames() []string {
	names, _ := s.app.budget.value(knobCore).([]string)
	return names
}

// pickCore opens the list of the session's tools, with a mark at those of the
// core, which come first.
func (s *strategiesScreen) pickCore() {
	s.leaveMessage()
	s.app.top = newChooser(purposeCore, "core: enter adds or takes away", nil)
	s.app.top.all = s.coreChoices()
	s.app.top.narrow()
}

// coreChoices returns the tools of the core in their order, those that the
// session cannot be sent among them, and then all others by name.
func (s *strategiesScreen) coreChoices() []choice {
	snapshot := s.state.Snapshot
	names := s.coreNames()
	byName := map[string]bool{}
	var all []choice
	for _, name := range names {
		found := snapshot.Registry.Lookup(name)
		note, shown := "no such tool", model.Sanitize(name)
		for _, t := range found {
			byName[t.Qualified] = true
			if note = "not granted"; s.grants(t) {
				note = thousands(snapshot.ToolTokens(t)) + " tok"
				break
			}
		}
		all = append(all, choice{id: name, label: shown, note: note, current: true})
	}
	for _, t := range snapshot.ByName() {
		if byName[t.Qualified] || !s.grants(t) {
			continue
		}
		id := t.Name
		if len(snapshot.Registry.Lookup(id)) > 1 {
			id = t.Qualified
		}
		all = append(all, choice{id: id, label: t.ShownName, note: thousands(snapshot.ToolTokens(t)) + " tok"})
	}
	return all
}

// grants reports whether the session can be sent a tool.
func (s *strategiesScreen) grants(t *model.Tool) bool {
	status := s.state.Snapshot.Status(t)
	return status == engine.Sent || status == engine.Deferred
}

// toggleCore adds a tool to the core, or takes it away. The list of them stays
// open and keeps its order.
func (s *strategiesScreen) toggleCore(name string) tea.Cmd {
	names := slices.Clone(s.coreNames())
	at := slices.Index(names, name)
	if at >= 0 {
		names = slices.Delete(names, at, at+1)
	} else {
		names = append(names, name)
	}
	if c := s.app.top; c != nil {
		for i := range c.all {
			if c.all[i].id == name {
				c.all[i].current = at < 0
			}
		}
		for i := range c.shown {
			if c.shown[i].id == name {
				c.shown[i].current = at < 0
			}
		}
	}
	s.changes++
	return s.app.budget.set(knobCore, names)
}
