package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/engine/selection"
	"caliper/engine/whatif"
	"caliper/model/words"
)

// shownMisses is how many misses a terminal is shown. JSON has all of them.
const shownMisses = 15

// Evaluation returns the report of how rankers answer labelled queries, side by
// side, and of the one that is proven to find more, if better is of one.
func Evaluation(session string, all []labels.Evaluation, better labels.Better) *Report {
	r := new(Report)
	first := all[0]
	r.Head(LabelledQueries(len(first.Answers)), "session %s, limit %s", Name(session), strconv.Itoa(first.Limit))
	if first.Folds > 0 {
		r.Say("In %d folds: the queries of one were asked where the labels of the others were learned. After each figure its 95 %% interval.", first.Folds)
	}
	r.Blank()
	names := []string{"ndcg@10", "mrr@10"}
	for _, k := range retrieval.Cutoffs {
		names = append(names, fmt.Sprintf("recall@%d", k))
	}
	names = append(names, "complete@5")
	r.Table(metrics(all, names))
	worded(r, all, names)
	if n := len(first.Unlabelled); n > 0 {
		r.Blank()
		r.Say("%d of the tools searched have no label here, so that nothing says how they are found: %s.", n, NamesCounted(first.Unlabelled))
	}
	if better.Ranker != "" {
		r.Blank()
		r.Say("%s: caliper config set %s %s", BetterRanker(better), config.KeyRanker, better.Ranker)
	}
	for _, ev := range all {
		unsure := 0
		for _, a := range ev.Answers {
			if slices.ContainsFunc(a.Hits, func(h engine.Hit) bool { return !h.Sure() }) {
				unsure++
			}
		}
		if unsure > 0 {
			r.Blank()
			r.Say("For %d of %d queries %s leaves ranks to chance, or they are not known: only what is sure counts as found.", unsure, len(ev.Answers), ev.Ranker)
		}
		if ev.MinConfidence > 0 {
			r.Blank()
			n, found := ev.Abstained() // for want of confidence
			r.Say("%s gives no hit for %d of %d (confidence below %.2f); %d had a right tool within the limit.", ev.Ranker, n, len(ev.Answers), ev.MinConfidence, found)
		}
		if ev.Support != nil {
			r.Blank()
			r.Say("%s", Learning(*ev.Support))
			if ev.LeftOut > 0 {
				r.Say("No query was asked with what it taught: %d were left out.", ev.LeftOut)
			}
		}
		missed := ev.Misses()
		r.Blank()
		if len(missed) == 0 {
			r.Line(Strong("%s misses none", ev.Ranker), Faint(": a right tool is within the limit of every query"))
			continue
		}
		r.Head(Textf("%s misses %d of %d", ev.Ranker, len(missed), len(ev.Answers)), "no right tool within the limit; the worst first")
		t := Columns(">best", "wording", "query", "right…")
		t.columns[2].share = 2
		for _, a := range missed[:min(len(missed), shownMisses)] {
			t.Row(OrNone(a.Best, "none"), a.Wording.String(), Name(a.Query.Text), Name(strings.Join(a.Query.Relevant, ", ")))
		}
		r.Table(t)
		if more := len(missed) - shownMisses; more > 0 {
			r.Line("  ", Faint("%d more; --json lists them all", more))
		}
	}
	return r
}

// BetterRanker tells how many misses a ranker finds that is proven to find more.
func BetterRanker(b labels.Better) Text {
	text := Textf("with %s %d of %d misses are found", b.Ranker, b.Found, b.Of)
	if b.Lost > 0 {
		text = append(text, Textf(", and %s lost", words.CountOf(b.Lost, "other is", "others are"))...)
	}
	return text
}

// Learning tells how far labelled queries help that were learned from.
func Learning(s learned.Support) Text {
	gain := Textf("nDCG@10 %+.1f ± %.1f when they answer each other", 100*s.Gain, 100*s.Error)
	as := config.RankerFielded
	if s.Meant {
		as = config.RankerHybrid
	}
	switch {
	case s.Lessons == 0:
		return Textf("learned ranks as %s: it has nothing to learn from. --learn names a file of labelled queries.", as)
	case s.Asked == 0:
		return Textf("learned ranks as %s: %s, and fewer than %d teach nothing.", as, LabelledQueries(s.Lessons), learned.MinLessons)
	case s.Weight == 0:
		return Textf("learned ranks as %s: %s do not help, %s.", as, LabelledQueries(s.Lessons), gain)
	}
	learned := Textf("learned from %s, which weigh %v: %s.", LabelledQueries(s.Lessons), s.Weight, gain)
	if s.Hidden == 0 {
		return learned
	}
	return Textf("%v Tools whose labels were hidden from it: %+.1f (%s).", learned, -100*s.Lost, LabelledQueries(s.Hidden))
}

// metrics returns a table of some metrics of rankers, side by side.
func metrics(all []labels.Evaluation, names []string) *Table {
	t := Columns("metric")
	for _, ev := range all {
		t.Column(">" + ev.Ranker)
	}
	for _, name := range names {
		t.Row(metricRow(name, all)...)
	}
	return t
}

// Metrics returns the report of the metrics of rankers that matter most, without
// the misses but with how many they are.
func Metrics(all []labels.Evaluation) *Report {
	r := new(Report)
	names := []string{"recall@1", "recall@5", "mrr@10"}
	t := metrics(all, names)
	misses := []any{"misses"}
	for _, ev := range all {
		misses = append(misses, Textf("%d of %d", len(ev.Misses()), len(ev.Answers)))
	}
	t.Row(misses...)
	r.Table(t)
	worded(r, all, names)
	return r
}

// LabelledQueries counts labelled queries.
func LabelledQueries(n int) Text {
	if n == 1 {
		return TextOf("1 labelled query")
	}
	return Textf("%d labelled queries", n)
}

// metricRow returns the row of a metric of several rankers.
func metricRow(name string, all []labels.Evaluation) []any {
	cells := []any{name}
	for _, ev := range all {
		v, _ := ev.Metrics.Value(name)
		if ev.Folds > 0 {
			low, _ := ev.Low.Value(name)
			high, _ := ev.High.Value(name)
			cells = append(cells, Textf("%.1f%%  %.1f to %.1f", 100*v, 100*low, 100*high))
			continue
		}
		cells = append(cells, Tenths(100*v))
	}
	return cells
}

// Labelled is how labelled queries are answered.
type Labelled struct {
	File    string              // of the queries; only the last part of its path is written
	Rankers []labels.Evaluation // the active ranker first
	Better  labels.Better       // the ranker that is proven to find more; zero for none
	Misses  []Miss              // of the active ranker, the worst first
}

// Miss is a labelled query that the active ranker misses. Why is about the
// relevant tool that came nearest; nil where nobody asked.
type Miss struct {
	Answer labels.Answer
	Why    *whatif.Answer
}

// MaxMisses is how many misses are written at most, so that the others need no
// reason.
const MaxMisses = MaxRows

// Queries returns the report of labelled queries for an issue, with what stopped the relevant
// tools of those that the ranker in force misses.
func (c Case) Queries(l Labelled) *Report {
	if len(l.Rankers) == 0 {
		return c.Begin("caliper eval")
	}
	r := Evaluation(c.Snapshot.Session.Name, l.Rankers, l.Better)
	now := l.Rankers[0]
	r.Heading(3, "What stopped the misses of %s", now.Ranker)
	if len(l.Misses) == 0 {
		r.Say("None: a relevant tool is within the limit of every query.")
	} else {
		t := Columns("query", "id", "relevant", "what stopped it")
		for _, m := range l.Misses {
			var stage Text
			if m.Why != nil {
				stage = Name(m.Why.Stage)
			}
			q := m.Answer.Query
			t.Row(Name(q.Text), Name(q.ID), names(q.Relevant), stage)
		}
		r.Table(t)
		if len(now.Unknown) > 0 {
			r.Say("The registry does not have %s.", names(now.Unknown))
		}
		if len(now.Sent) > 0 {
			r.Say("Sent without a search, because they are core tools: %s.", names(now.Sent))
		}
	}
	var rankers []string
	for _, e := range l.Rankers {
		rankers = append(rankers, e.Ranker)
	}
	command := c.Command("eval", filepath.Base(l.File))
	flagged := false
	for _, s := range c.Settings {
		flagged = flagged || s.Key == config.KeyRanker && s.Origin == config.OriginFlag
	}
	if len(rankers) > 1 || flagged {
		command.add("--ranker", strings.Join(rankers, ","))
	}
	return c.Issue("caliper eval", r, command)
}

// Figure is one figure in two states, in words.
type Figure struct {
	Name, Old, New, Change string
	Rise                   int // of a share: 1 if it rises as printed, -1 if it falls; else 0
}

// ShareFigure returns a share before and after, and how many points it changed.
func ShareFigure(name string, old, now float64) Figure {
	f := Figure{Name: name, Old: Tenths(100 * old), New: Tenths(100 * now)}
	if f.Old != f.New {
		f.Rise = cmp.Compare(now, old)
		f.Change = PointsBetween(old, now) + " points"
	}
	return f
}

// Points returns a difference of shares in points, with its sign.
func Points(d float64) string { return words.Minus(fmt.Sprintf("%+.1f", 100*d+0)) }

// PointsBetween returns the difference of two shares in points, as Points does, but of the
// percentages with one decimal, so that it agrees with two figures that are printed beside
// it: from 83.54 % to 84.79 % is 83.5% → 84.8%, +1.3, not +1.2. Without two figures beside
// it a difference is for Points, which is nearer to the exact one.
func PointsBetween(before, after float64) string {
	return Points(PrintedDifference(before, after) / 100)
}

// PrintedDifference returns the difference of PointsBetween as a number of points; it is 0
// exactly where both percentages are printed alike.
func PrintedDifference(before, after float64) float64 {
	printed := func(share float64) float64 {
		pct, _ := strconv.ParseFloat(strconv.FormatFloat(100*share, 'f', 1, 64), 64) // as Tenths prints it
		return pct
	}
	return printed(after) - printed(before)
}

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
