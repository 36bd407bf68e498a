package replay

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
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
	for i, c := range got.EachCall() {
		if !reflect.DeepEqual(c, want.Calls[i]) || !reflect.DeepEqual(c, want.Call(i)) {
			t.Errorf("call %d\n%+v\nkept\n%+v", i, c, want.Calls[i])
		}
	}
	if n := got.CallCount(); n == 0 || n != len(want.Calls) {
		t.Errorf("%d calls, kept %d", n, len(want.Calls))
	}
	want.Chains = slices.DeleteFunc(want.Chains, func(c Chain) bool { return !c.Loop() })
	if len(want.Chains) == 0 {
		t.Error("there is no loop")
	}
	got.packed, got.packedCalls, want.Sessions, want.Calls = nil, nil, nil, nil
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
		var rows packedRows[Session]
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

// TestPackedCalls: calls are unpacked as they were packed, whatever they share with the call
// before.
func TestPackedCalls(t *testing.T) {
	tools := []*model.Tool{nil, {Qualified: "a"}, {Qualified: "b"}}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "a", "b", "a\x00b", strings.Repeat("long ", 200)})
		number := rapid.OneOf(rapid.IntRange(-3, 300), rapid.Int())
		var want []Call
		var rows packedRows[Call]
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			n := func() int { return number.Draw(t, "n") }
			is := func() bool { return rapid.Bool().Draw(t, "is") }
			c := Call{Session: n(), Context: n(), Entry: n(), Request: n(), Name: text.Draw(t, "name"), Tool: rapid.SampledFrom(tools).Draw(t, "tool"),
				Words: text.Draw(t, "words"), Query: text.Draw(t, "query"), Ranks: rapid.SliceOfN(number, 1, 3).Draw(t, "ranks"),
				Status: rapid.SampledFrom([]Status{Found, CoreTool}).Draw(t, "status"), Answered: is(), Failed: is(), Led: text.Draw(t, "led"), When: drawTime(t)}
			if searches := rapid.SliceOfN(text, 0, 3).Draw(t, "searches"); len(searches) > 0 {
				c.Searches = searches
			}
			rows.add(&c)
			want = append(want, c)
		}
		for i, c := range want {
			if got := rows.at(i); !reflect.DeepEqual(got, c) {
				t.Fatalf("call %d\n%+v, want\n%+v", i, got, c)
			}
		}
	})
}

// TestSearchesOfANeed: the searches of a need are there once, however many calls follow them.
func TestSearchesOfANeed(t *testing.T) {
	var rows packedRows[Call]
	var searches []string
	const n = 1000
	for range n {
		searches = append(searches, "a search")
		rows.add(&Call{Searches: searches})
	}
	if got := rows.at(n - 1).Searches; !slices.Equal(got, searches) || len(rows.chunks) > 1 || len(rows.shared.texts.list) > 1 {
		t.Errorf("the last call has %d searches; %d pieces of memory, %d texts", len(got), len(rows.chunks), len(rows.shared.texts.list))
	}
}
