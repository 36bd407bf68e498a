package cli

import (
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/engine/evaluation"
	"caliper/model"
	"caliper/tui/cells"
)

// shownMisses is how many misses a person is shown. JSON has all of them.
const shownMisses = 15

// text prints evaluations for a person, side by side.
func (e *evaluating) text(session string, all []engine.Evaluation) {
	p := e.run.page()
	first := all[0]
	p.line(p.strong(queriesHeadline(first)), p.faint(fmt.Sprintf("  session %s, limit %d",
		model.Sanitize(session), first.Limit)))
	p.blank()
	t := table{columns: []column{{title: "metric"}}}
	for _, ev := range all {
		t.columns = append(t.columns, column{title: ev.Ranker, align: right})
	}
	names := []string{"ndcg@10", "mrr@10"}
	for _, k := range evaluation.Cutoffs {
		names = append(names, fmt.Sprintf("recall@%d", k))
	}
	for _, name := range append(names, "complete@5") {
		values := []string{name}
		for _, ev := range all {
			v, _ := ev.Metrics.Value(name)
			values = append(values, fmt.Sprintf("%.1f%%", 100*v))
		}
		t.add(values...)
	}
	t.print(p)
	for _, ev := range all {
		e.misses(p, ev)
	}
}

// queriesHeadline says how many queries were asked.
func queriesHeadline(ev engine.Evaluation) string {
	if len(ev.Answers) == 1 {
		return "1 labelled query"
	}
	return grouped(len(ev.Answers)) + " labelled queries"
}

// misses prints the misses of a ranker, the worst first.
func (e *evaluating) misses(p *page, ev engine.Evaluation) {
	missed := ev.Misses()
	p.blank()
	if len(missed) == 0 {
		p.line(p.strong(ev.Ranker+" misses none"), p.faint(": a right tool is within the limit of every query"))
		return
	}
	p.line(p.strong(fmt.Sprintf("%s misses %s of %s", ev.Ranker, grouped(len(missed)), grouped(len(ev.Answers)))),
		p.faint("  no right tool within the limit; the worst first"))
	t := table{columns: []column{{title: "best", align: right}, {title: "query"}, {title: "right", grow: true}}}
	for _, a := range missed[:min(len(missed), shownMisses)] {
		best := "none"
		if a.Best > 0 {
			best = grouped(a.Best)
		}
		t.add(best, cells.Truncate(model.Sanitize(a.Query.Text), p.width/2), model.Sanitize(strings.Join(a.Query.Relevant, ", ")))
	}
	t.print(p)
	if more := len(missed) - shownMisses; more > 0 {
		p.line("  ", p.faint(grouped(more)+" more; --json lists them all"))
	}
}
