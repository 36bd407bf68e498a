package budget

import (
	"math"
	"slices"
	"strconv"

	"caliper/config"
	"caliper/engine"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// curveGutter is the width of the numbers on the left of the plot.
const curveGutter = 7

// curveColumn is one context length of the plot.
type curveColumn struct {
	engine.CurvePoint
	here bool // the configured length
	x    int  // of its first cell
}

// drawCurve plots, over context lengths, the threshold as bars and the
// deferrable tokens as a line across. Bars that reach the line switch search
// off, and the axis says so.
func (s *Screen) drawCurve(t *ui.Theme, w, h int) []string {
	s.look()
	c := s.outlook.curve
	heading, note := "threshold over context", ui.Thousands(c.Deferrable)+" deferrable"
	decides := s.decides()
	if decides != "" {
		heading = decides + "; what auto would do"
	}
	var lines []string
	decision := s.flips(w - 1)
	if h >= 8 {
		lines = append(lines, ui.DrawHeading(t, w, s.focused(viewCurve) && s.view == viewCurve, heading, note))
	} else {
		decision = decision[:1]
		if decides != "" {
			decision[0] = decides + "; " + decision[0]
		}
	}
	if c.Deferrable == 0 {
		return append(lines, ui.Centered(t, w, max(0, h-len(lines)), "nothing to defer in this session")...)
	}
	if rows := h - len(lines) - len(decision) - 2; rows > 0 {
		lines = append(lines, s.plot(t, w, rows)...)
	}
	var l cells.Line
	for _, text := range decision {
		l.Start(w)
		l.Gap(1)
		l.Text(t.Text, text)
		lines = append(lines, l.End())
	}
	return lines
}

// decides returns what decides instead of the threshold: a strategy of
// pre-selection, or the mode; empty when the threshold decides.
func (s *Screen) decides() string {
	if c := s.state.Snapshot.Config; engine.PreSelects(c.Selection) {
		return "selection " + c.Selection
	}
	if m := s.state.Budget.Mode; m != config.Auto {
		return "mode " + string(m)
	}
	return ""
}

// columns returns the context lengths of the plot, with the configured one
// among them, placed in w cells.
func (s *Screen) columns(w int) (all []curveColumn, step int) {
	snap := s.state.Snapshot
	for _, p := range s.outlook.curve.Points {
		all = append(all, curveColumn{CurvePoint: p})
	}
	if n := snap.Config.ContextLength; n != nil && *n > 0 {
		at, found := slices.BinarySearchFunc(all, *n, func(c curveColumn, n int) int { return c.Context - n })
		if !found {
			auto := snap.Config.ToolSearch
			auto.Enabled = config.Auto
			a := engine.Activate(auto, n, s.outlook.curve.Deferrable)
			all = slices.Insert(all, at, curveColumn{CurvePoint: engine.CurvePoint{Context: *n, Threshold: a.Threshold, Active: a.Active}})
		}
		all[at].here = true
	}
	step = max(2, min((w-curveGutter)/len(all), 7))
	for i := range all {
		all[i].x = curveGutter + i*step
	}
	return all, step
}

// scale maps tokens to eighths of a line, by their logarithm.
type scale struct {
	low, high float64 // logarithms
	eighths   int
}

// scaleFor returns a scale that keeps the line and all bars distinguishable.
func scaleFor(columns []curveColumn, line, rows int) scale {
	least, most := line, line
	for _, c := range columns {
		least, most = min(least, c.Threshold), max(most, c.Threshold)
	}
	return scale{math.Log(float64(max(1, least)) / 1.6), math.Log(float64(max(1, most)) * 1.1), rows * 8}
}

// of returns the height of a number in eighths of a line, from 1.
func (k scale) of(tokens int) int {
	at := (math.Log(float64(max(1, tokens))) - k.low) / (k.high - k.low)
	return max(1, min(int(at*float64(k.eighths)+0.5), k.eighths))
}

// plot draws the bars, the line, the axis and its labels.
func (s *Screen) plot(t *ui.Theme, w, rows int) []string {
	c := s.outlook.curve
	all, step := s.columns(w)
	k := scaleFor(all, c.Deferrable, rows)
	across := min((k.of(c.Deferrable)-1)/8, rows-1) // row of the line, from below
	heights := make([]int, len(all))
	for i, p := range all {
		// The decision is exact, the drawing is not: it may not contradict.
		heights[i] = k.of(p.Threshold)
		if p.Active {
			heights[i] = min(heights[i], across*8)
		} else {
			heights[i] = max(heights[i], across*8+8)
		}
	}
	top, bottom := 0, 0
	for i := range all {
		if all[i].Threshold > all[top].Threshold {
			top = i
		}
		if all[i].Threshold < all[bottom].Threshold {
			bottom = i
		}
	}
	labels := map[int]string{(max(1, heights[bottom]) - 1) / 8: nearly(all[bottom].Threshold), (max(1, heights[top]) - 1) / 8: nearly(all[top].Threshold)}
	labels[across] = nearly(c.Deferrable)
	end := all[len(all)-1].x + step - 1
	lines := make([]string, 0, rows+2)
	var l cells.Line
	for row := rows - 1; row >= 0; row-- {
		l.Start(w)
		style := t.Faint
		if row == across {
			style = t.CutLine
		}
		l.CellRight(style, labels[row], curveGutter-1)
		l.Gap(1)
		for i, p := range all {
			s.plotLine(&l, t, p.x, row == across)
			fill := t.GaugeFill
			if !p.Active {
				fill = t.GaugeEmpty
			}
			if p.here {
				fill = t.GaugeMark
			}
			if glyph := t.Level(heights[i] - row*8); glyph != "" {
				l.Repeat(fill, glyph, step-1)
			}
		}
		s.plotLine(&l, t, end, row == across)
		lines = append(lines, l.End())
	}
	prefix := ""
	if s.decides() != "" {
		prefix = "auto "
	}
	return append(lines, plotAxis(t, w, all, end, prefix), plotLabels(t, w, all, step))
}

// plotLine fills a line of the plot up to a cell, with the line across where it is.
func (s *Screen) plotLine(l *cells.Line, t *ui.Theme, to int, across bool) {
	if across {
		l.Repeat(t.CutLine, t.Cut, to-l.At())
	} else {
		l.To(to)
	}
}

// plotAxis draws the axis with the decision on it. Prefix says whose decision it
// is, where there is room.
func plotAxis(t *ui.Theme, w int, all []curveColumn, end int, prefix string) string {
	var l cells.Line
	l.Start(w)
	l.To(all[0].x)
	off := slices.IndexFunc(all, func(c curveColumn) bool { return !c.Active })
	decision := func(style cells.Style, word string, to int) {
		l.Text(style, ui.Longest(to-l.At(), prefix+word, word))
	}
	if off != 0 {
		to := end
		if off > 0 {
			to = all[off].x - 1
		}
		decision(t.Ok, "ON", to)
	}
	if off >= 0 {
		if off > 0 {
			l.Repeat(t.Border, t.Horizontal, all[off].x-1-l.At())
			l.Text(t.Border, t.Vertical)
		}
		decision(t.Warn, "OFF", end)
	}
	l.Repeat(t.Border, t.Horizontal, end-l.At())
	return l.End()
}

// plotLabels draws the context lengths under the axis, as many as fit. The
// configured one is in brackets and is never left out.
func plotLabels(t *ui.Theme, w int, all []curveColumn, step int) string {
	type label struct {
		at   int
		text string
		here bool
	}
	var placed []label
	free := func(at, n int) bool {
		return at >= 0 && at+n <= w && !slices.ContainsFunc(placed, func(p label) bool {
			return at < p.at+cells.Width(p.text)+1-b2i(p.here) && p.at < at+n+1-b2i(p.here)
		})
	}
	for _, here := range []bool{true, false} {
		for _, c := range all {
			if c.here != here {
				continue
			}
			text := shortContext(c.Context)
			if here {
				text = t.TabOpen + text + t.TabClose
			}
			at := c.x + (step-1-cells.Width(text)+1)/2
			at = min(at, w-cells.Width(text))
			if free(at, cells.Width(text)) {
				placed = append(placed, label{at, text, here})
			}
		}
	}
	slices.SortFunc(placed, func(a, b label) int { return a.at - b.at })
	var l cells.Line
	l.Start(w)
	for _, p := range placed {
		l.To(p.at)
		style := t.Faint
		if p.here {
			style = t.Strong
		}
		l.Text(style, p.text)
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

// shortContext returns a context length in few cells.
func shortContext(n int) string {
	switch {
	case n >= 1_000_000:
		return nearly(n)
	case n < 1000:
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n/1000) + "k"
}

// nearly returns a number of tokens with two or three digits.
func nearly(n int) string {
	switch {
	case n >= 10_000_000:
		return strconv.Itoa(n/1_000_000) + "M"
	case n >= 1_000_000:
		return strconv.FormatFloat(float64(n/100_000)/10, 'g', -1, 64) + "M"
	case n >= 100_000:
		return strconv.Itoa(n/1000) + "k"
	case n >= 1000:
		return strconv.FormatFloat(float64(n/100)/10, 'g', -1, 64) + "k"
	}
	return strconv.Itoa(n)
}
