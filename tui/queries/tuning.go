package queries

import (
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
)

// tuned is the input of a search of settings: the session under the settings of the files,
// whatever is tried beside them, and the labelled queries.
type tuned struct {
	snapshot *engine.Snapshot
	queries  []labels.Query
}

// tunes returns the input of a search now.
func (s *Screen) tunes() tuned { return tuned{s.state.OnDisk().Snapshot.Unasked(), s.state.Queries} }

// tries reports whether the settings of a point are in force, trials included.
func (s *Screen) tries(p selection.TuningPoint) bool {
	for _, x := range p.Settings {
		if k := desk.KnobOf(x.Key); k != nil && !desk.SameValue(s.host.Knobs.Value(k), x.Value) {
			return false
		}
	}
	return true
}

// Heights of the plot of the frontier: it is drawn where the screen has leastPlotted lines,
// and takes most lines.
const (
	leastPlotted = 26
	plotLines    = 9
)

// drawTuning draws the verdict on the chosen settings, and the frontier where there is room.
func (s *Screen) drawTuning(t *ui.Theme, w, _ int, split bool) ([]string, bool) {
	x := s.found.tuned
	style := map[retrieval.DifferenceVerdict]ui.Style{retrieval.Better: t.Ok, retrieval.Worse: t.Bad, retrieval.CannotTell: t.Warn}[x.Verdict]
	if !split {
		verdict := []ui.Phrase{{Style: style, Text: changes.TuningVerdictWord(*x)}}
		return ui.Flow(w, 1, verdict, []ui.Phrase{{Style: t.Faint, Text: report.Points(x.Difference.Low) + " to " + report.Points(x.Difference.High)}})[:1], false
	}
	lines := ui.Flow(w, 1, []ui.Phrase{{Style: style, Text: changes.TuningVerdict(*x).String()}})
	chosen := changes.TunedSettings(*x, x.Best.Settings).String()
	parts := [][]ui.Phrase{
		{{Style: t.Faint, Text: "chosen"}, {Style: t.Text, Text: chosen}},
		{{Style: t.Number, Text: ui.Whole(x.Baseline.Tokens) + " → " + ui.Whole(x.Best.Tokens) + " tok"}, {Style: t.Faint, Text: "a turn"}},
	}
	for i, d := range x.Worded {
		if d.Queries > 0 {
			parts = append(parts, []ui.Phrase{{Style: t.Faint, Text: "wording " + labels.WordClass(i).String()}, {Style: t.Number, Text: report.Points(d.Difference.Mean)}})
		}
	}
	plotted := s.H >= leastPlotted
	if plotted {
		parts = append(parts, []ui.Phrase{{Style: t.Number, Text: "* trade-off"}}, []ui.Phrase{{Style: t.Faint, Text: "o active"}}, []ui.Phrase{{Style: t.Accent, Text: t.Pin + " selected"}})
	}
	lines = append(lines, ui.Flow(w, 1, parts...)...)
	if plotted {
		var points []ui.PlotPoint
		for _, p := range x.Frontier {
			points = append(points, ui.PlotPoint{Tokens: p.Tokens, Share: p.Score, Sign: "*", Best: true})
		}
		points = append(points, ui.PlotPoint{Tokens: x.Baseline.Tokens, Share: x.Baseline.Mean, Sign: "o"})
		var selected *ui.PlotPoint
		if row, ok := s.row(); ok {
			selected = &ui.PlotPoint{Tokens: x.Frontier[row.i].Tokens, Share: x.Frontier[row.i].Score}
		}
		lines = append(lines, ui.DrawPlot(t, w, plotLines, points, selected)...)
	}
	return lines, false
}

// pointColumns returns the columns of the points of the frontier.
func (s *Screen) pointColumns(t *ui.Theme, w int) []ui.Column {
	at := func(row int) selection.TuningPoint { return s.found.tuned.Frontier[s.rows[viewTuning][row].i] }
	score, cell := s.found.tuned.Objective, 10
	if w < 60 {
		score, cell = "score", 7
	}
	return []ui.Column{
		{Head: "tokens", Width: cell, Cell: func(row int) (ui.Style, string) { return t.Number, ui.Whole(at(row).Tokens) }},
		{Head: score, Width: cell, Cell: func(row int) (ui.Style, string) { return t.Number, ui.Percent(100 * at(row).Score) }},
		{Head: "settings", Gap: 2, Left: true, Cell: func(row int) (ui.Style, string) {
			text := changes.TunedSettings(*s.found.tuned, at(row).Settings).String()
			switch {
			case !s.tries(at(row)):
				return t.Text, text
			case s.host.Knobs.CountTurned() == 0:
				return t.Text, "active"
			}
			return t.Warn, text + " (tried)"
		}},
	}
}
