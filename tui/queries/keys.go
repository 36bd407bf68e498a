package queries

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/lint"
	"caliper/model"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// The actions of the screen alone.
const (
	Unlabel ui.Action = "delete a labelled query"
	Unfold  ui.Action = "unfold findings"
	Fold    ui.Action = "fold findings"
	FoldAll ui.Action = "fold all findings"
)

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) *ui.Layer {
	keys := &ui.Group{Title: "Queries", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "show in Explore, fold or unfold a group", "", "enter").Does(s.openOrBegin).Says(s.opens).Unless(s.nothingToOpen),
		ui.Bind(ui.Compare, "b", "rankers side by side", "", "b").Does(s.compare),
		ui.Bind(ui.Label, "a", "label: a query, then the tool that answers it", "Add a labelled query, or a tool to one", "a").Does(s.label),
		ui.Bind(Unlabel, "d", "delete the query, after d again", "Delete the labelled query", "d").Does(s.unlabel).Unless(s.noneSelected),
		ui.Bind(ui.Try, "t", "try another description", "", "t").Does(s.try).Unless(ui.When(func() bool { return s.Tool() == nil }, "no tool is selected")),
		ui.Bind(Unfold, g.Right+" l", "unfold the group", "Unfold the findings of one kind", "right", "l").Runs(func() { s.fold(false) }).Unless(s.noGroup),
		ui.Bind(Fold, g.Left+" h", "fold the group", "Fold the findings of one kind", "left", "h").Runs(func() { s.fold(true) }).Unless(s.noGroup),
		ui.Bind(FoldAll, "*", "unfold all groups, or fold all", "Unfold or fold all findings", "*").Runs(s.foldAll).Says(s.foldsAll).Unless(s.noGroup),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filters[s.Tab]) }),
	}}
	return &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.Next, ui.Open.As("in Explore"), FoldAll.As("all"), ui.View.As("view"),
		ui.Label.As("add"), ui.NextRanker.As("ranker"), ui.Try.As("try text"), ui.Find, ui.Compare.As("rankers"), Unlabel.As("delete"),
		ui.Palette, ui.Help, ui.Quit)}
}

// openOrBegin begins work that waits, else shows the selected row in Explore.
func (s *Screen) openOrBegin() tea.Cmd {
	s.sure = ""
	if s.waits() {
		return s.begin(s.view(), true)
	}
	if s.view() == viewTuning {
		return s.tryPoint()
	}
	return s.open()
}

// opens tells what enter does here; empty where the footer tells it anyway.
func (s *Screen) opens() string {
	g, header, ok := s.selectedGroup()
	switch {
	case s.waits() && !s.needsLabels():
		return "start"
	case s.view() == viewTuning:
		return "try these settings"
	case !ok || !header || s.noGroup() != "":
		return ""
	case s.isFolded(g.kind):
		return "unfold"
	}
	return "fold"
}

// nothingToOpen tells why enter does nothing here.
func (s *Screen) nothingToOpen() string {
	if _, ok := s.row(); ok || s.waits() && !s.needsLabels() {
		return ""
	}
	return "there are no rows here"
}

// needsLabels reports whether the view is about labelled queries, and there are none.
func (s *Screen) needsLabels() bool {
	return (s.view() == viewQueries || s.view() == viewTuning) && (s.state == nil || len(s.state.Queries) == 0)
}

// noneSelected tells why no query can be taken away.
func (s *Screen) noneSelected() string {
	if _, ok := s.row(); !ok || s.view() != viewQueries {
		return "no labelled query is selected"
	}
	return ""
}

// unlabel takes the selected query away, when it is asked for twice.
func (s *Screen) unlabel() tea.Cmd {
	row, _ := s.row()
	switch {
	case s.host.Case().Labels == "":
		return s.host.Notify(ui.LevelWarn, workbench.NoLabels)
	case s.sure != row.key:
		s.sure = row.key
		return nil
	}
	s.sure = ""
	q := s.found.evaluated.now().Answers[row.i].Query
	return workbench.RewriteLabels(s.host.Case().Labels, func(data []byte) ([]byte, string, error) { return workbench.RemoveLabel(data, q) })
}

// try edits a description in Explore, for the query of the selected row and with the tool
// that it should find pinned. It begins with the description that the remedy of the
// selected finding makes, else with the tool's own.
func (s *Screen) try() tea.Cmd {
	t := s.Tool()
	row, _ := s.row()
	description := s.proposed(t)
	return s.host.Send(screen.Visit{Query: s.question(row), Tool: t, Draft: &description})
}

// open shows the selected row in Explore: its query, with the tool that should
// be found pinned.
func (s *Screen) open() tea.Cmd {
	row, ok := s.row()
	if !ok {
		return nil
	}
	if g, header, _ := s.selectedGroup(); header {
		if s.noGroup() == "" {
			s.fold(!s.isFolded(g.kind))
		}
		return nil
	}
	t, query := s.Tool(), s.question(row)
	if query == "" && t == nil {
		return nil // Explore has nothing to show
	}
	return s.host.Send(screen.Visit{Query: query, Tool: t})
}

// question returns the query that a row is about, empty for none.
func (s *Screen) question(row row) string {
	switch s.view() {
	case viewQueries:
		return s.found.evaluated.now().Answers[row.i].Query.Text
	case viewDark:
		return firstMissed(s.found.reach[row.i])
	case viewFindings:
		if r := s.found.report.Findings[row.i].Remedy; r != nil {
			return r.Query
		}
	case viewMap:
		return s.mapQuery(row.i)
	}
	return ""
}

// firstMissed returns the first words of a tool that do not find it.
func firstMissed(r lint.Reach) string {
	for _, p := range []lint.Probe{r.Name, r.Sentence, r.Parameters} {
		if p.Query != "" && !p.Found {
			return p.Query
		}
	}
	return r.Name.Query
}

// proposed returns what to start a trial from: the description that the
// remedy of the selected finding makes, else the tool's own.
func (s *Screen) proposed(t *model.Tool) string {
	row, ok := s.row()
	if s.view() != viewFindings || !ok || row.header {
		return t.Description
	}
	r := s.found.report.Findings[row.i].Remedy
	if r == nil {
		return t.Description
	}
	for _, e := range r.Edits {
		if e.Description != nil && e.Tool.Qualified == t.Qualified && e.Tool.Description == t.Description {
			return *e.Description
		}
	}
	return t.Description
}
