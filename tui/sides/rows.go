package sides

import (
	"slices"

	"caliper/engine/diff"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// row is a row of a view.
type row struct {
	heading bool
	pair    bool // left and right are names, and label is a rank
	wide    bool // left and right are ranks, and the label has the room that they leave
	note    bool // label says why the row above is so
	text    bool // label is all there is
	label   string
	left    string
	right   string
	change  string
	was, is int       // ranks that change stands for, when ranked is set
	ranked  bool      // change is drawn from the ranks
	mood    mood      // how change is drawn
	short   [2]string // of left and right, where they do not fit; empty for none
	cut     bool      // the last row within the limit
	tool    string    // qualified name; empty for none
	query   string    // that the row is about
}

// mood is whether a change is good news.
type mood int

const (
	neutral mood = iota
	good
	bad
)

// fill makes the rows of the view.
func (s *Screen) fill() {
	s.rows, s.wrapped = nil, 0
	if s.two == nil {
		return
	}
	switch s.view {
	case budgetView:
		s.budgetRows()
	case ranksView:
		s.rankRows()
	case scopeView:
		s.scopeRows()
	case verdictView:
		s.verdictRows()
	}
	s.cursor[s.view] = max(0, min(s.cursor[s.view], len(s.rows)-1))
	if s.cursor[s.view] == 0 && len(s.rows) > 1 && s.rows[0].heading {
		s.cursor[s.view] = 1
	}
}

// heading adds a heading.
func (s *Screen) heading(text string) { s.rows = append(s.rows, row{heading: true, label: text}) }

// figures adds figures.
func (s *Screen) figures(list []report.Figure) {
	for _, f := range list {
		s.rows = append(s.rows, row{label: f.Name, left: f.Old, right: f.New, change: f.Change})
	}
}

// budgetRows are the figures of both budgets that differ, the sessions, the toolsets, the
// largest difference first, and the figures that are the same.
func (s *Screen) budgetRows() {
	var differ, same []report.Figure
	for _, f := range s.two.Budget() {
		if f.Change == "" && f.Old == f.New {
			same = append(same, f)
		} else {
			differ = append(differ, f)
		}
	}
	if len(differ) > 0 {
		s.heading("what differs")
		s.figures(differ)
	}
	s.sessionRows()
	for i, t := range s.two.Toolsets { // sorted by the difference
		switch {
		case i == 0 && t.Delta() != 0:
			s.heading("toolsets that cost another amount")
		case t.Delta() == 0 && (i == 0 || s.two.Toolsets[i-1].Delta() != 0):
			s.heading(ui.Count(len(s.two.Toolsets)-i, "toolset") + " of the same cost in both")
		}
		r := row{label: safetext.Line(t.Name), left: toolsetCell(t.OldTools, t.Old), right: toolsetCell(t.NewTools, t.New)}
		if d := t.Delta(); d != 0 && s.two.SameTokenizer() {
			r.change, r.mood = signed(d), good
			if d > 0 {
				r.mood = bad
			}
		}
		s.rows = append(s.rows, r)
	}
	if len(same) > 0 {
		s.heading("figures that are the same in both")
		s.figures(same)
	}
}

// sessionRows are the sessions that send something else.
func (s *Screen) sessionRows() {
	changed := slices.DeleteFunc(slices.Clone(s.two.Sessions), func(c diff.SessionChange) bool { return len(c.Changes()) == 0 })
	if len(s.two.Sessions) == 0 {
		return
	}
	if len(changed) == 0 {
		s.heading("every session sends the same")
		return
	}
	s.heading("sessions that send something else, " + ui.Thousands(len(changed)) + " of " + ui.Thousands(len(s.two.Sessions)))
	for _, c := range changed {
		r := row{label: safetext.Line(c.Name), left: report.SessionSide(c.Old), right: report.SessionSide(c.New), change: report.SessionChange(c)}
		for i, side := range []*diff.SessionSide{c.Old, c.New} {
			if side != nil {
				r.short[i] = report.OnOff(side.Active) + " " + ui.Thousands(side.SentTokens)
			}
		}
		switch {
		case c.Old == nil || c.New == nil:
		case c.Old.SentTokens < c.New.SentTokens:
			r.mood = bad
		case c.Old.SentTokens > c.New.SentTokens:
			r.mood = good
		}
		s.rows = append(s.rows, r)
	}
}

// toolsetCell returns the cost of a toolset.
func toolsetCell(tools, tokens int) string {
	if tools == 0 {
		return ui.NoRank
	}
	return ui.Thousands(tokens)
}

// signed returns a change with its sign.
func signed(n int) string {
	if n > 0 {
		return "+" + ui.Thousands(n)
	}
	return ui.Thousands(n)
}

// rankRows are the hits of the query side by side, and the labelled queries that the
// new state loses and wins.
func (s *Screen) rankRows() {
	x := s.two
	if x.Query == "" {
		s.heading("no query in Explore; type one there to compare its hits")
	} else {
		s.heading("hits of " + safetext.Line(ui.OneLine(x.Query)))
		for i := range max(len(x.Was), len(x.Is)) {
			r := row{pair: true, label: ui.Thousands(i + 1)}
			if i < len(x.Was) {
				r.left, r.tool = x.Was[i].Shown, x.Was[i].Tool
				r.cut = x.Was[i].Within && (i+1 == len(x.Was) || !x.Was[i+1].Within)
			}
			if i < len(x.Is) {
				h := x.Is[i]
				r.right, r.tool, r.ranked, r.was, r.is = h.Shown, h.Tool, true, h.Other, h.Rank
				r.cut = r.cut || h.Within && (i+1 == len(x.Is) || !x.Is[i+1].Within)
			}
			r.query = x.Query
			s.rows = append(s.rows, r)
		}
		if len(x.Was)+len(x.Is) == 0 {
			s.heading("neither finds a tool")
		}
	}
	metrics := x.Metrics()
	if len(metrics) == 0 {
		s.heading("no labelled queries are open")
		return
	}
	s.heading(ui.LabelledQueries(len(x.Evaluated[0].Answers)))
	for _, f := range metrics {
		r := row{label: f.Name, left: f.Old, right: f.New, change: f.Change}
		switch {
		case f.Rise > 0:
			r.mood = good
		case f.Rise < 0:
			r.mood = bad
		}
		s.rows = append(s.rows, r)
	}
	s.crossed("lost", func(r diff.RankChange) bool { return r.Regressed }, bad)
	s.crossed("won", func(r diff.RankChange) bool { return r.Regained }, good)
}

// crossed adds the relevant tools that crossed the limit in one direction.
func (s *Screen) crossed(word string, so func(diff.RankChange) bool, m mood) {
	for _, q := range s.two.Diff.Queries {
		for _, r := range q.Ranks {
			if so(r) {
				s.rows = append(s.rows, row{wide: true, label: safetext.Line(ui.OneLine(q.Text)) + " · " + safetext.Line(r.Tool), left: rank(r.Old), right: rank(r.New),
					change: word, mood: m, tool: r.Tool, query: q.Text})
				if why := report.GatedReason(r.Gated); why != "" {
					s.rows = append(s.rows, row{note: true, label: why, tool: r.Tool, query: q.Text})
				}
			}
		}
	}
}

// rank returns a rank as text.
func rank(n int) string {
	if n == 0 {
		return ui.NoRank
	}
	return ui.Thousands(n)
}

// scopeRows are the tools whose reach differs.
func (s *Screen) scopeRows() {
	x := s.two
	if !x.Audited {
		return
	}
	lost, gained, otherwise := x.CountReaches()
	denied := 0 // both times, by another gate: for no session's sake another reach
	for _, c := range x.Reaches {
		if !c.Old.Reached() && !c.New.Reached() {
			denied++
		}
	}
	s.rows = append(s.rows,
		row{label: "violations in all sessions", left: ui.Thousands(x.Violations[0]), right: ui.Thousands(x.Violations[1])})
	if list := x.SessionReaches(); len(list) > 0 {
		if len(x.Sessions) > 0 {
			s.heading("sessions that reach tools in another way, " + ui.Thousands(len(list)) + " of " + ui.Thousands(len(x.Sessions)))
		}
		s.figures(list)
	}
	if len(x.Reaches) == 0 {
		s.heading(x.SameReach())
		return
	}
	counts := ui.Thousands(lost) + " lost, " + ui.Thousands(gained) + " gained, " + ui.Thousands(otherwise-denied) + " reached in another way"
	if denied > 0 {
		counts += ", " + ui.Thousands(denied) + " denied by another gate"
	}
	if len(x.Sessions) > 0 {
		counts = safetext.Line(x.Diff.New.Session) + ": " + counts
	}
	s.heading(counts)
	for _, c := range x.Reaches {
		r := row{label: safetext.Line(c.Tool), left: report.ReachWord(c.Old), right: report.ReachWord(c.New), short: [2]string{c.Old.Gate, c.New.Gate}, tool: c.Tool}
		switch {
		case c.Lost():
			r.change, r.mood = "lost", bad
		case c.Gained():
			r.change, r.mood = "gained", good
		case !c.Old.Reached() && !c.New.Reached():
			r.change = "other gate"
		default:
			r.change = "other way"
		}
		s.rows = append(s.rows, r)
	}
}
