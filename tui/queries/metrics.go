package queries

import (
	"strconv"
	"strings"

	"caliper/engine/labels"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// shownMetrics are the metrics of the table, the last ones first to stay where
// there is little room.
var shownMetrics = []string{"recall@1", "recall@3", "recall@5", "mrr@10", "ndcg@10"}

// splitMetric is the metric of the table that is split by wording, in splitCells cells
// beside the others where there is room for leastSplit metrics too.
const (
	splitMetric = "recall@5"
	splitCells  = 27
	leastSplit  = 3
)

// drawMetrics draws the metrics of every ranker, in percent, with what changed
// of the one in force; without room for a table, that one in a line.
func (s *Screen) drawMetrics(t *ui.Theme, w, _ int, room bool) ([]string, bool) {
	columns := s.found.evaluated.columns
	if !room {
		return []string{s.drawMetricLine(t, w)}, false
	}
	cell, name := 15, 13
	if w < 100 {
		cell, name = 13, 10
	}
	fit := (w - name - splitCells - 1) / cell
	beside := fit >= leastSplit
	if !beside {
		fit = (w - 1 - name) / cell
	}
	fit = min(max(1, fit), len(shownMetrics))
	metrics := shownMetrics[len(shownMetrics)-fit:]
	l := ui.StartLine(w, 0)
	var lines []string
	if beside {
		l.Gap(name + fit*cell)
		l.CellRight(t.Faint, splitMetric+" by wording", splitCells)
		lines = append(lines, l.End())
		l.Start(w)
	}
	l.Gap(1)
	l.Cell(t.Faint, "ranker", name-1)
	for _, m := range metrics {
		l.Text(t.Faint, ui.Pad(ui.PadLeft(shownMetric(m), metricCell), cell))
	}
	if beside {
		for class, part := range s.found.evaluated.splits[0] {
			l.CellRight(t.Faint, labels.WordClass(class).String()+" "+ui.Thousands(part.Queries), splitCells/3)
		}
	}
	lines = append(lines, l.End())
	for i := range columns {
		l.StartAt(w, 1)
		style := t.Text
		if i > 0 {
			style = t.Faint
		}
		l.Cell(style, ui.Ranker(columns[i].Ranker), name-1)
		for _, m := range metrics {
			end := l.At() + cell
			value, _ := columns[i].Metrics.Value(m)
			l.CellRight(t.Number, ui.Percent(100*value), metricCell)
			if style, text := s.metricChange(t, m); i == 0 && text != "" {
				l.Gap(1)
				l.Cell(style, text, cell-metricCell-1)
			}
			l.To(end)
		}
		if beside {
			for _, part := range s.found.evaluated.splits[i] {
				l.CellRight(t.Number, report.SplitShare(part), splitCells/3)
			}
		}
		lines = append(lines, l.End())
	}
	if !beside {
		long, short := report.Split(s.found.evaluated.splits[0])
		lines = append(lines, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: ui.Longest(w-1, splitMetric+" by wording: "+long, splitMetric+" by wording: "+short, "by wording: "+short, short)}})...)
	}
	if columns[0].MinConfidence > 0 {
		e := s.found.evaluated.now()
		n, found := e.Abstained()
		least := strconv.FormatFloat(e.MinConfidence, 'f', 2, 64)
		of := ui.Thousands(n) + " of " + ui.Thousands(len(e.Answers)) + " get no hit"
		right := ui.Thousands(found) + " of them had a right tool within the limit"
		style := t.Faint
		if found > 0 {
			style = t.Warn
		}
		lines = append(lines, ui.TextLine(w, 1, style, ui.Longest(w-1, of+": confidence below "+least+"; "+right, of+" below "+least+"; "+right, of+"; "+right, of)))
	}
	return append(lines, s.drawRerank(t, w)), false
}

// drawRerank draws what the trials change, else how many misses are out of scope.
func (s *Screen) drawRerank(t *ui.Theme, w int) string {
	e := s.found.evaluated
	if e.base == nil || !desk.Reranked(e.state) {
		asked := s.found.evaluated
		n := 0
		for i := range asked.now().Answers {
			if a := &asked.now().Answers[i]; a.Missed && s.outOfScope(&a.Query) {
				n++
			}
		}
		if b := asked.better; n == 0 && b.Ranker != "" {
			more, key := report.BetterRanker(b).String(), ": ctrl-p ranker "+b.Ranker
			return ui.TextLine(w, 1, t.Added, ui.Longest(w-1, more+key, more))
		}
		if n == 0 {
			return ui.Spaces(w)
		}
		session := safetext.Line(asked.state.Snapshot.Session.Name)
		of := ui.Thousands(n) + " of " + ui.Thousands(asked.misses()) + " missed"
		text := ui.Longest(w-1, of+" are out of scope: session "+session+" may not call the tools; s switches the session",
			of+": tools out of scope in "+session+" (s switches)", ui.Thousands(n)+" out of scope in "+session, ui.Thousands(n)+" out of scope")
		return ui.TextLine(w, 1, t.Warn, text)
	}
	r := desk.Rerank{Was: e.base.Ranker, Is: e.now().Ranker, Ranked: true, Of: "best ranks", Lists: "/rose /fell", Recall: new(desk.Recall)}
	r.Risen, r.Fallen = movedFrom(ranksOf(e.before), e.now())
	r.Recall.Before, _ = e.before.Metrics.Value(desk.RecallMetric)
	r.Recall.After, _ = e.now().Metrics.Value(desk.RecallMetric)
	return r.Draw(t, w)
}

// metricCell is the width of a metric in the table.
const metricCell = 8

// drawMetricLine draws the metrics of the active ranker that fit, the last ones first.
func (s *Screen) drawMetricLine(t *ui.Theme, w int) string {
	l := ui.StartLine(w, 0)
	e := s.found.evaluated.now()
	l.Gap(1)
	l.Text(t.Text, ui.Ranker(e.Ranker))
	if w < leastCounted { // where the heading does not say it
		missed := s.found.evaluated.misses()
		l.Gap(2)
		l.Text(t.Bad, ui.Longest(l.Room(), s.missedText(), ui.Thousands(missed)+" missed"))
	}
	for _, m := range shownMetrics[2:] {
		value, _ := e.Metrics.Value(m)
		number := ui.Percent(100 * value)
		style, change := s.metricChange(t, m)
		if 3+len(m)+len(number)+ui.Width(change) > l.Room() {
			break
		}
		l.Gap(2)
		l.Text(t.Faint, shownMetric(m)+" ")
		l.Text(t.Number, number)
		l.Text(style, change)
		if _, split := report.Split(s.found.evaluated.splits[0]); m == splitMetric && 3+ui.Width(split) <= l.Room() {
			l.Text(t.Faint, " ("+split+")")
		}
	}
	return l.End()
}

// missedText tells how many labelled queries are missed.
func (s *Screen) missedText() string {
	e := s.found.evaluated
	return ui.Thousands(e.misses()) + " of " + ui.Thousands(len(e.now().Answers)) + " missed"
}

// metricChange says by how many points a metric of the ranker in force
// changed, empty for not at all.
func (s *Screen) metricChange(t *ui.Theme, name string) (ui.Style, string) {
	was := s.against()
	if was == nil {
		return "", ""
	}
	now, _ := s.found.evaluated.now().Metrics.Value(name)
	before, _ := was.Metrics.Value(name)
	change := report.PrintedDifference(before, now)
	switch size := strconv.FormatFloat(max(change, -change), 'f', 1, 64); {
	case change == 0:
		return "", ""
	case change > 0:
		return t.Added, t.Risen + size
	default:
		return t.Removed, t.Fallen + size
	}
}

// shownMetric returns the name of a metric as headings write it.
func shownMetric(name string) string {
	return strings.Replace(strings.Replace(name, "mrr", "MRR", 1), "ndcg", "nDCG", 1)
}
