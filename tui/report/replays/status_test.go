package replays

import (
	"bufio"
	"strings"
	"testing"

	"caliper/engine/replay"
	"caliper/engine/selection"
	"caliper/model/require"
	"caliper/tui/report"
)

// Where no call is of a tool of the registry, nothing is said of whether tool search
// pays, whatever the figures are.
func TestForeignRegistry(t *testing.T) {
	t.Parallel()
	rep := &replay.Report{Totals: replay.Totals{Counts: replay.Counts{Requests: 3, Calls: 2, Unknown: 2}, Sessions: 1}, Tokenizer: "chars4"}
	rep.Verdict = replay.Verdict{Compared: replay.ByTokens, Eager: 9, Search: 1, Worth: true, Cheapest: selection.Lazy, Foreign: true}
	var b strings.Builder
	out := bufio.NewWriter(&b)
	report.Page{Out: out, Width: 200}.Print(Replay(Replayed{Report: rep}))
	require.NoError(t, out.Flush())
	text := b.String()
	if !strings.Contains(text, "No tool of this registry was needed in these sessions: none of 2 calls is of one") || strings.Contains(text, "pays for") || strings.Contains(text, "Cheapest") {
		t.Error(text)
	}
}

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

// A call before which nobody asked anything is not without a score for what was asked.
func TestStatusWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		call replay.Call
		want string
	}{
		{replay.Call{Status: replay.Found, Query: "q"}, "found"},
		{replay.Call{Status: replay.NoMatch, Query: "q"}, "no score"},
		{replay.Call{Status: replay.NoMatch}, "nothing was asked"},
		{replay.Call{Status: replay.OutOfScope}, "out of scope"},
	} {
		if got := StatusWord(c.call); got != c.want {
			t.Errorf("%+v: %s, want %s", c.call, got, c.want)
		}
	}
}
