// Package explore is the screen of one query: its hits, and of the selected hit
// the schema, the sum of its score and a call that is decided and never run.
//
// Invariants:
//   - hits, scores and the decision about a call come from package engine for
//     the snapshot: nothing is ranked or decided here;
//   - the panes cover the screen and do not overlap, and only those that changed
//     are drawn again;
//   - no tool is ever called.
package explore

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Screen is Explore: the query, the hits, and the schema, score and dry run of the selected hit.
type Screen struct {
	screen.Base
	host  desk.Desk
	state *workbench.State // nil until the first load

	query    *ui.Field
	history  []string  // of queries, oldest first
	stood    string    // the last query that stood for a moment while it was typed, and had hits
	changed  time.Time // when the query was last changed
	hits     hits
	schema   schemaPane
	why      whyPane
	dry      dryRun
	args     *ui.Field
	editing  bool   // the arguments have the keyboard
	replaced string // the arguments that an object takes the place of, until a key is pressed; empty: none
	pin      pin
	overview overview
	draft    drafting
	gone     string  // qualified name of a tool whose draft was dropped; empty once it is said
	then     tea.Cmd // what Back has begun; nil once it is returned
	said     string  // answer to a click; empty once it is a notice
	visit    *visit  // nil unless another screen has asked for a dry run

	recalling  ui.Job[*workbench.State, desk.Recall] // of the labelled queries, with the trials
	proposing  ui.Job[question, proposals]           // the doctor's work for the tool of the draft
	requesting ui.Job[question, whatif.Request]      // for a writer

	focus   Pane
	shown   Pane // the last pane with the focus, for layouts in which panes share a box
	beside  Pane // the same without the hits, for layouts in which the others share a box beside them
	entered int  // index of the first tab that the keyboard comes to beside the hits
	zoom    bool // show that pane alone at every size
	finds   Pane // pane for which the search line was opened
	layout  layout
	heights heights
}

// The longest texts that can be typed, in characters.
const (
	longestQuery     = 4 << 10
	longestArguments = 1 << 20
)

// New returns Explore with a query and the history of previous queries.
func New(h desk.Desk, g ui.Glyphs, query string, history []string) *Screen {
	s := &Screen{Base: screen.Base{Label: "Explore"}, host: h, history: history}
	s.query = ui.NewField(longestQuery, "what should the tool do?")
	s.args = ui.NewField(longestArguments, "arguments as JSON")
	s.args.BreakWords(jsonPunctuation)
	s.draft.text = ui.NewTextArea(longestDescription, "what the tool does")
	s.query.Set(query)
	s.heights.asks = leastRows
	s.bind(g)
	return s
}

// Case returns the query, the selected tool and the expected tool.
func (s *Screen) Case() screen.Case {
	c := screen.Case{Query: s.query.Value(), Tool: s.Tool()}
	if s.pin.expectedOf(c.Query) {
		c.Expected = s.pin.name
	}
	return c
}

// DrawHits draws the best hits in at most h lines without a selection, and returns their heading.
func (s *Screen) DrawHits(t *ui.Theme, w, h int) (heading, note string, lines []string) {
	p := s.hits
	heading, note = p.title()
	if p.browsing {
		return heading, note, ui.Centered(t, w, h, "type a query in Explore", "to see here how its hits move")
	}
	p.cursor, p.list = -1, ui.Window{}
	return heading, note, p.draw(t, w, h, false)
}

// FocusQuery gives the keyboard to the query box.
func (s *Screen) FocusQuery() { s.setFocus(PaneQuery) }

// Focus returns the pane that has the keyboard.
func (s *Screen) Focus() Pane { return s.focus }

// Tool returns the tool whose description is edited, else the selected one, nil for none.
func (s *Screen) Tool() *model.Tool {
	if s.draft.tool != nil {
		return s.draft.tool
	}
	return s.hits.selected()
}

// Start returns the command that asks why the expected tool is not found, what the trials
// and the draft do, and what the overview says; nil when all have been asked.
func (s *Screen) Start(visible bool) tea.Cmd {
	notice := s.then
	s.then = nil
	if s.gone != "" {
		notice, s.gone = tea.Batch(notice, s.host.Notify(ui.LevelWarn, "the registry has no "+safetext.Line(s.gone)+" any more: its draft is dropped")), ""
	}
	if s.said != "" {
		notice, s.said = tea.Batch(notice, s.host.Notify(ui.LevelInfo, s.said)), ""
	}
	return tea.Batch(notice, s.askPin(), s.askRecall(), s.askDraft(), s.askOverview(visible))
}

// Update handles the answer about the expected tool, and arguments from the editor.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		s.state = msg.After
		// The hits of a standing query are compared with those before. A state that something else than files made ends it.
		switch {
		case msg.Before == nil || s.hits.browsing || msg.Before.Snapshot.Session.Name != msg.After.Snapshot.Session.Name:
			s.hits.earlier = nil
		case msg.Reload != nil:
			s.hits.earlier = msg.Before.Snapshot
		case msg.Before.Snapshot != msg.After.Snapshot:
			s.hits.earlier = nil
		}
		s.hits.search(s.state, s.query.Value(), msg.Before != nil)
		if d := &s.draft; d.tool != nil {
			if t := s.state.Snapshot.Registry.Named(d.tool.Qualified); t == nil {
				s.gone = d.tool.Qualified
				s.leaveDraft()
			} else if d.tool = t; d.saved && d.text.Text() == t.Description {
				s.endDraft()
			}
		}
		s.reselect()
		return nil
	case report.Case:
		// The dry run is copied where it is looked at.
		if d := &s.dry; d.tool != nil && s.state != nil && (s.focus == PaneDryRun || s.Visited()) {
			arguments := engine.ArgumentsOf(d.argumentsOf(d.tool, engine.ArgumentsExample))
			return s.host.Clip.CopyReport("repro of the dry run", msg.Call(arguments, !d.viaBridge(s.state.Snapshot), d.trace))
		}
		return s.host.Clip.CopyReport("repro of "+s.Name(), msg.Search(*s.state, s.hits.results, s.pin.result))
	case editedMsg:
		return msg()
	}
	if missed, cmd, mine := s.overview.missing.Update(msg); mine {
		s.overview.missed = missed
		return cmd
	}
	if errors, cmd, mine := s.overview.linting.Update(msg); mine {
		s.overview.errors = errors
		return cmd
	}
	if recall, cmd, mine := s.recalling.Update(msg); mine {
		if recall != nil {
			s.hits.trial.Recall, s.hits.trial.Instead = recall, ""
		} else if s.recalling.Err != nil {
			s.hits.trial.Recall, s.hits.trial.Instead = nil, "recall is not known"
		}
		return cmd
	}
	if cmd, mine := s.updateDraft(msg); mine {
		return cmd
	}
	if cmd, mine := s.updateProposals(msg); mine {
		return cmd
	}
	result, cmd, mine := s.pin.asking.Update(msg)
	if mine && result != nil {
		s.pin.result = result
	}
	return cmd
}

// Ask shows a query, and expects it to find a tool; nil for none.
func (s *Screen) Ask(query string, expected *model.Tool) tea.Cmd {
	s.Remember(s.query.Value())
	s.hits.setFilter("")
	s.query.Set(query)
	s.pin.unpin()
	s.hits.pinned = ""
	if expected != nil && query != "" {
		s.pin.expect(expected, query)
		s.hits.pinned = expected.Qualified
		s.reveal(PaneWhy)
	}
	s.setFocus(PaneHits)
	s.queryChanged()
	if expected != nil {
		s.hits.selectName(expected.Qualified)
		s.reselect()
	}
	return nil
}

// queryChanged searches for the current query, without the filter of the one before.
func (s *Screen) queryChanged() {
	s.hits.filter = ""
	if s.state == nil {
		return
	}
	s.hits.search(s.state, s.query.Value(), false)
	s.reselect()
}

// reselect shows the selected tool in every pane.
func (s *Screen) reselect() {
	if s.state == nil {
		return
	}
	snapshot, t := s.state.Snapshot, s.Tool()
	s.editing = s.editing && t != nil
	s.schema.show(snapshot, t, s.hits.results.Query)
	s.why.explain(snapshot, s.hits.results.Query, t, s.hits.results.Fallback)
	if t != nil && (s.dry.tool == nil || s.dry.tool.Qualified != t.Qualified) {
		s.args.Set(s.dry.argumentsOf(t, engine.ArgumentsExample))
	}
	s.dry.run(snapshot, t, s.args.Value())
}

// argumentsChanged runs the call with the current arguments.
func (s *Screen) argumentsChanged() {
	if s.dry.tool != nil {
		if len(s.dry.typed) >= keptArguments {
			clear(s.dry.typed)
		}
		if s.dry.typed == nil {
			s.dry.typed = map[string]string{}
		}
		s.dry.typed[strings.Clone(s.dry.tool.Qualified)] = s.args.Value() // not a part of the registry file, which it would keep
	}
	if s.state != nil {
		s.dry.run(s.state.Snapshot, s.Tool(), s.args.Value())
	}
}

// setFocus moves the keyboard to a pane and makes it visible.
func (s *Screen) setFocus(pane Pane) {
	if pane != s.focus {
		s.editing = false
		if pane == PaneQuery {
			s.query.Prefill(s.query.Value()) // the first character that is typed begins another
		}
	}
	if t := s.draft.tool; t != nil && pane != PaneDraft {
		s.leaveDraft()
		s.draft.left = t.Qualified
	}
	s.focus = pane
	if pane != PaneQuery && pane != PaneDraft {
		s.reveal(pane)
	}
	s.layout = s.arrange(s.layout.w, s.layout.h)
}

// reveal makes a pane the visible one of those that share a box.
func (s *Screen) reveal(pane Pane) {
	s.shown = pane
	if pane != PaneHits {
		s.beside = pane
	}
}

// Next moves the keyboard by some panes in reading order, cyclically. A pane behind a tab
// becomes visible. Beside the hits, the visible tab is the first that it comes to, and the
// other tabs follow it, so that the opposite steps lead back.
func (s *Screen) Next(by int) {
	if s.draft.tool != nil {
		return
	}
	order := []Pane{PaneQuery, PaneHits, PaneSchema, PaneWhy, PaneDryRun}
	tabs := s.layout.tabbed
	switch {
	case s.untouched():
		order = []Pane{PaneQuery, PaneWhy, PaneHits, PaneSchema, PaneDryRun}
	case len(tabs) > 0 && !slices.Contains(tabs, PaneHits):
		if !slices.Contains(tabs, s.focus) {
			s.entered = slices.Index(tabs, s.layout.shown)
			if s.focus == PaneQuery && by < 0 { // the visible tab is the last of them
				s.entered++
			}
		}
		first := s.entered % len(tabs)
		order = slices.Concat(order[:2], tabs[first:], tabs[:first])
	case s.showsOverview():
		order = []Pane{PaneWhy, PaneQuery, PaneHits, PaneSchema, PaneDryRun}
	}
	s.setFocus(order[(slices.Index(order, s.focus)+by+len(order))%len(order)])
}

// Beside returns the name of the target of tab; empty while a draft is edited.
func (s *Screen) Beside() string {
	if s.draft.tool != nil {
		return ""
	}
	return "pane"
}

// Back goes one level back, at the first level to the hits; it returns false there.
func (s *Screen) Back() bool {
	switch {
	case s.draft.tool != nil:
		s.endDraft()
	case s.editing:
		s.editing = false
	case s.focus == PaneQuery && s.query.Value() != "":
		s.Remember(s.query.Value())
		s.query.Set("")
		s.queryChanged()
	case s.focus == PaneQuery:
		s.setFocus(PaneHits)
	case s.focus == PaneSchema && s.schema.find != "":
		s.schema.setFind("")
	case s.hits.filter != "":
		s.hits.setFilter("")
		s.reselect()
	case s.zoom:
		s.zoom = false
	case s.focus == PaneHits && s.state != nil && len(s.state.Rivals) > 0:
		s.then = s.host.ActiveRankerAlone()
	case s.focus == PaneHits:
		return false
	default:
		s.setFocus(PaneHits)
	}
	return true
}

// startFind opens the search line of the focused pane, or of the hits when the pane has none.
func (s *Screen) startFind() {
	if s.focus == PaneSchema {
		s.finds = PaneSchema
		s.host.Find(s.schema.find)
		return
	}
	s.finds = PaneHits
	s.setFocus(PaneHits)
	s.host.Find(s.hits.filter)
}

// Filter shows only the hits that contain a text, or moves to the next match in the schema.
func (s *Screen) Filter(text string) bool {
	switch {
	case s.finds == PaneHits:
		s.hits.setFilter(text)
		s.reselect()
	case text == "":
		s.schema.setFind("")
	default:
		s.schema.search(text, 1, true)
	}
	return true
}

// nextMatch goes to the next match in the schema, or to the next row without a search.
func (s *Screen) nextMatch(step int) {
	if s.schema.find == "" {
		s.schema.move(step)
		return
	}
	s.schema.search(s.schema.find, step, false)
}

// Move moves by rows or lines in the pane that has the keyboard.
func (s *Screen) Move(by int) { s.moveIn(s.focus, by) }

func (s *Screen) moveIn(pane Pane, by int) {
	switch pane {
	case PaneQuery, PaneHits:
		if s.layout.boxes[PaneHits].Empty() && s.layout.boxes[PaneQuery].Rect.Dy() > 0 {
			s.shown = PaneHits // where another pane is in their place
			s.layout = s.arrange(s.layout.w, s.layout.h)
		}
		if by >= screen.End {
			if s.hits.snapshot != nil {
				s.hits.deepen(s.hits.results.Scored)
				s.hits.moveTo(s.hits.count() - 1)
			}
		} else {
			if s.hits.snapshot != nil {
				s.hits.moveTo(s.hits.cursor + by)
			}
		}
		s.reselect()
	case PaneSchema:
		s.schema.move(by)
	case PaneWhy:
		if s.showsOverview() {
			s.overview.cursor = max(0, s.overview.cursor+by)
			break
		}
		s.why.list.Scroll(by, s.why.height, s.why.scrolls)
	case PaneDryRun:
		s.dry.list.Top = max(0, s.dry.list.Top+by)
	case PaneDraft:
		s.draft.text.Move(by)
	}
}

// Page returns the lines of a page.
func (s *Screen) Page() int {
	pane := s.focus
	if pane == PaneQuery {
		pane = PaneHits
	}
	return max(1, s.layout.boxes[pane].Inner.Dy()-1)
}

var _ screen.Screen = (*Screen)(nil)
