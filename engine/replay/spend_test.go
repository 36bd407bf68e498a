package replay

import (
	"reflect"
	"slices"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// TestSpend: of sessions that are spent nothing is left, and the report is the same but for chains that are no loops.
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
