// Package scope is the screen of the tools that every session reaches, as the
// audit found out by trying. Its first view is a matrix of tools and sessions, whose
// cells say how a session reaches a tool, or which gate denies it. The other views
// have the sessions with the number of their tools, and below them the differences
// between one session and that of the header, the violations of one, or who can call
// the tool that is selected in Explore.
//
// Invariants:
//   - only tools that the audit has tried are shown as reached;
//   - violations come before everything else;
//   - a picture costs as much as the cells in it, however many tools there are; what
//     needs a look at every tool is made by the job of the audit.
package scope

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Screen is Scope.
type Screen struct {
	screen.Rest
	ui.Sheet
	host  desk.Desk
	state *workbench.State
	tool  *model.Tool // selected in Explore

	auditing   ui.Job[*workbench.State, found]
	audit      engine.Audit
	audited    *engine.Snapshot // that audit was made for; nil for none
	done       bool             // audit is of this state
	rows       []int            // sessions in the order they are drawn, violations first
	cursor     ui.Cursor        // among them
	placed     string           // the session that it was put on; until it is moved it is on the one in force
	fromMatrix bool             // the user moved in the matrix since Explore selected its tool
	filter     string           // of the sessions

	matrix matrix
	pane   report.Pane // of the list below
}

var _ screen.Framed = (*Screen)(nil)

// New returns the screen before anything is loaded.
func New(h desk.Desk, g ui.Glyphs) *Screen {
	s := &Screen{host: h}
	s.Label = "Scope"
	views := make([]ui.ListView, viewCount)
	for v := range viewCount {
		views[v] = ui.ListView{Name: [viewCount]string{"matrix", "two sessions", "audit", "who can call"}[v], Rows: s.listed, Cursor: &s.cursor, Columns: s.sessionColumns, Below: s.details, Nothing: func() []string {
			if len(s.rows) == 0 && s.filter != "" {
				return []string{"no session contains " + safetext.Line(s.filter), "esc clears the filter"}
			}
			return nil
		}}
	}
	s.AddViews(views...)
	both := &ui.Group{Title: "Scope", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "dry run of a cell, fold a toolset, switch to a session", "", "enter").Does(s.open).Says(s.opens),
		ui.Bind(Gates, "x", "leave a scope gate out of the dry run", "Leave a scope gate out of the dry run", "x").Does(func() tea.Cmd {
			flags := &s.host.Input.Flags
			flags.WithoutGates = nextGates(flags.WithoutGates)
			var level ui.Level
			var text string
			if len(flags.WithoutGates) == 0 {
				level, text = ui.LevelOk, "every scope gate is back"
			} else {
				var turns []string
				next := nextGates(flags.WithoutGates)
				for ; len(next) > 0; next = nextGates(next) {
					turn := next[0]
					if len(next) > 1 {
						turn = "both"
					}
					turns = append(turns, turn)
				}
				turns = append(turns, "none is left out")
				level, text = ui.LevelWarn, "dry run without "+words.And(flags.WithoutGates)+"; "+s.KeyOf(Gates)+" again: "+strings.Join(turns, ", then ")+"; nothing is ever run"
			}
			return tea.Batch(s.host.Load(true), s.host.Notify(level, text))
		}),
		ui.Bind(ui.Try, "t", "try another description of the tool", "", "t").Does(func() tea.Cmd {
			t := s.Tool()
			return s.host.Send(screen.Visit{Tool: t, Draft: &t.Description})
		}).Unless(func() string {
			switch {
			case s.Tool() != nil:
				return ""
			case s.view() != viewMatrix:
				return "the rows are sessions here: t tries another description of a tool in the view matrix"
			}
			return "no tool is selected"
		}),
		ui.Bind(ui.Grant, "O", "grant the session the toolset of a denied tool", "Grant the session of the cell the toolset of its tool", "O").Does(func() tea.Cmd {
			ask, _ := s.granting()
			return s.host.Send(ask)
		}).Unless(func() string {
			_, why := s.granting()
			return why
		}),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() {
			var shownFilter string
			switch {
			case s.view() == viewMatrix:
				shownFilter = s.matrix.filter
			case s.onDetails():
				shownFilter = s.pane.Filtered()
			default:
				shownFilter = s.filter
			}
			s.host.Find(shownFilter)
		}),
	}}
	matrix := &ui.Group{Title: "Matrix of Scope", Where: "in the matrix", Bindings: []ui.Binding{
		ui.Bind(Left, g.Left+" h", "session on the left", "Go to the session on the left", "left", "h").Runs(func() { s.moveColumn(-1) }),
		ui.Bind(Right, g.Right+" l", "session on the right", "Go to the session on the right", "right", "l").Runs(func() { s.moveColumn(1) }),
		ui.Bind(FoldAll, "*", "fold or unfold all toolsets", "Fold or unfold all toolsets of the matrix", "*").Runs(s.foldAll),
	}}
	s.All = []*ui.Group{both, matrix}
	inMatrix := &ui.Layer{Groups: s.All, Hints: ui.Hints(
		ui.Down.After(ui.Up, "tools"), Right.After(Left, "sessions"), ui.Open, ui.Grant.As("grant"), ui.Reach.As("chain"), ui.View.As("view"), ui.Find, FoldAll.As("fold all"),
		ui.Copy.As("copy"), Gates.As("without a gate"), ui.Session, ui.Palette, ui.Help, ui.Quit)}
	inLists := &ui.Layer{Groups: []*ui.Group{both}, Hints: ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.Next, ui.Open, ui.View.As("view"), Gates.As("without a gate"),
		ui.Find, ui.Session, ui.Palette, ui.Help, ui.Quit)}
	s.Pick = func() *ui.Layer {
		if s.view() == viewMatrix {
			return inMatrix
		}
		return inLists
	}
	return s
}

// Update takes in the outcome of the newest audit.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		// The audit of the state before holds only for the same registry, configuration, message and gates; it covers every session anyway.
		before, state := msg.Before, msg.After
		same := before != nil && sameInputs(before.Snapshot, state.Snapshot) &&
			reflect.DeepEqual(before.Snapshot.Config, state.Snapshot.Config)
		if s.audited != nil && s.audited.Registry != state.Snapshot.Registry {
			s.audited = nil // and its registry may go
			s.pane.Drop()
		}
		s.done = s.done && same
		if same && s.auditing.Of == s.state && (s.auditing.Running || s.auditing.Held) {
			s.auditing.Of = state // what runs or waits is also the audit of the new state
		}
		s.state = state
		s.order()
		return nil
	case report.Case:
		if !s.done {
			return s.host.Notify(ui.LevelInfo, "nothing to copy yet: the audit is not done")
		}
		if s.view() == viewMatrix || s.view() == viewAudit {
			audit := s.audit
			return func() tea.Msg { return s.host.Clip.CopyReport("evidence of the audit", msg.Evidence(audit))() }
		}
		headings, under := s.under()
		return s.host.Clip.CopyReport("repro of Scope", msg.Scope(s.audit, headings[0], under))
	}
	f, cmd, _ := s.auditing.Update(msg)
	if f != nil {
		s.audit, s.audited, s.done = f.audit, s.state.Snapshot, true
		s.order()
		s.matrix.show(f.table, s.state.Snapshot.Session.Name)
		s.host.Header.Violations = s.audit.Violations()
	}
	return cmd
}

// order makes the rows that pass the filter: sessions with violations first.
func (s *Screen) order() {
	s.rows = s.rows[:0]
	var clean []int
	for i, session := range s.sessions() {
		if s.filter != "" && !strings.Contains(strings.ToLower(safetext.Line(session)), s.filter) {
			continue
		}
		if a, ok := s.auditOf(session); ok && len(a.Violations) > 0 {
			s.rows = append(s.rows, i)
		} else {
			clean = append(clean, i)
		}
	}
	s.rows = append(s.rows, clean...)
	if s.state == nil {
		return
	}
	session := s.cursor.ID
	if session == s.placed {
		session = s.state.Snapshot.Session.Name
	}
	before := s.cursor.ID
	s.cursor.To(s.listed(), max(0, slices.IndexFunc(s.rows, func(i int) bool { return s.sessions()[i] == session })))
	if s.cursor.ID != before {
		s.Below.Top = 0
	}
	if session == s.state.Snapshot.Session.Name {
		s.placed = s.cursor.ID
	}
}

// listed returns the rows of the sessions.
func (s *Screen) listed() ui.Rows { return ui.Rows{N: len(s.rows), ID: s.name} }

// name returns the name of the session of a row.
func (s *Screen) name(row int) string { return s.state.Snapshot.Config.Sessions[s.rows[row]].Name }

// sessions returns the names of the configuration's sessions.
func (s *Screen) sessions() []string {
	if s.state == nil {
		return nil
	}
	var names []string
	for _, session := range s.state.Snapshot.Config.Sessions {
		names = append(names, session.Name)
	}
	return names
}

// auditOf returns the audit of a session of this state.
func (s *Screen) auditOf(name string) (engine.SessionAudit, bool) {
	if !s.done {
		return engine.SessionAudit{}, false
	}
	return s.audit.Session(name)
}

// Frame returns what stands behind the tabs of the views: the filter and how much is
// shown; and the verdict of the audit as the note.
func (s *Screen) Frame() ui.Frame {
	filter, count := "", ""
	mine := s.filter
	if s.view() == viewMatrix {
		mine = s.matrix.filter
	}
	switch typed, finding := s.host.Finding(); {
	case finding && !s.onDetails():
		filter = typed + "  "
	case mine != "":
		filter = "/" + safetext.Line(mine) + "  "
	}
	switch all := len(s.sessions()); {
	case s.state == nil:
	case s.view() == viewMatrix && mine != "" && s.matrix.table != nil:
		n := 0
		for _, r := range s.matrix.rows {
			if r.item >= 0 {
				n++
			}
		}
		count = ui.Thousands(n) + " of " + ui.Thousands(s.matrix.table.tools) + " tools"
	case s.view() == viewMatrix:
		count = ui.Count(len(s.state.Snapshot.Registry.Tools), "tool") + " × " + ui.Count(all, "session")
	case mine != "":
		count = ui.Thousands(len(s.rows)) + " of " + ui.Thousands(all) + " sessions"
	default:
		count = ui.Count(all, "session")
	}
	f := ui.Frame{Title: strings.TrimSpace(filter + count), Note: s.verdict(), Whole: filter != "", Beyond: ui.Beyond(0, 0)}
	switch m := &s.matrix; {
	case s.view() != viewMatrix:
		f.Beyond = ui.Beyond(s.Hidden())
	case m.table != nil && len(m.rows) > 0:
		f.Beyond = ui.Beyond(m.list.Hidden())
	}
	if s.done && !s.auditing.Held && s.auditing.Total == 0 {
		f.Short = "audit: " + ui.Thousands(s.audit.Violations())
	}
	return f
}

// verdict returns the result of the audit, or its progress.
func (s *Screen) verdict() string {
	audit := "audit: "
	done, total := s.auditing.Done, s.auditing.Total
	if s.W < 60 {
		audit = ""
	}
	switch {
	case s.auditing.Held:
		return audit + "enter starts it"
	case total > 0:
		return fmt.Sprintf("audit %d%%", 100*done/total)
	case !s.done:
		return "auditing"
	case s.audit.Violations() > 0:
		return audit + ui.Count(s.audit.Violations(), "violation")
	}
	return audit + "no violation"
}

// gateTrials are the scope gates that one key after another leaves out of the
// dry run: first each alone, which the other makes up for, then both.
var gateTrials = [][]string{nil, {engine.GateScopeCatalog}, {engine.GateScopeExecutor}, {engine.GateScopeCatalog, engine.GateScopeExecutor}}

// nextGates returns the trial after one.
func nextGates(gates []string) []string {
	at := slices.IndexFunc(gateTrials, func(g []string) bool { return slices.Equal(g, gates) })
	return gateTrials[(at+1)%len(gateTrials)]
}

// Move moves the cursor through the matrix or the sessions, or scrolls the list below.
func (s *Screen) Move(by int) {
	if s.view() != viewMatrix {
		s.Sheet.Move(by)
		return
	}
	s.matrix.selectRow(max(0, s.matrix.cursor+by))
	s.fromMatrix = true
}

// Page returns the rows of a page in the list that has the keyboard.
func (s *Screen) Page() int {
	if s.view() == viewMatrix {
		return max(1, s.matrix.lines-1)
	}
	return s.Sheet.Page()
}

// Wheel scrolls the list at a cell.
func (s *Screen) Wheel(x, y, by int) {
	if s.view() == viewMatrix {
		s.Move(by)
	} else {
		s.Sheet.Wheel(x, y, by)
	}
}

// Click selects a cell of the matrix or the session on a line, or gives the list below the keys.
func (s *Screen) Click(x, y int) {
	if s.view() == viewMatrix {
		s.fromMatrix = true
		m := &s.matrix
		at := m.list.Top + y - 1
		if s.done && m.table != nil && y >= 1 && y <= m.lines && at < len(m.rows) {
			m.selectRow(at)
			names, each := m.arrangeColumns(s.W)
			if from := names + 1; x >= from {
				if column := m.left + (x-from)/each; column < m.left+m.columns {
					m.session = s.audit.Sessions[m.table.sessions[column]].Name
				}
			}
		}
	} else {
		s.Sheet.Click(x, y)
	}
}

// Filter shows only the rows that contain the text, in the list that has the
// keyboard. An empty text clears the filter of that list, or when it has none,
// the filter of the other list.
func (s *Screen) Filter(text string) bool {
	if s.view() == viewMatrix {
		had := s.matrix.filter != ""
		s.matrix.filter = strings.ToLower(strings.TrimSpace(text))
		s.matrix.arrange()
		if s.matrix.filter != "" { // which puts the cursor on what was looked for
			s.fromMatrix = true
		}
		return had || text != ""
	}
	mine := s.filter
	if s.onDetails() {
		mine = s.pane.Filtered()
	}
	if s.onDetails() != (text == "" && mine == "") {
		s.Below.Top = 0
		return s.pane.Filter(text)
	}
	had := s.filter != ""
	s.filter = strings.ToLower(strings.TrimSpace(text))
	s.Below.Top = 0
	s.order()
	return had || text != ""
}

// Beside names the list that tab gives the keys.
func (s *Screen) Beside() string {
	if s.view() == viewMatrix {
		return ""
	}
	if s.onDetails() {
		return "sessions"
	}
	return "list below"
}

// Next gives the other of the two lists the keys.
func (s *Screen) Next(int) {
	if s.view() != viewMatrix && len(s.rows) > 0 {
		s.Sheet.Next(1)
	}
}

// Back folds the toolset that was unfolded last.
func (s *Screen) Back() bool {
	m := &s.matrix
	if s.view() != viewMatrix || m.filter != "" {
		return false
	}
	// The toolset that was unfolded last is folded if the cursor is in it.
	r, ok := m.under()
	if !ok || m.opened == "" || m.table.groups[r.group].name != m.opened {
		return false
	}
	m.fold()
	return true
}

// Tool returns the tool under the cursor of the matrix, nil in the other views.
func (s *Screen) Tool() *model.Tool {
	if s.view() != viewMatrix || !s.done {
		return nil
	}
	return s.matrix.selected()
}
