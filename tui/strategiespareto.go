package tui

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/selection"
	"caliper/tui/cells"
)

// frontier returns the points that no other is better than, the cheapest
// first.
func (s *strategiesScreen) frontier() []selection.Point {
	var out []selection.Point
	for _, p := range s.points {
		if p.Frontier {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b selection.Point) int { return cmp.Compare(a.SchemaTokens, b.SchemaTokens) })
	return out
}

// paretoColumns are the columns of the frontier.
func (s *strategiesScreen) paretoColumns(t *Theme, w int) []column {
	points := s.frontier()
	eager := 0.0
	for _, p := range s.points {
		if p.Strategy == selection.Eager {
			eager = p.SchemaTokens
		}
	}
	return fitting(w, 18, []column{
		{head: "best points", width: 14, left: true, cell: func(row int) (cells.Style, string) {
			return t.Text, plotSign(points[row].Strategy, true) + " " + string(points[row].Strategy)
		}},
		{head: "K", width: 4, cell: func(row int) (cells.Style, string) {
			if points[row].K == 0 {
				return t.Faint, t.Same
			}
			return t.Text, strconv.Itoa(points[row].K)
		}},
		{head: "tokens", width: 9, cell: func(row int) (cells.Style, string) { return t.Number, whole(points[row].SchemaTokens) }},
		{head: "recall", width: 9, cell: func(row int) (cells.Style, string) { return t.Number, percent(100 * points[row].Recall) }},
		{head: "saved", width: 9, cell: func(row int) (cells.Style, string) {
			if eager == 0 {
				return t.Faint, t.Same
			}
			return t.Text, percent(100 * (eager - points[row].SchemaTokens) / eager)
		}},
	})
}

// plotSign is the letter of a strategy on the plot: a capital where no point is
// better.
func plotSign(strategy selection.Strategy, best bool) string {
	sign := string(strategy[0])
	if best {
		return strings.ToUpper(sign)
	}
	return sign
}

// paretoHeading says what the letters of the plot are.
func (s *strategiesScreen) paretoHeading() string {
	if s.w < 70 {
		return "recall over tokens"
	}
	return "recall over tokens  k s h: K 1 to " + strconv.Itoa(selection.MaxParetoK) + "  e eager  t tool_search  l lazy  capitals: best"
}

// axisCell is how wide the figures beside the plot are.
const axisCell = 7

// drawPlot draws recall against tokens in at most h lines of w cells. Tokens
// stand on a scale of powers, for they differ by hundreds.
func (s *strategiesScreen) drawPlot(t *Theme, w, h int) []string {
	rows, columns := h-2, w-axisCell-2
	if rows < 2 || columns < 16 || len(s.points) == 0 {
		return nil
	}
	low, high, floor, under := math.Inf(1), 1.0, 1.0, 0
	for _, p := range s.points {
		low, high = min(low, max(p.SchemaTokens, 1)), max(high, p.SchemaTokens)
		if p.Strategy.Ranks() {
			floor = min(floor, math.Floor(min(10*p.Recall, 9))/10)
		}
	}
	// What finds less than anything that ranks stands on a line of its own, so
	// that what ranks has all the others.
	for _, p := range s.points {
		if p.Recall < floor {
			under = 1
		}
	}
	x := func(tokens float64) int {
		if high <= low {
			return 0
		}
		return int(math.Round(float64(columns-1) * math.Log(max(tokens, 1)/low) / math.Log(high/low)))
	}
	last := rows - 1 - under
	y := func(recall float64) int {
		if recall < floor {
			return rows - 1
		}
		return int(math.Round(float64(last) * (1 - recall) / (1 - floor)))
	}
	type dot struct {
		sign string
		best int // 0: none stands here
	}
	plot := make([]dot, rows*columns)
	put := func(p selection.Point, sign string, rank int) {
		at := &plot[y(p.Recall)*columns+x(p.SchemaTokens)]
		if rank > at.best {
			*at = dot{sign, rank}
		}
	}
	for _, p := range s.points {
		put(p, plotSign(p.Strategy, p.Frontier), map[bool]int{false: 1, true: 2}[p.Frontier])
	}
	if best := s.frontier(); len(best) > 0 {
		put(best[max(0, min(s.lists[partPareto].cursor, len(best)-1))], t.Pin, 3)
	}
	styles := [4]cells.Style{1: t.Faint, 2: t.Number, 3: t.Accent}
	var out []string
	var l cells.Line
	for row := range rows {
		l.Start(w)
		label := ""
		switch lowest := strconv.Itoa(int(math.Round(100*floor))) + "%"; {
		case row == 0:
			label = "100%"
		case row > last:
			label = "<" + lowest
		case row == last:
			label = lowest
		case row == last/2 && last >= 4:
			label = strconv.Itoa(int(math.Round(100*(1-(1-floor)*float64(row)/float64(last))))) + "%"
		}
		l.CellRight(t.Faint, label, axisCell-1)
		l.Text(t.Border, " "+t.Vertical)
		for column := range columns {
			if d := plot[row*columns+column]; d.best > 0 {
				l.Text(styles[d.best], d.sign)
			} else {
				l.Gap(1)
			}
		}
		out = append(out, l.End())
	}
	l.Start(w)
	l.Gap(axisCell)
	l.Repeat(t.Border, t.Horizontal, columns+1)
	out = append(out, l.End())
	left, middle, right := whole(low), whole(math.Sqrt(low*high)), whole(high)+" tok"
	l.Start(w)
	l.Gap(axisCell + 1)
	l.Text(t.Faint, left)
	l.To(axisCell + 1 + columns/2 - cells.Width(middle)/2)
	l.Text(t.Faint, middle)
	l.To(axisCell + 1 + columns - cells.Width(right))
	l.Text(t.Faint, right)
	return append(out, l.End())
}
