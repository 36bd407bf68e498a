package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/tui/report"
	"caliper/tui/report/changes"
)

// SECURITY: a toolset has whatever name a registry gives it, and no table of a
// comparison lets one act as HTML or end its cell, whichever way its tools changed.
func TestDiffToolsetsAreText(t *testing.T) {
	const hostile = "<img src=x onerror=alert(1)>|y"
	all := []diff.ToolChange{
		{Name: "tide_table", Toolset: hostile},
		{Name: "moor", Toolset: hostile, Parts: []diff.ChangedPart{diff.ChangedDescription, diff.ChangedToolset}},
	}
	many := make([]diff.ToolChange, 13) // a row for each toolset
	for i := range many {
		many[i] = diff.ToolChange{Name: fmt.Sprint("tool ", i), Toolset: hostile}
	}
	for name, d := range map[string]diff.Diff{
		"added": {Added: all[:1]}, "removed": {Removed: all[:1]}, "changed": {Changed: all[1:]}, "counted by toolset": {Added: many},
	} {
		text, _ := changes.Diff(d, "a.json", "b.json").Markdown()
		found := false
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "<img") {
				continue
			}
			found = true
			if !strings.Contains(line, "`<img src=x onerror=alert(1)>\\|y`") {
				t.Errorf("%s: the toolset is not code: %s", name, line)
			}
		}
		if !found {
			t.Errorf("%s: no toolset in\n%s", name, text)
		}
	}
}

// A share of a saving is told only where there is one: below 0 it had two signs.
func TestShareOfNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		old, now int
		want     string
	}{{-179, -166, "+13"}, {33_056, 33_055, "−1"}, {0, 5, "+5"}, {100, 150, "+50 (+50%)"}, {100, 50, "−50 (−50%)"}} {
		x := changes.TwoStates{Diff: diff.Diff{Old: engine.Budget{SavedTokens: tt.old}, New: engine.Budget{SavedTokens: tt.now}}}
		figures := x.Budget()
		at := slices.IndexFunc(figures, func(f report.Figure) bool { return f.Name == "saved tokens" })
		if got := figures[at].Change; got != tt.want {
			t.Errorf("%d → %d: %q, want %q", tt.old, tt.now, got, tt.want)
		}
	}
}

func TestGatedReason(t *testing.T) {
	for _, c := range []struct {
		reason *diff.GatedReason
		want   string
	}{
		{nil, ""},
		{&diff.GatedReason{Admission: retrieval.Admission{Verdict: retrieval.AdmittedExact, Gate: "tide", Word: "tide"}}, "its name is the query"},
		{&diff.GatedReason{Admission: retrieval.Admission{Verdict: retrieval.RefusedUnknown, Gate: "voyag", Word: "voyage"}}, "must have voyage (stem voyag), which no tool has"},
		{&diff.GatedReason{Admission: retrieval.Admission{Verdict: retrieval.RefusedRarest, Gate: "hull", Word: "hull", DF: 1}}, "lacks hull, the rarest word (1 tool)"},
		{&diff.GatedReason{Admission: retrieval.Admission{Verdict: retrieval.RefusedCoverage, Gate: "hull", Word: "hull", DF: 1, Matched: 1, Answerable: 4, Required: 2}}, "has 1 of 4 known words, 2 required"},
		{&diff.GatedReason{Admission: retrieval.Admission{Verdict: retrieval.AdmittedGates, Gate: "paint", Word: "painting", DF: 1, Matched: 1, Answerable: 1, Required: 1}, Stems: []string{"painting"}},
			"has painting (stem paint), the rarest word, and 1 of 1 known word, 1 required; by stem: painting"},
		{&diff.GatedReason{Admission: retrieval.Admission{Verdict: retrieval.RefusedUnknown, Gate: "\x1b[1m", Word: "\x1b[1m"}}, "must have ␛[1m, which no tool has"},
	} {
		if got := changes.GatedReason(c.reason); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

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
		for _, note := range changes.TuningNotes(selection.Tuning{Objective: c.objective, Strategy: c.strategy, Counted: c.counted}, 1) {
			if text := note.String(); strings.Contains(text, "counts here") {
				notes = append(notes, text)
			}
		}
		if want := strings.Fields(c.want); len(notes) > 1 || !slices.Equal(strings.Fields(strings.Join(notes, "")), want) {
			t.Errorf("%s of %d: %q, want %q", c.objective, c.counted, notes, c.want)
		}
	}
}
