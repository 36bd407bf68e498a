package desk

import (
	"context"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// RecallMetric is the metric of labelled queries that trials are compared by.
const RecallMetric = "recall@5"

// EvaluateAtOnce is the most queries times tools that are evaluated unasked.
const EvaluateAtOnce = 50_000_000

// Recall is the share of expected tools that is found, before and with the trials.
type Recall struct {
	Before, After float64
	Worded        [2]labels.WordSplit
}

// MeasureRecall asks the labelled queries Before and with all trials. The error is ctx's.
func MeasureRecall(ctx context.Context, st *workbench.State, progress func(done, total int)) (r Recall, err error) {
	if r.Before, r.Worded[0], err = recallOf(ctx, Before(st).Unasked(), st.Queries, progress); err == nil {
		r.After, r.Worded[1], err = recallOf(ctx, st.Snapshot.Unasked(), st.Queries, progress)
	}
	return r, err
}

// Before returns the snapshot that ranks with the trials of a state are compared with: the one of
// the files or, where the ranker is one of several trials, of the other trials under the
// ranker of the files, for the ranker has done only the rest.
func Before(st *workbench.State) *engine.Snapshot {
	if st.OldRanker != nil {
		return st.OldRanker
	}
	return st.Baseline.Snapshot
}

// recallOf asks the labelled queries of what can be searched for without a message.
func recallOf(ctx context.Context, unasked *engine.Snapshot, queries []labels.Query, progress func(done, total int)) (value float64, split labels.WordSplit, err error) {
	e, err := workbench.Evaluate(ctx, unasked, queries, progress)
	if err != nil {
		return 0, split, err
	}
	value, _ = e.Metrics.Value(RecallMetric)
	split, err = e.Split(RecallMetric)
	return value, split, err
}

// Reranked reports whether the trials may change ranks.
func Reranked(st *workbench.State) bool {
	if st.Baseline == nil {
		return false
	}
	was, is := st.Baseline.Snapshot, st.Snapshot
	return was.Config.ToolSearch.Ranker != is.Config.ToolSearch.Ranker || was.Ranking != is.Ranking || was.Registry != is.Registry
}

// Rerank is the effect of trials on ranks and recall, in one line.
type Rerank struct {
	Was, Is       string // names of the rankers; the same when another trial changes the ranks
	Saved         bool   // the files were saved, and nothing is tried
	Risen, Fallen int    // hits, or labelled queries
	Ranked        bool   // Risen and Fallen are known
	Of            string // what of, in few words: "top 5"
	Recall        *Recall
	Lists         string // which keys list those that moved; empty: none does
	Instead       string // stands for a recall that is not known: why; empty without labelled queries
}

// DrawWorded returns the recall by wording in a line of w cells; empty where not known.
func (r Rerank) DrawWorded(t *ui.Theme, w int) string {
	if r.Recall == nil {
		return ""
	}
	long, short := report.SplitChange(r.Recall.Worded[0], r.Recall.Worded[1])
	return ui.TextLine(w, 1, t.Faint, ui.Longest(w-1, "by wording: "+long, "by wording: "+short, "wording "+report.SplitPoints(r.Recall.Worded[0], r.Recall.Worded[1])))
}

// rerankCells is the width below which the line has shorter texts and gaps.
const rerankCells = 50

// Draw returns the line in w cells.
func (r Rerank) Draw(t *ui.Theme, w int) string {
	l := ui.StartLine(w, 1)
	name, gap := ui.Ranker(r.Is), 2
	if w < rerankCells {
		gap = 1
	}
	switch {
	case r.Saved:
		name = "saved"
	case r.Was == r.Is:
		name = "what if"
	case w >= rerankCells:
		name = ui.Ranker(r.Was) + " → " + name
	}
	if w >= rerankCells || !r.Ranked || r.Saved { // else the title of the list has the ranker
		l.Text(t.Warn, name)
		l.Gap(gap)
	}
	if r.Ranked {
		if r.Risen+r.Fallen == 0 {
			l.Text(t.Faint, r.Of+" unchanged") // below it, ranks may have moved
		} else {
			l.Text(t.Faint, r.Of+" ")
			l.Text(t.Added, t.Risen+ui.Thousands(r.Risen)+" ")
			l.Text(t.Removed, t.Fallen+ui.Thousands(r.Fallen))
		}
	}
	if r.Ranked {
		l.Gap(gap)
	}
	if r.Recall == nil {
		l.Text(t.Faint, ui.Truncate(r.Instead, l.Room()))
		return l.End()
	}
	metric := RecallMetric
	if w < rerankCells {
		metric = "recall"
	}
	l.Text(t.Faint, metric+" ")
	before, after := ui.Percent(100*r.Recall.Before), ui.Percent(100*r.Recall.After)
	style := t.Number
	switch {
	case r.Recall.After > r.Recall.Before:
		style = t.Added
	case r.Recall.After < r.Recall.Before:
		style = t.Removed
	}
	if w >= rerankCells || before != after {
		l.Text(t.Number, before+" → ")
	}
	l.Text(style, after)
	if r.Lists != "" && r.Risen+r.Fallen > 0 && l.Room() >= ui.Width(r.Lists)+2 {
		l.Gap(2)
		l.Text(t.Faint, r.Lists)
	}
	return l.End()
}
