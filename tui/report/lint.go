package report

import (
	"cmp"
	"fmt"
	"strconv"

	"caliper/engine"
	"caliper/engine/lint"
	"caliper/engine/whatif"
	"caliper/model/safetext"
	"caliper/model/words"
)

// shownFindings is the number of findings of one code that a terminal shows, by
// severity, unless all are asked for. Information has one line a code. JSON has all of
// them.
var shownFindings = map[lint.Severity]int{lint.Error: 10, lint.Warning: 4}

// Lint returns the report of a lint run, the worst findings first. It shows every
// finding with all, and when the run was limited to one tool.
func Lint(s *engine.Snapshot, found lint.Report, oneTool, all bool) *Report {
	r := new(Report)
	counts := found.Counts()
	title := Textf("%s, %s, %d info", Count(counts[lint.Error], "error"), Count(counts[lint.Warning], "warning"), counts[lint.Info])
	if len(counts) == 0 {
		title = TextOf("nothing found")
	}
	r.Head(title, "%s, session %s, limit %s, tokens by %s", Count(len(s.Registry.Tools), "tool"), Name(s.Session.Name), strconv.Itoa(found.Limit), s.Tokenizer)
	switch {
	case oneTool:
	case len(found.Reach) == 0:
		r.Say("The session's catalog is empty: no tool is looked for.")
	default:
		by := func(probe func(lint.Reach) lint.Probe) Text { // how many are found, of those that have such words
			n, asked := 0, 0
			for _, x := range found.Reach {
				p := probe(x)
				if p.Query != "" {
					asked++
				}
				if p.Found {
					n++
				}
			}
			return Textf("%d of %d", n, asked)
		}
		r.Say("Found within the limit: %s tools of the catalog by the words of their name, %s by their first sentence, %s by their parameter names; %d unfindable.",
			by(func(x lint.Reach) lint.Probe { return x.Name }), by(func(x lint.Reach) lint.Probe { return x.Sentence }), by(func(x lint.Reach) lint.Probe { return x.Parameters }), len(lint.Dark(found.Reach)))
	}
	all = all || oneTool
	head := func(group []lint.Finding) { // of one severity and code
		r.Head(Textf("%s  %s  %d", string(group[0].Severity), group[0].Code.Label(), len(group)), "%s", group[0].Code.Meaning())
	}
	var folded [][]lint.Finding
	for from := 0; from < len(found.Findings); {
		to := from
		first := found.Findings[from]
		for to < len(found.Findings) && found.Findings[to].Code == first.Code && found.Findings[to].Severity == first.Severity {
			to++
		}
		if group := found.Findings[from:to]; all || shownFindings[first.Severity] > 0 {
			r.Blank()
			head(group)
			findingLines(r, group, all)
		} else {
			folded = append(folded, group)
		}
		from = to
	}
	if len(folded) > 0 {
		r.Blank()
		for _, group := range folded {
			head(group)
		}
		r.Line("  ", Faint("--all shows them, --code %s those of one kind", folded[0][0].Code))
	}
	if found.Untried > 0 {
		r.Blank()
		r.Say("The remedies of %d findings were not searched for; --code, --severity or --tool leave time for them.", found.Untried)
	}
	return r
}

// findingLines adds findings of one severity and code, some of them unless all are asked for.
func findingLines(r *Report, group []lint.Finding, all bool) {
	shown := shownFindings[group[0].Severity]
	if all {
		shown = len(group)
	}
	for _, f := range group[:min(len(group), shown)] {
		text := Sentence(f.Message)
		if f.Tool != nil {
			text = Textf("%s: %s", Name(f.Tool.Qualified), text)
		}
		r.Indented(2, "%s", text)
		if m := f.Remedy; m != nil {
			does := Textf("→ %s", Sentence(RemedyText(m)))
			rank, tokens := Textf("rank %s", FromTo(m.RankBefore, m.RankAfter, "none")), Textf("tokens %s", FromTo(m.TokensBefore, m.TokensAfter, ""))
			switch edits := m.Edits != nil; {
			case m.Ranked() && edits:
				does = Textf("%s  (%s, %s)", does, rank, tokens)
			case m.Ranked():
				does = Textf("%s  (%s)", does, rank)
			case edits:
				does = Textf("%s  (%s)", does, tokens)
			}
			r.Indented(4, "%s", does)
		}
	}
	if more := len(group) - shown; more > 0 {
		r.Line("  ", Faint("%d more; --code %s shows them", more, group[0].Code))
	}
}

// RemedyText returns a remedy as sentences: what to change and, where that brings
// the tool within the limit of a query, which query that is and who falls below the
// limit for it. It is safe for a terminal.
func RemedyText(m *lint.Remedy) string {
	text := words.Capitalized(m.Change)
	if !m.Enters {
		return text
	}
	hurt := cmp.Or(whatif.PushedOut(m.Displaced), "no other tool falls below the limit")
	return fmt.Sprintf("%s: then %q finds it at rank %d; %s.", text, safetext.Line(m.Query), m.RankAfter, hurt)
}

// FromTo returns the change of a number, or the number when it stays the same.
// none stands for 0, unless it is empty.
func FromTo(old, new int, none string) Text {
	if old == new {
		return TextOf(OrNone(new, none))
	}
	return Arrow(old, new, none)
}

// Arrow returns a number before and after.
func Arrow(old, new int, none string) Text {
	return Textf("%s → %s", TextOf(OrNone(old, none)), TextOf(OrNone(new, none)))
}

// Dark returns the report of tools that are not found by some text of their own
// definition.
func (c Case) Dark(reach []lint.Reach) *Report {
	r := new(Report)
	r.Say("The rank that a tool's own words give it, of its name, of its first sentence and of its parameters.")
	t := Columns("tool", "name", "sentence", "parameters", "unfindable")
	for _, x := range reach {
		unfindable := "no"
		if x.Dark() {
			unfindable = "yes"
		}
		t.Row(Name(x.Tool.Qualified), probed(x.Name), probed(x.Sentence), probed(x.Parameters), unfindable)
	}
	r.Table(t)
	return c.Issue("caliper lint, unfindable tools", r, c.Command("lint"))
}

// probed returns the outcome of a probe.
func probed(p lint.Probe) any {
	switch {
	case p.Query == "":
		return "has none"
	case p.Rank == 0:
		return "not found"
	case p.Found:
		return p.Rank
	}
	return Textf("%d, beyond the limit", p.Rank)
}

// Findings returns the report of some findings of lint for an issue.
func (c Case) Findings(findings []lint.Finding) *Report {
	found := lint.Report{Findings: findings, Limit: c.Snapshot.Config.ToolSearch.DefaultLimit}
	return c.Issue("caliper lint", Lint(c.Snapshot, found, true, true), c.Command("lint"))
}
