package explore

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// open shows the schema of the selected hit.
func (s *Screen) open() {
	s.Remember(s.query.Value())
	s.setFocus(PaneSchema)
}

// typeQuery handles a key that edits the query.
func (s *Screen) typeQuery(k tea.KeyMsg) tea.Cmd {
	before := s.query.Value()
	if _, changed := s.query.Key(k); !changed {
		return nil
	}
	now := s.host.Now() // the text before still has its hits
	if now.Sub(s.changed) >= moment && before != "" && !s.hits.browsing && len(s.hits.results.Hits) > 0 {
		s.stood = before
	}
	s.changed = now
	if s.query.Value() == "" {
		s.Remember(s.stood)
		s.stood = ""
	}
	s.pin.edited(before, s.query.Value())
	s.hits.pinned = s.pin.name
	cmd := s.dropsFilter()
	s.queryChanged()
	return cmd
}

// dropsFilter tells that the next query drops the filter of the hits; nil without one.
func (s *Screen) dropsFilter() tea.Cmd {
	if s.hits.filter == "" {
		return nil
	}
	return s.host.Notify(ui.LevelInfo, "the new query drops the filter /"+safetext.Line(s.hits.filter))
}

// noTool returns why nothing can be done with the selected tool, empty when it can.
func (s *Screen) noTool() string {
	if s.state == nil || s.Tool() == nil {
		return "no tool is selected"
	}
	return ""
}

// compare shows the ranks of the other rankers beside the hits, or hides them.
func (s *Screen) compare() tea.Cmd {
	shown := desk.EveryRanker
	switch {
	case s.hits.browsing:
		shown = "ranks of every ranker come with a query"
	case s.hits.count() == 0:
		shown = "ranks of every ranker come with hits"
	}
	return s.host.CompareRankers(shown)
}

// follow moves to the target of the $ref of the selected row.
func (s *Screen) follow() tea.Cmd {
	s.setFocus(PaneSchema)
	p := &s.schema
	row, ok := p.row()
	if !ok || row.node == nil || row.node.Ref == "" {
		return s.host.Notify(ui.LevelWarn, "no $ref here")
	}
	target, err := p.root.Resolve(row.node.Ref)
	if err != nil {
		return s.host.Notify(ui.LevelWarn, safetext.Line(err.Error()))
	}
	path, found := p.reveal(p.root, rootPath, target)
	if !found {
		return s.host.Notify(ui.LevelWarn, "the reference leads outside the tree")
	}
	p.computeRows()
	p.toPath(path)
	return nil
}

// noLabel returns why the query cannot be labelled, empty when it can.
func (s *Screen) noLabel() string {
	switch {
	case s.state == nil:
		return s.noState()
	case s.hits.browsing:
		return "type a query first: it is what is labelled"
	case s.pinned() == nil:
		return s.noTool()
	}
	return ""
}

// granting is desk.Granting for the session and the pinned tool, else the selected one.
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
	s.pin.unpin()
	s.pin.expect(t, s.query.Value())
	s.hits.pinned = t.Qualified
	s.hits.beside = t.Qualified
	s.reselect()
	text := "pinned " + t.ShownName + ", which the query does not find"
	if was != "" && was != t.ShownName {
		text += "; unpinned " + was
	}
	return s.host.Notify(ui.LevelInfo, text)
}
