package fielded

import (
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
)

// additions are the parts of the recipe that are not tuned but tested one by one: each
// takes its part away.
var additions = []struct {
	name    string
	without func(r *Recipe)
}{
	{"server", func(r *Recipe) { r.ServerSupport = 0 }},
	{"arguments", func(r *Recipe) { r.Arguments = 0 }},
	{"translations", func(r *Recipe) { r.Fields[Translations], r.Translation = 1e-6, 0 }},
	{"all of them", func(r *Recipe) {
		r.ServerSupport, r.Arguments = 0, 0
		r.Fields[Translations], r.Translation = 1e-6, 0
	}},
}

// ndcgs returns the nDCG@10 of each query of a set, in percent.
func ndcgs(t *testing.T, s *fixture.Set, r Recipe) []float64 {
	t.Helper()
	var all []float64
	for _, m := range measureEach(t, s, r) {
		all = append(all, 100*m.NDCG)
	}
	return all
}

// TestAdditions: each addition pays over the nine sets, or costs next to nothing, and makes
// none worse by a point. All of them together gain 0.4.
func TestAdditions(t *testing.T) {
	if !*slow {
		t.Skip("compares rankings on all sets: -slow")
	}
	macro := make([]float64, len(additions))
	for _, name := range fixture.Sets {
		s := fixture.ReadSet(t, name)
		after, groups := ndcgs(t, s, Default), s.Tasks()
		for i, a := range additions {
			r := Default
			a.without(&r)
			before := ndcgs(t, s, r)
			d := retrieval.ComparePaired(before, after, groups)
			macro[i] += d.Mean / float64(len(fixture.Sets))
			t.Logf("%-22s %-12s %6.2f → %6.2f  %+5.2f (%+.2f to %+.2f, P %.3f)", name, a.name, average(before), average(after), d.Mean, d.Low, d.High, d.P)
			if d.Mean <= -1 {
				t.Errorf("%s loses %.2f on %s", a.name, -d.Mean, name)
			}
		}
	}
	for i, a := range additions {
		t.Logf("%-22s %-12s %+.2f", "macro", a.name, macro[i])
		if macro[i] < -0.05 {
			t.Errorf("%s loses %.2f", a.name, -macro[i])
		}
	}
	if all := macro[len(macro)-1]; all < 0.4 {
		t.Errorf("all of them gain %.2f, want 0.4", all)
	}
}

// average returns the mean of values.
func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
