package budget

import (
	"math"
	"slices"

	"caliper/model"
	"caliper/tui/ui"
)

// plotGutter is the width of the numbers on the left of a plot.
const plotGutter = 7

// plot is tokens by context length, drawn as bars with another number as a line across.
type plot struct {
	bars []bar // one or more, by their context
	line int   // tokens of the line across
}

// bar is one context length of a plot.
type bar struct {
	context, tokens int
	reaches         bool // the line; the decision is exact, and the drawing may not contradict
	fill            ui.Style
	axis            []string // what the axis says below it, the longest wording first; neighbours share one
	axisStyle       ui.Style
	here            bool // the configured length
	x               int  // of its first cell
}

// draw draws the bars and the line in so many rows, and below them the axis and its labels.
func (p plot) draw(t *ui.Theme, w, rows int) []string {
	step := max(2, min((w-plotGutter)/len(p.bars), 7))
	for i := range p.bars {
		p.bars[i].x = plotGutter + i*step
	}
	// The line and all bars can be told apart.
	least, most := p.line, p.line
	for _, b := range p.bars {
		least, most = min(least, b.tokens), max(most, b.tokens)
	}
	low, high := math.Log(float64(max(1, least))/1.6), math.Log(float64(max(1, most))*1.1)
	height := func(tokens int) int { // in eighths of a line, from 1, by the logarithm
		at := (math.Log(float64(max(1, tokens))) - low) / (high - low)
		return max(1, min(int(at*float64(rows*8)+0.5), rows*8))
	}
	across := min((height(p.line)-1)/8, rows-1) // row of the line, from below
	heights := make([]int, len(p.bars))
	for i, b := range p.bars {
		heights[i] = height(b.tokens)
		if b.reaches {
			heights[i] = max(heights[i], across*8+8)
		} else {
			heights[i] = min(heights[i], across*8)
		}
	}
	top, bottom := 0, 0
	for i, b := range p.bars {
		if b.tokens > p.bars[top].tokens {
			top = i
		}
		if b.tokens < p.bars[bottom].tokens {
			bottom = i
		}
	}
	labels := map[int]string{(max(1, heights[bottom]) - 1) / 8: ui.Short(p.bars[bottom].tokens), (max(1, heights[top]) - 1) / 8: ui.Short(p.bars[top].tokens)}
	labels[across] = ui.Short(p.line)
	end := p.bars[len(p.bars)-1].x + step - 1
	lines := make([]string, 0, rows+2)
	var l ui.Line
	for row := rows - 1; row >= 0; row-- {
		l.Start(w)
		style := t.Faint
		if row == across {
			style = t.Warn
		}
		l.CellRight(style, labels[row], plotGutter-1)
		l.Gap(1)
		for i, b := range p.bars {
			drawAcross(&l, t, b.x, row == across)
			fill := b.fill
			if b.here {
				fill = t.GaugeMark
			}
			if glyph := t.Level(heights[i] - row*8); glyph != "" {
				l.Repeat(fill, glyph, step-1)
			}
		}
		drawAcross(&l, t, end, row == across)
		lines = append(lines, l.End())
	}
	return append(lines, p.axis(t, w, end), p.contexts(t, w, step))
}

// drawAcross fills a line of the plot up to a cell, with the line across where it is.
func drawAcross(l *ui.Line, t *ui.Theme, to int, across bool) {
	if across {
		l.Repeat(t.Warn, t.Cut, to-l.At())
	} else {
		l.To(to)
	}
}

// axis draws the axis with what it says about each run of bars.
func (p plot) axis(t *ui.Theme, w, end int) string {
	l := ui.StartLine(w, 0)
	l.To(p.bars[0].x)
	for i, b := range p.bars {
		if i > 0 && slices.Equal(b.axis, p.bars[i-1].axis) {
			continue
		}
		if i > 0 {
			l.Repeat(t.Border, t.Thin.Horizontal, b.x-1-l.At())
			l.Text(t.Border, t.Thin.Vertical)
		}
		to := end
		if next := slices.IndexFunc(p.bars[i:], func(c bar) bool { return !slices.Equal(c.axis, b.axis) }); next > 0 {
			to = p.bars[i+next].x - 1
		}
		l.Text(b.axisStyle, ui.Longest(to-l.At(), b.axis...))
	}
	l.Repeat(t.Border, t.Thin.Horizontal, end-l.At())
	return l.End()
}

// contexts draws the context lengths that fit; the configured one, in brackets, always does.
func (p plot) contexts(t *ui.Theme, w, step int) string {
	type label struct {
		at   int
		text string
		here bool
	}
	var placed []label
	free := func(at, n int) bool {
		return at >= 0 && at+n <= w && !slices.ContainsFunc(placed, func(l label) bool {
			return at < l.at+ui.Width(l.text)+1-b2i(l.here) && l.at < at+n+1-b2i(l.here)
		})
	}
	for _, here := range []bool{true, false} {
		for _, c := range p.bars {
			if c.here != here {
				continue
			}
			text := ui.ShortContext(c.context)
			if here {
				text = t.TabOpen + text + t.TabClose
			}
			at := c.x + (step-1-ui.Width(text)+1)/2
			at = min(at, w-ui.Width(text))
			if free(at, ui.Width(text)) {
				placed = append(placed, label{at, text, here})
			}
		}
	}
	model.Sort(placed, func(a, b label) int { return a.at - b.at })
	l := ui.StartLine(w, 0)
	for _, label := range placed {
		l.To(label.at)
		style := t.Faint
		if label.here {
			style = t.Strong
		}
		l.Text(style, label.text)
	}
	return l.End()
}

// b2i returns 1 for true, 0 for false.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
