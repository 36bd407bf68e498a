package strategies

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// selectionKnobs are the knobs of the screen.
var selectionKnobs = desk.KnobsOf(desk.StrategiesKnobs)

// keyTopK is the setting of how many tools are selected.
const keyTopK = "tools.rag_top_k"

// drawKnobs draws the knobs in exactly h lines, and the state of the embedder.
func (s *Screen) drawKnobs(t *ui.Theme, w, h int) []string {
	return s.host.Knobs.DrawPanel(t, &s.Sheet, selectionKnobs, s.embedderText(t), s.Focused() == ui.AreaKnobs, w, h)
}

// coreNames returns the names of the tools that every message is sent with, as
// they are tried.
func (s *Screen) coreNames() []string {
	names, _ := s.host.Knobs.Value(desk.KnobOf(config.KeyRAGCore)).([]string)
	return names
}

// pickCore opens the list of the session's tools, with a mark at the ones of the
// core, which come first.
func (s *Screen) pickCore() tea.Cmd {
	s.leaveMessage()
	var list *ui.Chooser
	// The tools of the core in their order, also those that the session cannot be sent, and then all others by name.
	snapshot := s.state.Snapshot
	names := s.coreNames()
	byName := map[string]bool{}
	var all []ui.Choice
	for _, name := range names {
		found := snapshot.Registry.Lookup(name)
		note, shown := "no such tool", safetext.Line(name)
		for _, t := range found {
			byName[t.Qualified] = true
			if note = "not granted"; granted(snapshot, t) {
				note = ui.Thousands(snapshot.ToolTokens(t)) + " tok"
				break
			}
		}
		all = append(all, ui.Choice{ID: name, Label: shown, Note: note, Current: true})
	}
	for _, t := range snapshot.ByName() {
		if byName[t.Qualified] || !granted(snapshot, t) {
			continue
		}
		id := t.Name
		if len(snapshot.Registry.Lookup(id)) > 1 {
			id = t.Qualified
		}
		all = append(all, ui.Choice{ID: id, Label: t.ShownName, Note: ui.Thousands(snapshot.ToolTokens(t)) + " tok"})
	}
	list = s.host.Choose("always-sent tools: enter adds or removes", all, true, func(name string) tea.Cmd { return s.toggleCore(list, name) })
	list.Narrow() // the first is selected, and not one of the core
	return nil
}

// toggleCore adds a tool to the core, or takes it away. The list stays open and
// keeps its order.
func (s *Screen) toggleCore(list *ui.Chooser, name string) tea.Cmd {
	names := slices.Clone(s.coreNames())
	at := slices.Index(names, name)
	if at >= 0 {
		names = slices.Delete(names, at, at+1)
	} else {
		names = append(names, name)
	}
	list.Mark(name, at < 0)
	s.host.Knobs.Put(desk.KnobOf(config.KeyRAGCore), names)
	return s.host.Load(true)
}
