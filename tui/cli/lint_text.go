package cli

import (
	"fmt"

	"caliper/engine"
	"caliper/engine/lint"
	"caliper/model"
)

// shownFindings is how many findings of one code a person is shown, by
// severity, unless few are asked for. JSON has all of them.
var shownFindings = map[lint.Severity]int{lint.Error: 10, lint.Warning: 4, lint.Info: 2}

// text prints a report for a person, the worst first.
func (l *linting) text(s *engine.Snapshot, report lint.Report) {
	p := l.run.page()
	counts := report.Counts()
	p.line(p.strong(lintHeadline(counts)), p.faint(fmt.Sprintf("  %s, session %s, limit %d, tokens by %s",
		counted(len(s.Registry.Tools), "tool"), model.Sanitize(s.Session.Name), report.Limit, s.Tokenizer)))
	if l.tool == "" {
		p.paragraph(0, reachLine(report.Reach))
	}
	for from := 0; from < len(report.Findings); {
		to := from
		first := report.Findings[from]
		for to < len(report.Findings) && report.Findings[to].Code == first.Code && report.Findings[to].Severity == first.Severity {
			to++
		}
		l.group(p, report.Findings[from:to])
		from = to
	}
	if report.Untried > 0 {
		p.blank()
		p.paragraph(0, "The remedies of "+grouped(report.Untried)+
			" findings were not searched for; --code, --severity or --tool leave time for them.")
	}
}

// lintHeadline says how much was found.
func lintHeadline(counts map[lint.Severity]int) string {
	if len(counts) == 0 {
		return "nothing found"
	}
	return counted(counts[lint.Error], "error") + ", " + counted(counts[lint.Warning], "warning") + ", " +
		grouped(counts[lint.Info]) + " info"
}

// reachLine says how many tools of the catalog their own words find.
func reachLine(reach []lint.Reach) string {
	if len(reach) == 0 {
		return "The session's catalog is empty: no tool is looked for."
	}
	var name, sentence, parameters share
	for _, r := range reach {
		name.count(r.Name)
		sentence.count(r.Sentence)
		parameters.count(r.Parameters)
	}
	return fmt.Sprintf("Found within the limit: %s tools of the catalog by the words of their name, %s by their first sentence, %s by their parameter names; %s dark.",
		name, sentence, parameters, grouped(len(lint.Dark(reach))))
}

// share counts what is found of what was asked for.
type share struct{ found, asked int }

// count counts one probe.
func (s *share) count(p lint.Probe) {
	if p.Query != "" {
		s.asked++
	}
	if p.Found {
		s.found++
	}
}

// String returns "6 of 7".
func (s share) String() string { return grouped(s.found) + " of " + grouped(s.asked) }

// group prints the findings of one code and severity.
func (l *linting) group(p *page, list []lint.Finding) {
	first := list[0]
	p.blank()
	p.line(p.strong(fmt.Sprintf("%s  %s  %s", first.Severity, first.Code, grouped(len(list)))),
		p.faint("  "+first.Code.Meaning()))
	shown := shownFindings[first.Severity]
	if l.tool != "" || len(l.codes) == 1 {
		shown = len(list)
	}
	for _, f := range list[:min(len(list), shown)] {
		l.finding(p, f)
	}
	if more := len(list) - shown; more > 0 {
		p.line("  ", p.faint(fmt.Sprintf("%s more; --code %s shows them", grouped(more), first.Code)))
	}
}

// finding prints one finding and what helps.
func (l *linting) finding(p *page, f lint.Finding) {
	text := f.Message
	if f.Tool != nil {
		text = f.Tool.ShownName + ": " + text
	}
	p.paragraph(2, text)
	if r := f.Remedy; r != nil {
		p.paragraph(4, "→ "+r.Change+"  "+remedyFigures(r))
	}
}

// remedyFigures says what a remedy does.
func remedyFigures(r *lint.Remedy) string {
	figures := "tokens " + fromTo(grouped(r.TokensBefore), grouped(r.TokensAfter))
	if !r.Ranked() {
		return "(" + figures + ")"
	}
	return "(rank " + fromTo(rankWord(r.RankBefore), rankWord(r.RankAfter)) + ", " + figures + ")"
}
