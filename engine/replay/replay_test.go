package replay

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// failing is a test, of this package or of rapid.
type failing interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// sable is a list of prices in which sable writes to the cache at a price and
// drift does not.
func sable(t failing) PriceList {
	t.Helper()
	l, err := ReadPrices("p.yaml", []byte("as_of: 2026-01-02\ncurrency: USD\nmodels:\n"+
		"  sable: {input: 4, cache_read: 0.4, cache_write: 5, output: 20}\n  drift: {input: 2, cache_read: 0.2, cache_write: 0, output: 8}\n"))
	require.NoError(t, err)
	return l
}

func report(t testing.TB, s *engine.Snapshot, sessions ...transcript.Session) *Report {
	t.Helper()
	rep, err := Run(context.Background(), Inputs{Sessions: sessions, Snapshot: s, Prices: sable(t), Steps: true})
	require.NoError(t, err)
	return rep
}

func row(t failing, s Session, strategy selection.Strategy) Row {
	t.Helper()
	for _, r := range s.Strategies {
		if r.Strategy == strategy {
			return r
		}
	}
	t.Fatalf("no row %s", strategy)
	return Row{}
}

func TestStatus(t *testing.T) {
	s := workshop(t, 12)
	for _, c := range []struct {
		name, words, tool string
		want              Status
		rank              int
	}{
		{"found", "polish lathe0", "mcp__shop__polish_lathe0", Found, 1},
		{"the name with single underscores", "polish lathe0", "mcp_shop_polish_lathe0", Found, 1},
		{"the namespace form", "polish lathe0", "mcp__shop.polish_lathe0", Found, 1},
		{"behind the limit", "polish", "mcp__shop__polish_lathe1", Below, 12},
		{"no word in common", "shoe horses", "mcp__shop__polish_lathe0", NoMatch, 0},
		{"not granted", "open the safe", "mcp__vault__open_safe", OutOfScope, 0},
		{"in no registry", "weigh it", "mcp__shop__weigh", UnknownTool, 0},
		{"core", "read it", "read_file", CoreTool, 0},
		{"another case is another name", "polish lathe0", "MCP__shop__polish_lathe0", UnknownTool, 0},
	} {
		w := tell()
		w.user(c.words)
		w.answer(0, 0, use(c.tool))
		rep := report(t, s, w.session("sable"))
		got := rep.Calls[0]
		if got.Status != c.want || got.Ranks[0] != c.rank || got.Query != c.words {
			t.Errorf("%s: %s, rank %v, query %q", c.name, got.Status, got.Ranks, got.Query)
		}
	}
}

func TestNeeds(t *testing.T) {
	const lathe, anvil = "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0"
	s := workshop(t, 12)
	for _, c := range []struct {
		name    string
		calls   [][]transcript.Call // by answer, after "do it"
		queries []string            // of each Use
		loops   int
		chain   string // searches, repeated, reformulated, idle, refused of each chain
	}{
		{"the user's words", [][]transcript.Call{{use(lathe)}}, []string{"do it"}, 0, ""},
		{"the last search", [][]transcript.Call{{search("a")}, {search("b")}, {use(lathe)}}, []string{"b"}, 0, "2 0 1 0 0;"},
		{"a success ends the need", [][]transcript.Call{{search("a")}, {use(lathe)}, {use(anvil)}}, []string{"a", "do it"}, 0, "1 0 0 0 0;"},
		{"a core tool does not", [][]transcript.Call{{search("a")}, {use("read_file")}, {use(anvil)}}, []string{"a", "a"}, 0, "1 0 0 0 0;"},
		{"nor does an unknown one", [][]transcript.Call{{search("a")}, {use("nobody")}, {use(anvil)}}, []string{"a", "a"}, 0, "1 0 0 0 0;"},
		{"nor does a refused call", [][]transcript.Call{{search("a")}, {refused(lathe)}, {search("b")}, {search("c")}, {use(lathe)}}, []string{"a", "c"}, 1, "3 0 2 0 1;"},
		{"a loop that ends in nothing", [][]transcript.Call{{search("a")}, {search("A!")}, {search("b")}}, nil, 1, "3 1 1 0 0;"},
		{"a description is no search", [][]transcript.Call{{search("a")}, {describe(lathe)}, {describe(anvil)}, {use(anvil)}}, []string{"a"}, 0, "1 0 0 1 0;"},
		{"what a need before it called is idle", [][]transcript.Call{{describe(lathe)}, {use(lathe)}, {describe(lathe)}, {search("a")}}, []string{"do it"}, 0, "0 0 0 0 0;1 0 0 1 0;"},
		{"two needs in one answer", [][]transcript.Call{{search("a")}, {use(lathe), use(anvil)}}, []string{"a", "do it"}, 0, "1 0 0 0 0;"},
		{"asked at once, called at once", [][]transcript.Call{{search("a"), search("b")}, {use(lathe), use(anvil)}, {use(lathe)}}, []string{"b", "b", "do it"}, 0, "2 0 1 0 0;"},
		{"the last of three that found it", [][]transcript.Call{{search("a")}, {search("b")}, {search("c")}, {use(lathe)}}, []string{"c"}, 1, "3 0 2 0 0;"},
		{"described at once, called at once", [][]transcript.Call{{search("a")}, {describe(lathe), describe(anvil)}, {use(lathe), use(anvil)}}, []string{"a", "a"}, 0, "1 0 0 0 0;"},
		{"a search between them begins another", [][]transcript.Call{{search("a"), search("b")}, {use(lathe), search("c"), use(anvil)}}, []string{"b", "c"}, 0, "2 0 1 0 0;1 0 0 0 0;"},
	} {
		w := tell()
		w.user("do it")
		for _, calls := range c.calls {
			w.answer(0, 0, calls...)
		}
		rep := report(t, s, w.session("sable"))
		var queries []string
		for _, call := range rep.Calls {
			queries = append(queries, call.Query)
		}
		chains := ""
		for _, x := range rep.Chains {
			if x.First < 1 || x.Last < x.First { // entry 0 is the user's
				t.Errorf("%s: a chain from %d to %d", c.name, x.First, x.Last)
			}
			chains += fmt.Sprintf("%d %d %d %d %d;", len(x.Searches), x.Repeated, x.Reformulated, x.Idle, x.Refused)
		}
		if fmt.Sprint(queries) != fmt.Sprint(c.queries) || rep.Totals.Loops != c.loops || chains != c.chain {
			t.Errorf("%s: queries %q, %d loops, chains %q", c.name, queries, rep.Totals.Loops, chains)
		}
	}
}

func TestUnknownUsage(t *testing.T) {
	s := workshop(t, 12)
	long := strings.Repeat("words ", 2000)
	session := func(totals ...int) transcript.Session {
		w := tell()
		w.user(long) // 12,000 characters, 3,000 tokens
		for _, n := range totals {
			w.answer(n, 0)
		}
		return w.session("sable")
	}
	for _, c := range []struct {
		name   string
		totals []int
		known  bool
	}{
		{"all right", []int{5000, 5000}, true},
		{"placeholders", []int{3, 3}, false},
		{"none", []int{0, 0}, false},
		{"just half", []int{1500, 1502}, true},
		{"less than half", []int{1499, 1499}, false},
		{"one in ten", []int{5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 3}, true},
		{"one in nine", []int{5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 3}, false},
	} {
		got := report(t, s, session(c.totals...)).Sessions[0]
		if (got.Logged != nil) != c.known || (got.ErrorPct != nil) != c.known {
			t.Errorf("%s: logged %v, error %v", c.name, got.Logged, got.ErrorPct)
		}
	}
}

// TestEagerIsTheLog holds the first invariant, on a session with a pause, a
// rewind and prices for writing.
func TestEagerIsTheLog(t *testing.T) {
	w := tell()
	w.user("polish the lathe0")
	w.answer(2000, 0, use("mcp__shop__polish_lathe0"))
	fork := w.answer(2100, 2000, use("read_file"))
	w.answer(2200, 0, use("read_file")) // a pause
	w.parent = fork
	w.user("polish the anvil0 instead")
	w.answer(2150, 2090, use("mcp__shop__polish_anvil0"))
	rep := report(t, workshop(t, 12), w.session("sable"))
	got := row(t, rep.Sessions[0], selection.Eager)
	if got.Requests != 4 || got.Tokens.Input != 2000+2100+2200+2150 {
		t.Errorf("%+v", got)
	}
	if s := got.Steps; s[0].Cached != 0 || s[1].Cached != 2000 || s[2].Cached != 0 || s[3].Cached >= 2150 || s[3].Cached < 1900 {
		t.Errorf("cached %+v", s)
	}
	if cost := *got.Cost; math.Abs(cost-sableCost(got)) > 1e-5 {
		t.Errorf("cost %v", cost)
	}
}

// sableCost returns what a row costs at the prices of sable.
func sableCost(r Row) float64 {
	return (float64(r.Tokens.Cached)*0.4 + float64(r.Tokens.Written)*5) / 1e6
}

// TestSentTools: the tools that a request carries under each strategy are all in full, their
// names alone, or the core tools with the bridge.
func TestSentTools(t *testing.T) {
	s := workshop(t, 12)
	w := tell()
	w.user("do it")
	w.answer(0, 0)
	rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: s, Prices: sable(t), Steps: true})
	require.NoError(t, err)
	all, sent, deferred := 0, 0, 0
	var names []string
	for _, tool := range s.Everything().Tools {
		names = append(names, tool.Name)
		all += definitionChars(tool)
		if s.Core(tool) {
			sent += definitionChars(tool)
		} else {
			deferred++
		}
	}
	for _, tool := range engine.BridgeTools(deferred) {
		sent += len([]rune(string(tool)))
	}
	want := map[selection.Strategy]int{selection.Eager: all, selection.Lazy: len(jsontree.Encode(names)), selection.ToolSearch: sent}
	for _, row := range rep.Sessions[0].Strategies {
		if chars, ok := want[row.Strategy]; ok && row.Steps[0].Tools != float64(chars)/4 {
			t.Errorf("%s sends tools of %g tokens, want %g", row.Strategy, row.Steps[0].Tools, float64(chars)/4)
		}
	}
}

// TestRoundTrips counts the requests of each strategy.
func TestRoundTrips(t *testing.T) {
	const lathe, anvil = "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0"
	s := workshop(t, 12)
	for _, c := range []struct {
		name                string
		say                 func(w *teller)
		eager, lazy, search int
	}{
		{"a deferred tool", func(w *teller) { w.answer(0, 0, use(lathe)) }, 1, 2, 3},
		{"a core tool", func(w *teller) { w.answer(0, 0, use("read_file")) }, 1, 2, 1},
		{"the second time is free", func(w *teller) { w.answer(0, 0, use(lathe)); w.answer(0, 0, use(lathe)) }, 2, 3, 4},
		{"two new tools in one answer", func(w *teller) { w.answer(0, 0, use(lathe), use(anvil)) }, 1, 3, 5},
		{"out of scope, and unknown", func(w *teller) { w.answer(0, 0, use("mcp__vault__open_safe"), use("nobody")) }, 1, 1, 1},
		{"its own searches leave", func(w *teller) {
			w.answer(0, 0, search("a"))
			w.answer(0, 0, describe(lathe))
			w.answer(0, 0, use(lathe))
		}, 1, 2, 3},
		{"a search beside a call stays", func(w *teller) { w.answer(0, 0, search("a"), use("read_file")) }, 1, 2, 1},
		{"after a compaction it is paid again", func(w *teller) {
			w.answer(0, 0, use(lathe))
			w.parent = transcript.None
			w.add(transcript.Entry{Kind: transcript.Summary, Size: transcript.Measure("so far", transcript.Prose, nil)})
			w.answer(0, 0, use(lathe))
		}, 2, 4, 6},
		{"a compaction that keeps the call keeps its description", func(w *teller) {
			at := w.answer(0, 0, use(lathe))
			w.entries[at].Request.ID = "a1"
			kept := w.entries[at]
			w.parent = transcript.None
			w.add(transcript.Entry{Kind: transcript.Summary, Size: transcript.Measure("so far", transcript.Prose, nil)})
			kept.Copy = true
			w.add(kept)
			w.answer(0, 0, use(lathe))
		}, 2, 3, 4},
		{"a copy does not count", func(w *teller) {
			at := w.answer(0, 0, use(lathe))
			e := w.entries[at]
			e.Copy = true
			w.add(e)
		}, 1, 2, 3},
	} {
		w := tell()
		w.user("do it")
		c.say(w)
		got := report(t, s, w.session("sable")).Sessions[0]
		for strategy, want := range map[selection.Strategy]int{selection.Eager: c.eager, selection.Lazy: c.lazy, selection.ToolSearch: c.search} {
			if n := row(t, got, strategy).Requests; n != want {
				t.Errorf("%s: %s has %d requests, want %d", c.name, strategy, n, want)
			}
		}
	}
}

// TestKeepEager holds what keeping a tool eager would save against a
// configuration in which it is a core tool.
func TestKeepEager(t *testing.T) {
	const lathe, anvil = "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0"
	session := func(tools ...string) transcript.Session {
		w := tell()
		for i, name := range tools {
			w.user("polish " + name)
			w.answer(9000+100*i, 8900*min(i, 1), use(name))
		}
		return w.session("sable")
	}
	sessions := []transcript.Session{session(lathe, anvil, lathe), session(lathe, "read_file"), session("read_file")}
	s := workshop(t, 12)
	rep := report(t, s, sessions...)
	in := s.Inputs()
	in.Config.Core = append(in.Config.Core, lathe)
	core, err := engine.Build(context.Background(), in)
	require.NoError(t, err)
	// The core list turns 12 deferred tools into 11, which both take two digits.
	search := func(rep *Report) Row { return rep.Totals.Strategies[2] }
	want := *search(rep).Cost - *search(report(t, core, sessions...)).Cost
	for _, e := range rep.Eager.Tools {
		if e.Tool.Name == lathe {
			if math.Abs(e.Saving-want) > 1e-9 || e.Uses != 2 || e.Sessions != 2 {
				t.Errorf("%+v, want a saving of %v", e, want)
			}
			return
		}
	}
	t.Error("the tool is not in the eager set")
}

// TestTotals holds the sums.
func TestTotals(t *testing.T) {
	w := tell()
	w.user("polish lathe0")
	w.answer(9000, 0, search("lathe"), search("lathe"), search("the lathe"))
	w.answer(9100, 9000, use("mcp__shop__polish_lathe0"), use("nobody"), use("mcp__vault__open_safe"), use("read_file"))
	rep := report(t, workshop(t, 12), w.session("sable"), w.session("unpriced"))
	want := Counts{Requests: 4, Calls: 8, Deferrable: 4, Below: 2, OutOfScope: 2, Unknown: 2, Loops: 2}
	for _, s := range rep.Sessions {
		if s.Found+s.Below+s.NoMatch+s.OutOfScope != s.Deferrable {
			t.Errorf("%+v", s.Counts)
		}
	}
	if rep.Totals.Counts != want || rep.Totals.UnknownPrices != 1 {
		t.Errorf("%+v, want %+v", rep.Totals, want)
	}
	if *rep.Totals.Strategies[0].Cost != *rep.Sessions[0].Strategies[0].Cost || rep.Sessions[1].Strategies[0].Cost != nil {
		t.Error("a session without a price has a cost")
	}
	if len(rep.Unknown) != 1 || rep.Unknown[0] != (Unknown{"nobody", 2}) {
		t.Errorf("%+v", rep.Unknown)
	}
	if rep.Sessions[0].Used != selection.ToolSearch || len(rep.Verdict.Loops) != 2 {
		t.Errorf("%s, %+v", rep.Sessions[0].Used, rep.Verdict)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := tell()
	w.user("polish")
	if _, err := Run(ctx, Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: workshop(t, 3)}); err == nil {
		t.Error("a cancelled run returned a report")
	}
}

// The query that led to a call belongs to a search which was answered with its tool, wherever
// in the turn that stands; the words lead to a tool only where all tools were sent.
func TestLed(t *testing.T) {
	const lathe, anvil, kettle = "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0", "mcp__shop__polish_kettle0"
	s := workshop(t, 12)
	both := answeredWith("one", lathe)
	both.Lookup.Queries = []string{"one", "two"}
	everything := answeredWith("", lathe, anvil)
	everything.Lookup.Queries = nil
	for _, c := range []struct {
		name  string
		calls [][]transcript.Call
		want  string // of each Use: the ranked text, and the search that led to the tool
	}{
		{"its search, not the last", [][]transcript.Call{{answeredWith("one", "mcp_shop_polish_lathe0")}, {answeredWith("two", anvil)}, {use(lathe)}}, "two/one;"},
		{"two searches and two calls at once", [][]transcript.Call{{answeredWith("one", lathe), answeredWith("two", anvil)}, {use(lathe), use(anvil)}}, "one/one;two/two;"},
		{"both found by both, each first by its own", [][]transcript.Call{{answeredWith("one", lathe, anvil), answeredWith("two", anvil, lathe)}, {use(lathe), use(anvil)}}, "one/one;two/two;"},
		{"found later, though not first", [][]transcript.Call{{answeredWith("one", lathe)}, {answeredWith("two", anvil, lathe)}, {use(lathe)}}, "two/two;"},
		{"one call after the other", [][]transcript.Call{{answeredWith("one", lathe), answeredWith("two", anvil)}, {use(lathe)}, {use(anvil)}}, "one/one;do it/two;"},
		{"one search for two calls", [][]transcript.Call{{answeredWith("one", lathe, anvil)}, {use(lathe)}, {use(anvil)}}, "one/one;do it/one;"},
		{"the last of two that found it", [][]transcript.Call{{answeredWith("one", lathe)}, {answeredWith("two", lathe)}, {use(lathe)}}, "two/two;"},
		{"other tools", [][]transcript.Call{{answeredWith("one", anvil)}, {use(lathe)}}, "one/;"},
		{"nothing was found", [][]transcript.Call{{answeredWith("one")}, {use(lathe)}}, "one/;"},
		{"the log does not say", [][]transcript.Call{{search("one")}, {use(lathe)}}, "one/;"},
		{"fetched by name", [][]transcript.Call{{answeredWith("one", anvil)}, {describe(kettle)}, {use(kettle)}}, "one/;"},
		{"fetched by name beside a search for another", [][]transcript.Call{{answeredWith("one", anvil), describe(kettle)}, {use(anvil), use(kettle)}}, "one/one;do it/;"},
		{"fetched by name beside a search that found it", [][]transcript.Call{{answeredWith("one", kettle), describe(kettle)}, {use(kettle)}}, "one/one;"},
		{"deferred, and not searched", [][]transcript.Call{{answeredWith("one", anvil)}, {use(anvil)}, {use(lathe)}}, "one/one;do it/;"},
		{"two queries and one answer", [][]transcript.Call{{both}, {use(lathe)}}, "two/;"},
		{"all tools were sent", [][]transcript.Call{{use(lathe)}}, "do it/do it;"},
		{"an agent that defers, and nothing was searched", [][]transcript.Call{{use(lathe)}}, "do it/;"},
		{"a search without words", [][]transcript.Call{{everything}, {use(lathe)}}, "do it/;"},
	} {
		w := tell()
		w.user("do it")
		for _, calls := range c.calls {
			w.answer(0, 0, calls...)
		}
		in := Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: s, Prices: sable(t)}
		in.Sessions[0].Defers = strings.HasPrefix(c.name, "an agent that defers")
		rep, err := Run(t.Context(), in)
		require.NoError(t, err)
		got := ""
		for _, call := range rep.Calls {
			got += call.Query + "/" + call.Led + ";"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for i := range w.entries { // another session's
			w.entries[i].Copy = true
		}
		w.user("again")
		w.answer(0, 0)
		in.Sessions[0] = w.session("sable")
		if rep, err := Run(t.Context(), in); err != nil || len(rep.Calls) > 0 {
			t.Errorf("%s, copied: %d calls, %v", c.name, len(rep.Calls), err)
		}
	}
}

// Where the registry's tools weigh more than all that was logged, they were not what was
// sent: nothing is anchored at the log, so that no cost is below zero.
func TestOtherTools(t *testing.T) {
	s := workshop(t, 200)
	w := tell()
	w.user("do it")
	for i := range 12 {
		w.answer(300+10*i, 0, use("mcp__shop__polish_lathe0"))
	}
	single, sums := w.session("sable"), w.session("sable")
	sums.ID, sums.Sums = "sums", &transcript.Usage{Input: 12 * 300}
	sums.Contexts = []transcript.Context{{Entries: slices.Clone(w.entries)}}
	for i, e := range sums.Contexts[0].Entries {
		if e.Request != nil {
			without := *e.Request
			without.Usage = nil
			sums.Contexts[0].Entries[i].Request = &without
		}
	}
	rep := report(t, s, single, sums)
	for _, x := range rep.Sessions {
		if x.Gap != OtherTools || x.Logged == nil || x.Recomputed != nil || x.ErrorPct != nil {
			t.Errorf("%s: gap %d, logged %v, recomputed %v", x.ID, x.Gap, x.Logged, x.Recomputed)
		}
		eager := row(t, x, selection.Eager)
		for _, r := range x.Strategies {
			if r.Tokens.Input <= 0 || r.Strategy != selection.Eager && r.Tokens.Input >= eager.Tokens.Input {
				t.Errorf("%s under %s: %+v, eager %+v", x.ID, r.Strategy, r.Tokens, eager.Tokens)
			}
		}
	}
	if len(rep.Calibration) > 0 {
		t.Errorf("calibrated on tools that were not sent: %+v", rep.Calibration)
	}
}

// The tools of a logged array are not kept behind its session, and neither are more than
// some arrays: a log may have an array for each. Sessions that share one read it once, and
// no two arrays have one key.
func TestLoggedArrays(t *testing.T) {
	r, err := begin(t.Context(), Inputs{Snapshot: workshop(t, 12), Prices: sable(t), Strategies: []selection.Strategy{}})
	require.NoError(t, err)
	array := func(name string) transcript.ToolArray {
		return transcript.ToolArray{Definitions: [][]byte{[]byte(`{"type":"function","function":{"name":"` + name + `","parameters":{"type":"object"}}}`)}}
	}
	before, seen := len(r.definitions), map[string]bool{}
	for i := range 3 * maxOffers {
		a := array("weigh" + strconv.Itoa(i))
		o, err := r.logged(a)
		if err != nil || o.eager.size.AllChars() == 0 || len(r.definitions) != before || len(r.offers) > maxOffers {
			t.Fatalf("%+v, %d definitions, before %d, %d offers, %v", o.eager, len(r.definitions), before, len(r.offers), err)
		}
		if again, _ := r.logged(a); again.eager != o.eager || seen[o.eager.key] {
			t.Fatalf("array %d has the key %q, then %q", i, o.eager.key, again.eager.key)
		}
		seen[o.eager.key] = true
	}
}
