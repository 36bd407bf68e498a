package repro

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/selection"
)

// Selected is what strategies select, by which settings. Times are left out,
// which differ from run to run.
type Selected struct {
	Message    string
	Turns      []string // that come before the message in its session
	Settings   selection.Settings
	Selections []selection.Selection // one for each strategy
	Needs      [][]string            // what the message needs, by groups of names of which any one will do
	File       string                // of labelled queries; only the last part of its path is written
}

// Strategies returns the repro of what the strategies send with a message, and
// of what one of them selected and why.
func Strategies(c Case, s Selected, chosen selection.Strategy) string {
	var d document
	d.heading(2, "caliper compare")
	c.surroundings(&d)
	s.how(&d)
	d.heading(3, "Message")
	if s.Message == "" {
		d.line("None.")
	} else {
		d.fence("text", s.Message)
	}
	if len(s.Turns) > 0 {
		d.line(fmt.Sprintf("It is turn %d of a session:", len(s.Turns)+1))
		d.fence("text", strings.Join(append(slices.Clone(s.Turns), s.Message), "\n"))
	}
	if len(s.Needs) > 0 {
		var groups []string
		for _, group := range s.Needs {
			groups = append(groups, names(group))
		}
		d.line("It needs " + strings.Join(groups, "; and ") + ".")
	}
	d.heading(3, "Strategies")
	out := tableOf("strategy", "schema tokens", "saved", "round trips", "tools sent", "tools deferred")
	if len(s.Needs) > 0 {
		out.titles = append(out.titles, "needed sent")
	}
	for _, x := range s.Selections {
		row := []string{code(string(x.Strategy)), strconv.Itoa(x.SchemaTokens), hundredths(x.SavedPct), strconv.Itoa(x.RoundTrips), strconv.Itoa(len(x.Tools)), strconv.Itoa(x.Deferred)}
		if len(s.Needs) > 0 {
			row = append(row, s.met(x))
		}
		out.add(row...)
	}
	d.table(out)
	for _, x := range s.Selections {
		if x.Strategy == chosen {
			c.selected(&d, x)
		}
	}
	switch {
	case len(s.Turns) > 0:
		command := c.command("select")
		command.add("--turns", "turns.txt")
		c.again(&d, command)
	case s.Message != "":
		c.again(&d, c.command("compare", s.Message))
	}
	return c.end(&d)
}

// met says how many needs a selection sends.
func (s Selected) met(x selection.Selection) string {
	met := 0
	for _, group := range s.Needs {
		if slices.ContainsFunc(x.Tools, func(t selection.Selected) bool {
			return slices.Contains(group, t.Tool.Name) || slices.Contains(group, t.Tool.Qualified)
		}) {
			met++
		}
	}
	return fmt.Sprintf("%d of %d", met, len(s.Needs))
}

// how writes the settings that rank.
func (s Selected) how(d *document) {
	sticky := "not sticky"
	if s.Settings.Sticky {
		sticky = "sticky"
	}
	d.line(fmt.Sprintf("K %d, fusion k %s, weights keyword %s and semantic %s, %s.", s.Settings.K,
		short(s.Settings.RRFK), short(s.Settings.Keyword), short(s.Settings.Semantic), sticky))
}

// selected writes what one strategy selected, and what just missed.
func (c Case) selected(d *document, x selection.Selection) {
	d.heading(3, "Selected by "+string(x.Strategy))
	what := fmt.Sprintf("%d tools of %d candidates and the core, %d tokens", len(x.Tools), x.Candidates, x.SchemaTokens)
	if x.Bridge {
		what += fmt.Sprintf(", %d of them the bridge to the other %d", x.BridgeTokens, x.Deferred)
	}
	if x.Embedder != "" {
		what += "; the semantic leg is " + code(x.Embedder)
	}
	d.line(what + ".")
	for _, n := range x.Notes {
		d.line("Note " + code(n.Code) + ": " + code(n.Text) + ".")
	}
	if len(x.Tools) == 0 {
		return
	}
	out := tableOf("tool", "reason", "keyword rank", "semantic rank", "fused score", "tokens")
	add := func(t selection.Selected, reason string) {
		score := ""
		if t.Score > 0 {
			score = number(t.Score)
		}
		out.add(code(t.Tool.Qualified), reason, ranked(t.KeywordRank), ranked(t.SemanticRank), score, strconv.Itoa(c.Snapshot.ToolTokens(t.Tool)))
	}
	for _, t := range x.Tools[:min(len(x.Tools), maxRows)] {
		add(t, string(t.Reason))
	}
	if len(x.Tools) <= maxRows {
		for _, t := range x.Missed {
			add(t, "just missed")
		}
	}
	d.table(out)
	d.more(len(x.Tools) - maxRows)
}

// ranked returns a rank, and nothing for none.
func ranked(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// hundredths returns a number of hundredths with one digit behind the point.
func hundredths(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) + "%" }

// mean returns a mean as a whole number.
func mean(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// Compared returns the repro of the strategies over labelled queries.
func Compared(c Case, s Selected, rows []selection.Row) string {
	var d document
	d.heading(2, "caliper compare, labelled queries")
	c.surroundings(&d)
	s.how(&d)
	d.heading(3, "Strategies")
	if len(rows) > 0 {
		d.line(fmt.Sprintf("%s from %s; means of one call.", counted(rows[0].Labelled, "labelled message"), or(code(filepath.Base(s.File)), "no file")))
	}
	out := tableOf("strategy", "schema tokens", "saved", "round trips", "recall@"+strconv.Itoa(s.Settings.K), "reachable", "cache kept")
	for _, r := range rows {
		out.add(code(string(r.Strategy)), mean(r.SchemaTokens), hundredths(r.SavedPct), strconv.Itoa(r.RoundTrips),
			hundredths(100*r.Recall), hundredths(100*r.Reachable), hundredths(100*r.Kept))
	}
	d.table(out)
	for _, r := range rows {
		for _, n := range r.Notes {
			d.line(fmt.Sprintf("Note of %s, %d of %d messages, %s: %s.", code(string(r.Strategy)), n.Queries, r.Queries, code(n.Code), code(n.Text)))
		}
	}
	s.againOver(c, &d)
	return c.end(&d)
}

// Pareto returns the repro of tokens against recall: the points that no other
// is better than, the cheapest first.
func Pareto(c Case, s Selected, points []selection.Point) string {
	var d document
	d.heading(2, "caliper compare, tokens against recall")
	c.surroundings(&d)
	s.how(&d)
	d.heading(3, "Frontier")
	best := slices.DeleteFunc(slices.Clone(points), func(p selection.Point) bool { return !p.Frontier })
	slices.SortStableFunc(best, func(a, b selection.Point) int {
		switch {
		case a.SchemaTokens < b.SchemaTokens:
			return -1
		case a.SchemaTokens > b.SchemaTokens:
			return 1
		}
		return 0
	})
	d.line(fmt.Sprintf("%d of %d points, with K up to %d: no other costs no more and finds no less.", len(best), len(points), selection.MaxParetoK))
	out := tableOf("strategy", "K", "schema tokens", "recall")
	for _, p := range best[:min(len(best), maxRows)] {
		out.add(code(string(p.Strategy)), ranked(p.K), mean(p.SchemaTokens), hundredths(100*p.Recall))
	}
	d.table(out)
	d.more(len(best) - maxRows)
	s.againOver(c, &d, "--pareto")
	return c.end(&d)
}

// againOver writes how to measure over the labelled queries again.
func (s Selected) againOver(c Case, d *document, flags ...string) {
	command := c.command("compare")
	command.add("--queries", filepath.Base(s.File))
	command.add(flags...)
	c.again(d, command)
}

// Conversation returns the repro of a conversation under every strategy, with
// what each throws away of the prompt cache.
func Conversation(c Case, s Selected, threads []selection.Thread) string {
	var d document
	d.heading(2, "caliper select, conversation")
	c.surroundings(&d)
	s.how(&d)
	d.heading(3, "Turns")
	if len(threads) > 0 {
		var turns []string
		for _, turn := range threads[0].Turns {
			turns = append(turns, turn.Selection.Message)
		}
		d.fence("text", strings.Join(turns, "\n"))
	}
	d.heading(3, "Strategies")
	out := tableOf("strategy", "sticky", "schema tokens", "cached tokens lost", "tools by turn", "lost by turn")
	for _, t := range threads {
		sticky := ""
		if t.Strategy.Ranks() {
			sticky = yes(t.Sticky)
		}
		var tools, lost []string
		for _, turn := range t.Turns[:min(len(t.Turns), maxRows)] {
			tools = append(tools, strconv.Itoa(len(turn.Selection.Tools)))
			lost = append(lost, strconv.Itoa(turn.LostTokens))
		}
		out.add(code(string(t.Strategy)), sticky, strconv.Itoa(t.SchemaTokens), strconv.Itoa(t.LostTokens), strings.Join(tools, ", "), strings.Join(lost, ", "))
	}
	d.table(out)
	command := c.command("select")
	command.add("--turns", "turns.txt")
	c.again(&d, command)
	return c.end(&d)
}

// short returns a setting with as many digits as it has.
func short(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
