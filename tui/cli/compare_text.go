package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/model"
)

// text prints a comparison for a person.
func (c *comparing) text(queries []engine.Query, rows []selection.Row) {
	p := c.run.page()
	headline := "1 message"
	if c.queriesFile != "" {
		headline = queryCount(len(queries))
	}
	p.line(p.strong(headline), p.faint(fmt.Sprintf("  K %d and %d core; keyword by %s, semantic by %s; session %s", c.settings.K, c.coreCount(),
		c.st.Snapshot.Config.ToolSearch.Ranker, c.semanticName(), model.Sanitize(c.st.Snapshot.Session.Name))))
	p.blank()
	labelled := rows[0].Labelled > 0
	t := table{columns: []column{{title: "strategy"}, {title: "tokens", align: right}, {title: "saved", align: right},
		{title: "more calls", align: right}, {title: "time", align: right}}}
	if labelled {
		t.columns = append(t.columns, column{title: "recall", align: right}, column{title: "reachable", align: right})
	}
	if len(queries) > 1 {
		t.columns = append(t.columns, column{title: "cache kept", align: right})
	}
	for _, r := range rows {
		name := string(r.Strategy)
		if r.Strategy == selection.InForce(c.st.Snapshot) {
			name += " *"
		}
		line := []string{name, grouped(int(math.Round(r.SchemaTokens))), percent(r.SavedPct), strconv.Itoa(r.RoundTrips), shownTime(r.Took)}
		if labelled {
			line = append(line, fmt.Sprintf("%.1f%%", 100*r.Recall), fmt.Sprintf("%.1f%%", 100*r.Reachable))
		}
		if len(queries) > 1 {
			line = append(line, percent(100*r.Kept))
		}
		t.add(line...)
	}
	t.print(p)
	p.paragraph(0, "* in force"+inForceBy(c.st.Snapshot))
	if labelled {
		p.paragraph(0, "Recall is the share of needed tools whose schema is sent with the message, reachable with further calls of the model too.")
	}
	if len(queries) > 1 {
		p.paragraph(0, "Cache kept is the share of a message's tokens that the next one begins with too, each answered on its own; select --turns shows conversations.")
	}
	c.notes(p, rows)
}

// inForceBy says by what setting the strategy in force is that.
func inForceBy(s *engine.Snapshot) string {
	if string(selection.InForce(s)) != s.Config.Selection {
		return ": tools.selection is " + s.Config.Selection + ", so tool search decides, and it is active."
	}
	return ": tools.selection."
}

// coreCount returns how many tools are always sent.
func (c *comparing) coreCount() int {
	excluded := map[*model.Tool]bool{}
	for _, name := range c.settings.Exclude {
		for _, t := range c.st.Snapshot.Registry.Lookup(name) {
			excluded[t] = true
		}
	}
	core := map[*model.Tool]bool{}
	for _, name := range c.settings.Core {
		for _, t := range c.st.Snapshot.Registry.Lookup(name) {
			if !excluded[t] && c.maySend(t) {
				core[t] = true
			}
		}
	}
	return len(core)
}

// queryCount says how many queries were asked.
func queryCount(n int) string {
	if n == 1 {
		return "1 labelled query"
	}
	return grouped(n) + " labelled queries"
}

// semanticName returns the embedder, or says that there is none.
func (c *comparing) semanticName() string {
	if c.embedder == "" {
		return "nothing"
	}
	return model.Sanitize(c.embedder)
}

// shownTime returns a time with three digits or fewer.
func shownTime(d time.Duration) string {
	ms := milliseconds(d)
	switch {
	case ms >= 100:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	case ms >= 1:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return strconv.FormatFloat(1000*ms, 'f', 0, 64) + " µs"
}

// notes prints the notes of all rows, each once, with the strategies that have
// it.
func (c *comparing) notes(p *page, rows []selection.Row) {
	type told struct{ note, by string }
	var all []told
	for _, r := range rows {
		for _, n := range rowNotes(r) {
			at := slices.IndexFunc(all, func(t told) bool { return t.note == n })
			if at < 0 {
				all = append(all, told{n, string(r.Strategy)})
			} else {
				all[at].by += ", " + string(r.Strategy)
			}
		}
	}
	if len(all) > 0 {
		p.blank()
	}
	for _, t := range all {
		p.paragraph(0, t.by+": "+t.note+".")
	}
}

// paretoText prints what K costs and finds: the strategies that rank side by
// side, and the others under them.
func (c *comparing) paretoText(points []selection.Point) {
	if len(points) == 0 {
		return
	}
	p := c.run.page()
	p.blank()
	p.line(p.strong("tokens and recall by K"), p.faint("  * none costs no more and finds no less"))
	t := table{columns: []column{{title: "K", align: right}}}
	var ranking []selection.Strategy
	for _, s := range selection.Strategies {
		if s.Ranks() {
			ranking = append(ranking, s)
			t.columns = append(t.columns, column{title: string(s), align: right}, column{title: "recall", align: right})
		}
	}
	at := map[selection.Strategy]map[int]selection.Point{}
	for _, point := range points {
		if at[point.Strategy] == nil {
			at[point.Strategy] = map[int]selection.Point{}
		}
		at[point.Strategy][point.K] = point
	}
	for k := 1; k <= selection.MaxParetoK; k++ {
		line := []string{strconv.Itoa(k)}
		for _, s := range ranking {
			line = append(line, pointCells(at[s][k])...)
		}
		t.add(line...)
	}
	t.print(p)
	p.blank()
	rest := table{columns: []column{{title: "strategy"}, {title: "tokens", align: right}, {title: "recall", align: right}}}
	for _, s := range selection.Strategies {
		if !s.Ranks() {
			rest.add(append([]string{string(s)}, pointCells(at[s][0])...)...)
		}
	}
	rest.print(p)
}

// pointCells returns the tokens and the recall of a point, marked when it is on
// the frontier.
func pointCells(p selection.Point) []string {
	mark := " "
	if p.Frontier {
		mark = "*"
	}
	return []string{grouped(int(math.Round(p.SchemaTokens))), fmt.Sprintf("%s%.1f%%", mark, 100*p.Recall)}
}
