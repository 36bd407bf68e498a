package budget

import (
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/tui/ui"
)

// mostBars is the most rows of the bars, which say whether each is above the line.
const mostBars = 10

// drawThresholds plots, over context lengths, the threshold as bars and the
// deferrable tokens as a line across. Bars that reach the line switch search
// off, and the axis says so.
func (s *Screen) drawThresholds(t *ui.Theme, w, h int) []string {
	s.look()
	c := s.outlook.curve
	heading, note := "threshold over context", ui.Thousands(c.Deferrable)+" deferrable"
	decides := s.decides()
	if s.state.Budget.Host != "" {
		lines := []string{ui.DrawHeading(t, w, s.focused(viewCurve) && s.view == viewCurve, "no threshold", "")}
		for _, text := range ui.Wrap("search is on "+s.state.Snapshot.Host().On, max(1, w-2)) {
			lines = append(lines, " "+text)
		}
		for _, text := range s.skillLines(w - 2) {
			lines = append(lines, " "+text)
		}
		return ui.FitLines(lines, w, h)
	}
	if decides != "" {
		heading = decides + "; what auto would do"
	}
	var lines []string
	decision := s.flips(w - 1)
	if h >= 8 {
		decision = append(decision, s.skillLines(w-1)...)
		lines = append(lines, ui.DrawHeading(t, w, s.focused(viewCurve) && s.view == viewCurve, heading, note))
	} else {
		decision = decision[:1]
		if decides != "" {
			decision[0] = decides + "; " + decision[0]
		}
	}
	if c.Deferrable == 0 {
		return append(lines, ui.Centered(t, w, max(0, h-len(lines)), append([]string{"nothing to defer in this session"}, s.outlook.skills...)...)...)
	}
	if rows := min(h-len(lines)-len(decision)-2, mostBars); rows > 0 {
		lines = append(lines, s.thresholds(t).draw(t, w, rows)...)
	}
	for _, text := range decision {
		lines = append(lines, ui.TextLine(w, 1, t.Text, text))
	}
	return lines
}

// skillLines says in lines of w cells what agents list of the skills beside the tools.
func (s *Screen) skillLines(w int) (lines []string) {
	for _, text := range s.outlook.skills {
		lines = append(lines, ui.Wrap(text, max(1, w))...)
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

// thresholds returns the plot of the thresholds at the context lengths of the curve
// and at the configured one.
func (s *Screen) thresholds(t *ui.Theme) plot {
	c, prefix := s.outlook.curve, ""
	if s.decides() != "" {
		prefix = "auto "
	}
	barOf := func(p engine.CurvePoint) bar {
		b := bar{context: p.Context, tokens: p.Threshold, fill: t.GaugeFill, axis: []string{prefix + "ON", "ON"}, axisStyle: t.Ok}
		if !p.Active {
			b.reaches, b.fill, b.axis, b.axisStyle = true, t.GaugeEmpty, []string{prefix + "OFF", "OFF"}, t.Warn
		}
		return b
	}
	p := plot{line: c.Deferrable}
	for _, point := range c.Points {
		p.bars = append(p.bars, barOf(point))
	}
	if n := s.state.Snapshot.Config.ContextLength; n != nil && *n > 0 {
		at, found := slices.BinarySearchFunc(p.bars, *n, func(b bar, n int) int { return b.context - n })
		if !found {
			auto := s.state.Snapshot.Config.ToolSearch
			auto.Enabled = config.Auto
			a := engine.Activate(auto, n, c.Deferrable)
			p.bars = slices.Insert(p.bars, at, barOf(engine.CurvePoint{Context: *n, Threshold: a.Threshold, Active: a.Active}))
		}
		p.bars[at].here = true
	}
	return p
}
