package queries

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// The columns of the queries: the best rank under one ranker, and its change.
const (
	rankCell   = 9
	changeCell = 6
)

// drawQueryHeads draws the headings of the queries.
func (s *Screen) drawQueryHeads(l *cells.Line, t *ui.Theme) {
	columns := s.shownColumns()
	for i, e := range columns {
		head := ui.Ranker(e.Ranker)
		if len(columns) == 1 {
			head = "rank"
		}
		l.CellRight(t.Faint, head, s.rankCell(i))
		if i == 0 && s.against() != nil {
			l.Gap(1)
			l.Cell(t.Faint, "moved", changeCell-1)
		} else if i == 0 {
			l.Gap(changeCell)
		}
	}
	l.Gap(1)
	query, relevant := s.queryColumns(l.Room())
	l.Cell(t.Faint, "query", query)
	if relevant > 0 {
		l.Gap(2)
		l.Text(t.Faint, "expected")
	}
}

// rankCell returns how wide the column of one of the rankers is.
func (s *Screen) rankCell(column int) int {
	if column == 0 && (len(s.found.evaluated.columns) == 1 || s.w < manyColumns) {
		return 5
	}
	return rankCell
}

const (
	manyColumns = 60 // cells of a box that has room for more columns than two rankers'
	queryCells  = 36 // that are left for the rest of a row
)

// fitting returns of how many rankers the columns fit: of two, and more beside a query that
// can be read.
func (s *Screen) fitting() int { return max(2, (s.w-queryCells)/rankCell) }

// shownColumns returns the evaluations of the rankers that there is room for.
func (s *Screen) shownColumns() []labels.Evaluation {
	columns := s.found.evaluated.columns
	return columns[:min(len(columns), s.fitting())]
}

// compare shows the ranks of the other rankers beside the queries, or hides them.
func (s *Screen) compare() tea.Cmd {
	shown := desk.EveryRanker
	switch {
	case s.state == nil || len(s.state.Queries) == 0:
		shown = "ranks of every ranker come with labelled queries"
	case s.view != viewQueries:
		shown = "ranks of every ranker are in the view queries"
	case s.fitting() < len(config.Rankers):
		shown = fmt.Sprintf("%d columns of ranks fit this width", s.fitting())
	}
	return s.host.CompareRankers(shown)
}

// queryColumns returns how wide the text and the relevant tools are beside the
// ranks; the latter is 0 where there is no room.
func (s *Screen) queryColumns(room int) (query, relevant int) {
	if s.w < 70 {
		return room, 0
	}
	relevant = min(room*2/5, 44)
	return room - relevant - 2, relevant
}

// drawQuery draws one labelled query.
func (s *Screen) drawQuery(l *cells.Line, t *ui.Theme, i int) {
	was := s.against()
	for c, e := range s.shownColumns() {
		a := &e.Answers[i]
		style, text := t.Number, strconv.Itoa(a.Best)
		switch {
		case a.Best == 0:
			style, text = t.Bad, s.missMark(t, &a.Query, s.rankCell(c))
		case a.Missed:
			style, text = t.Bad, t.Cross+" "+text
		}
		l.CellRight(style, text, s.rankCell(c))
		if c > 0 {
			continue
		}
		l.Gap(1)
		style, text = "", ""
		if was != nil {
			if before, known := s.ranks[queryKey(a.Query)]; known {
				style, text = ui.RankChange(t, before, a.Best)
			} else {
				style, text = t.Added, "added"
			}
		}
		l.Cell(style, text, changeCell-1)
	}
	l.Gap(1)
	q := s.found.evaluated.now().Answers[i].Query
	query, relevant := s.queryColumns(l.Room())
	text := safetext.Line(ui.OneLine(q.Text))
	if s.sure == queryKey(q) {
		text = "d again deletes " + text
	}
	l.Cell(t.Text, text, query)
	if relevant > 0 {
		l.Gap(2)
		name := ui.FitName(safetext.Line(q.Relevant[0]), relevant-4)
		if more := len(q.Relevant) - 1; more > 0 {
			name += " +" + strconv.Itoa(more)
		}
		l.Cell(t.Faint, name, relevant)
	}
}
