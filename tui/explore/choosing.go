package explore

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// noState returns why there is no tool to choose.
func (s *Screen) noState() string {
	if s.state == nil {
		return "nothing is loaded yet"
	}
	return ""
}

// aboutBytes is how much of a description a chooser of tools looks into.
const aboutBytes = 1 << 10

// chooseTool asks for a tool, whatever the query finds. The first rows are those given, then
// come the hits, then the other tools; each stands once.
func (s *Screen) chooseTool(title string, first []ui.Choice, then func(*model.Tool) tea.Cmd) tea.Cmd {
	return s.choose(title, first, func(id string, t *model.Tool) tea.Cmd {
		if id == chooseNone {
			return s.unpinTool()
		}
		return then(t)
	})
}

// choose is chooseTool with rows of other IDs among the first, for which then gets no tool.
func (s *Screen) choose(title string, first []ui.Choice, then func(id string, t *model.Tool) tea.Cmd) tea.Cmd {
	choices := first
	listed := map[string]bool{}
	for _, c := range first {
		listed[c.ID] = true
	}
	for _, h := range s.hits.results.Hits {
		if listed[h.Tool.Qualified] {
			continue
		}
		listed[h.Tool.Qualified] = true
		choices = append(choices, ui.Choice{ID: h.Tool.Qualified, Label: h.Tool.ShownName, About: beginning(h.Tool, aboutBytes), Note: "hit " + ui.Thousands(h.Rank)})
	}
	for _, t := range s.state.Snapshot.ByName() {
		if !listed[t.Qualified] {
			choices = append(choices, ui.Choice{ID: t.Qualified, Label: t.ShownName, About: beginning(t, aboutBytes), Note: t.ShownToolset()})
		}
	}
	s.host.Choose(title, choices, false, func(name string) tea.Cmd {
		t := s.state.Snapshot.Registry.Named(name)
		if t == nil && name != chooseNone && name != chooseWhy {
			return s.host.Notify(ui.LevelWarn, "the registry has no "+safetext.Line(name)+" any more")
		}
		return then(name, t)
	})
	return nil
}

// pinned returns the pinned tool, nil for none and when the registry has it no more.
func (s *Screen) pinned() *model.Tool {
	if s.pin.name == "" {
		return nil
	}
	return s.state.Snapshot.Registry.Named(s.pin.name)
}

// tryDescription edits another description of the tool that is expected of the query, else of
// the selected one, else of one that it asks for.
func (s *Screen) tryDescription() tea.Cmd {
	own := func(t *model.Tool) tea.Cmd { return s.Draft(t, t.Description) }
	if t := s.pinned(); t != nil && (s.pin.expectedOf(s.query.Value()) || s.Tool() == nil) {
		return own(t)
	}
	if t := s.Tool(); t != nil {
		return own(t)
	}
	return s.chooseTool("description of which tool?", nil, own)
}

// Choose selects a tool. Where the query does not find it, it is pinned too, and schema and
// dry run are of it all the same. The query stays.
func (s *Screen) Choose(t *model.Tool) tea.Cmd {
	s.hits.setFilter("")
	s.setFocus(PaneHits)
	if s.hits.selectName(t.Qualified) {
		s.reselect()
		return s.host.Notify(ui.LevelInfo, "selected "+t.ShownName)
	}
	was := s.pin.shown
	s.expect(t)
	s.hits.selectBeside(t.Qualified)
	s.reselect()
	text := "pinned " + t.ShownName + ", which the query does not find"
	if was != "" && was != t.ShownName {
		text += "; unpinned " + was
	}
	return s.host.Notify(ui.LevelInfo, text)
}

// expect pins a tool for the query.
func (s *Screen) expect(t *model.Tool) {
	s.pin.unpin()
	s.pin.expect(t, s.query.Value())
	s.hits.pin(t.Qualified)
}
