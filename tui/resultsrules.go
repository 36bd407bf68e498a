package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// rulesList is the rule for every tool of the registry.
type rulesList struct {
	of     *workbench.State
	rows   []ruleRow
	rules  []rescue.Rule
	counts map[string]int // tools by the code of their rule
}

// ruleRow is a tool with the rule that decides about its results.
type ruleRow struct {
	name, shown, set string
	rescue.Decision
}

// rulesMsg tells the rule for every tool.
type rulesMsg struct {
	gen int
	rulesList
}

// note says of a tool whether its results are rescued, empty when that is not
// known yet.
func (r *rulesList) note(name string) string {
	i, ok := slices.BinarySearchFunc(r.rows, name, func(row ruleRow, name string) int { return cmp.Compare(row.name, name) })
	if !ok {
		return ""
	}
	return r.rows[i].Rule
}

// listRules begins to ask the rule for every tool, unless that is done or
// running.
func (s *resultsScreen) listRules() tea.Cmd {
	if s.rules.of == s.state || s.listing.cancel != nil && s.listingOf == s.state {
		return nil
	}
	ctx, gen := s.start(&s.listing)
	s.listingOf = s.state
	state := s.state
	return func() tea.Msg {
		limits := workbench.RescueLimits(state.Config.Rescue)
		out := rulesList{of: state, rules: rescue.Rules(limits), counts: map[string]int{}}
		for i, t := range state.Snapshot.Registry.Tools {
			if i%1000 == 0 && ctx.Err() != nil {
				return rulesMsg{gen: gen}
			}
			row := ruleRow{t.Name, t.ShownName, model.Sanitize(t.Toolset), rescue.Subject(state.Snapshot.Registry, limits, t.Name)}
			out.rows = append(out.rows, row)
			out.counts[row.Rule]++
		}
		slices.SortStableFunc(out.rows, func(a, b ruleRow) int { return cmp.Compare(a.name, b.name) })
		return rulesMsg{gen, out}
	}
}

// rulesMade takes in the rule for every tool.
func (s *resultsScreen) rulesMade(msg rulesMsg) {
	if s.listing.ended(msg.gen) {
		s.rules = msg.rulesList
		s.shownRules = nil
		s.changes++
	}
}

// ruleRows returns the rows that pass the filter.
func (s *resultsScreen) ruleRows() []ruleRow {
	if s.needle == "" {
		return s.rules.rows
	}
	if s.shownRules == nil || s.shownOf != s.needle {
		s.shownOf, s.shownRules = s.needle, []ruleRow{}
		for _, r := range s.rules.rows {
			if strings.Contains(strings.ToLower(r.shown+" "+r.set+" "+r.Rule), s.needle) {
				s.shownRules = append(s.shownRules, r)
			}
		}
	}
	return s.shownRules
}

// ruleColumns returns the columns of the rules.
func (s *resultsScreen) ruleColumns(t *Theme, w int) []column {
	rows := s.ruleRows()
	return fitting(w, 44, []column{
		{"tool", 22, true, func(row int) (cells.Style, string) { return t.Text, fitName(rows[row].shown, 43) }},
		{"", 2, true, func(row int) (cells.Style, string) {
			if rows[row].Rescue {
				return t.Ok, t.Tick
			}
			return t.Faint, t.Same
		}},
		{"rule", 14, true, func(row int) (cells.Style, string) {
			if rows[row].Rescue {
				return t.Text, rows[row].Rule
			}
			return t.Faint, rows[row].Rule
		}},
		{"toolset", 22, true, func(row int) (cells.Style, string) { return t.Faint, rows[row].set }},
	})
}

// rulesBelow returns what the rule under the cursor says, and all rules in the
// order in which they are asked.
func (s *resultsScreen) rulesBelow(t *Theme, w int) belowLines {
	rows, i := s.ruleRows(), s.list().cursor
	if i >= len(rows) {
		return linesOf("rule", "", nil)
	}
	r := rows[i]
	text := r.Text
	if r.Rescue {
		text = "rescued when longer than " + thousands(s.state.Config.Rescue.MaxResultChars) + " characters: " + text
	}
	out := flow(w, 1, []phrase{{t.Text, text}})
	for _, rule := range s.rules.rules {
		style := t.Faint
		if rule.Code == r.Rule {
			style = t.Accent
		}
		out = append(out, flow(w, 1, []phrase{{style, rule.Code}, {t.Number, thousands(s.rules.counts[rule.Code])}, {t.Faint, rule.Text}})...)
	}
	return linesOf(r.shown, "enter: the result is of it ", out)
}
