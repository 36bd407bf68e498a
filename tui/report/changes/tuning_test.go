package changes

import (
	"slices"
	"strings"
	"testing"

	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/tui/report"
)

// A gain that is only where queries have words of the name is said to be.
func TestGainsByWords(t *testing.T) {
	worded := func(none, some float64, queries int) (out [3]selection.WordedTuning) {
		out[0] = selection.WordedTuning{Queries: queries, Difference: retrieval.Difference{Mean: none}}
		out[1] = selection.WordedTuning{Queries: 30, Difference: retrieval.Difference{Mean: some}}
		return out
	}
	for _, c := range []struct {
		name   string
		change float64
		worded [3]selection.WordedTuning
		want   string
	}{
		{"by words alone", 0.1, worded(0, 0.2, 30), "The gain is only where a query has words of the expected tool's name; where it has none, 30 labelled queries: +0.0 points."},
		{"against meaning", 0.1, worded(-0.05, 0.25, 30), "The gain is only where a query has words of the expected tool's name; where it has none, 30 labelled queries: −5.0 points."},
		{"everywhere", 0.1, worded(0.1, 0.1, 30), ""},
		{"nobody asked without words", 0.1, worded(0, 0.1, 0), ""},
		{"no gain", 0, worded(0, 0, 30), ""},
		{"worse", -0.1, worded(-0.1, -0.1, 30), ""},
	} {
		if got := report.GainsByWords(selection.Tuning{Difference: retrieval.Difference{Mean: c.change}, Worded: c.worded}).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

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
		for _, note := range TuningNotes(selection.Tuning{Objective: c.objective, Strategy: c.strategy, Counted: c.counted}, 1) {
			if text := note.String(); strings.Contains(text, "counts here") {
				notes = append(notes, text)
			}
		}
		if want := strings.Fields(c.want); len(notes) > 1 || !slices.Equal(strings.Fields(strings.Join(notes, "")), want) {
			t.Errorf("%s of %d: %q, want %q", c.objective, c.counted, notes, c.want)
		}
	}
}
