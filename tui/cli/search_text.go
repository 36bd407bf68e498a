package cli

import (
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// text prints results for a person.
func (s *searching) text(found engine.Results) {
	p := s.run.page()
	snapshot := s.st.Snapshot
	p.line(p.strong(headline(found)), p.faint(fmt.Sprintf("  in a catalog of %s; session %s, %s, limit %d",
		grouped(found.Total), model.Sanitize(snapshot.Session.Name), snapshot.Config.ToolSearch.Ranker, found.Limit)))
	if !snapshot.Active() {
		p.paragraph(0, inactive(s))
	}
	if found.Fallback {
		p.paragraph(0, "No word of the query stands in any tool: these are the tools whose name contains it, all with the same score.")
	}
	if len(found.Hits) == 0 {
		p.paragraph(0, nothing(found, s.st.Snapshot))
		s.onlyRivals(p, found)
		return
	}
	p.blank()
	if s.explain {
		s.explained(p, found)
		return
	}
	t := hitTable()
	for _, rival := range s.rivals {
		t.columns = append(t.columns, column{title: rival.Snapshot.Config.ToolSearch.Ranker, align: right})
	}
	t.columns = append(t.columns, column{title: "description", grow: true})
	for i, h := range found.Hits {
		s.cut(&t, found, i)
		line := hitCells(h)
		for _, rival := range s.rivals {
			line = append(line, moved(h.Rank, rankUnder(rival, found.Query, h.Tool)))
		}
		t.rows = append(t.rows, row{cells: append(line, firstLine(h.Tool.ShownDescription)), faint: !h.Within})
	}
	t.print(p)
	s.onlyRivals(p, found)
}

// moved returns the rank under another ranker, and how far that is up or down.
func moved(rank, other int) string {
	switch {
	case other == 0:
		return "none"
	case other < rank:
		return fmt.Sprintf("▲%s %s", grouped(rank-other), grouped(other))
	case other > rank:
		return fmt.Sprintf("▼%s %s", grouped(other-rank), grouped(other))
	}
	return grouped(other)
}

// onlyRivals says for every other ranker which tools only it has within the
// limit, and why it finds nothing where it does not.
func (s *searching) onlyRivals(p *page, found engine.Results) {
	for _, rival := range s.rivals {
		other := rival.Snapshot.Search(found.Query, s.limit, 0)
		name := rival.Snapshot.Config.ToolSearch.Ranker
		var only []string
		for _, h := range other.Hits[:min(len(other.Hits), other.Limit)] {
			if rank, _, _ := s.st.Snapshot.Rank(found.Query, h.Tool); rank == 0 || rank > found.Limit {
				only = append(only, fmt.Sprintf("%s %s", grouped(h.Rank), h.Tool.ShownName))
			}
		}
		if len(only) > 0 {
			p.blank()
			p.paragraph(0, "Within the limit of "+name+" only: "+strings.Join(only, ", ")+".")
		}
		if len(other.Hits) == 0 {
			p.blank()
			p.paragraph(0, name+" finds nothing: "+rival.Snapshot.Cut(found.Query)+".")
		}
	}
}

// explained prints every hit with its waterfall.
func (s *searching) explained(p *page, found engine.Results) {
	t := hitTable()
	for i, h := range found.Hits {
		s.cut(&t, found, i)
		t.rows = append(t.rows, row{cells: hitCells(h), faint: !h.Within, below: func() {
			if e, ok := s.st.Snapshot.Explain(found.Query, h.Tool); ok {
				waterfall(p, e)
			}
		}})
	}
	t.print(p)
}

// cut puts the cut line above hit i when it is the first beyond the limit.
func (s *searching) cut(t *table, found engine.Results, i int) {
	if i == found.Limit {
		t.rows = append(t.rows, row{ruler: fmt.Sprintf("limit %d", found.Limit)})
	}
}

// hitTable returns a table for hits.
func hitTable() table {
	return table{columns: []column{
		{title: "rank", align: right}, {title: "score", align: right}, {title: "tool"}, {title: "toolset"},
	}}
}

// hitCells returns the cells of a hit.
func hitCells(h engine.Hit) []string {
	tie := ""
	if h.Tied {
		tie = "= "
	}
	return []string{grouped(h.Rank), tie + score(h.Score), h.Tool.ShownName, h.Tool.ShownToolset}
}

// headline says how many hits are shown of how many there are.
func headline(found engine.Results) string {
	switch {
	case found.Scored == 0:
		return "no hit"
	case found.Fallback:
		return fmt.Sprintf("%s of %s found by name", grouped(len(found.Hits)), grouped(found.Scored))
	}
	return fmt.Sprintf("%s of %s scored", grouped(len(found.Hits)), grouped(found.Scored))
}

// nothing says why nothing was found, as far as that is plain.
func nothing(found engine.Results, by *engine.Snapshot) string {
	switch {
	case found.Query == "":
		return "The query is empty. The bridge would answer missing_query."
	case found.Total == 0:
		return "The catalog is empty: no tool of this session is deferrable."
	}
	return "Nothing is found: " + by.Cut(found.Query) + "."
}

// inactive says that the model could not search.
func inactive(s *searching) string {
	b := s.st.Budget
	why := fmt.Sprintf("its %s deferrable tokens (%s) are below the threshold of %s",
		grouped(b.DeferredTokens), b.Tokenizer, grouped(b.ThresholdTokens))
	switch {
	case b.Unreachable > 0:
		return fmt.Sprintf("Search is off in this session: %s cannot be reached.", counted(b.Unreachable, "unselected tool"))
	case b.DeferredCount == 0 && engine.PreSelects(b.Selection):
		why = "every tool is selected"
	case b.DeferredCount == 0:
		why = "it has no deferrable tool"
	case b.Mode == "off":
		why = "the config has it off"
	}
	return "Search is not active in this session: " + why + ". The model is sent every tool and cannot search."
}

// firstLine returns the first line of a description that has been made safe,
// in which ⏎ stands for the end of a line.
func firstLine(shown string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(shown, "⏎ "), "⏎")
	return strings.TrimSpace(line)
}
