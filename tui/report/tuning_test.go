package report

import (
	"slices"
	"strings"
	"testing"

	"caliper/engine/selection"
	"caliper/engine/tuning"
)

// A metric that counts fewer hits than its name says is named with how many it counts.
func TestTuningSaysWhatIsCounted(t *testing.T) {
	for _, c := range []struct {
		objective string
		strategy  selection.Strategy
		counted   int
		want      string // the note; empty for none
	}{
		{"ndcg@10", selection.Eager, 5, "ndcg@10 counts here what the model is shown, with the active settings 5 hits (the limit); caliper eval counts 10 whatever the limit."},
		{"recall@5", selection.Eager, 3, "recall@5 counts here what the model is shown, with the active settings 3 hits (the limit); caliper eval counts 5 whatever the limit."},
		{"mrr@10", selection.Hybrid, 8, "mrr@10 counts here what the model is shown, with the active settings 8 tools (K)."},
		{"recall@5", selection.Eager, 5, ""},
		{"ndcg@10", selection.Eager, 10, ""},
	} {
		var notes []string
		for _, note := range TuningNotes(tuning.Result{Objective: c.objective, Strategy: c.strategy, Counted: c.counted}, 1) {
			if text := note.String(); strings.Contains(text, "counts here") {
				notes = append(notes, text)
			}
		}
		if want := strings.Fields(c.want); len(notes) > 1 || !slices.Equal(strings.Fields(strings.Join(notes, "")), want) {
			t.Errorf("%s of %d: %q, want %q", c.objective, c.counted, notes, c.want)
		}
	}
}
