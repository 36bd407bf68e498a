package report

import (
	"testing"

	"caliper/engine/replay"
)

// Calls before which nobody asked anything are counted apart.
func TestUnasked(t *testing.T) {
	t.Parallel()
	for counts, want := range map[replay.Counts]string{
		{NoMatch: 3}:             "",
		{NoMatch: 3, Unasked: 2}: ", 2 without a question",
	} {
		if got := unasked(counts).String(); got != want {
			t.Errorf("%+v: %q, want %q", counts, got, want)
		}
	}
}

// A call before which nobody asked anything does not share no word with what was asked.
func TestStatusWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		call replay.Call
		want string
	}{
		{replay.Call{Status: replay.Found, Query: "q"}, "found"},
		{replay.Call{Status: replay.NoMatch, Query: "q"}, "shares no word"},
		{replay.Call{Status: replay.NoMatch}, "nothing was asked"},
		{replay.Call{Status: replay.OutOfScope}, "out of scope"},
	} {
		if got := StatusWord(c.call); got != c.want {
			t.Errorf("%+v: %s, want %s", c.call, got, c.want)
		}
	}
}
