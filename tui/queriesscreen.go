package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/workbench"
)

// queriesScreen shows how well the session's search answers the labelled
// queries, which tools their own words do not find, and what lint finds. All
// of it is worked out beside the screen, and only while the screen is looked
// at.
type queriesScreen struct {
	app     *App
	state   *workbench.State
	changes uint64

	part  queriesPart
	jobs  [queriesPartCount]queriesJob
	gen   int // of the newest job
	found queriesFound
	last  *evaluated     // of the files before, nil while there were none
	ranks map[string]int // of every query in what is compared with
	lists [queriesPartCount]queriesList
	why   queryWhy
	sure  string // key of the query that the next d takes away

	faults  []model.Diagnostic // of lines of the file of labelled queries
	unsaid  bool               // they are new
	reread  bool               // the labelled queries are
	did     string             // what was written to the file, until it is read again
	told    tea.Cmd            // ends a notice in its time; not run yet
	finding bool               // the filter was being typed before this message

	below     bool // what stands below the list has the keys
	belowList window
	belowRoom int
	belowAll  int

	w, h      int // that were last drawn in, of which
	listTop   int // is where the rows begin
	listLines int // and how many there are
}

// queriesPart is one of the lists that take turns on the screen.
type queriesPart int

const (
	partQueries  queriesPart = iota // labelled queries, misses first
	partDark                        // tools that their own words do not find
	partFindings                    // what lint finds
	queriesPartCount
)

// String returns the name of the part.
func (p queriesPart) String() string {
	return [queriesPartCount]string{"queries", "dark tools", "findings"}[p]
}

// queriesList is the place in one list: the cursor by name, so that it stays
// where it is when the list is made anew.
type queriesList struct {
	key    string // of the selected row; empty: nothing was listed yet
	at     int    // its place, for when it is gone
	needle string // filter, in lower case
	rows   []queriesRow
	window window
}

// queriesRow is one row of a list.
type queriesRow struct {
	key string
	i   int // place among what was found
}

// cursor returns the selected row: where it stood when it is gone, and the
// first when a filter hides it.
func (l *queriesList) cursor() int {
	for i, r := range l.rows {
		if r.key == l.key {
			return i
		}
	}
	if l.needle != "" {
		return 0
	}
	return max(0, min(l.at, len(l.rows)-1))
}

// settle selects what the cursor is on, once the rows are made anew.
func (l *queriesList) settle() {
	if len(l.rows) > 0 && l.needle == "" {
		l.at = l.cursor()
		l.key = l.rows[l.at].key
	}
}

// show takes in a new state. What was found in the one before stays on screen
// until it is found anew.
func (s *queriesScreen) show(before, state *workbench.State) {
	s.reread = before != nil && !sameQueries(before.Queries, state.Queries)
	s.state = state
	s.why.answers = nil
	s.why.stop()
	s.readFaults()
	s.changes++
}

// list returns the list that is shown.
func (s *queriesScreen) list() *queriesList { return &s.lists[s.part] }

// row returns the selected row; ok is false when there is none.
func (s *queriesScreen) row() (r queriesRow, ok bool) {
	l := s.list()
	if len(l.rows) == 0 {
		return queriesRow{}, false
	}
	return l.rows[l.cursor()], true
}

// title returns the heading of the box with the filter, and on its right how
// far the work is.
func (s *queriesScreen) title() (heading, note string) {
	heading = s.part.String() + s.counts()
	if n := s.list().needle; n != "" && s.app.find == nil {
		heading += "  /" + model.Sanitize(n)
	}
	return heading, s.progress()
}

// counts says how many rows there are of each kind that matters.
func (s *queriesScreen) counts() string {
	f, shown := &s.found, thousands(len(s.list().rows))
	switch {
	case s.part == partQueries && f.evaluated != nil && len(f.evaluated.now().Answers) > 0:
		counts := "  " + thousands(f.evaluated.misses()) + " of " + thousands(len(f.evaluated.now().Answers)) + " missed"
		if n := s.faulty(); n > 0 && s.w >= 70 {
			counts += "  " + plural(n, "line") + " left out"
		}
		return counts
	case s.part == partDark && f.surveyed:
		counts := "  " + thousands(f.dark()) + " of " + thousands(len(f.reach))
		if partly := f.partly(); partly > 0 {
			counts += ", " + thousands(partly) + " partly"
		}
		return counts
	case s.part == partFindings && f.linted:
		return "  " + shown
	}
	return ""
}

// version changes whenever the picture may.
func (s *queriesScreen) version() uint64 { return s.changes }

// context says which keys work.
func (s *queriesScreen) context() Context { return CtxQueries }

// do does what an action means here.
func (s *queriesScreen) do(action Action) tea.Cmd {
	s.changes++
	if action != ActUnlabel {
		s.sure = ""
	}
	switch action {
	case ActNextPane, ActPrevPane:
		s.below = !s.below
	case ActPart:
		s.part = (s.part + 1) % queriesPartCount
		s.below, s.belowList.top = false, 0
	case ActUnlabel:
		return s.unlabel()
	case ActOpen:
		if s.jobs[s.part].waits() {
			return s.begin(s.part, true)
		}
		return s.open()
	}
	return nil
}

// move moves the cursor, or scrolls what stands below.
func (s *queriesScreen) move(by int) { s.moveIn(s.below, by) }

// wheel scrolls what is on a line.
func (s *queriesScreen) wheel(y, by int) {
	s.moveIn(s.below && s.h < queriesSplit || s.h >= queriesSplit && y >= s.listTop+s.listLines, by)
}

// moveIn moves the cursor of the list, or scrolls what stands below.
func (s *queriesScreen) moveIn(below bool, by int) {
	s.changes++
	s.sure = ""
	l := s.list()
	if below {
		s.belowList.scroll(by, s.belowRoom, s.belowAll)
		return
	}
	if len(l.rows) > 0 {
		s.sel(max(0, min(l.cursor()+by, len(l.rows)-1)))
	}
}

// sel selects a row.
func (s *queriesScreen) sel(row int) {
	l := s.list()
	l.key, l.at = l.rows[row].key, row
	s.belowList.top = 0
}

// page returns how far a page is.
func (s *queriesScreen) page() int {
	if s.below {
		return max(1, s.belowRoom-1)
	}
	return max(1, s.listLines-1)
}

// click selects the row under the pointer, or gives what stands below the
// keys.
func (s *queriesScreen) click(_, y int) {
	s.changes++
	s.sure = ""
	if s.h < queriesSplit { // one of them has all of the box
		if s.below {
			return
		}
	} else {
		s.below = y >= s.listTop+s.listLines
	}
	l := s.list()
	if row := l.window.top + y - s.listTop; !s.below && y >= s.listTop && row < len(l.rows) {
		s.sel(row)
	}
}

// filter shows only the rows that hold a text. Esc, which takes a filter away,
// first cancels what runs.
func (s *queriesScreen) filter(text string) bool {
	if text == "" && !s.finding && s.stop() {
		return true
	}
	l := s.list()
	had := l.needle != ""
	l.needle = lowered(text)
	s.order()
	s.changes++
	return had || text != ""
}

// paneBeside names what tab gives the keys.
func (s *queriesScreen) paneBeside() string {
	if s.below {
		return "list"
	}
	return "below"
}
