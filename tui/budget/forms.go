package budget

import (
	"caliper/engine/tokens"
	"caliper/tui/report"
	"caliper/tui/ui"
)

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
	// The line across is what the next richer form needs; the richest stands for itself.
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
			context: point.Context, tokens: point.Limit, reaches: point.Limit >= line.Tokens, fill: t.GaugeFill,
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
