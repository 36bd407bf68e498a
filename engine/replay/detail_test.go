package replay

import (
	"reflect"
	"slices"
	"testing"

	"caliper/engine/transcript"
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
