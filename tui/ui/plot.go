package ui

import (
	"math"
	"strconv"
)

// PlotPoint is a point of a plot of a share over tokens.
type PlotPoint struct {
	Tokens, Share float64 // Share is 0 to 1
	Sign          string  // one cell
	Best          bool    // it is drawn before others in its cell, and stands out
	Below         bool    // it may lie below the scale, which begins at the least share of the others
}

// axisCell is the width of the figures beside the plot.
const axisCell = 7

// DrawPlot draws shares against tokens in at most h lines of w cells, nil where there is
// too little room. selected, which may be nil, is drawn as the selected point. The scale
// of tokens is logarithmic, because they differ by factors of hundreds.
func DrawPlot(t *Theme, w, h int, points []PlotPoint, selected *PlotPoint) []string {
	rows, columns := h-2, w-axisCell-2
	if rows < 2 || columns < 16 || len(points) == 0 {
		return nil
	}
	low, high, floor, under := math.Inf(1), 1.0, 1.0, 0
	for _, p := range points {
		low, high = min(low, max(p.Tokens, 1)), max(high, p.Tokens)
		if !p.Below {
			floor = min(floor, math.Floor(min(10*p.Share, 9))/10)
		}
	}
	// Points below everything that ranks share one line at the bottom, so that the
	// points of what ranks have all others.
	for _, p := range points {
		if p.Share < floor {
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
		best int // 0: no point is here
	}
	plot := make([]dot, rows*columns)
	put := func(p PlotPoint, sign string, rank int) {
		at := &plot[y(p.Share)*columns+x(p.Tokens)]
		if rank > at.best {
			*at = dot{sign, rank}
		}
	}
	for _, p := range points {
		put(p, p.Sign, map[bool]int{false: 1, true: 2}[p.Best])
	}
	if selected != nil {
		put(*selected, t.Pin, 3)
	}
	styles := [4]Style{1: t.Faint, 2: t.Number, 3: t.Accent}
	var out []string
	var l Line
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
		l.Text(t.Border, " "+t.Thin.Vertical)
		for column := range columns {
			if d := plot[row*columns+column]; d.best > 0 {
				l.Text(styles[d.best], d.sign)
			} else {
				l.Gap(1)
			}
		}
		out = append(out, l.End())
	}
	l.StartAt(w, axisCell)
	l.Repeat(t.Border, t.Thin.Horizontal, columns+1)
	out = append(out, l.End())
	left, middle, right := Whole(low), Whole(math.Sqrt(low*high)), Whole(high)+" tok, log scale"
	l.StartAt(w, axisCell+1)
	l.Text(t.Faint, left)
	l.To(axisCell + 1 + columns/2 - Width(middle)/2)
	l.Text(t.Faint, middle)
	l.To(axisCell + 1 + columns - Width(right))
	l.Text(t.Faint, right)
	return append(out, l.End())
}

// Whole returns a mean as a whole number.
func Whole(mean float64) string { return Thousands(int(mean + 0.5)) }
