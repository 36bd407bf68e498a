package tui

import (
	"strconv"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// The columns of the queries: the best rank under one ranker, and its change.
const (
	rankCell   = 8
	changeCell = 6
)

// drawQueryHeads draws the headings of the queries.
func (s *queriesScreen) drawQueryHeads(l *cells.Line, t *Theme) {
	columns := s.shownColumns()
	for i, e := range columns {
		head := shortRanker(e.Ranker)
		if len(columns) == 1 {
			head = "rank"
		}
		l.CellRight(t.Faint, head, s.rankCell(i))
		if i == 0 {
			l.Gap(changeCell)
		}
	}
	l.Gap(1)
	query, relevant := s.queryColumns(l.Room())
	l.Cell(t.Faint, "query", query)
	if relevant > 0 {
		l.Gap(2)
		l.Text(t.Faint, "relevant")
	}
}

// rankCell is how wide the rank under one of the rankers is.
func (s *queriesScreen) rankCell(column int) int {
	if column == 0 && (len(s.found.evaluated.columns) == 1 || s.w < 60) {
		return 5
	}
	return rankCell
}

// shownColumns are the rankers that there is room for.
func (s *queriesScreen) shownColumns() []engine.Evaluation {
	columns := s.found.evaluated.columns
	if s.w < 60 {
		return columns[:min(len(columns), 2)]
	}
	return columns
}

// queryColumns shares what the ranks leave: the text, and the relevant tools
// where there is room.
func (s *queriesScreen) queryColumns(room int) (query, relevant int) {
	if s.w < 70 {
		return room, 0
	}
	relevant = min(room*2/5, 44)
	return room - relevant - 2, relevant
}

// drawQuery draws one labelled query.
func (s *queriesScreen) drawQuery(l *cells.Line, t *Theme, i int) {
	was := s.against()
	for c, e := range s.shownColumns() {
		a := &e.Answers[i]
		style, text := t.Number, strconv.Itoa(a.Best)
		switch {
		case a.Best == 0:
			style, text = t.Bad, t.Cross+" "+noRank
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
				style, text = moved(t, before, a.Best)
			} else {
				style, text = t.Added, "added"
			}
		}
		l.Cell(style, text, changeCell-1)
	}
	l.Gap(1)
	q := s.found.evaluated.now().Answers[i].Query
	query, relevant := s.queryColumns(l.Room())
	text := model.Sanitize(folded(q.Text))
	if s.sure == queryKey(q) {
		text = "d again takes away: " + text
	}
	l.Cell(t.Text, text, query)
	if relevant > 0 {
		l.Gap(2)
		name := fitName(model.Sanitize(q.Relevant[0]), relevant-4)
		if more := len(q.Relevant) - 1; more > 0 {
			name += " +" + strconv.Itoa(more)
		}
		l.Cell(t.Faint, name, relevant)
	}
}

// noRank stands for no rank, as for a tool that is not found.
const noRank = "–"
