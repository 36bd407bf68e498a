package report_test

import (
	"slices"
	"strings"
	"testing"

	"caliper/engine/replay"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/report/replays"
)

// printed returns a report on a page that is wide.
func printed(r *report.Report) string {
	var b strings.Builder
	report.Page{Out: &b, Width: 200}.Print(r)
	return b.String()
}

// TestNoSession: whatever was found in the paths, which logs are read is said.
func TestNoSession(t *testing.T) {
	for name, c := range map[string]struct{ what, want string }{
		"nothing":          {"", "no session that can be read; replay reads "},
		"lines left out":   {"mode", "no session that can be read; replay reads "},
		"cannot be opened": {transcript.Unreadable, "no session that can be read; 1 path cannot be opened, or not while it is written; replay reads "},
		"another agent's":  {transcript.ForeignGemini, "no session that can be read; this is a session of Gemini CLI, which replay does not read; replay reads "},
		"a fork alone":     {transcript.ForkOf + "p", "no session that can be read; 1 fork left out, since the log of session p, which has the history, was not read; replay reads "},
		"a stream":         {transcript.Stream, "no session that can be read; 1 file with answers in the pieces of a stream, which replay does not join; replay reads "},
	} {
		if got := replays.NoSession([]transcript.Skipped{{File: "a", What: c.what}}); got != c.want+replays.ReplayReads {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestSkippedKinds: parts left out are counted by kind, over all files, unknown ones first.
func TestSkippedKinds(t *testing.T) {
	rep := &replay.Report{Skipped: []transcript.Skipped{
		{File: "a/1.jsonl", What: "torn", Count: 1},
		{File: "a/1.jsonl", What: "mode", Count: 2, Known: true},
		{File: "a/2.jsonl", What: "progress", Count: 9, Known: true},
		{File: "a/2.jsonl", What: "torn", Count: 1},
	}}
	if text := strings.Join(strings.Fields(printed(replays.ReplayRest(rep))), " "); !strings.Contains(text, "torn no 2 2 1.jsonl progress yes 9 1 2.jsonl mode yes 2 1 1.jsonl") {
		t.Error(text)
	}
}

// The verdict names what was not found and where it looped, the most frequent first, and
// says of unknown usage why.
func TestReplayVerdictNames(t *testing.T) {
	tool := func(name string) *model.Tool { return &model.Tool{Qualified: name} }
	rep := &replay.Report{
		Sessions: []replay.Session{{ID: "s0", Gap: replay.NoUsage}, {ID: "s1", Gap: replay.WrongUsage}, {ID: "s2", Gap: replay.NoUsage}},
		Calls:    []replay.Call{{Tool: tool("b")}, {Tool: tool("a")}, {Tool: tool("b")}, {Tool: tool("c")}, {Tool: tool("d")}},
		Chains:   []replay.Chain{{Session: 1, Burnt: 9, Known: true}, {Session: 0, Burnt: 5, Known: true}, {Session: 1}},
		Totals:   replay.Totals{Sessions: 3, UnknownUsage: 3, Counts: replay.Counts{Loops: 3, Deferrable: 5, Found: 1, NoMatch: 3, Unasked: 2}},
		Eager:    replay.EagerSet{Tools: []replay.Eager{{Tool: tool("b")}}},
		Verdict:  replay.Verdict{Missed: []int{0, 1, 2, 3, 4}, Loops: []int{0, 1, 2}},
	}
	text := printed(replays.ReplayVerdict(rep))
	for _, want := range []string{
		"3 loops: needs with 3 searches or more; they burnt at least 14 tokens\n", "Not found: b ×2, a, c and 1 more tool\n", "Looped in: s1 ×2, s0\n", "Keep eager: no deferred tool saves what it costs with every request\n",
		"Usage is unknown of 3 sessions: in 2 no usage was logged; in 1 the logged usage is too small",
		"1 of 5; 0 below it, 1 without a score, 0 out of scope, 2 without a question\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A report names the days of the prices that its sessions have, not the list's.
func TestPricedOn(t *testing.T) {
	session := func(day string) replay.Session {
		if day == "" {
			return replay.Session{}
		}
		return replay.Session{Price: &replay.Price{AsOf: day}}
	}
	for want, days := range map[string][]string{
		"2026-10-24": {""}, "2026-06-04": {"2026-06-04", "", "2026-06-04"}, "2026-06-01 to 2026-06-04": {"2026-06-04", "2026-06-01", ""},
	} {
		rep := &replay.Report{Prices: replay.PriceList{AsOf: "2026-10-24"}}
		for _, day := range days {
			rep.Sessions = append(rep.Sessions, session(day))
		}
		if got := printed(replays.ReplayRest(rep)); !strings.HasSuffix(got, "\nprices as of "+want+"\n") {
			t.Errorf("%v: %q, want %q", days, got, want)
		}
	}
}

// A session shows the logged figures beside the recomputed ones, and why something is unknown.
func TestReplaySession(t *testing.T) {
	n, off := 110, 10.0
	usage := &transcript.Usage{Input: 60, CacheRead: 40}
	for _, c := range []struct {
		session replay.Session
		want    string
	}{
		{replay.Session{Logged: usage, Recomputed: &n, ErrorPct: &off, Used: "eager", Price: &replay.Price{AsOf: "2026-06-04"}}, "logged input 100, of it cached 40, written 0; recomputed for eager 110, 10.00% off; price as of 2026-06-04"},
		{replay.Session{Logged: usage, Recomputed: &n, ErrorPct: &off, Used: "eager", Sending: replay.Guessed}, "recomputed for eager (a guess) 110, 10.00% off"},
		{replay.Session{Logged: usage}, "recomputed unknown: only sums are logged"},
		{replay.Session{Gap: replay.NoRequest}, "logged input unknown: no request was logged; no price is known of this model"},
	} {
		if got := replays.ReplaySession(c.session); !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Parts of a token are rounded, as in the JSON, and a loop tells how often its question was
// put into other words.
func TestReplayFigures(t *testing.T) {
	t.Parallel()
	rep := &replay.Report{
		Sessions:    []replay.Session{{ID: "s0"}},
		Chains:      []replay.Chain{{Searches: []string{"a", "b", "c", "c"}, Repeated: 1, Reformulated: 2, Idle: 3, Refused: 4, Burnt: 5, Known: true}},
		Calibration: []replay.Model{{Name: "m", FittedTokenizer: replay.FittedTokenizer{CharsPerToken: 4, Overhead: 516.6}}},
		Totals:      replay.Totals{Sessions: 1},
		Eager:       replay.EagerSet{Tools: []replay.Eager{{Tool: &model.Tool{Qualified: "tool"}, SchemaTokens: 122.5, SavingTokens: -7.6}}},
		Verdict:     replay.Verdict{Loops: []int{0}},
	}
	text := printed(replays.Replay(replays.Replayed{Report: rep}))
	var got []string
	for _, line := range strings.Split(text, "\n") {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	for _, want := range []string{
		"session searches repeated reformulated idle describes refused burnt ended with", "s0 4 1 2 3 4 5 nothing",
		"tool 0 0 123 −8 tokens", "m 0 0 4.00 517 unknown",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// The verdict says in how many sessions tool search was used already, of how many nothing shows
// what was sent, and that what was sent no tools has nothing to defer.
func TestReplayOfWhatWasSent(t *testing.T) {
	t.Parallel()
	pays := replay.Verdict{Compared: replay.ByTokens, Eager: 100, Search: 50, Worth: true}
	for _, c := range []struct {
		totals replay.Totals
		wants  string
		lacks  string
	}{
		{replay.Totals{Sessions: 3, Searched: 3}, "50% less; they used it", "sent is not known"},
		{replay.Totals{Sessions: 3, Searched: 1, Guessed: 2}, "50% less; 1 of them used it", "No tools"},
		{replay.Totals{Sessions: 3, Searched: 1, Guessed: 2}, "Whether tools were sent is not known of 2 sessions: that all were is a guess", "No tools"},
		{replay.Totals{Sessions: 3, NoTools: 1}, "No tools were sent in 1 session", "used it"},
		{replay.Totals{Sessions: 3, NoTools: 3}, "These sessions sent no tools: there is nothing to defer", "pay"},
	} {
		if got := printed(replays.ReplayVerdict(&replay.Report{Totals: c.totals, Verdict: pays})); !strings.Contains(got, c.wants) || strings.Contains(got, c.lacks) {
			t.Errorf("%+v: no %q, or %q, in\n%s", c.totals, c.wants, c.lacks, got)
		}
	}
}

// Where no call is of a tool of the registry, nothing is said of whether tool search
// pays, whatever the figures are.
func TestForeignRegistry(t *testing.T) {
	t.Parallel()
	rep := &replay.Report{Totals: replay.Totals{Counts: replay.Counts{Requests: 3, Calls: 2, Unknown: 2}, Sessions: 1}, Tokenizer: "chars4"}
	rep.Verdict = replay.Verdict{Compared: replay.ByTokens, Eager: 9, Search: 1, Worth: true, Cheapest: selection.Lazy, Foreign: true}
	text := printed(replays.Replay(replays.Replayed{Report: rep}))
	if !strings.Contains(text, "No tool of this registry was needed in these sessions: none of 2 calls is of one") || strings.Contains(text, "pays for") || strings.Contains(text, "Cheapest") {
		t.Error(text)
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
		if got := replays.StatusWord(c.call); got != c.want {
			t.Errorf("%+v: %s, want %s", c.call, got, c.want)
		}
	}
}

// What cannot be opened is named, and is no line of a log.
func TestSkippedIsTold(t *testing.T) {
	t.Parallel()
	closed := func(path string) transcript.Skipped {
		return transcript.Skipped{File: path, What: transcript.Unreadable, Count: 1}
	}
	for _, c := range []struct {
		name         string
		skipped      []transcript.Skipped
		wants, lacks string
	}{
		{"lines", []transcript.Skipped{{File: "a", Line: 3, What: "torn", Count: 2}}, "Not understood: 2 lines of the logs", "cannot be opened"},
		{"lines of a known kind", []transcript.Skipped{{File: "a", Line: 3, What: "torn", Count: 2}, {File: "a", Line: 4, What: "mode", Count: 9, Known: true}}, "Not understood: 2 lines of the logs", "11"},
		{"a path", []transcript.Skipped{closed("logs/\x1b[31mb")}, "1 path cannot be opened, or not while it is written", "conversation"},
		{"both", []transcript.Skipped{{File: "a", Line: 3, What: "torn", Count: 2}, closed("b"), closed("c")}, "2 paths cannot be opened, or not while it is written: b, c.", "3 lines"},
		{"no folder for a copy", []transcript.Skipped{{File: "state.db", What: transcript.NoCopy, Count: 1}}, "1 database cannot be copied to be read, since there is no folder for temporary files: state.db.", "line"},
	} {
		if got := printed(replays.Replay(replays.Replayed{Report: &replay.Report{Skipped: c.skipped}})); !strings.Contains(got, c.wants) || strings.Contains(got, c.lacks) || strings.Contains(got, "\x1b") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
