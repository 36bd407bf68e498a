package changes

import (
	"testing"

	"caliper/engine/diff"
	"caliper/engine/retrieval"
)

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
		if got := GatedReason(c.reason); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
