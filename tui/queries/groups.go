package queries

import (
	"slices"
	"strings"

	"caliper/engine/lint"
	"caliper/tui/ui"
)

// kind is the kind of the findings of one group.
type kind struct {
	severity lint.Severity
	code     lint.Code
}

// group is the findings of one kind, which follow each other in a report.
type group struct {
	kind
	first, count int // findings of the report
	matches      int // those that pass the filter; all without one
}

// key returns the key of the header row of the group.
func (g group) key() string { return "group\x00" + string(g.severity) + "\x00" + string(g.code) }

// matches reports whether a finding passes a filter: its severity, code, what the code
// means, its tool or its message holds the text.
func matches(f *lint.Finding, filter string) bool {
	if filter == "" {
		return true
	}
	return strings.Contains(lowered(strings.Join([]string{string(f.Severity), string(f.Code), f.Code.Label(), f.Code.Meaning(), toolOf(f), f.Message}, " ")), filter)
}

// toolOf returns the qualified name of the tool of a finding, empty for the catalog.
func toolOf(f *lint.Finding) string {
	if f.Tool == nil {
		return ""
	}
	return f.Tool.Qualified
}

// isFolded reports whether only the header of a group is shown. Information is folded
// until the user unfolds it. Under a filter every match is shown.
func (s *Screen) isFolded(k kind) bool {
	if s.filters[viewFindings] != "" {
		return false
	}
	if folded, known := s.folds[k]; known {
		return folded
	}
	return k.severity == lint.Info
}

// selectedGroup returns the group of the selected row; ok is false when no finding is shown.
func (s *Screen) selectedGroup() (g group, header, ok bool) {
	r, ok := s.row()
	if !ok || s.view() != viewFindings {
		return group{}, false, false
	}
	return s.groups[r.group], r.header, true
}

// fold folds or unfolds the group of the selected row.
func (s *Screen) fold(folded bool) {
	g, _, _ := s.selectedGroup()
	if s.isFolded(g.kind) == folded {
		return
	}
	s.setFold(g.kind, folded)
	s.unfolded = &g.kind
	if folded {
		s.unfolded = nil
		s.Tabs[viewFindings].Cursor.ID = g.key()
	}
	s.orderView(viewFindings)
}

// foldAll unfolds every group, or folds all when none is folded.
func (s *Screen) foldAll() {
	folded := !slices.ContainsFunc(s.groups, func(g group) bool { return s.isFolded(g.kind) })
	s.unfolded = nil
	if g, _, ok := s.selectedGroup(); ok && folded {
		s.Tabs[viewFindings].Cursor.ID = g.key()
	}
	for _, g := range s.groups {
		s.setFold(g.kind, folded)
	}
	s.orderView(viewFindings)
}

// setFold records the choice of the user for a group.
func (s *Screen) setFold(k kind, folded bool) {
	if s.folds == nil {
		s.folds = map[kind]bool{}
	}
	s.folds[k] = folded
}

// noGroup tells why nothing can be folded.
func (s *Screen) noGroup() string {
	if _, _, ok := s.selectedGroup(); !ok {
		return "only findings are grouped"
	}
	if s.filters[viewFindings] != "" {
		return "the filter shows every match"
	}
	return ""
}

// groupDetail explains the findings of a group, and the remedy.
func (s *Screen) groupDetail(t *ui.Theme, w int, g group) []string {
	out := ui.Flow(w, 1, []ui.Phrase{
		{Style: severityStyle(t, g.severity), Text: string(g.severity)}, {Style: t.Text, Text: g.code.Label()},
		{Style: t.Number, Text: ui.Count(g.count, "finding")},
	})
	out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Text, Text: g.code.Meaning()}})...)
	next := "enter folds them"
	if s.isFolded(g.kind) {
		next = "enter shows them"
	} else if s.filters[viewFindings] != "" {
		next = s.noGroup()
	}
	remedies := 0
	for _, f := range s.found.report.Findings[g.first : g.first+g.count] {
		if f.Remedy != nil {
			remedies++
		}
	}
	phrases := []ui.Phrase{{Style: t.Faint, Text: next}}
	if remedies > 0 {
		phrases = append([]ui.Phrase{{Style: t.Ok, Text: ui.Thousands(remedies) + " with a remedy that was tried"}}, phrases...)
	}
	return append(out, ui.Flow(w, 1, phrases)...)
}
