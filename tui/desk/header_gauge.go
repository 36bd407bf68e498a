package desk

import (
	"fmt"
	"slices"

	"caliper/engine/selection"
	"caliper/tui/ui"
)

// drawSelected draws the active strategy and the tools that it sends with the
// message.
func (p *HeaderLines) drawSelected(l *ui.Line, t *ui.Theme) {
	g, b := p.Gauge, p.State.Budget
	if g.Sent == nil {
		l.Gap(ui.GaugeWidth(l.At()+l.Room()) + 2)
		l.Text(t.Faint, "selecting   ")
		l.Text(t.Badge, " "+g.Words()+" ")
		return
	}
	ui.Bar{
		Fraction: float64(g.Sent.SchemaTokens) / float64(gaugeScale(b)),
		Mark:     -1, Fill: t.GaugeSent,
	}.Draw(l, t, ui.GaugeWidth(l.At()+l.Room()))
	l.Gap(2)
	l.Text(t.Number, ui.Thousands(g.Sent.SchemaTokens))
	l.Text(t.Faint, share(g.Sent.SchemaTokens, b)+"   ")
	l.Text(t.Text, fmt.Sprintf("saved %s (%s)   ", ui.Thousands(g.Sent.EagerTokens-g.Sent.SchemaTokens), ui.Percent(g.Sent.SavedPct)))
	l.Text(t.Badge, " "+g.Words()+" ")
	l.Text(t.Faint, " "+g.MessageWords())
	if warning := g.Warning(); warning != "" {
		l.Text(t.Warn, " "+warning)
	}
}

// drawSelectedShort draws the active strategy after the cost of all
// definitions.
func (p *HeaderLines) drawSelectedShort(l *ui.Line, t *ui.Theme) {
	g := p.Gauge
	if g.Sent == nil {
		l.Text(t.Faint, "selecting ")
	} else {
		l.Text(t.Number, ui.Thousands(g.Sent.SchemaTokens))
	}
	words, instead := g.Words(), ""
	if g.Sent != nil && slices.ContainsFunc(g.Sent.Notes, func(n selection.Note) bool { return gaugeFallbacks[n.Code] }) { // although the strategy uses an embedder
		instead = " " + t.Right + " keywords"
	}
	if g.Sent != nil {
		if saved := " saved " + ui.Percent(g.Sent.SavedPct); ui.Width(saved+words+instead)+4 <= l.Room() {
			l.Text(t.Faint, saved)
		}
		l.Gap(1)
	}
	for _, shorter := range []string{words + instead, string(g.Strategy) + instead, words, string(g.Strategy)} {
		if words = shorter; ui.Width(words)+2 <= l.Room() {
			break
		}
	}
	l.Text(t.Badge, " "+words+" ")
	if room := l.Room() - 1; room >= LeastMessage {
		l.Text(t.Faint, " "+ui.Truncate(g.MessageWords(), room))
	}
}
