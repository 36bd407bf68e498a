package replay

import (
	"reflect"
	"testing"

	"caliper/engine/transcript"
)

// TestSpend: a report of sessions that are spent is that of sessions that are kept, and of
// these nothing is left but what names them.
func TestSpend(t *testing.T) {
	s := workshop(t, 20)
	sessions := func() (list []transcript.Session) {
		for range 3 {
			w := tell()
			w.user("list the boats")
			w.answer(100, 0, search("boats"))
			w.answer(200, 100, use("nothing"))
			list = append(list, w.session("sable"))
		}
		return list
	}
	in := Inputs{Sessions: sessions(), Snapshot: s, Prices: sable(t)}
	want, err := Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	in.Sessions, in.Spend = sessions(), true
	got, err := Run(t.Context(), in)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\nkept\n%+v", err, got, want)
	}
	for _, s := range in.Sessions {
		if s.Contexts != nil || s.Arrays != nil || s.Model == "" {
			t.Errorf("%+v is left", s)
		}
	}
}
