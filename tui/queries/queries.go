// Package queries is the screen of how well the session's search answers the
// labelled queries, which tools their own words do not find, what lint finds, which
// settings the labelled queries prove to be better, and which tools are confused.
//
// Invariants:
//   - everything is worked out beside the screen, and only while it is looked at;
//   - what was found before stays until it is found anew;
//   - the worst rows come first.
package queries

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/lint"
	"caliper/engine/reach"
	"caliper/engine/selection"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Screen is Queries.
type Screen struct {
	screen.Rest
	ui.Sheet
	host   desk.Desk
	glyphs ui.Glyphs
	state  *workbench.State

	evaluating ui.Job[*workbench.State, *evaluated]
	surveying  ui.Job[*workbench.State, []lint.Reach]
	linting    ui.Job[*workbench.State, lint.Report]
	tuning     ui.Job[tuned, selection.Tuning]
	mapping    ui.Job[*workbench.State, *lint.ConfusionMap]
	found      found
	last       *evaluated     // of the files before, nil while there were none
	ranks      map[string]int // of every query in the evaluation compared with
	rows       [viewCount][]row
	filters    [viewCount]string               // what the rows must hold, in lower case
	groups     []group                         // of the findings that pass the filter
	folds      map[kind]bool                   // groups that the user folded or unfolded
	unfolded   *kind                           // the group that was unfolded last by itself; nil: none is
	explaining ui.Job[string, []whatif.Answer] // why the relevant tools of the query of a key are not found
	answers    []whatif.Answer                 // in the order of its relevant names; nil: not known
	asking     ui.Job[*workbench.State, reach.Depends]
	depends    *reach.Depends // what the agents that are compared find; nil: not known
	sure       string         // key of the query that the next d takes away

	faults    []model.Diagnostic // of lines of the file of labelled queries
	newFaults bool               // nobody has seen them
	reread    bool               // the labelled queries are
	written   string             // what changed in the file, until it is read again
	sought    string             // query that was labelled here, to which the cursor goes once it is a row
	notice    tea.Cmd            // ends a notice in its time; not run yet
}

var _ screen.Framed = (*Screen)(nil)

// New returns the screen before anything is loaded.
func New(h desk.Desk, g ui.Glyphs) *Screen {
	s := &Screen{host: h, glyphs: g}
	keys := &ui.Group{Title: "Queries", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "show in Explore, fold or unfold a group", "", "enter").Does(s.openOrBegin).Says(s.opens).Unless(func() string {
			if _, ok := s.row(); ok || s.waits() && !s.needsLabels() {
				return ""
			}
			return "there are no rows here"
		}),
		ui.Bind(ui.Compare, "b", "rankers side by side", "", "b").Does(s.compare),
		ui.Bind(ui.Label, "a", "label: a query, then the tool that answers it", "Add a labelled query, or a tool to one", "a").Does(s.label),
		ui.Bind(Unlabel, "d", "delete the query, after d again", "Delete the labelled query", "d").Does(s.unlabel).Unless(func() string {
			if _, ok := s.row(); !ok || s.view() != viewQueries {
				return "no labelled query is selected"
			}
			return ""
		}),
		ui.Bind(ui.Try, "t", "try another description", "", "t").Does(func() tea.Cmd {
			// It begins with the description that the remedy of the selected finding makes, else with the
			// tool's own.
			t := s.Tool()
			row, _ := s.row()
			description := s.proposed(t)
			return s.host.Send(screen.Visit{Query: s.question(row), Tool: t, Draft: &description})
		}).Unless(ui.When(func() bool { return s.Tool() == nil }, "no tool is selected")),
		ui.Bind(Unfold, g.Right+" l", "unfold the group", "Unfold the findings of one kind", "right", "l").Runs(func() { s.fold(false) }).Unless(s.noGroup),
		ui.Bind(Fold, g.Left+" h", "fold the group", "Fold the findings of one kind", "left", "h").Runs(func() { s.fold(true) }).Unless(s.noGroup),
		ui.Bind(FoldAll, "*", "unfold all groups, or fold all", "Unfold or fold all findings", "*").Runs(s.foldAll).Says(func() string {
			if !slices.ContainsFunc(s.groups, func(g group) bool { return s.isFolded(g.kind) }) {
				return "fold all"
			}
			return "unfold all"
		}).Unless(s.noGroup),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filters[s.Tab]) }),
	}}
	s.Label, s.Keys = "Queries", &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.Next, ui.Open.As("in Explore"), FoldAll.As("all"), ui.View.As("view"),
		ui.Label.As("add"), ui.NextRanker.As("ranker"), ui.Try.As("try text"), ui.Find, ui.Compare.As("rankers"), Unlabel.As("delete"),
		ui.Palette, ui.Help, ui.Quit)}
	s.Moved = func(ui.Area) { s.sure = "" }
	views := []ui.ListView{
		viewQueries:  {Columns: s.queryColumns, Above: s.drawMetrics},
		viewDark:     {Columns: s.darkColumns, Above: s.drawReach},
		viewFindings: {Row: s.drawFinding, Above: s.drawSeverities},
		viewTuning:   {Columns: s.pointColumns, Above: s.drawTuning},
		viewMap:      {Columns: s.pairColumns, Above: s.drawMapSummary},
	}
	for v := range viewCount {
		x, above := &views[v], views[v].Above
		x.Name, x.Below, x.Nothing, x.Rows = v.String(), s.details, s.nothing, func() ui.Rows { return s.listed(v) }
		x.Above = func(t *ui.Theme, w, h int, split bool) ([]string, bool) {
			if !split && s.Focused() == ui.AreaBelow {
				return nil, false
			}
			return above(t, w, h, split)
		}
	}
	s.AddViews(views...)
	return s
}

// view is one of the lists that take turns on the screen.
type view int

const (
	viewQueries  view = iota // labelled queries, misses first
	viewDark                 // tools that their own words do not find
	viewFindings             // what lint finds
	viewTuning               // settings that the labelled queries prove
	viewMap                  // tools that are confused
	viewCount
)

// String returns the name of the view.
func (v view) String() string {
	return [viewCount]string{"queries", "unfindable tools", "findings", "settings", "map"}[v]
}

// row is one row of a list.
type row struct {
	key    string
	i      int  // index among what was found; 0 of a header
	group  int  // index of the group of a finding
	header bool // it is the header of the group
}

// view returns the view that is shown.
func (s *Screen) view() view { return view(s.Tab) }

// listed returns the rows of a view; a filter that hides the cursor's row moves it to a match.
func (s *Screen) listed(v view) ui.Rows {
	list := s.rows[v]
	r := ui.Rows{N: len(list), ID: func(i int) string { return list[i].key }}
	if s.filters[v] != "" {
		r.Lost = func() int { return max(0, slices.IndexFunc(list, func(r row) bool { return !r.header })) }
	}
	return r
}

// row returns the selected row; ok is false in an empty list.
func (s *Screen) row() (r row, ok bool) {
	at, ok := s.Row(s.Tab)
	if !ok {
		return row{}, false
	}
	return s.rows[s.Tab][at], true
}

// Frame returns the filter and the counts as heading, and the progress as note.
func (s *Screen) Frame() ui.Frame {
	heading := ""
	if s.W >= leastCounted {
		f := &s.found
		switch {
		case s.view() == viewQueries && f.evaluated != nil && len(f.evaluated.now().Answers) > 0:
			counts := s.missedText()
			if n := s.faulty(); n > 0 && s.W >= 70 {
				counts += "  " + ui.Count(n, "line") + " left out"
			}
			if d := s.depends; d != nil && s.asking.Of == s.state && s.W >= 100 {
				counts += "  " + ui.Thousands(d.Depending()) + " depend on the agent"
			}
			heading = counts
		case s.view() == viewDark && f.surveyed:
			counts := ui.Thousands(len(lint.Dark(f.reach))) + " of " + ui.Thousands(len(f.reach))
			var partly int
			for _, r := range f.reach {
				if !r.Dark() && failures(r) > 0 {
					partly++
				}
			}
			if partly > 0 {
				counts += ", " + ui.Thousands(partly) + " partly"
			}
			heading = counts
		case s.view() == viewTuning && f.tuned != nil:
			heading = f.tuned.Objective + ", " + ui.Count(f.tuned.Folds, "fold")
		case s.view() == viewFindings && f.linted:
			n := 0
			for _, g := range s.groups {
				n += g.matches
			}
			heading = ui.Thousands(n)
		case s.view() == viewMap && f.confused != nil:
			twins := 0
			for _, p := range s.found.confused.Pairs {
				if p.Kind == lint.Twin {
					twins++
				}
			}
			pairs := ui.Count(twins, "twin") + ", " + ui.Count(len(s.found.confused.Pairs)-twins, "shadow")
			if b := s.found.confused.Bounds; b.Narrow() {
				pairs += fmt.Sprintf(", of %d hits and the %d rarest words", b.Depth, b.Words)
			}
			if n := s.found.confused.Crowded; n > 0 {
				pairs += fmt.Sprintf(", %s with more near hits than are compared", ui.Count(n, "tool"))
			}
			heading = pairs
		}
	}
	if n := s.filters[s.Tab]; n != "" {
		heading = strings.TrimSpace("/" + safetext.Line(n) + "  " + heading)
	}
	return ui.Frame{Title: heading, Note: s.progress(), Whole: true, Beyond: ui.Beyond(s.Hidden())}
}

// leastCounted is the width from which the heading has room for counts beside the tabs.
const leastCounted = 50

// Back cancels work, else folds what was unfolded last, else ends the comparison of rankers.
func (s *Screen) Back() bool {
	g, _, ofGroup := s.selectedGroup()
	switch {
	case s.work(s.view()).Stop(): // what was found before stays
		s.tell(ui.LevelInfo, s.view().verb()+" cancelled: enter starts it again")
	case s.filters[s.Tab] == "" && ofGroup && s.unfolded != nil && *s.unfolded == g.kind: // it was unfolded last
		s.fold(true)
	case s.filters[s.Tab] == "" && s.state != nil && len(s.state.Rivals) > 0:
		s.notice = tea.Batch(s.notice, s.host.ActiveRankerAlone())
	default:
		return false
	}
	return true
}

// Filter shows only the rows that hold a text.
func (s *Screen) Filter(text string) bool {
	had := s.filters[s.Tab] != ""
	s.filters[s.Tab] = lowered(text)
	s.orderView(s.view())
	return had || text != ""
}

// Beside names what tab gives the keys; nothing while neither list is drawn.
func (s *Screen) Beside() string {
	if s.state == nil || s.nothing() != nil {
		return ""
	}
	return s.Sheet.Beside()
}

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewQueries:  {"labelled query", "miss", "recall@5", "MRR@10", "nDCG@10", "complete@5", "wording", "rank", "limit", "why not", "remedy", "regression", "false hits", "false abstentions"},
	viewDark:     {"unfindable tool", "shadow", "rank", "limit", "remedy"},
	viewFindings: {"finding", "shadow", "remedy", "tool"},
	viewTuning:   {"tuning", "trade-off", "95 % interval", "cannot tell", "stability", "wording", "recall@5", "limit", "ranker", "token", "labelled query", "threshold", "K"},
	viewMap:      {"confusion", "twin", "shadow", "overlap", "labelled query", "rank"},
}

// Words returns the labels of the view.
func (s *Screen) Words() (here, pane []string) { return nil, glossed[s.view()] }

// Asked returns the query that the selected row is about, and its tool.
func (s *Screen) Asked() (screen.Question, bool) {
	row, ok := s.row()
	if !ok || row.header || s.view() == viewTuning || s.view() == viewQueries && s.found.evaluated == nil {
		return screen.Question{}, true
	}
	return screen.Question{Query: s.question(row), Tool: s.Tool()}, true
}

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.Resize(w, h)
	switch {
	case s.state == nil:
		return ui.Centered(t, w, h, "nothing loaded yet")
	case s.view() == viewMap && s.nothing() == nil && s.heatWidth() > 0:
		lines := s.DrawView(t, w-s.heatWidth()-2, h, 0)
		columns := s.heatWidth()
		for i := range lines {
			l := ui.StartLine(columns+2, 2)
			switch i {
			case 0:
				l.Text(t.Faint, ui.Longest(columns, "a row: what a tool's queries find", "what its queries find"))
			case 1:
				ui.DrawHeatKey(&l, t, "confusion", "selected")
			default:
				s.drawHeatLine(&l, t, i-2, len(lines)-2, columns)
			}
			lines[i] += l.End()
		}
		return lines
	}
	return s.DrawView(t, w, h, 0)
}

// nothing returns why there is nothing to draw, nil when there is something.
func (s *Screen) nothing() []string {
	f, st := &s.found, s.work(s.view())
	have := [viewCount]bool{f.evaluated != nil && len(f.evaluated.now().Answers) > 0, f.surveyed, f.linted, f.tuned != nil, f.confused != nil}[s.view()]
	switch {
	case s.needsLabels():
		switch {
		case s.host.Case().Labels == "":
			return []string{"no labelled queries", workbench.NoLabels, "the other views need none: unfindable tools, findings, map"}
		case len(s.faults) > 0:
			return []string{"no line of the file is a labelled query", s.faults[0].Brief(), "! shows all warnings"}
		}
		return []string{"no labelled queries yet", "a labels a query with the tool that answers it"}
	case !have && st.Held:
		return []string{"this takes a while with " + ui.Count(len(s.state.Snapshot.Catalog()), "tool"), "enter starts it"}
	case !have && st.Stopped:
		return []string{s.view().verb() + " was cancelled", "enter starts it again"}
	case !have && st.Err != nil:
		return []string{s.view().verb() + " failed: " + safetext.Line(st.Err.Error()), "enter starts it again"}
	case !have && st.Total > 0:
		return []string{s.progress(), "esc cancels"}
	case !have:
		return []string{s.progress()}
	case len(s.rows[s.Tab]) == 0 && s.filters[s.Tab] != "":
		return []string{"no row contains " + safetext.Line(s.filters[s.Tab]), "esc clears the filter"}
	case len(s.rows[s.Tab]) == 0 && s.view() == viewDark:
		return []string{"no unfindable tools:", "name and first sentence find every tool of " + ui.Thousands(len(f.reach))}
	case len(s.rows[s.Tab]) == 0 && s.view() == viewMap:
		return []string{"no twins and no shadows:", "no tool is above another one in half of the queries of that"}
	case len(s.rows[s.Tab]) == 0:
		return []string{"lint finds nothing"}
	}
	return nil
}
