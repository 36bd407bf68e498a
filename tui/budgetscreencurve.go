package tui

import (
	"math"
	"slices"
	"strconv"

	"caliper/config"
	"caliper/engine"
	"caliper/tui/cells"
)

// curveGutter is how wide the numbers left of the plot are.
const curveGutter = 7

// curveColumn is one context length of the plot.
type curveColumn struct {
	engine.CurvePoint
	here bool // the configured length
	x    int  // of its first cell
}

// drawCurve plots, over context lengths, the threshold as bars and the
// deferrable tokens as a line across. Bars that reach the line switch search
// off; the axis says so in words.
func (s *budgetScreen) drawCurve(t *Theme, w, h int) []string {
	s.look()
	c := s.outlook.curve
	heading, note := "threshold over context", thousands(c.Deferrable)+" deferrable"
	decides := s.decides()
	if decides != "" {
		heading = decides + "; what auto would do"
	}
	var lines []string
	words := s.flips(w - 1)
	if h >= 8 {
		lines = append(lines, s.rule(t, w, s.focused(partCurve) && s.part == partCurve, heading, note))
	} else {
		words = words[:1]
		if decides != "" {
			words[0] = decides + "; " + words[0]
		}
	}
	if c.Deferrable == 0 {
		return append(lines, message(t, w, max(0, h-len(lines)), "nothing to defer in this session")...)
	}
	if rows := h - len(lines) - len(words) - 2; rows > 0 {
		lines = append(lines, s.plot(t, w, rows)...)
	}
	var l cells.Line
	for _, text := range words {
		l.Start(w)
		l.Gap(1)
		l.Text(t.Text, text)
		lines = append(lines, l.End())
	}
	return lines
}

// decides names what decides in place of the curve: a strategy of pre-selection,
// which has no threshold, or the mode; empty when it is the curve.
func (s *budgetScreen) decides() string {
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
func (s *budgetScreen) columns(w int) (all []curveColumn, step int) {
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

// scaleFor returns a scale on which a line and every bar can be told apart.
func scaleFor(columns []curveColumn, line, rows int) scale {
	least, most := line, line
	for _, c := range columns {
		least, most = min(least, c.Threshold), max(most, c.Threshold)
	}
	return scale{math.Log(float64(max(1, least)) / 1.6), math.Log(float64(max(1, most)) * 1.1), rows * 8}
}

// of returns how high a number stands, from 1.
func (k scale) of(tokens int) int {
	at := (math.Log(float64(max(1, tokens))) - k.low) / (k.high - k.low)
	return max(1, min(int(at*float64(k.eighths)+0.5), k.eighths))
}

// plot draws the bars, the line, the axis and its labels.
func (s *budgetScreen) plot(t *Theme, w, rows int) []string {
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
			if glyph := t.level(heights[i] - row*8); glyph != "" {
				l.Repeat(fill, glyph, step-1)
			}
		}
		s.plotLine(&l, t, end, row == across)
		lines = append(lines, l.End())
	}
	who := ""
	if s.decides() != "" {
		who = "auto "
	}
	return append(lines, plotAxis(t, w, all, end, who), plotLabels(t, w, all, step))
}

// plotLine goes on to a cell, along the line where there is one.
func (s *budgetScreen) plotLine(l *cells.Line, t *Theme, to int, across bool) {
	if across {
		l.Repeat(t.CutLine, t.Cut, to-l.At())
	} else {
		l.To(to)
	}
}

// level is the glyph of a cell that is filled from below by so many eighths,
// empty for none.
func (t *Theme) level(eighths int) string {
	switch {
	case eighths <= 0:
		return ""
	case eighths >= 8:
		return t.Full
	case len(t.Levels) == 0 && eighths < 4:
		return ""
	case len(t.Levels) == 0:
		return t.Full
	}
	return t.Levels[eighths-1]
}

// plotAxis draws the axis with the decision on it, in words, behind whose it is
// where there is room.
func plotAxis(t *Theme, w int, all []curveColumn, end int, who string) string {
	var l cells.Line
	l.Start(w)
	l.To(all[0].x)
	off := slices.IndexFunc(all, func(c curveColumn) bool { return !c.Active })
	decision := func(style cells.Style, word string, to int) {
		l.Text(style, longest(to-l.At(), who+word, word))
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

// plotLabels names the context lengths, those that there is room for. The
// configured one stands in brackets and is never left out.
func plotLabels(t *Theme, w int, all []curveColumn, step int) string {
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

// b2i is 1 for true.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shortContext names a context length in few cells.
func shortContext(n int) string {
	switch {
	case n >= 1_000_000:
		return nearly(n)
	case n < 1000:
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n/1000) + "k"
}

// nearly is a number of tokens to two or three digits.
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
