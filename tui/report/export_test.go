package report

import (
	"encoding/json"
	"slices"
	"testing"

	"caliper/engine"
	"caliper/engine/export"
	"caliper/model/require"
)

func TestLosses(t *testing.T) {
	t.Parallel()
	got := Losses([]export.Lost{
		{Tool: "a", What: "x"}, {Tool: "b", What: "y", Refused: true}, {Tool: "b", What: "x"}, {Tool: "b", What: "y"},
		{What: "x"}, {What: "x"}, {Tool: "a", What: "z"}, {Tool: "b", What: "z"}, {Tool: "c", What: "z"}, {Tool: "d", What: "z"}, {Tool: "e", What: "z"},
	})
	want := []string{"lost: a, b: x", "refused: b: y", "lost: b: y", "lost: x", "lost: x", "lost: a, b, c and 2 more: z"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Losses(nil); got != nil {
		t.Errorf("%q", got)
	}
}

// What the list takes is said as the agent counts it against its limit, and as it is
// sent where that is more.
func TestListingSaysBothCounts(t *testing.T) {
	for _, c := range []struct{ share, want string }{
		{`{"form":"none","groups":[]}`, "no list of deferred tools"},
		{`{"form":"none","budget":400,"groups":[{}]}`, "none of the deferred tools (a list may take 400 tokens)"},
		{`{"form":"names","budget":400,"tokens":0}`, "names, 0 of 400 tokens"},
		{`{"form":"names","budget":400,"tokens":7}`, "names, 0 of 400 tokens (7 as sent)"},
	} {
		var l engine.ListingShare
		require.NoError(t, json.Unmarshal([]byte(c.share), &l))
		if got := Listing(l).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.share, got, c.want)
		}
	}
}
