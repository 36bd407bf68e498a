package queries

import (
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/tui/screen"
)

// Asked returns the query that the selected row is about, and its tool.
func (s *Screen) Asked() (screen.Question, bool) {
	row, ok := s.row()
	if !ok || row.header || s.view() == viewTuning || s.view() == viewQueries && s.found.evaluated == nil {
		return screen.Question{}, true
	}
	return screen.Question{Query: s.question(row), Tool: s.Tool()}, true
}

// worst returns the relevant tool that an answer has last or not at all, the first of
// equal ones; nil when the registry has none of them. Where any one tool of a group will
// do, the first of the group stands for it.
func (s *Screen) worst(a *labels.Answer) *model.Tool {
	wanted := a.Query.Groups
	if wanted == nil {
		for _, name := range a.Query.Relevant {
			wanted = append(wanted, []string{name})
		}
	}
	var worst *model.Tool
	depth := 0
	for _, names := range wanted {
		var first *model.Tool
		best := 0 // depth of the best of the group
		for _, name := range names {
			for _, t := range s.state.Snapshot.Registry.Lookup(name) {
				if first == nil {
					first, best = t, labels.EvaluationDepth+1
				}
				at := slices.IndexFunc(a.Hits, func(h engine.Hit) bool { return h.Tool.Qualified == t.Qualified })
				if at >= 0 {
					best = min(best, at+1)
				}
			}
		}
		if first != nil && best > depth {
			worst, depth = first, best
		}
	}
	return worst
}
