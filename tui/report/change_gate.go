package report

import (
	"fmt"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/model/words"
)

// ChangeVerdict returns the verdict on a change in one sentence, with the reasons.
func ChangeVerdict(r *diff.GateResult) Line {
	if !r.Passed() {
		var out clauses
		for _, reason := range r.Reasons {
			out.add(true, "%s", ChangeReason(reason))
		}
		return Line{Bad, "FAIL · " + strings.Join(out, " · ")}
	}
	level := Good
	text := "pass"
	if n := len(r.Accepted); n > 0 {
		level = Warn
		text += " · " + Count(n, "reason").String() + " accepted"
	}
	if r.Compared > 0 {
		text += " · " + recallName(r) + " " + RecallChange(r.Recall).String()
	}
	return Line{level, text}
}

// ChangeReason returns why a change fails, as commands print it.
func ChangeReason(r diff.Reason) Text {
	tools := func() Text { return Count(len(r.Tools), "tool") }
	listed := func() Text { return NamesCounted(r.Tools) }
	switch r.Kind {
	case diff.KindScope:
		switch r.Path {
		case diff.PathGranted:
			return Textf("session %s is granted %s that the base does not grant it: %s", Name(r.Session), tools(), listed())
		case diff.PathPolicy:
			return Textf("session %s may call %s that the policy of the base denies or keeps for approval: %s", Name(r.Session), tools(), listed())
		case diff.PathAsked:
			return Textf("session %s may call, once that is approved, %s that the policy of the base denies: %s", Name(r.Session), tools(), listed())
		}
		return Textf("session %s reaches %s that it must not, by %s: %s", Name(r.Session), tools(), reachedBy(r.Path), listed())
	case diff.KindSession:
		return Textf("session %s is gone", Name(r.Session))
	case diff.KindActivation:
		return Textf("tool search %s → %s in session %s", OnOff(!r.On), OnOff(r.On), Name(r.Session))
	case diff.KindLint:
		if r.Tested {
			return Textf("%s more: found by their own words %s → %s of all tools, p %s: %s", Count(len(r.Tools), "unfindable tool"), tenths(100*r.Old), tenths(100*r.New), P(r.P), listed())
		}
		if len(r.Tools) == 1 && r.Tools[0] == "" { // about the registry as a whole
			return Textf("new error: %s", r.Code.Meaning())
		}
		return Textf("new error %s in %s: %s", r.Code.Label(), tools(), listed())
	case diff.KindRemoved:
		return Textf("%s that labelled queries expect: removed, and nothing else that they expect is found: %s", tools(), listed())
	case diff.KindRecall:
		if r.Dropped > 0 {
			return Textf("recall %s → %s of %s whose tools session %s no longer has, p %s", tenths(100*r.Old), tenths(100*r.New), LabelledQueries(r.Dropped), Name(r.Session), P(r.P))
		}
		return Textf("recall %s → %s in session %s, p %s", tenths(100*r.Old), tenths(100*r.New), Name(r.Session), P(r.P))
	case diff.KindHost:
		return Textf("%s lost in %s, which found %d and finds %d", Count(r.Lost, "need"), r.Host.Called(), int(r.Old), int(r.New))
	case diff.KindTokens:
		return Textf("session %s sends %d tokens, more than %d", Name(r.Session), int(r.New), int(r.Old))
	}
	return textOf(string(r.Kind))
}

// reachedBy names the way by which a tool is reached.
func reachedBy(path string) string {
	return map[string]string{engine.PathSearch: "a search", engine.PathDescribe: "tool_describe", engine.PathCall: "a call", engine.PathDirect: "being sent"}[path]
}

// P returns how often chance alone does as much: three decimals, or that it is less.
func P(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// RecallChange returns a recall before and after, its difference with the interval, and
// how often chance does as much.
func RecallChange(r diff.Recall) Text {
	if r.Difference == 0 && r.Low == 0 && r.High == 0 {
		return Textf("%s, the same", tenths(100*r.New))
	}
	return Textf("%s → %s, %s points (95 %% %s to %s), p %s", tenths(100*r.Old), tenths(100*r.New),
		PointsBetween(r.Old, r.New), Points(r.Low), Points(r.High), P(r.P))
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
	return printedPercent(after) - printedPercent(before)
}

// printedPercent returns the percentage of a share as tenths prints it.
func printedPercent(share float64) float64 {
	pct, _ := strconv.ParseFloat(strconv.FormatFloat(100*share, 'f', 1, 64), 64) // which it has formatted
	return pct
}

// recallName returns what recall is of: the limit where both sides have the same.
func recallName(r *diff.GateResult) string {
	if r.OldLimit == r.NewLimit {
		return "recall@" + strconv.Itoa(r.NewLimit)
	}
	return fmt.Sprintf("recall@%d → @%d", r.OldLimit, r.NewLimit)
}

// ChangeFigures returns the figures of a verdict, before and after.
func ChangeFigures(r *diff.GateResult) []Figure {
	count := func(name string, s diff.Sizes) Figure {
		f := Figure{Name: name, Old: textOf(s.Old).String(), New: textOf(s.New).String()}
		if s.Old != s.New {
			f.Change = signed(s.New - s.Old).String()
		}
		return f
	}
	tokens := count("tokens sent", r.Tokens)
	if tokens.Change != "" {
		tokens.Change += changeShare(r.Tokens.Old, r.Tokens.New)
	}
	search := Figure{Name: "tool search", Old: OnOff(r.OldActive), New: OnOff(r.NewActive)}
	if r.OldActive != r.NewActive {
		search.Change = "differs"
	}
	figures := []Figure{tokens, search}
	if r.Compared > 0 {
		recall := Figure{Name: recallName(r), Old: tenths(100 * r.Recall.Old), New: tenths(100 * r.Recall.New)}
		if r.Recall.Difference != 0 {
			recall.Change = PointsBetween(r.Recall.Old, r.Recall.New) + " points"
		}
		figures = append(append(figures, recall), wordedFigures(r)...)
	}
	violations := Figure{Name: "new violations", New: textOf(r.ScopeViolations).String()}
	return append(figures, count("lint errors", r.LintErrors), violations)
}

// Significance is the result of the test of recall, in one sentence; empty without queries.
// The figures of ChangeFigures stand near it.
func Significance(r *diff.GateResult) Text {
	x := r.Recall
	switch {
	case r.Compared == 0:
		return nil
	case r.Unanswerable == r.Compared:
		return textOf("No labelled query can be judged: neither registry has a tool that any of them expects.")
	case x.Difference == 0 && len(r.Queries) == 0:
		return Textf("No labelled query lost its tool, of %d.", r.Compared)
	case x.Difference < 0 && x.P <= r.Alpha:
		return Textf("Recall %s points, 95 %% %s to %s: chance alone does as much in %s of changes (p %s), which is significant at %v.",
			PointsBetween(x.Old, x.New), Points(x.Low), Points(x.High), shareOf(x.P), P(x.P), r.Alpha)
	case x.Difference < 0:
		out := Textf("Recall %s points, 95 %% %s to %s: chance alone does as much in %s of changes (p %s), so it does not fail.",
			PointsBetween(x.Old, x.New), Points(x.Low), Points(x.High), shareOf(x.P), P(x.P))
		if x.Needed > r.Compared {
			out = append(out, Textf(" A loss of this size would show on about %s.", LabelledQueries(x.Needed))...)
		}
		return out
	}
	return Textf("Recall %s points, 95 %% %s to %s, p %s.", PointsBetween(x.Old, x.New), Points(x.Low), Points(x.High), P(x.P))
}

// shareOf returns a share in percent; a small one is said to be less.
func shareOf(p float64) string {
	if p < 0.001 {
		return "less than 0.1%"
	}
	return Percent(100 * p)
}

// ChangeGate returns the verdict on the change from a base to a head, which were read
// from two paths: for a terminal, and as Markdown for a pull request.
func ChangeGate(r *diff.GateResult, base, head string) *Report {
	out := new(Report)
	verdict := textOf("caliper gate: pass")
	if !r.Passed() {
		verdict = Textf("caliper gate: FAIL, %s", Count(len(r.Reasons), "reason"))
	}
	out.Heading(3, "%s", verdict)
	out.Say("%s → %s, session %s, %s compared.", or(Name(base), "the base"), or(Name(head), "the head"), Name(r.Session), Count(r.ComparedSessions, "session"))
	out.Add(ChangeView(r, textOf("base"), textOf("head"), maxRows))
	return out
}

// ChangeView returns the reasons of a verdict, the figures of both states under their names
// with the test of recall, and the queries that lost their tool, at most so many.
func ChangeView(r *diff.GateResult, base, head Text, most int) *Report {
	out := new(Report)
	changeReasons(out, "", r.Reasons)
	changeReasons(out, "Accepted, and would fail:", r.Accepted)
	out.Blank()
	out.Table(beside("figure", base, head).figures(ChangeFigures(r)))
	if s := Significance(r); s != nil {
		out.Blank()
		out.Say("%s", s)
	}
	lostQueries(out, r, most)
	lostInHosts(out, r, most)
	return out
}

// changeReasons adds reasons.
func changeReasons(out *Report, title string, list []diff.Reason) {
	if len(list) == 0 {
		return
	}
	out.Blank()
	if title != "" {
		out.Say("%s", title)
	}
	t := Columns("kind", "why¶")
	for _, reason := range list {
		t.Row(string(reason.Kind), ChangeReason(reason))
		about := News{Level: Bad}
		if len(reason.Tools) > 0 {
			about.Tool = reason.Tools[0]
		}
		t.About(about)
	}
	out.Table(t)
}

// lostInHosts adds what agents do not find any more, at most so many.
func lostInHosts(out *Report, r *diff.GateResult, most int) {
	t, n := Columns("host", "tool", ">rank", "", "query…"), 0
	for _, c := range r.Hosts {
		for _, l := range c.Lost {
			if n++; n <= most {
				t.Row(c.Host.Name, Name(l.Tool), Textf("%d → %s", l.OldRank, textOf(orNone(l.NewRank, "none"))), cutWords[l.CutBy], Name(l.Text))
			}
		}
	}
	if n == 0 {
		return
	}
	out.Blank()
	out.Head(textOf("lost in an agent"), "what falls by chance there is left out")
	out.Table(t)
	out.more(n - most)
}

// lostQueries adds the queries that lost their tool, and to whom.
func lostQueries(out *Report, r *diff.GateResult, most int) {
	if len(r.Queries)+r.Won == 0 {
		return
	}
	out.Blank()
	out.Say("%s lost, %d won, of %s.", Count(len(r.Queries), "expected tool"), r.Won, LabelledQueries(r.Compared))
	if len(r.Queries) == 0 {
		return
	}
	t := Columns("lost tool", "rank", "lost to", "wording", "query…")
	for _, q := range r.Queries[:min(len(r.Queries), most)] {
		t.Row(Name(q.Tool), LostRank(q), lostTo(q), q.Wording.String(), Name(q.Text))
		about := News{Level: Bad, Tool: q.Tool, Query: q.Text}
		if q.Gone {
			about.Tool = q.LostTo
		}
		t.About(about)
	}
	out.Table(t)
	out.more(len(r.Queries) - most)
}

// lostTo names what a query lost its tool to.
func lostTo(q diff.LostQuery) Text {
	if q.Abstained {
		return textOf("min_confidence")
	}
	return or(Name(q.LostTo), "nothing found")
}

// LostRank returns the ranks of a tool that a query lost.
func LostRank(q diff.LostQuery) Text {
	if q.Gone {
		return Textf("%s → gone", textOf(orNone(q.OldRank, "sent")))
	}
	return Textf("%s → %s", textOf(orNone(q.OldRank, "sent")), textOf(orNone(q.NewRank, "none")))
}
