package workbench

import (
	"slices"
	"testing"

	"caliper/engine/diff"
	"caliper/model"
)

func TestWarningChanges(t *testing.T) {
	t.Parallel()
	at := func(line int, path, message string) model.Diagnostic {
		return model.Diagnostic{File: "f", Line: line, Path: path, Message: message}
	}
	was := []model.Diagnostic{at(1, "tools[0].x", "odd"), at(2, "tools[1].x", "odd"), at(3, "a", "gone"), at(4, "a", "stays")}
	now := []model.Diagnostic{at(7, "tools[3].x", "odd"), at(8, "a", "stays"), at(9, "a", "new"), at(9, "a", "new")}
	added, gone := warningChanges(was, now)
	if !slices.Equal(added, now[2:]) || gone != 2 {
		t.Errorf("%d gone, new are %v", gone, added)
	}
}

func TestReloadsListOnlyQueriesThatMoved(t *testing.T) {
	t.Parallel()
	query := func(text string, rank diff.RankChange) diff.QueryChange {
		return diff.QueryChange{Text: text, Ranks: []diff.RankChange{rank}}
	}
	r := Reload{Diff: diff.Diff{Queries: []diff.QueryChange{
		query("stays", diff.RankChange{Old: 2, New: 2}),
		query("moves", diff.RankChange{Old: 2, New: 1}),
		query("found", diff.RankChange{Old: 9, New: 2, Regained: true}),
		query("lost", diff.RankChange{Old: 2, New: 2, Regressed: true}),
	}}}
	r.rankQueries()
	var got []string
	for _, q := range r.Diff.Queries {
		got = append(got, q.Text)
	}
	if !slices.Equal(got, []string{"lost", "found", "moves"}) || r.Lost != 1 || r.Found != 1 {
		t.Errorf("%q, %d lost, %d found", got, r.Lost, r.Found)
	}
}
