package queries

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/selection"
	"caliper/tui/desk"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// tuned is the input of a search of settings: the session under the settings of the files,
// whatever is tried beside them, and the labelled queries.
type tuned struct {
	snapshot *engine.Snapshot
	queries  []labels.Query
}

// same reports whether two searches are one.
func (t tuned) same(other tuned) bool {
	return t.snapshot == other.snapshot && workbench.SameQueries(t.queries, other.queries)
}

// tunes returns the input of a search now.
func (s *Screen) tunes() tuned { return tuned{s.state.OnDisk().Snapshot.Unasked(), s.state.Queries} }

// tune begins to search settings.
func (s *Screen) tune(large bool) tea.Cmd {
	of := s.tunes()
	if large || len(of.queries) == 0 {
		s.tuning.Hold(of)
		return nil
	}
	open := s.host.Input.Similarity
	return s.tuning.Start(s.host.Context(), of, func(ctx context.Context, p ui.Progress) (selection.Tuning, error) {
		r := selection.TuningRequest{Snapshot: of.snapshot, Queries: of.queries, Progress: p}
		set := selection.SettingsOf(of.snapshot.Config)
		if set.Strategy == selection.Semantic || set.Strategy == selection.Hybrid {
			var similarity embed.Similarity
			selector, err := selection.New(ctx, of.snapshot, set, nil, nil)
			if err != nil {
				return selection.Tuning{}, err
			}
			if open != nil {
				similarity, r.Absent = open(ctx, of.snapshot.Config.PreSelection, selector.Candidates())
			} else {
				similarity, r.Absent = workbench.OpenSimilarity(ctx, of.snapshot.Config.PreSelection, selector.Candidates(), workbench.Embedding{}, nil)
			}
			if r.Absent == nil {
				r.Similarity = similarity
			}
		}
		return selection.Tune(ctx, r)
	})
}

// tryPoint tries the settings of the selected point of the frontier.
func (s *Screen) tryPoint() tea.Cmd {
	row, ok := s.row()
	if !ok {
		return nil
	}
	point := s.found.tuned.Frontier[row.i]
	var values []workbench.Knob
	for _, x := range point.Settings {
		values = append(values, workbench.Knob{Key: x.Key, Value: x.Value})
	}
	if !s.host.Knobs.PutAll(values) {
		return s.host.Notify(ui.LevelInfo, "these settings are active already")
	}
	return tea.Batch(s.host.Notify(ui.LevelInfo, "tried: "+changes.TunedSettings(*s.found.tuned, point.Settings).String()), s.host.Load(true))
}

// tries reports whether the settings of a point are in force, trials included.
func (s *Screen) tries(p selection.TuningPoint) bool {
	for _, x := range p.Settings {
		if k := desk.KnobOf(x.Key); k != nil && !desk.SameValue(s.host.Knobs.Value(k), x.Value) {
			return false
		}
	}
	return true
}
