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
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/confusion"
	"caliper/engine/lint"
	"caliper/engine/tuning"
	"caliper/engine/whynot"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Screen is Queries.
type Screen struct {
	screen.Base
	host    desk.Desk
	glyphs  ui.Glyphs
	state   *workbench.State
	visible bool
	changes uint64

	view       view
	evaluating ui.Job[*workbench.State, *evaluated]
	surveying  ui.Job[*workbench.State, []lint.Reach]
	linting    ui.Job[*workbench.State, lint.Report]
	tuning     ui.Job[tuned, tuning.Result]
	mapping    ui.Job[*workbench.State, *confusion.Map]
	arriving   *arrivals // of the newest run of linting
	found      found
	last       *evaluated     // of the files before, nil while there were none
	ranks      map[string]int // of every query in the evaluation compared with
	lists      [viewCount]list
	groups     []group                         // of the findings that pass the filter
	folds      map[kind]bool                   // groups that the user folded or unfolded
	unfolded   *kind                           // the group that was unfolded last by itself; nil: none is
	explaining ui.Job[string, []whynot.Answer] // why the relevant tools of the query of a key are not found
	answers    []whynot.Answer                 // in the order of its relevant names; nil: not known
	sure       string                          // key of the query that the next d takes away

	faults    []model.Diagnostic // of lines of the file of labelled queries
	newFaults bool               // nobody has seen them
	reread    bool               // the labelled queries are
	written   string             // what changed in the file, until it is read again
	sought    string             // query that was labelled here, to which the cursor goes once it is a row
	notice    tea.Cmd            // ends a notice in its time; not run yet

	below     bool // what stands below the list has the keys
	belowList ui.Window
	belowRoom int
	belowAll  int

	w, h      int // of the last picture
	summary   int // lines above the list
	listTop   int // line where the rows begin
	listLines int // lines of the rows
}

var _ screen.Framed = (*Screen)(nil)

// New returns the screen before anything is loaded.
func New(h desk.Desk, g ui.Glyphs) *Screen {
	s := &Screen{Base: screen.Base{Label: "Queries"}, host: h, glyphs: g}
	s.Keys = s.bind(g)
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

// list is one of the lists. Its cursor is kept by name, so that it stays where it
// is when the rows are made anew.
type list struct {
	key    string // of the selected row; empty: nothing was listed yet
	at     int    // its index, for when it is gone
	filter string // what the rows must hold, in lower case
	rows   []row
	window ui.Window
}

// row is one row of a list.
type row struct {
	key    string
	i      int  // index among what was found; 0 of a header
	group  int  // index of the group of a finding
	header bool // it is the header of the group
}

// cursor returns the selected row: where it stood when it is gone, and the
// first match when a filter hides it.
func (l *list) cursor() int {
	for i, r := range l.rows {
		if r.key == l.key {
			return i
		}
	}
	if l.filter != "" {
		return max(0, slices.IndexFunc(l.rows, func(r row) bool { return !r.header }))
	}
	return max(0, min(l.at, len(l.rows)-1))
}

// settle selects what the cursor is on, once the rows are made anew.
func (l *list) settle() {
	if len(l.rows) > 0 && l.filter == "" {
		l.at = l.cursor()
		l.key = l.rows[l.at].key
	}
}

// loaded takes in a new state. What was found in the one before stays on screen
// until it is found anew.
func (s *Screen) loaded(l desk.Loaded) {
	s.reread = l.Before != nil && !workbench.SameQueries(l.Before.Queries, l.After.Queries)
	s.state = l.After
	s.answers = nil
	s.explaining.Reset()
	s.readFaults()
	s.changes++
}

// row returns the selected row; ok is false in an empty list.
func (s *Screen) row() (r row, ok bool) {
	l := &s.lists[s.view]
	if len(l.rows) == 0 {
		return row{}, false
	}
	return l.rows[l.cursor()], true
}

// Frame returns the heading of the box with the filter, and on its right how
// far the work is.
func (s *Screen) Frame() ui.Frame {
	heading := ""
	if s.w >= leastCounted {
		heading = s.counts()
	}
	if n := s.lists[s.view].filter; n != "" {
		heading = strings.TrimSpace("/" + safetext.Line(n) + "  " + heading)
	}
	return ui.Frame{Title: heading, Note: screen.Note(s.host, s.progress()), Whole: true, Beyond: ui.Beyond(s.hidden())}
}

// leastCounted is the width from which the heading has room for counts beside the tabs.
const leastCounted = 50

// counts tells how many rows there are of each kind that matters.
func (s *Screen) counts() string {
	f := &s.found
	switch {
	case s.view == viewQueries && f.evaluated != nil && len(f.evaluated.now().Answers) > 0:
		counts := s.missedText()
		if n := s.faulty(); n > 0 && s.w >= 70 {
			counts += "  " + ui.Count(n, "line") + " left out"
		}
		return counts
	case s.view == viewDark && f.surveyed:
		counts := ui.Thousands(f.dark()) + " of " + ui.Thousands(len(f.reach))
		if partly := f.partly(); partly > 0 {
			counts += ", " + ui.Thousands(partly) + " partly"
		}
		return counts
	case s.view == viewTuning && f.tuned != nil:
		return f.tuned.Objective + ", " + ui.Count(f.tuned.Folds, "fold")
	case s.view == viewFindings && (f.linted || f.partial):
		n := 0
		for _, g := range s.groups {
			n += g.matches
		}
		return ui.Thousands(n)
	case s.view == viewMap && f.confused != nil:
		return s.mapCounts()
	}
	return ""
}

// Version changes whenever the picture may.
func (s *Screen) Version() uint64 { return s.changes }

// Next gives the list, or what stands below it, the keys.
func (s *Screen) Next(int) {
	s.below = !s.below
	s.sure = ""
	s.changes++
}

// Back cancels what runs, else folds the findings that were unfolded last, else ends the
// comparison of the rankers.
func (s *Screen) Back() bool {
	switch {
	case s.stop(), s.lists[s.view].filter == "" && s.closeGroup():
	case s.lists[s.view].filter == "" && s.state != nil && len(s.state.Rivals) > 0:
		s.notice = tea.Batch(s.notice, s.compare())
	default:
		return false
	}
	return true
}

// Tool returns the tool of the selected row, nil when it is about none: of a
// query the relevant one which it finds worst.
func (s *Screen) Tool() *model.Tool { return s.tool() }

// Move moves the cursor, or scrolls what stands below.
func (s *Screen) Move(by int) { s.moveIn(s.below, by) }

// Wheel scrolls the part on a line.
func (s *Screen) Wheel(_, y, by int) {
	s.moveIn(s.below && s.h < splitHeight || s.h >= splitHeight && y >= s.listTop+s.listLines, by)
}

// moveIn moves the cursor of the list, or scrolls what stands below.
func (s *Screen) moveIn(below bool, by int) {
	s.changes++
	s.sure = ""
	l := &s.lists[s.view]
	if below {
		s.belowList.Scroll(by, s.belowRoom, s.belowAll)
		return
	}
	if len(l.rows) > 0 {
		s.selectRow(max(0, min(l.cursor()+by, len(l.rows)-1)))
	}
}

// selectRow selects a row.
func (s *Screen) selectRow(row int) {
	l := &s.lists[s.view]
	l.key, l.at = l.rows[row].key, row
	s.belowList.Top = 0
}

// Page returns how far a page is.
func (s *Screen) Page() int {
	if s.below {
		return max(1, s.belowRoom-1)
	}
	return max(1, s.listLines-1)
}

// Click selects the row under the pointer, or gives what stands below the
// keys.
func (s *Screen) Click(_, y int) {
	s.changes++
	s.sure = ""
	if s.h < splitHeight { // one of them has all of the box
		if s.below {
			return
		}
	} else {
		s.below = y >= s.listTop+s.listLines
	}
	l := &s.lists[s.view]
	if row := l.window.Top + y - s.listTop; !s.below && y >= s.listTop && row < len(l.rows) {
		s.selectRow(row)
	}
}

// Filter shows only the rows that hold a text.
func (s *Screen) Filter(text string) bool {
	l := &s.lists[s.view]
	had := l.filter != ""
	l.filter = lowered(text)
	s.order()
	s.changes++
	return had || text != ""
}

// Beside names what tab gives the keys; nothing while neither list is drawn.
func (s *Screen) Beside() string {
	switch {
	case s.state == nil || s.nothing() != nil:
		return ""
	case s.below:
		return "list"
	}
	return "below"
}
