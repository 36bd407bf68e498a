package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"caliper/config"
	"caliper/engine/selection"
	"caliper/model/safetext"
)

// Compared is the outcome of the strategies over messages.
type Compared struct {
	Chosen
	Core     int // tools that are always sent
	Embedder string
	Queries  int // labelled queries; 0: one message without labels
	Rows     []selection.Row
	Points   []selection.Point // for every K; may be empty
	Timeless bool              // the report leaves out how long each strategy took, which no second run repeats
}

// Compare returns the report of a comparison of strategies.
func Compare(c Compared) *Report {
	r := new(Report)
	s := c.State.Snapshot
	title, several := TextOf("1 message"), c.Queries > 1
	if c.Queries > 0 {
		title = LabelledQueries(c.Queries)
	}
	r.Head(title, "K %s and %s; ranker %s, embedder %s; session %s, %s", strconv.Itoa(c.Settings.K), Count(c.Core, "always-sent tool"),
		s.Config.ToolSearch.Ranker, Or(Name(c.Embedder), "none"), Name(s.Session.Name), c.agent())
	r.Blank()
	labelled := c.Rows[0].Labelled > 0
	t := Columns("strategy", ">tokens", ">saved", ">extra round trips")
	if !c.Timeless {
		t.Column(">time")
	}
	if labelled {
		t.Column(">recall", ">reachable")
	}
	if several {
		t.Column(">cache kept")
	}
	name := func(x selection.Row) string {
		name := StrategyName(x.Strategy, s.Config.PreSelection.EmbedModel)
		if x.Strategy == selection.InForce(s) {
			name += " *"
		}
		return name
	}
	for _, x := range c.Rows {
		cells := []any{name(x), int(math.Round(x.SchemaTokens)), Tenths(x.SavedPct), strconv.Itoa(x.RoundTrips)}
		if !c.Timeless {
			cells = append(cells, shortTime(x.Took))
		}
		if labelled {
			cells = append(cells, Tenths(100*x.Recall), Tenths(100*x.Reachable))
		}
		if several {
			cells = append(cells, Tenths(100*x.Kept))
		}
		t.Row(cells...)
	}
	r.Table(t)
	by := ": " + c.from() + "."
	if string(selection.InForce(s)) != s.Config.Selection {
		by = ": tools.selection is " + s.Config.Selection + ", so tool search decides, and it is on."
	}
	r.Say("* active%s", by)
	if name := StrategyName(selection.Semantic, s.Config.PreSelection.EmbedModel); name != string(selection.Semantic) {
		r.Say(FuzzyNote, name)
	}
	if labelled {
		t := wordedColumns(Columns("recall by wording"), c.Rows[0].Worded)
		for _, x := range c.Rows {
			t.Row(append([]any{name(x)}, splitCells(x.Worded)...)...)
		}
		r.Blank()
		r.Table(t)
		r.Say(WordingMeaning)
		r.Say("Recall is the share of expected tools whose schema is sent with the message; reachable counts those that the model can get via search, too.")
	}
	if several {
		r.Say("Cache kept is the share of a message's tokens that the next one begins with too, each answered on its own; select --turns shows conversations.")
	}
	comparisonNotes(r, c.Rows, s.Config)
	if len(c.Points) > 0 {
		pareto(r, c.Points, s.Config)
	}
	return r
}

// Milliseconds returns a time in milliseconds, to the microsecond.
func Milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// shortTime returns a time with three digits or fewer.
func shortTime(d time.Duration) string {
	ms := Milliseconds(d)
	switch {
	case ms >= 100:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	case ms >= 1:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return strconv.FormatFloat(1000*ms, 'f', 0, 64) + " µs"
}

// RowNotes returns the notes of a strategy, never nil. A note that applies to
// only some messages says to how many.
func RowNotes(r selection.Row) []string {
	out := []string{}
	if r.Named > 0 && r.Queries > 1 {
		out = append(out, Textf("%d of %d messages name a tool, which is sent whatever its rank", r.Named, r.Queries).String())
	} else if r.Named > 0 {
		out = append(out, "the message names a tool, which is sent whatever its rank")
	}
	for _, n := range r.Notes {
		out = append(out, OfMessages(n.Text, n.Queries, r.Queries))
	}
	return out
}

// OfMessages adds to a note the number of messages it applies to, unless that
// is all of them.
func OfMessages(note string, n, total int) string {
	if n == total {
		return safetext.Line(note)
	}
	return Textf("%s (%d of %d messages)", Name(note), n, total).String()
}

// comparisonNotes adds the notes of all strategies, each once, with the
// strategies that have it.
func comparisonNotes(r *Report, rows []selection.Row, c config.Config) {
	var all []string
	by := map[string]string{}
	for _, x := range rows {
		name := StrategyName(x.Strategy, c.PreSelection.EmbedModel)
		for _, text := range RowNotes(x) {
			if by[text] == "" {
				all, by[text] = append(all, text), name
			} else {
				by[text] += ", " + name
			}
		}
	}
	if len(all) > 0 {
		r.Blank()
	}
	for _, text := range all {
		r.Say("%s: %s.", by[text], Name(text)) // SECURITY: a note may name tools and models
	}
}

// pareto adds the cost and the recall of every K: the ranking strategies side
// by side, and the others below.
func pareto(r *Report, points []selection.Point, c config.Config) {
	r.Blank()
	r.Head("tokens and recall by K", "* none costs no more and finds no less")
	at := map[selection.Strategy]map[int]selection.Point{}
	for _, p := range points {
		if at[p.Strategy] == nil {
			at[p.Strategy] = map[int]selection.Point{}
		}
		at[p.Strategy][p.K] = p
	}
	split := points[0].Worded
	ranking, worded, rest := Columns(">K"), Columns(">K"), wordedColumns(Columns("strategy", ">tokens", ">recall"), split)
	for k := 1; k <= selection.MaxParetoK; k++ {
		cells, shares := []any{strconv.Itoa(k)}, []any{strconv.Itoa(k)}
		for _, s := range selection.Strategies {
			if s.Ranks() {
				cells, shares = append(cells, pointCells(at[s][k])...), append(shares, splitCells(at[s][k].Worded)...)
			}
		}
		ranking.Row(cells...)
		worded.Row(shares...)
	}
	for _, s := range selection.Strategies {
		if s.Ranks() {
			name := StrategyName(s, c.PreSelection.EmbedModel)
			ranking.Column(">"+name, ">recall")
			worded.Column(">"+name+" none", ">some", ">all")
		} else {
			rest.Row(slices.Concat([]any{StrategyName(s, c.PreSelection.EmbedModel)}, pointCells(at[s][0]), splitCells(at[s][0].Worded))...)
		}
	}
	r.Table(ranking)
	if knee, bent := selection.Knee(points); bent {
		r.Say("The knee is %s with K %d: more tokens add little recall.", StrategyName(knee.Strategy, c.PreSelection.EmbedModel), knee.K)
	}
	r.Blank()
	r.Table(rest)
	r.Blank()
	r.Head("recall by K and wording", "how many words of the expected tool's name the query has: none in %d, some in %d, all in %d", split[0].Queries, split[1].Queries, split[2].Queries)
	r.Table(worded)
}

// pointCells returns the tokens and the recall of a point, marked when it is on
// the frontier.
func pointCells(p selection.Point) []any {
	mark := " "
	if p.Frontier {
		mark = "*"
	}
	return []any{int(math.Round(p.SchemaTokens)), fmt.Sprintf("%s%.1f%%", mark, 100*p.Recall)}
}
