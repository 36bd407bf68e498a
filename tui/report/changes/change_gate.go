package changes

import (
	"fmt"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/retrieval"
	"caliper/model/safetext"
	"caliper/tui/report"
)

// ChangeVerdict returns the verdict on a change in one sentence, with the reasons.
func ChangeVerdict(r *diff.GateResult) report.Line {
	if !r.Passed() {
		var out clauses
		for _, reason := range r.Reasons {
			out.add(true, "%s", ChangeReason(reason))
		}
		return report.Line{Level: report.Bad, Text: "FAIL · " + strings.Join(out, " · ")}
	}
	level := report.Good
	text := "pass"
	if n := len(r.Accepted); n > 0 {
		level = report.Warn
		text += " · " + report.Count(n, "reason").String() + " accepted"
	}
	if x := r.Recall; r.Compared > 0 && x.Difference == 0 && x.Low == 0 && x.High == 0 {
		text += report.Textf(" · %s %s, the same", recallName(r), report.Tenths(100*x.New)).String()
	} else if r.Compared > 0 {
		text += report.Textf(" · %s %s → %s, %s points (95 %% %s to %s), p %s", recallName(r), report.Tenths(100*x.Old), report.Tenths(100*x.New),
			report.PointsBetween(x.Old, x.New), report.Points(x.Low), report.Points(x.High), P(x.P)).String()
	}
	return report.Line{Level: level, Text: text}
}

// ways are the words for how a tool is reached.
var ways = map[string]string{engine.PathSearch: "a search", engine.PathDescribe: "tool_describe", engine.PathCall: "a call", engine.PathDirect: "being sent"}

// ChangeReason returns why a change fails, as commands print it.
func ChangeReason(r diff.Reason) report.Text {
	tools := func() report.Text { return report.Count(len(r.Tools), "tool") }
	listed := func() report.Text { return report.NamesCounted(r.Tools) }
	switch r.Kind {
	case diff.KindScope:
		switch r.Path {
		case diff.PathGranted:
			return report.Textf("session %s is granted %s that the base does not grant it: %s", report.Name(r.Session), tools(), listed())
		case diff.PathPolicy:
			return report.Textf("session %s may call %s that the policy of the base denies or keeps for approval: %s", report.Name(r.Session), tools(), listed())
		case diff.PathAsked:
			return report.Textf("session %s may call, once that is approved, %s that the policy of the base denies: %s", report.Name(r.Session), tools(), listed())
		}
		return report.Textf("session %s reaches %s that it must not, by %s: %s", report.Name(r.Session), tools(), ways[r.Path], listed())
	case diff.KindSession:
		return report.Textf("session %s is gone", report.Name(r.Session))
	case diff.KindActivation:
		return report.Textf("tool search %s → %s in session %s", report.OnOff(!r.On), report.OnOff(r.On), report.Name(r.Session))
	case diff.KindLint:
		if r.Tested {
			return report.Textf("%s more: found by their own words %s → %s of all tools, p %s: %s", report.Count(len(r.Tools), "unfindable tool"), report.Tenths(100*r.Old), report.Tenths(100*r.New), P(r.P), listed())
		}
		if len(r.Tools) == 1 && r.Tools[0] == "" { // about the registry as a whole
			return report.Textf("new error: %s", r.Code.Meaning())
		}
		return report.Textf("new error %s in %s: %s", r.Code.Label(), tools(), listed())
	case diff.KindRemoved:
		return report.Textf("%s that labelled queries expect: gone, and no other tool that they expect is found: %s", tools(), listed())
	case diff.KindRecall:
		if r.Dropped > 0 {
			return report.Textf("recall %s → %s of %s whose tools session %s no longer has, p %s", report.Tenths(100*r.Old), report.Tenths(100*r.New), report.LabelledQueries(r.Dropped), report.Name(r.Session), P(r.P))
		}
		return report.Textf("recall %s → %s in session %s, p %s", report.Tenths(100*r.Old), report.Tenths(100*r.New), report.Name(r.Session), P(r.P))
	case diff.KindHost:
		return report.Textf("%s lost in %s, which found %d and finds %d", report.Count(r.Lost, "need"), r.Host.Called(), int(r.Old), int(r.New))
	case diff.KindTokens:
		return report.Textf("session %s sends %d tokens, more than %d", report.Name(r.Session), int(r.New), int(r.Old))
	}
	return report.TextOf(string(r.Kind))
}

// P returns how often chance alone does as much: three decimals, or that it is less.
func P(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// recallName returns what recall is of: the limit where both sides have the same.
func recallName(r *diff.GateResult) string {
	if r.OldLimit == r.NewLimit {
		return "recall@" + strconv.Itoa(r.NewLimit)
	}
	return fmt.Sprintf("recall@%d → @%d", r.OldLimit, r.NewLimit)
}

// ChangeFigures returns the figures of a verdict, before and after.
func ChangeFigures(r *diff.GateResult) []report.Figure {
	count := func(name string, s diff.Sizes) report.Figure {
		f := report.Figure{Name: name, Old: report.TextOf(s.Old).String(), New: report.TextOf(s.New).String()}
		if s.Old != s.New {
			f.Change = report.Signed(s.New - s.Old).String()
		}
		return f
	}
	tokens := count("tokens sent", r.Tokens)
	if tokens.Change != "" {
		tokens.Change += changeShare(r.Tokens.Old, r.Tokens.New)
	}
	search := report.Figure{Name: "tool search", Old: report.OnOff(r.OldActive), New: report.OnOff(r.NewActive)}
	if r.OldActive != r.NewActive {
		search.Change = "differs"
	}
	figures := []report.Figure{tokens, search}
	if r.Compared > 0 {
		recall := report.Figure{Name: recallName(r), Old: report.Tenths(100 * r.Recall.Old), New: report.Tenths(100 * r.Recall.New)}
		if r.Recall.Difference != 0 {
			recall.Change = report.PointsBetween(r.Recall.Old, r.Recall.New) + " points"
		}
		figures = append(figures, recall)
		for i, w := range r.Worded {
			if w.Queries > 0 {
				figures = append(figures, report.ShareFigure(report.WordedName(i, w.Queries), w.Old, w.New))
			}
		}
	}
	violations := report.Figure{Name: "new violations", New: report.TextOf(r.ScopeViolations).String()}
	return append(figures, count("lint errors", r.LintErrors), violations)
}

// Significance is the result of the test of recall, in one sentence; empty without queries.
// The figures of ChangeFigures stand near it.
func Significance(r *diff.GateResult) report.Text {
	x := r.Recall
	chance := report.Percent(100 * x.P)
	if x.P < 0.001 {
		chance = "less than 0.1%"
	}
	switch {
	case r.Compared == 0:
		return nil
	case r.Unanswerable == r.Compared:
		return report.TextOf("No labelled query can be judged: neither registry has a tool that any of them expects.")
	case x.Difference == 0 && len(r.Queries) == 0:
		return report.Textf("No labelled query lost its tool, of %d.", r.Compared)
	case x.Difference < 0 && x.P <= r.Alpha:
		return report.Textf("Recall %s points, 95 %% %s to %s: chance alone does as much in %s of changes (p %s), which is significant at %v.",
			report.PointsBetween(x.Old, x.New), report.Points(x.Low), report.Points(x.High), chance, P(x.P), r.Alpha)
	case x.Difference < 0:
		out := report.Textf("Recall %s points, 95 %% %s to %s: chance alone does as much in %s of changes (p %s), so recall alone does not fail.",
			report.PointsBetween(x.Old, x.New), report.Points(x.Low), report.Points(x.High), chance, P(x.P))
		if x.Needed > r.Compared {
			out = append(out, report.Textf(" A loss of this size would show on about %s.", report.LabelledQueries(x.Needed))...)
		}
		return out
	}
	return report.Textf("Recall %s points, 95 %% %s to %s, p %s.", report.PointsBetween(x.Old, x.New), report.Points(x.Low), report.Points(x.High), P(x.P))
}

// ChangeGate returns the verdict on the change from a base to a head, which were read
// from two paths: for a terminal, and as Markdown for a pull request.
func ChangeGate(r *diff.GateResult, base, head string) *report.Report {
	out := new(report.Report)
	verdict := report.TextOf("caliper gate: pass")
	if !r.Passed() {
		verdict = report.Textf("caliper gate: FAIL, %s", report.Count(len(r.Reasons), "reason"))
	}
	out.Heading(3, "%s", verdict)
	out.Say("%s → %s, session %s, %s compared.", report.Or(report.Name(base), "the base"), report.Or(report.Name(head), "the head"), report.Name(r.Session), report.Count(r.ComparedSessions, "session"))
	out.Add(ChangeView(r, report.TextOf("base"), report.TextOf("head"), report.MaxRows))
	return out
}

// ChangeView returns the reasons of a verdict, the figures of both states under their names
// with the test of recall, and the queries that lost their tool, at most so many.
func ChangeView(r *diff.GateResult, base, head report.Text, most int) *report.Report {
	out := new(report.Report)
	changeReasons(out, "", r.Reasons)
	changeReasons(out, "Accepted, and would fail:", r.Accepted)
	out.Blank()
	out.Table(withFigures(beside("figure", base, head), ChangeFigures(r)))
	if s := Significance(r); s != nil {
		out.Blank()
		out.Say("%s", s)
	}
	if n := len(r.Undescribed); n > 0 {
		out.Blank()
		out.Say("Without a description from now on, so that search and model have the name and parameters alone: %s.", report.NamesCounted(r.Undescribed))
	}
	if r.Ungranted > 0 {
		out.Say("%s: session %s is granted none of the expected tools, before or after, so nothing is judged of them.", report.LabelledQueries(r.Ungranted), report.Name(r.Session))
	}
	if len(r.Queries)+r.Won > 0 {
		out.Blank()
		out.Say("%s lost, %d won, of %s.", report.Count(len(r.Queries), "expected tool"), r.Won, report.LabelledQueries(r.Compared))
	}
	if len(r.Queries) > 0 {
		t := report.Columns("lost tool", "rank", "lost to", "wording", "query…")
		for _, q := range r.Queries[:min(len(r.Queries), most)] {
			to := report.Or(report.Name(q.LostTo), "nothing found")
			if q.Abstained {
				to = report.TextOf("min_confidence")
			}
			rank, about := report.OrNone(q.NewRank, "none"), report.News{Level: report.Bad, Tool: q.Tool, Query: q.Text}
			if q.Gone {
				rank, about.Tool = "gone", q.LostTo
			}
			ranks := report.Textf("%s → %s", report.TextOf(report.OrNone(q.OldRank, "sent")), report.TextOf(rank))
			t.Row(report.Name(q.Tool), ranks, to, q.Wording.String(), report.Name(q.Text))
			t.About(about)
		}
		out.Table(t)
		out.More(len(r.Queries) - most)
	}
	t, n := report.Columns("host", "tool", ">rank", "", "query…"), 0
	for _, c := range r.Hosts {
		for _, l := range c.Lost {
			if n++; n <= most {
				t.Row(c.Host.Name, report.Name(l.Tool), report.Textf("%d → %s", l.OldRank, report.TextOf(report.OrNone(l.NewRank, "none"))), report.CutWords[l.CutBy], report.Name(l.Text))
			}
		}
	}
	if n > 0 {
		out.Blank()
		out.Head(report.TextOf("lost in an agent"), "what falls by chance there is left out")
		out.Table(t)
		out.More(n - most)
	}
	return out
}

// changeReasons adds reasons.
func changeReasons(out *report.Report, title string, list []diff.Reason) {
	if len(list) == 0 {
		return
	}
	out.Blank()
	if title != "" {
		out.Say("%s", title)
	}
	t := report.Columns("kind", "why¶")
	for _, reason := range list {
		t.Row(string(reason.Kind), ChangeReason(reason))
		about := report.News{Level: report.Bad}
		if len(reason.Tools) > 0 {
			about.Tool = reason.Tools[0]
		}
		t.About(about)
	}
	out.Table(t)
}

// GatedReason returns in one line why bm25-gated finds a tool, or does not; empty when
// that is not known.
func GatedReason(g *diff.GatedReason) string {
	if g == nil {
		return ""
	}
	gate := safetext.Line(g.Word)
	if g.Gate != g.Word {
		gate += " (stem " + safetext.Line(g.Gate) + ")"
	}
	covered := fmt.Sprintf("%d of %s, %d required", g.Matched, report.Count(g.Answerable, "known word"), g.Required)
	why := ""
	switch g.Verdict {
	case retrieval.AdmittedExact:
		why = "its name is the query"
	case retrieval.RefusedNoTokens:
		why = "the query has no word"
	case retrieval.RefusedUnknown:
		why = fmt.Sprintf("must have %s, which no tool has", gate)
	case retrieval.RefusedRarest:
		why = fmt.Sprintf("lacks %s, the rarest word (%s)", gate, report.Count(g.DF, "tool"))
	case retrieval.RefusedCoverage:
		why = "has " + covered
	default:
		why = fmt.Sprintf("has %s, the rarest word, and %s", gate, covered)
	}
	if admitted := g.Verdict == retrieval.AdmittedGates; admitted && len(g.Stems) > 0 {
		why += "; by stem: " + safetext.Line(strings.Join(g.Stems[:min(len(g.Stems), maxStems)], ", "))
	}
	return why
}

// maxStems bounds the words that a reason names.
const maxStems = 4
