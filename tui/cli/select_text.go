package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"caliper/engine/selection"
	"caliper/model"
)

// shownUnranked is how many tools a person is shown that were not chosen by
// the message. JSON has all of them.
const shownUnranked = 12

// text prints a selection for a person: what is sent, why, and what just
// missed.
func (s *selecting) text(x selection.Selection) {
	p := s.run.page()
	p.line(p.strong(fmt.Sprintf("%s of %s selected", grouped(len(x.Tools)), grouped(s.sendable()))),
		p.faint("  "+s.setting(x)))
	if !x.Strategy.Ranks() {
		p.paragraph(0, s.noChoice(x.Strategy))
	}
	if len(x.Tools) > 0 {
		p.blank()
		s.selected(p, x)
	}
	p.blank()
	s.cost(p, x)
	printNotes(p, texts(x.Notes))
}

// setting says what the selection was made by, and who said so.
func (s *selecting) setting(x selection.Selection) string {
	by := string(x.Strategy)
	if x.Strategy == selection.Semantic || x.Strategy == selection.Hybrid {
		by += " with " + legsName(s.settings, x)
	}
	if s.strategy == "" {
		by += " (tools.selection)"
	}
	if x.Strategy.Ranks() {
		by += ", K " + strconv.Itoa(x.K)
	}
	by += "; session " + model.Sanitize(s.st.Snapshot.Session.Name)
	if x.Strategy.Ranks() && s.settings.Sticky {
		by += ", as a first message"
	}
	return by
}

// legsName returns the embedder that a strategy asks, and under hybrid says
// which leg has no weight, so that it is not asked.
func legsName(set selection.Settings, x selection.Selection) string {
	switch hybrid := x.Strategy == selection.Hybrid; {
	case hybrid && set.Keyword <= 0 && set.Semantic <= 0:
		return "both weights 0"
	case hybrid && set.Semantic <= 0:
		return "keywords only"
	case hybrid && set.Keyword <= 0:
		return embedderName(x.Embedder) + " only"
	}
	return embedderName(x.Embedder)
}

// noChoice says that a strategy looks at no message, and where to go on.
func (s *selecting) noChoice(strategy selection.Strategy) string {
	what := map[selection.Strategy]string{
		selection.Eager:      "every granted tool",
		selection.Lazy:       "the names of all granted tools",
		selection.ToolSearch: "the session's assembly",
	}[strategy]
	from := "--strategy is " + string(strategy)
	if s.strategy == "" {
		from = "tools.selection is " + string(strategy)
	}
	return from + ", which sends " + what + " whatever the message says. Try --strategy hybrid, or caliper compare for all of them."
}

// selected prints the tools of a selection: core and named ones, then the rest
// by score, and what just missed under the line of the cut.
func (s *selecting) selected(p *page, x selection.Selection) {
	keyword, semantic := asked(x)
	t := table{columns: []column{{title: "reason"}, {title: "tool"}}}
	if keyword {
		t.columns = append(t.columns, column{title: "keyword", align: right})
	}
	if semantic {
		t.columns = append(t.columns, column{title: providerOf(x.Embedder), align: right})
	}
	if keyword || semantic {
		t.columns = append(t.columns, column{title: "score", align: right})
	}
	t.columns = append(t.columns, column{title: "tokens", align: right}, column{title: "description", grow: true})
	add := func(c selection.Selected, missed bool) {
		reason := string(c.Reason)
		if missed {
			reason = "missed"
		}
		line := []string{reason, c.Tool.ShownName}
		if keyword {
			line = append(line, rankOrDash(c.KeywordRank))
		}
		if semantic {
			line = append(line, rankOrDash(c.SemanticRank))
		}
		if keyword || semantic {
			line = append(line, fused(c.Score))
		}
		t.rows = append(t.rows, row{faint: missed, cells: append(line,
			grouped(s.st.Snapshot.ToolTokens(c.Tool)), firstLine(c.Tool.ShownDescription))})
	}
	shown := x.Tools
	if keyword || semantic {
		shown = slices.Clone(shown)
		slices.SortStableFunc(shown, func(a, b selection.Selected) int {
			return cmp.Or(cmp.Compare(place(a.Reason), place(b.Reason)), cmp.Compare(b.Score, a.Score))
		})
	} else {
		shown = shown[:min(len(shown), shownUnranked)]
	}
	for _, c := range shown {
		add(c, false)
	}
	if len(x.Missed) > 0 {
		t.rows = append(t.rows, row{ruler: fmt.Sprintf("K %d", x.K)})
	}
	for _, c := range x.Missed {
		add(c, true)
	}
	t.print(p)
	if more := len(x.Tools) - len(shown); more > 0 {
		p.line("  ", p.faint(grouped(more)+" more; --json lists them all"))
	}
}

// place is where a reason stands in the table.
func place(r selection.Reason) int {
	return slices.Index([]selection.Reason{selection.Core, selection.All, selection.Mentioned, selection.Ranked, selection.Sticky}, r)
}

// asked reports which legs have a rank to show.
func asked(x selection.Selection) (keyword, semantic bool) {
	for _, t := range slices.Concat(x.Tools, x.Missed) {
		keyword = keyword || t.KeywordRank > 0
		semantic = semantic || t.SemanticRank > 0
	}
	return keyword, semantic
}

// rankOrDash returns a rank, or a dash for none.
func rankOrDash(rank int) string {
	if rank == 0 {
		return "–"
	}
	return grouped(rank)
}

// fused returns a fused score, a dash for none.
func fused(v float64) string {
	if v == 0 {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 5, 64)
}

// cost says what is sent, what that saves, and how the rest is reached.
func (s *selecting) cost(p *page, x selection.Selection) {
	saved := percent(x.SavedPct) + " saved"
	if x.SavedPct < 0 {
		saved = percent(-x.SavedPct) + " more"
	}
	p.line(p.strong(counted(x.SchemaTokens, "token")), fmt.Sprintf(", against %s of every tool (%s): %s",
		grouped(x.EagerTokens), s.st.Budget.Tokenizer, saved))
	switch {
	case x.Strategy == selection.Lazy:
		p.paragraph(0, fmt.Sprintf("%s named; the schema of one costs %s of the model.",
			counted(x.Deferred, "tool"), counted(x.RoundTrips, "more call")))
	case x.Bridge:
		p.paragraph(0, fmt.Sprintf("Behind the bridge: %s; the bridge takes %s of that.",
			counted(x.Deferred, "tool"), counted(x.BridgeTokens, "token")))
	}
}
