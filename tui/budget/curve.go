package budget

import (
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/tui/report"
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

// decides returns the strategy or mode that decides instead of the threshold; empty for none.
func (s *Screen) decides() string {
	if c := s.state.Snapshot.Config; engine.PreSelects(c.Selection) {
		return "selection " + c.Selection
	}
	if m := s.state.Budget.Mode; m != config.Auto {
		return "mode " + string(m)
	}
	return ""
}

// thresholds returns the plot of thresholds by context, the configured one among them.
func (s *Screen) thresholds(t *ui.Theme) plot {
	c, prefix := s.outlook.curve, ""
	if s.decides() != "" {
		prefix = "auto "
	}
	barOf := func(p engine.CurvePoint) bar {
		b := bar{context: p.Context, tokens: p.Threshold, fill: t.Accent, axis: []string{prefix + "ON", "ON"}, axisStyle: t.Ok}
		if !p.Active {
			b.reaches, b.fill, b.axis, b.axisStyle = true, t.Border, []string{prefix + "OFF", "OFF"}, t.Warn
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

// drawForms plots, over context lengths, the tokens that the list of the deferred
// tools may take, as bars, and as a line across those that the next richer form
// needs. The axis says which form each context gives.
func (s *Screen) drawForms(t *ui.Theme, w, h int) []string {
	s.look()
	c := s.outlook.lists
	if len(c.Points) == 0 {
		lines := []string{ui.DrawHeading(t, w, s.focused(viewCurve) && s.view == viewCurve, "listing over context", "")}
		return append(lines, ui.Centered(t, w, max(0, h-1), "nothing is listed: search is OFF")...)
	}
	p := plot{}
	// The line across is the budget that the next richer form needs; the richest stands for itself.
	var line tokens.ListNeed
	now := s.state.Budget.Listing.Form
	for _, n := range s.outlook.lists.Needs { // the richest first
		if n.Form != now || line.Form == "" {
			line = n.ListNeed
		}
		if n.Form == now {
			break
		}
	}
	p.line = line.Tokens
	n := s.state.Snapshot.Config.ContextLength
	for _, point := range c.Points {
		p.bars = append(p.bars, bar{
			context: point.Context, tokens: point.Limit, reaches: point.Limit >= line.Tokens, fill: t.Accent,
			axis: []string{string(point.Form), ""}, axisStyle: t.Text, here: n != nil && *n == point.Context,
		})
	}
	note := string(line.Form) + " needs " + ui.Thousands(line.Tokens)
	lines := []string{ui.DrawHeading(t, w, s.focused(viewCurve) && s.view == viewCurve, "listing over context", note)}
	says := report.ListingOutlook(s.state.Snapshot, c)
	if s.view == viewListing { // says it beside
		says = nil
	}
	var about []string
	for _, say := range says { // three rows of the plot matter more, and half a sentence says nothing
		if text := ui.Flow(w, 1, []ui.Phrase{{Style: t.Text, Text: say.String()}}); len(lines)+2+3+len(about)+len(text) <= h {
			about = append(about, text...)
		}
	}
	if rows := h - len(lines) - len(about) - 2; rows > 0 {
		lines = append(lines, p.draw(t, w, rows)...)
	}
	for _, text := range about {
		lines = append(lines, ui.Pad(text, w))
	}
	return lines
}
