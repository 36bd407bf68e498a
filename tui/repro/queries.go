package repro

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/evaluation"
	"caliper/engine/lint"
)

// Labelled is how labelled queries are answered.
type Labelled struct {
	File    string              // of the queries; only the last part of its path is written
	Rankers []engine.Evaluation // the ranker in force first
	Misses  []Miss              // of the ranker in force, the worst first
}

// Miss is a labelled query that the ranker in force misses. Why is that of the
// relevant tool that came nearest; nil where nobody asked.
type Miss struct {
	Answer engine.Answer
	Why    *engine.WhyNot
}

// MaxMisses is how many misses are written at most, so that the others need no
// reason.
const MaxMisses = maxRows

// Queries returns the repro of labelled queries: the metrics of every ranker,
// in percent, and the misses of the one in force with what stopped their
// relevant tools.
func Queries(c Case, l Labelled) string {
	var d document
	d.heading(2, "caliper eval")
	c.surroundings(&d)
	if len(l.Rankers) == 0 {
		return c.end(&d)
	}
	now := l.Rankers[0]
	d.heading(3, "Metrics")
	count := strconv.Itoa(len(now.Answers)) + " labelled queries"
	if len(now.Answers) == 1 {
		count = "1 labelled query"
	}
	d.line(fmt.Sprintf("%s from %s, limit %d.", count, or(code(filepath.Base(l.File)), "no file"), now.Limit))
	measured(&d, l.Rankers)
	missed(&d, l.Misses, now)
	command := c.command("eval", filepath.Base(l.File))
	var names []string
	for _, e := range l.Rankers {
		names = append(names, e.Ranker)
	}
	flagged := false
	for _, s := range c.Settings {
		flagged = flagged || s.Key == keyRanker && s.Origin == config.OriginFlag
	}
	if len(names) > 1 || flagged {
		command.add("--ranker", strings.Join(names, ","))
	}
	c.again(&d, command)
	return c.end(&d)
}

// measured writes the metrics, with a column for every ranker.
func measured(d *document, rankers []engine.Evaluation) {
	out := tableOf("metric")
	for _, e := range rankers {
		out.titles = append(out.titles, code(e.Ranker))
	}
	var names []string
	for _, k := range evaluation.Cutoffs {
		names = append(names, "recall@"+strconv.Itoa(k))
	}
	for _, name := range append(names, "complete@5", "mrr@10", "ndcg@10") {
		cells := []string{name}
		for _, e := range rankers {
			v, _ := e.Metrics.Value(name)
			cells = append(cells, strconv.FormatFloat(100*v, 'f', 1, 64)+"%")
		}
		out.add(cells...)
	}
	cells := []string{"missed"}
	for _, e := range rankers {
		cells = append(cells, strconv.Itoa(len(e.Misses())))
	}
	out.add(cells...)
	d.table(out)
}

// missed writes the misses.
func missed(d *document, misses []Miss, now engine.Evaluation) {
	d.heading(3, "Misses")
	if len(misses) == 0 {
		d.line("None: a relevant tool is within the limit of every query.")
		return
	}
	out := tableOf("query", "id", "relevant", "best rank", "what stopped it")
	for _, m := range misses[:min(len(misses), maxRows)] {
		q := m.Answer.Query
		rank, stage := "none in the first "+strconv.Itoa(engine.EvaluationDepth), ""
		if m.Answer.Best > 0 {
			rank = strconv.Itoa(m.Answer.Best)
		}
		if m.Why != nil {
			stage = code(string(m.Why.Stage))
		}
		out.add(code(q.Text), code(q.ID), names(q.Relevant), rank, stage)
	}
	d.table(out)
	d.more(len(misses) - maxRows)
	if len(now.Unknown) > 0 {
		d.line("The registry does not have " + names(now.Unknown) + ".")
	}
	if len(now.Sent) > 0 {
		d.line("Sent without a search, because they are core tools: " + names(now.Sent) + ".")
	}
}

// Dark returns the repro of tools that some of their own words do not find.
func Dark(c Case, reach []lint.Reach) string {
	var d document
	d.heading(2, "caliper lint, dark tools")
	c.surroundings(&d)
	d.heading(3, "Tools")
	d.line("The rank that a tool's own words give it, of its name, of its first sentence and of its parameters.")
	out := tableOf("tool", "name", "sentence", "parameters", "dark")
	for _, r := range reach[:min(len(reach), maxRows)] {
		out.add(code(r.Tool.Qualified), probed(r.Name), probed(r.Sentence), probed(r.Parameters), yes(r.Dark()))
	}
	d.table(out)
	d.more(len(reach) - maxRows)
	c.again(&d, c.command("lint"))
	return c.end(&d)
}

// probed returns the outcome of a probe.
func probed(p lint.Probe) string {
	switch {
	case p.Query == "":
		return "has none"
	case p.Rank == 0:
		return "not found"
	case p.Found:
		return strconv.Itoa(p.Rank)
	}
	return strconv.Itoa(p.Rank) + ", beyond the limit"
}

// Findings returns the repro of what lint finds, with what the remedies do.
func Findings(c Case, findings []lint.Finding) string {
	var d document
	d.heading(2, "caliper lint")
	c.surroundings(&d)
	d.heading(3, "Findings")
	if len(findings) == 0 {
		d.line("None.")
	} else {
		out := tableOf("severity", "code", "tool", "why", "remedy", "effect")
		for _, f := range findings[:min(len(findings), maxRows)] {
			tool := "the catalog"
			if f.Tool != nil {
				tool = code(f.Tool.Qualified)
			}
			remedy, effect := remedied(f.Remedy)
			out.add(string(f.Severity), code(string(f.Code)), tool, code(f.Message), remedy, effect)
		}
		d.table(out)
		d.more(len(findings) - maxRows)
	}
	c.again(&d, c.command("lint"))
	return c.end(&d)
}

// remedied returns a remedy and what it does.
func remedied(r *lint.Remedy) (change, effect string) {
	if r == nil {
		return "none known", ""
	}
	var parts []string
	if r.Ranked() {
		rank := func(n int) string {
			if n == 0 {
				return "none"
			}
			return strconv.Itoa(n)
		}
		parts = append(parts, "rank "+rank(r.RankBefore)+" → "+rank(r.RankAfter))
	}
	if r.TokensBefore != r.TokensAfter {
		parts = append(parts, fmt.Sprintf("%d → %d tokens", r.TokensBefore, r.TokensAfter))
	}
	return code(r.Change), strings.Join(parts, ", ")
}
