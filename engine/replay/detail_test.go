package replay

import (
	"reflect"
	"slices"
	"testing"

	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"
)

// TestDetail: with less detail the figures are the same, and the calls and
// the chains that the verdict names are left.
func TestDetail(t *testing.T) {
	s := workshop(t, 20)
	w := tell()
	w.user("polish the kettle")
	w.answer(100, 0, search("polish"))
	w.answer(150, 100, search("shine"))
	w.answer(200, 100, search("kettle"))
	w.answer(250, 100, use("mcp__shop__polish_kettle0"), use("nothing"))
	w.user("what is the weather like")
	w.answer(300, 100, use("mcp__vault__open_safe"))
	run := func(d Detail) *Report {
		t.Helper()
		rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{w.session("sable"), w.session("sable")}, Snapshot: s, Prices: sable(t), Detail: d})
		require.NoError(t, err)
		return rep
	}
	every, misses, sums := run(EveryCall), run(Misses), run(Sums)
	if len(every.Verdict.Missed) == 0 || len(every.Verdict.Loops) == 0 || len(every.Unknown) != 1 || len(sums.Calls)+len(sums.Chains) != 0 {
		t.Fatalf("%+v, %+v", every.Verdict, every.Unknown)
	}
	for i, at := range every.Verdict.Missed {
		if !reflect.DeepEqual(misses.Calls[misses.Verdict.Missed[i]], every.Calls[at]) {
			t.Errorf("missed call %d is another", i)
		}
	}
	for i, at := range every.Verdict.Loops {
		if !reflect.DeepEqual(misses.Chains[misses.Verdict.Loops[i]], every.Chains[at]) {
			t.Errorf("loop %d is another", i)
		}
	}
	if len(every.Cache.Each) != every.Cache.Requests || misses.Cache.Each != nil || sums.Cache.Each != nil {
		t.Errorf("%d requests of %d say what they read", len(every.Cache.Each), every.Cache.Requests)
	}
	every.Cache.Each = nil
	if !slices.Equal([]int{len(misses.Calls), len(misses.Chains)}, []int{len(every.Verdict.Missed), len(every.Verdict.Loops)}) {
		t.Errorf("%d calls and %d chains are left", len(misses.Calls), len(misses.Chains))
	}
	for _, rep := range []*Report{every, misses, sums} {
		rep.Calls, rep.Chains, rep.Verdict.Missed, rep.Verdict.Loops = nil, nil, nil, nil
	}
	if !reflect.DeepEqual(misses, every) || !reflect.DeepEqual(sums, every) {
		t.Errorf("the figures are others:\n%+v\n%+v\n%+v", every, misses, sums)
	}
}

// TestSpend: of sessions that are spent nothing is left, and the report is the same but for chains that are no loops.
func TestSpend(t *testing.T) {
	s := workshop(t, 20)
	sessions := func() (list []transcript.Session) {
		for range 3 {
			w := tell()
			w.user("list the boats")
			for range 3 {
				w.answer(100, 0, search("boats"))
			}
			w.answer(150, 0, use("boat_list"))
			w.answer(160, 0, search("ships")) // a chain that is no loop
			w.answer(200, 100, use("nothing"))
			list = append(list, w.session("sable"))
		}
		return list
	}
	in := Inputs{Sessions: sessions(), Snapshot: s, Prices: sable(t)}
	want, err := Run(t.Context(), in)
	require.NoError(t, err)
	in.Sessions, in.Spend = sessions(), true
	got, err := Run(t.Context(), in)
	require.NoError(t, err)
	want.Chains = slices.DeleteFunc(want.Chains, func(c Chain) bool { return !c.Loop() })
	if len(want.Chains) == 0 {
		t.Error("there is no loop")
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nkept\n%+v", got, want)
	}
	for _, s := range in.Sessions {
		if !reflect.DeepEqual(s, transcript.Session{}) {
			t.Errorf("%+v is left", s)
		}
	}
}

// TestKeptByServer: the tools that save something, server by server, with what all tools of the server
// come to: those that save nothing, and those that nobody calls, cost.
func TestKeptByServer(t *testing.T) {
	tool := func(server, name string) *model.Tool { return &model.Tool{Name: name, Server: server} }
	moor, grind, sail := tool("quay", "moor"), tool("mill", "grind"), tool("quay", "sail")
	r := &Report{Eager: EagerSet{Keep: 2, perToken: burden{money: 9, tokens: 2},
		Tools: []Eager{{Tool: moor, SavingTokens: 100}, {Tool: grind, SavingTokens: 50}, {Tool: sail, SavingTokens: -30}}}}
	r.Unused.Servers = []UnusedServer{{Unused: []UnusedTool{{Tool: tool("quay", "anchor"), Schema: 20}, {Tool: tool("inn", "book"), Schema: 7}, {Tool: tool("mill", "sift"), Schema: 40}}}}
	got := r.KeptByServer()
	if len(got) != 2 || got[0].Tools[0] != moor || len(got[0].Tools) != 1 || got[0].Saving != 100-30-2*20 || got[1].Tools[0] != grind || got[1].Saving != 50-2*40 {
		t.Errorf("%+v", got)
	}
	r.Eager.Priced = true
	for i := range r.Eager.Tools {
		r.Eager.Tools[i].Saving = 200
	}
	if got := r.KeptByServer(); got[0].Saving != 400-9*20 || got[1].Saving != 200-9*40 {
		t.Errorf("%+v", got)
	}
}

// A registry is foreign to sessions when it has none of the tools that they called.
func TestForeign(t *testing.T) {
	t.Parallel()
	for counts, want := range map[Counts]bool{
		{}:                        false, // nothing was called
		{Calls: 3, Unknown: 3}:    true,
		{Calls: 3, Unknown: 2}:    false,
		{Calls: 3}:                false,
		{Requests: 2, Unknown: 0}: false,
	} {
		if got := verdict(&Report{Totals: Totals{Counts: counts}}).Foreign; got != want {
			t.Errorf("%+v: foreign %v", counts, got)
		}
	}
}

// What strategies come to: the cheapest, of equals the first, and whether search is worth
// it, by money where some is known.
func TestVerdictCompares(t *testing.T) {
	t.Parallel()
	cost := func(of float64) *float64 { return &of }
	row := func(s selection.Strategy, input int, of *float64) Row {
		return Row{Strategy: s, Requests: 1, Tokens: Tokens{Input: input}, Cost: of}
	}
	const eager, search, other = selection.Eager, selection.ToolSearch, selection.Keyword
	for name, c := range map[string]struct {
		rows []Row
		want Verdict
	}{
		"the first of three": {[]Row{row(eager, 5, nil), row(search, 7, nil), row(other, 5, nil)}, Verdict{Cheapest: eager, Least: 5, Compared: ByTokens, Eager: 5, Search: 7}},
		"the last":           {[]Row{row(eager, 5, nil), row(search, 4, nil), row(other, 3, nil)}, Verdict{Cheapest: other, Least: 3, Compared: ByTokens, Eager: 5, Search: 4, Worth: true}},
		"equal":              {[]Row{row(search, 5, nil), row(eager, 5, nil)}, Verdict{Cheapest: search, Least: 5, Compared: ByTokens, Eager: 5, Search: 5}},
		"money":              {[]Row{row(eager, 5, cost(0.5)), row(search, 7, cost(0.25))}, Verdict{Cheapest: search, Least: 0.25, Compared: ByMoney, Eager: 0.5, Search: 0.25, Worth: true}},
		"without a search":   {[]Row{row(eager, 5, nil), row(other, 6, nil)}, Verdict{Cheapest: eager, Least: 5}},
		"no request":         {[]Row{row(eager, 5, nil), {Strategy: search}}, Verdict{}},
		"nothing":            {},
	} {
		c.want.Keep = []string{}
		if got := verdict(&Report{Totals: Totals{Strategies: c.rows}}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestSaw: an entry saw itself and those that lead to it, and none of a branch or tree beside it.
func TestSaw(t *testing.T) {
	var entries []transcript.Entry
	for _, parent := range []int{transcript.None, 0, 1, 0, transcript.None, 4, 9, 5} {
		entries = append(entries, transcript.Entry{Parent: parent})
	}
	h := newHistory(entries, func(int) transcript.Size { return transcript.Size{} })
	for i := range entries {
		led := map[int]bool{}
		for at := i; at != transcript.None; at = h.parent(at) {
			led[at] = true
		}
		for other := range entries {
			if got := h.saw(i, other); got != led[other] {
				t.Errorf("%d saw %d: %t", i, other, got)
			}
		}
	}
}
