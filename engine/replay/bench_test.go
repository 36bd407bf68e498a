package replay

import (
	"context"
	"fmt"
	"testing"

	"caliper/engine/transcript"
)

// BenchmarkRun computes everything of one session with 5,000 requests, which
// asks for one of forty tools in each of its 1,250 turns.
func BenchmarkRun(b *testing.B) {
	s := workshop(b, 40)
	w := tell()
	for i := range 1250 {
		thing := s.Registry.Tools[2+i%40].Name
		w.user("polish " + thing[18:])
		w.answer(9000+10*i, 9000, search(thing))
		w.answer(9000+10*i, 9000, describe(thing))
		w.answer(9000+10*i, 9000, use(thing))
		w.answer(9000+10*i, 9000)
	}
	in := Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: s, Prices: sable(b)}
	for b.Loop() {
		rep, err := Run(context.Background(), in)
		if err != nil || rep.Totals.Requests != 5000 {
			b.Fatal(fmt.Sprint(rep.Totals.Requests), err)
		}
	}
}
