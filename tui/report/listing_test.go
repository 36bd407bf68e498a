package report

import (
	"encoding/json"
	"testing"

	"caliper/engine"
	"caliper/model/require"
)

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
