package replay

import (
	"context"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/transcript"
)

// TestSessionsAreAlone: what is said of a session, its calls and its chains is the same
// whichever sessions stand before it, whose memory it may have.
func TestSessionsAreAlone(t *testing.T) {
	s := workshop(t, 12)
	run := func(t *rapid.T, sessions []transcript.Session) *Report {
		rep, err := Run(context.Background(), Inputs{Sessions: sessions, Snapshot: s, Prices: sable(t), Steps: true})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	rapid.Check(t, func(t *rapid.T) {
		var sessions []transcript.Session
		for range rapid.IntRange(2, 4).Draw(t, "sessions") {
			session := drawConversation(t).session("sable")
			for range rapid.IntRange(0, 2).Draw(t, "helpers") {
				session.Contexts = append(session.Contexts, drawConversation(t).session("sable").Contexts...)
			}
			sessions = append(sessions, session)
		}
		together := run(t, sessions)
		var calls []Call
		var chains []Chain
		for i := range sessions {
			alone := run(t, sessions[i:i+1])
			if got, want := together.Sessions[i], alone.Sessions[0]; !reflect.DeepEqual(got, want) {
				t.Fatalf("session %d behind others\n%+v\nalone\n%+v", i, got, want)
			}
			for _, c := range alone.Calls {
				c.Session = i
				calls = append(calls, c)
			}
			for _, c := range alone.Chains {
				c.Session = i
				chains = append(chains, c)
			}
		}
		if !reflect.DeepEqual(together.Calls, calls) || !reflect.DeepEqual(together.Chains, chains) {
			t.Fatalf("together\n%+v\n%+v\nalone\n%+v\n%+v", together.Calls, together.Chains, calls, chains)
		}
	})
}
