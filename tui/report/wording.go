package report

import (
	"strings"

	"caliper/engine/labels"
	"caliper/engine/selection"
)

// WordingMeaning explains the classes of wording.
const WordingMeaning = "Wording is how many words of the expected tool's name a query has: none, some or all."

// worded adds to a report the metrics of rankers by wording, with the misses.
func worded(r *Report, all []labels.Evaluation, names []string) {
	r.Blank()
	r.Head("by wording", "how many words of the expected tool's name the query has")
	t := Columns("wording", "metric")
	for _, ev := range all {
		t.Column(">" + ev.Ranker)
	}
	for _, class := range labels.WordClasses {
		var of []labels.Evaluation
		queries, missed := []any{class.String(), "queries"}, []any{"", "misses"}
		for _, ev := range all {
			part := ev.Worded(class)
			of = append(of, part)
			queries, missed = append(queries, len(part.Answers)), append(missed, len(part.Misses()))
		}
		t.Row(queries...)
		if len(of[0].Answers) == 0 {
			continue
		}
		for _, name := range names {
			t.Row(append([]any{""}, metricRow(name, of)...)...)
		}
		t.Row(missed...)
	}
	r.Table(t)
}

// Split says a recall by wording in a line, in full and shorter; classes without queries
// are left out.
func Split(s labels.WordSplit) (long, short string) {
	return splitLine(s, func(i int) string { return SplitShare(s[i]) })
}

// splitLine says the figures of a split in a line, in full and shorter.
func splitLine(s labels.WordSplit, figure func(class int) string) (long, short string) {
	var all, bare []string
	for i, part := range s {
		if part.Queries > 0 {
			text := labels.WordClass(i).String() + " " + figure(i)
			all, bare = append(all, Textf("%s of %d", text, part.Queries).String()), append(bare, text)
		}
	}
	return strings.Join(all, ", "), strings.Join(bare, ", ")
}

// SplitChange says two recalls by wording in a line, in full and shorter, as Split does:
// "none 25.0 → 37.5 of 8"; a recall that stays the same stands once.
func SplitChange(before, after labels.WordSplit) (long, short string) {
	return splitLine(after, func(i int) string {
		was, is := SplitShare(before[i]), SplitShare(after[i])
		if was == is {
			return is
		}
		return was + " → " + is
	})
}

// SplitPoints says in a line how many points a recall changes by wording.
func SplitPoints(before, after labels.WordSplit) string {
	_, short := splitLine(after, func(i int) string { return PointsBetween(before[i].Recall, after[i].Recall) })
	return short
}

// wordedColumns adds a column for each wording to a table, with its queries.
func wordedColumns(t *Table, s labels.WordSplit) *Table {
	for i, class := range labels.WordClasses {
		t.Column(Textf(">%s of %d", class.String(), s[i].Queries).String())
	}
	return t
}

// splitCells returns the cells of wordedColumns.
func splitCells(s labels.WordSplit) (cells []any) {
	for _, part := range s {
		cells = append(cells, SplitShare(part))
	}
	return cells
}

// SplitShare returns the recall of a part in percent, a dash without queries.
func SplitShare(part labels.WordPart) string {
	if part.Queries == 0 {
		return "-"
	}
	return Tenths(100 * part.Recall)
}

// GainsByWords tells that a choice of settings gains only where queries repeat words of the
// expected tool's name; nil where that is not so.
func GainsByWords(t selection.Tuning) Text {
	if none := t.Worded[labels.NoWords]; t.Difference.Mean > 0 && none.Queries > 0 && none.Difference.Mean <= 0 {
		return Textf("The gain is only where a query has words of the expected tool's name; where it has none, %s: %s points.",
			LabelledQueries(none.Queries), Points(none.Difference.Mean))
	}
	return nil
}

// WordedName returns the name of the figure of a wording, below the one of all queries.
func WordedName(class, queries int) string {
	return Textf("  wording %s (%d)", labels.WordClass(class).String(), queries).String()
}
