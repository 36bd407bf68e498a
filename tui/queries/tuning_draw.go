package queries

import (
	"caliper/engine/evaluation"
	"caliper/engine/labels"
	"caliper/tui/cells"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// Heights of the plot of the frontier: it is drawn where the screen has leastPlotted lines,
// and takes most lines.
const (
	leastPlotted = 26
	plotLines    = 9
)

// drawTuning draws the verdict on the chosen settings, and where there is room the plot of the
// frontier.
func (s *Screen) drawTuning(t *ui.Theme, w int) []string {
	x := s.found.tuned
	style := map[evaluation.Verdict]cells.Style{evaluation.Better: t.Ok, evaluation.Worse: t.Bad, evaluation.CannotTell: t.Warn}[x.Verdict]
	if s.h < splitHeight {
		verdict := []ui.Phrase{{Style: style, Text: report.TuningVerdictWord(*x)}}
		return ui.Flow(w, 1, verdict, []ui.Phrase{{Style: t.Faint, Text: report.Points(x.Difference.Low) + " to " + report.Points(x.Difference.High)}})[:1]
	}
	lines := ui.Flow(w, 1, []ui.Phrase{{Style: style, Text: report.TuningVerdict(*x).String()}})
	chosen := report.TunedSettings(*x, x.Best.Settings).String()
	parts := [][]ui.Phrase{
		{{Style: t.Faint, Text: "chosen"}, {Style: t.Text, Text: chosen}},
		{{Style: t.Number, Text: tokensOf(x.Baseline.Tokens) + " → " + tokensOf(x.Best.Tokens) + " tok"}, {Style: t.Faint, Text: "a turn"}},
	}
	for i, d := range x.Worded {
		if d.Queries > 0 {
			parts = append(parts, []ui.Phrase{{Style: t.Faint, Text: "wording " + labels.WordClass(i).String()}, {Style: t.Number, Text: report.Points(d.Difference.Mean)}})
		}
	}
	plotted := s.h >= leastPlotted
	if plotted {
		parts = append(parts, []ui.Phrase{{Style: t.Number, Text: "* frontier"}}, []ui.Phrase{{Style: t.Faint, Text: "o active"}})
	}
	lines = append(lines, ui.Flow(w, 1, parts...)...)
	if plotted {
		lines = append(lines, s.drawFrontier(t, w, plotLines)...)
	}
	return lines
}

// drawFrontier draws the frontier, the selected point and the settings in force among it.
func (s *Screen) drawFrontier(t *ui.Theme, w, h int) []string {
	x := s.found.tuned
	var points []ui.PlotPoint
	for _, p := range x.Frontier {
		points = append(points, ui.PlotPoint{Tokens: p.Tokens, Share: p.Score, Sign: "*", Best: true})
	}
	points = append(points, ui.PlotPoint{Tokens: x.Baseline.Tokens, Share: x.Baseline.Mean, Sign: "o"})
	var selected *ui.PlotPoint
	if row, ok := s.row(); ok {
		selected = &ui.PlotPoint{Tokens: x.Frontier[row.i].Tokens, Share: x.Frontier[row.i].Score}
	}
	return ui.DrawPlot(t, w, h, points, selected)
}

// pointCell returns how wide the tokens and the score of a point are.
func pointCell(w int) int {
	if w < 60 {
		return 7
	}
	return 10
}

// drawPointHeads draws the headings of the points.
func (s *Screen) drawPointHeads(l *cells.Line, t *ui.Theme) {
	score := s.found.tuned.Objective
	if s.w < 60 {
		score = "score"
	}
	l.CellRight(t.Faint, "tokens", pointCell(s.w))
	l.CellRight(t.Faint, score, pointCell(s.w))
	l.Gap(2)
	l.Text(t.Faint, "settings")
}

// drawPoint draws one point of the frontier.
func (s *Screen) drawPoint(l *cells.Line, t *ui.Theme, i int) {
	p := s.found.tuned.Frontier[i]
	l.CellRight(t.Number, tokensOf(p.Tokens), pointCell(s.w))
	l.CellRight(t.Number, ui.Percent(100*p.Score), pointCell(s.w))
	l.Gap(2)
	style, text := t.Text, report.TunedSettings(*s.found.tuned, p.Settings).String()
	if s.tries(p) {
		style, text = t.Changed, text+" (tried)"
		if s.host.Knobs.CountTurned() == 0 {
			style, text = t.Text, "active"
		}
	}
	l.Cell(style, text, l.Room())
}

// tokensOf returns a mean of tokens without its fraction.
func tokensOf(mean float64) string { return ui.Thousands(int(mean + 0.5)) }
