package replay

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model/require"
)

// TestSpend: a packed report is that which is not, and of sessions that are spent nothing is
// left.
func TestSpend(t *testing.T) {
	s := workshop(t, 20)
	sessions := func() (list []transcript.Session) {
		for range 3 {
			w := tell()
			w.user("list the boats")
			for range LoopSearches {
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
	in.Sessions, in.Pack, in.Spend = sessions(), true, true
	got, err := Run(t.Context(), in)
	require.NoError(t, err)
	for i, s := range got.Each() {
		if !reflect.DeepEqual(s, want.Sessions[i]) || !reflect.DeepEqual(s, want.Session(i)) {
			t.Errorf("session %d\n%+v\nkept\n%+v", i, s, want.Sessions[i])
		}
	}
	if got.Len() != len(want.Sessions) {
		t.Errorf("%d sessions", got.Len())
	}
	want.Chains = slices.DeleteFunc(want.Chains, func(c Chain) bool { return !c.Loop() })
	if len(want.Chains) == 0 {
		t.Error("there is no loop")
	}
	got.packed, want.Sessions = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nkept\n%+v", got, want)
	}
	for _, s := range in.Sessions {
		if !reflect.DeepEqual(s, transcript.Session{}) {
			t.Errorf("%+v is left", s)
		}
	}
}

// TestPackedSessions: sessions are unpacked as they were packed, also those that are set anew.
func TestPackedSessions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prices := []*Price{{Input: 3, AsOf: "2026-09-01"}, {Input: 3, CacheRead: .3, AsOf: "2026-09-02"}}
		number := rapid.OneOf(rapid.IntRange(-3, 300), rapid.Int())
		var want []Session
		var rows packedRows
		for i := range rapid.IntRange(1, 30).Draw(t, "sessions") {
			n := func() int { return number.Draw(t, "n") }
			text := func() string { return rapid.SampledFrom([]string{"", "a", "a#2", "b\x00"}).Draw(t, "text") }
			s := Session{ID: text(), File: text(), Agent: transcript.Agent(text()), Model: text(), Counts: Counts{n(), n(), n(), n(), n(), n(), n(), n(), n(), n()}, Gap: Gap(n()), Started: drawTime(t)}
			if rapid.Bool().Draw(t, "priced") {
				s.Price = rapid.SampledFrom(prices).Draw(t, "price")
			}
			for range rapid.IntRange(0, 3).Draw(t, "rows") {
				cost := rapid.Float64().Draw(t, "cost")
				s.Strategies = append(s.Strategies, Row{Strategy: selection.Lazy, Requests: n(), Tokens: Tokens{n(), n(), n()}, Cost: &cost}, Row{})
			}
			rows.add(&s)
			if rapid.Bool().Draw(t, "logged") {
				s.Logged = &transcript.Usage{Input: n(), CacheRead: n(), CacheWrite: n(), Output: n()}
				s.recomputed(1.5)
				rows.set(i, &s)
			}
			want = append(want, s)
		}
		for i, s := range want {
			if got := rows.at(i); !reflect.DeepEqual(got, s) {
				t.Fatalf("session %d\n%+v, want\n%+v", i, got, s)
			}
		}
	})
}

// drawTime returns a time, or none.
func drawTime(t *rapid.T) time.Time {
	if rapid.Bool().Draw(t, "timeless") {
		return time.Time{}
	}
	return time.Unix(rapid.Int64Range(-1e11, 1e11).Draw(t, "second"), rapid.Int64Range(0, 1e9-1).Draw(t, "nano")).UTC()
}
