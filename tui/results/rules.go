package results

import (
	"cmp"
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model/safetext"
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
	name, shown, toolset string
	rescue.Decision
}

// rule returns the code of the rule for a tool, empty when it is not known yet.
func (l *ruleList) rule(tool string) string {
	i, ok := slices.BinarySearchFunc(l.rows, tool, func(row ruleRow, tool string) int { return cmp.Compare(row.name, tool) })
	if !ok {
		return ""
	}
	return l.rows[i].Rule
}

// listRules begins to ask the rule for every tool, unless that is done or running.
func (s *Screen) listRules() tea.Cmd {
	if s.rules.of == s.state || s.listing.Running() && s.listing.Of == s.state {
		return nil
	}
	state := s.state
	return s.listing.Start(s.host.Context(), state, func(ctx context.Context, _ ui.Progress) (ruleList, error) {
		limits := workbench.RescueLimits(state.Config.Rescue)
		out := ruleList{of: state, rules: rescue.Rules(limits), counts: map[string]int{}}
		for i, t := range state.Snapshot.Registry.Tools {
			if i%1000 == 0 && ctx.Err() != nil {
				return ruleList{}, ctx.Err()
			}
			row := ruleRow{t.Name, t.ShownName, safetext.Line(t.Toolset), rescue.Subject(state.Snapshot.Registry, limits, t.Name)}
			out.rows = append(out.rows, row)
			out.counts[row.Rule]++
		}
		slices.SortStableFunc(out.rows, func(a, b ruleRow) int { return cmp.Compare(a.name, b.name) })
		return out, nil
	})
}

// ruleRows returns the rows that pass the filter.
func (s *Screen) ruleRows() []ruleRow {
	if s.filter == "" {
		return s.rules.rows
	}
	return slices.DeleteFunc(slices.Clone(s.rules.rows), func(r ruleRow) bool {
		return !passes(s.filter, r.shown+" "+r.toolset+" "+r.Rule)
	})
}

// noRules returns why there is no list of rules, nil when there is one.
func (s *Screen) noRules() []string {
	switch {
	case s.rules.of == nil:
		return []string{"asking the rules"}
	case len(s.rules.rows) == 0:
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
		{Head: "tool", Width: 22, Left: true, Cell: func(row int) (ui.Style, string) { return t.Text, ui.FitName(rows[row].shown, 43) }},
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
		{Head: "toolset", Width: 22, Left: true, Cell: func(row int) (ui.Style, string) { return t.Faint, rows[row].toolset }},
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
	for _, rule := range s.rules.rules {
		style := t.Faint
		if rule.Code == r.Rule {
			style = t.Accent
		}
		out = append(out, ui.Flow(w, 1, []ui.Phrase{
			{Style: style, Text: rule.Code}, {Style: t.Number, Text: ui.Thousands(s.rules.counts[rule.Code])}, {Style: t.Faint, Text: rule.Text},
		})...)
	}
	return ui.DrawnLines(r.shown, "enter: the result is of it ", out)
}
