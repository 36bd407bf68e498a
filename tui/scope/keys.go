package scope

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/topics"
	"caliper/tui/ui"
)

// The actions of the screen alone.
const (
	Gates   ui.Action = "leave a scope gate out"
	Left    ui.Action = "session on the left"
	Right   ui.Action = "session on the right"
	FoldAll ui.Action = "fold all toolsets"
)

// Asked returns the tool and the session of the cell, with the query of Explore.
func (s *Screen) Asked() (q screen.Question, ok bool) {
	if s.Tool() == nil {
		return q, false
	}
	return screen.Question{Query: s.host.Case().Query, Tool: s.Tool(), Session: s.matrix.session}, true
}

// granting returns the change that grants the session the tool or toolset, or why there is none.
func (s *Screen) granting() (screen.Write, string) {
	r, ok := s.matrix.under()
	if s.view() != viewMatrix || !s.done || !ok {
		return screen.Write{}, "select a denied cell of the matrix"
	}
	of := s.matrix.table.groups[r.group]
	if r.item < 0 && of.name == "" {
		return screen.Write{}, "these are tools of several toolsets: select one"
	}
	return desk.Granting(s.state.Snapshot, s.matrix.session, of.items[max(0, r.item)].tool)
}

// opens says what enter does here.
func (s *Screen) opens() string {
	switch {
	case s.auditing.Held:
		return "begin the audit"
	case s.view() != viewMatrix:
		return "switch to it"
	}
	if r, ok := s.matrix.under(); ok && r.item < 0 {
		return "fold"
	}
	return "dry run"
}

// moveColumn moves the cursor of the matrix by sessions.
func (s *Screen) moveColumn(by int) {
	if s.done {
		if s.matrix.table != nil && len(s.matrix.table.sessions) != 0 {
			at := max(0, min(s.matrix.column(&s.audit)+by, len(s.matrix.table.sessions)-1))
			s.matrix.session = s.audit.Sessions[s.matrix.table.sessions[at]].Name
		}
	}
}

// foldAll folds or unfolds all toolsets.
func (s *Screen) foldAll() {
	if s.matrix.table == nil {
		return
	}
	all := map[string]bool{}
	for i := range s.matrix.table.groups {
		all[s.matrix.table.groups[i].name] = true
	}
	if len(s.matrix.folded) >= len(all) && !slices.ContainsFunc(s.matrix.table.groups, func(g group) bool { return !s.matrix.folded[g.name] }) {
		all = nil
	}
	s.matrix.folded, s.matrix.opened = all, ""
	s.matrix.arrange()
}

// open begins an audit that waits for it; or it opens the dry run of a cell, folds a
// toolset, or switches to the session under the cursor.
func (s *Screen) open() tea.Cmd {
	switch {
	case s.auditing.Held:
		return s.begin()
	case s.view() == viewMatrix:
		r, ok := s.matrix.under()
		switch {
		case !s.done:
			return s.host.Notify(ui.LevelInfo, "the audit is not done")
		case !ok:
			return s.host.Notify(ui.LevelInfo, "no tool is selected")
		case r.item < 0:
			s.matrix.fold()
			return nil
		}
		tool := s.matrix.selected()
		if tool == nil {
			return s.host.Notify(ui.LevelInfo, "the registry does not have this tool, so that there is no dry run")
		}
		return s.host.Send(screen.Visit{Session: s.matrix.session, Tool: tool, Dry: true})
	case len(s.rows) == 0:
		return nil
	}
	flags := &s.host.Input.Flags
	if s.cursor.ID == s.state.Snapshot.Session.Name && (flags.Session == "" || flags.Session == s.cursor.ID) { // and no other is being loaded
		return s.host.Notify(ui.LevelInfo, safetext.Line(s.cursor.ID)+" is the session already")
	}
	flags.Session = s.cursor.ID
	return s.host.Load(false)
}

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewMatrix:  {"gate", "granted", "session", "dry run", "policy", "out of scope", "core tool", "direct", "via search", "unreachable"},
	viewCompare: {"session", "granted", "searchable", "deferrable", "core tool", "toolset"},
	viewAudit:   {"audit", "violation", "searchable", "granted", "gate", "direct"},
	viewWho:     {"gate", "searchable", "granted", "policy", "hook", "verdict"},
}

// Words returns what the cell of the matrix under the cursor says, and the labels of the view.
func (s *Screen) Words() (here, pane []string) {
	if s.view() != viewMatrix {
		return nil, glossed[s.view()]
	}
	r, ok := s.matrix.under()
	switch {
	case !ok || len(s.audit.Sessions) == 0:
	case r.item < 0:
		here = []string{"toolset", "callable"}
	default:
		at := s.matrix.table.sessions[s.matrix.column(&s.audit)]
		r := reachOf(&s.audit.Sessions[at], s.matrix.item(r).name)
		here = []string{[...]string{accessDirect: wordDirect, accessSearch: "via search", accessApproval: topics.GatePrefix + r.denial.Gate, accessNone: wordNone, accessDenied: topics.GatePrefix + r.denial.Gate, accessViolation: wordViolation}[r.access]}
	}
	return here, glossed[s.view()]
}
