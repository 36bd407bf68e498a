package results

import (
	"cmp"
	"slices"

	"caliper/engine/rescue"
	"caliper/model"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// ruleList is the rule for every tool of the registry.
type ruleList struct {
	of     *workbench.State
	rows   []ruleRow // by name
	rules  []rescue.Rule
	counts map[string]int // of tools, by the code of their rule
}

// ruleRow is a tool with the rule that decides about its results.
type ruleRow struct {
	tool *model.Tool
	rescue.Decision
}

// ruleList returns the rule for every tool of the state.
func (s *Screen) ruleList() *ruleList {
	if s.rules.of == s.state {
		return &s.rules
	}
	limits := s.state.Config.Rescue
	s.rules = ruleList{of: s.state, rules: rescue.Rules(limits), counts: map[string]int{}}
	for _, t := range s.state.Snapshot.Registry.Tools {
		row := ruleRow{t, rescue.Subject(s.state.Snapshot.Registry, limits, t.Name)}
		s.rules.rows = append(s.rules.rows, row)
		s.rules.counts[row.Rule]++
	}
	slices.SortStableFunc(s.rules.rows, func(a, b ruleRow) int { return cmp.Compare(a.tool.Name, b.tool.Name) })
	return &s.rules
}

// ruleRows returns the rows that pass the filter.
func (s *Screen) ruleRows() []ruleRow {
	if s.filter == "" {
		return s.ruleList().rows
	}
	return slices.DeleteFunc(slices.Clone(s.ruleList().rows), func(r ruleRow) bool {
		return !passes(s.filter, r.tool.ShownName+" "+r.tool.ShownToolset()+" "+r.Rule)
	})
}

// noRules returns why there is no list of rules, nil when there is one.
func (s *Screen) noRules() []string {
	switch {
	case len(s.ruleList().rows) == 0:
		return []string{"the registry holds no tools"}
	case len(s.ruleRows()) == 0:
		return s.noRow()
	}
	return nil
}

// ruleColumns returns the columns of the rules.
func (s *Screen) ruleColumns(t *ui.Theme, w int) []ui.Column {
	rows := s.ruleRows()
	return ui.FitColumns(w, 44, []ui.Column{
		{Head: "tool", Width: 22, Left: true, Cell: func(row int) (ui.Style, string) { return t.Text, ui.FitName(rows[row].tool.ShownName, 43) }},
		{Head: "", Width: 2, Left: true, Cell: func(row int) (ui.Style, string) {
			if rows[row].Rescue {
				return t.Ok, t.Tick
			}
			return t.Faint, t.Same
		}},
		{Head: "rule", Width: 14, Left: true, Cell: func(row int) (ui.Style, string) {
			style := t.Faint
			if rows[row].Rescue {
				style = t.Text
			}
			return style, rows[row].Rule
		}},
		{Head: "toolset", Width: 22, Left: true, Cell: func(row int) (ui.Style, string) { return t.Faint, rows[row].tool.ShownToolset() }},
	})
}

// rulesBelow returns what the selected rule says, and all rules in the order of asking.
func (s *Screen) rulesBelow(t *ui.Theme, w int) ui.Lines {
	row, _ := s.Row(int(viewRules)) // without rows there is nothing below
	r := s.ruleRows()[row]
	text := r.String()
	if r.Rescue {
		text = "rescued when longer than " + ui.Thousands(r.Most) + " characters: " + r.Why()
	}
	out := ui.Flow(w, 1, []ui.Phrase{{Style: t.Text, Text: text}})
	for _, rule := range s.ruleList().rules {
		style := t.Faint
		if rule.Code == r.Rule {
			style = t.Accent
		}
		out = append(out, ui.Flow(w, 1, []ui.Phrase{
			{Style: style, Text: rule.Code}, {Style: t.Number, Text: ui.Thousands(s.ruleList().counts[rule.Code])}, {Style: t.Faint, Text: rule.Text},
		})...)
	}
	return ui.DrawnLines(r.tool.ShownName, "enter: the result is of it ", out)
}
