package replay

import (
	"context"
	"fmt"
	"testing"

	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model/require"
)

// calling is a session of some requests, each calling one of the tools in turn.
func calling(s Inputs, requests, tools int) transcript.Session {
	w := tell()
	w.user("polish everything")
	for i := range requests {
		w.answer(9000+10*i, 9000, use(s.Snapshot.Registry.Tools[2+i%tools].Name))
	}
	return w.session("sable")
}

// TestSimulationTakesNoMoreMemory: what a simulation allocates grows with the tools that
// are called, not with the requests.
func TestSimulationTakesNoMoreMemory(t *testing.T) {
	const tools = 8
	allocated := map[int]float64{}
	in := Inputs{Snapshot: workshop(t, tools), Prices: sable(t), Strategies: []selection.Strategy{}}
	for _, requests := range []int{100, 2000} {
		r, err := begin(context.Background(), in)
		require.NoError(t, err)
		s := calling(in, requests, tools)
		require.NoError(t, r.session(0, &s))
		p, _ := r.priceOf(&s)
		search := r.plain(selection.ToolSearch)
		allocated[requests] = testing.AllocsPerRun(20, func() { r.simulate(r.lines[0], r.keeping(search, r.snapshot.Registry.Tools[2]), p) })
	}
	if few, many := allocated[100], allocated[2000]; many > few || few > 6*tools {
		t.Errorf("%v allocations for 100 requests, %v for 2000", few, many)
	}
}

// BenchmarkSmallSessions computes everything of 500 sessions of one request, each with
// words of its own, most of which the others have too.
func BenchmarkSmallSessions(b *testing.B) {
	s := workshop(b, 40)
	set := selection.SettingsOf(s.Config)
	similar, err := embed.NewFuzzy(b.Context(), s.Preselection(set.Core, set.Exclude).Candidates)
	require.NoError(b, err)
	in := Inputs{Snapshot: s, Prices: sable(b), Similarity: similar, Detail: Sums}
	for i := range 500 {
		w := tell()
		w.user(fmt.Sprintf("Please polish the kettle0 of the berth %d until all of the pilots see that the tide is late", i))
		w.answer(9000, 100, use(s.Registry.Tools[2].Name))
		in.Sessions = append(in.Sessions, w.session("sable"))
	}
	b.ReportAllocs()
	for b.Loop() {
		if rep, err := Run(b.Context(), in); err != nil || rep.Totals.Requests != len(in.Sessions) {
			b.Fatal(rep.Totals.Requests, err)
		}
	}
}

// BenchmarkEager computes the eager set of one session of 5,000 requests that calls each of
// forty tools: it is simulated once for each tool.
func BenchmarkEager(b *testing.B) {
	in := Inputs{Snapshot: workshop(b, 40), Prices: sable(b), Detail: Sums, Strategies: []selection.Strategy{}}
	in.Sessions = []transcript.Session{calling(in, 5000, 40)}
	b.ReportAllocs()
	for b.Loop() {
		if rep, err := Run(b.Context(), in); err != nil || len(rep.Eager.Tools) != 40 {
			b.Fatal(len(rep.Eager.Tools), err)
		}
	}
}
