package queries

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// The columns of the queries: the best rank under one ranker, and its change.
const (
	rankCell   = 9
	changeCell = 5
)

const (
	manyColumns = 60 // cells of a box that has room for more columns than two rankers'
	queryCells  = 36 // that are left for the rest of a row
)

// mostQuery is the most cells of a query before the description of the expected tool stands
// beside it, and leastAbout the fewest of that.
const mostQuery, leastAbout = 72, 24

// fitting returns how many rankers have a column, at least two.
func (s *Screen) fitting() int { return max(2, (s.W-queryCells)/rankCell) }

// compare shows the ranks of the other rankers beside the queries, or hides them.
func (s *Screen) compare() tea.Cmd {
	shown := desk.EveryRanker
	switch {
	case s.state == nil || len(s.state.Queries) == 0:
		shown = "ranks of every ranker come with labelled queries"
	case s.view() != viewQueries:
		shown = "ranks of every ranker are in the view queries"
	case s.fitting() < len(config.Rankers):
		shown = fmt.Sprintf("%d columns of ranks fit this width", s.fitting())
	}
	return s.host.CompareRankers(shown)
}

// queryColumns returns the columns of the labelled queries.
func (s *Screen) queryColumns(t *ui.Theme, w int) (columns []ui.Column) {
	all := s.found.evaluated.columns
	shown, room := all[:min(len(all), s.fitting())], w-2
	for c, e := range shown {
		cell := rankCell
		if c == 0 && (len(s.found.evaluated.columns) == 1 || s.W < manyColumns) {
			cell = 5
		}
		head := ui.Ranker(e.Ranker)
		if len(shown) == 1 {
			head = "rank"
		}
		room -= cell
		columns = append(columns, ui.Column{Head: head, Width: cell, Cell: func(row int) (ui.Style, string) {
			switch a := &e.Answers[s.rows[viewQueries][row].i]; {
			case a.Best == 0:
				switch {
				case s.gone(&a.Query):
					return t.Bad, ui.Longest(cell, t.Cross+" gone", "gone")
				case s.outOfScope(&a.Query):
					return t.Bad, ui.Longest(cell, t.Cross+" scope", "scope")
				case len(a.Hits) < labels.EvaluationDepth: // all that are found
					return t.Bad, ui.Longest(cell, t.Cross+" none", "none")
				}
				return t.Bad, t.Cross + " >" + strconv.Itoa(labels.EvaluationDepth)
			case a.Missed:
				return t.Bad, t.Cross + " " + strconv.Itoa(a.Best)
			default:
				return t.Number, strconv.Itoa(a.Best)
			}
		}})
		if c == 0 && s.against() != nil {
			columns, room = append(columns, ui.Column{Head: "moved", Gap: 1, Width: changeCell, Left: true, Cell: func(row int) (ui.Style, string) {
				a := &s.found.evaluated.now().Answers[s.rows[viewQueries][row].i]
				if before, known := s.ranks[queryKey(a.Query)]; known {
					return ui.RankChange(t, before, a.Best)
				}
				return t.Added, "added"
			}}), room-changeCell-1
		}
	}
	at := func(row int) labels.Query { return s.found.evaluated.now().Answers[s.rows[viewQueries][row].i].Query }
	query := ui.Column{Head: "query", Gap: 1, Left: true, Cell: func(row int) (ui.Style, string) {
		text := safetext.Line(ui.OneLine(at(row).Text))
		if s.sure == queryKey(at(row)) {
			text = "d again deletes " + text
		}
		return t.Text, text
	}}
	if w < 70 {
		return append(columns, query)
	}
	expected := min(room*2/5, 44)
	about := room - expected - mostQuery - 3
	if about < leastAbout {
		about = 0
	}
	query.Width = room - expected - 1
	if about > 0 {
		query.Width = mostQuery
	}
	columns = append(columns, query, ui.Column{Head: "expected", Gap: 1, Width: expected, Left: true, Cell: func(row int) (ui.Style, string) {
		relevant := at(row).Relevant
		others := ""
		if more := len(relevant) - 1; more > 0 {
			others = " +" + strconv.Itoa(more)
		}
		return t.Faint, ui.FitName(safetext.Line(relevant[0]), expected-ui.Width(others)) + others
	}})
	if about == 0 {
		return columns
	}
	return append(columns, ui.Column{Head: "description", Gap: 2, Left: true, Cell: func(row int) (ui.Style, string) {
		tool := s.state.Snapshot.Registry.Named(at(row).Relevant[0])
		if tool == nil {
			return t.Faint, ""
		}
		return t.Faint, ui.FirstWords(tool.ShownDescription(), about)
	}})
}
