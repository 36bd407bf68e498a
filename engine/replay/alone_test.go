package replay

import (
	"context"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// TestSessionsAreAlone: the report of a session, its calls and its chains is the same
// whichever sessions stand before it, whose memory it may have.
func TestSessionsAreAlone(t *testing.T) {
	s := workshop(t, 12)
	rapid.Check(t, func(t *rapid.T) {
		in := func(sessions []transcript.Session) Inputs {
			return Inputs{Sessions: sessions, Snapshot: s, Prices: sable(t), Steps: true}
		}
		var sessions []transcript.Session
		for range rapid.IntRange(2, 4).Draw(t, "sessions") {
			session := drawConversation(t).session("sable")
			for range rapid.IntRange(0, 2).Draw(t, "helpers") {
				session.Contexts = append(session.Contexts, drawConversation(t).session("sable").Contexts...)
			}
			sessions = append(sessions, session)
		}
		together, err := Run(context.Background(), in(sessions))
		require.NoError(t, err)
		var calls []Call
		var chains []Chain
		for i := range sessions {
			alone, err := Single(context.Background(), in(sessions), i)
			require.NoError(t, err)
			if got, want := together.Sessions[i], alone.Sessions[0]; !reflect.DeepEqual(got, want) {
				t.Fatalf("session %d behind others\n%+v\nalone\n%+v", i, got, want)
			}
			calls = append(calls, alone.Calls...)
			chains = append(chains, alone.Chains...)
		}
		if !reflect.DeepEqual(together.Calls, calls) || !reflect.DeepEqual(together.Chains, chains) {
			t.Fatalf("together\n%+v\n%+v\nalone\n%+v\n%+v", together.Calls, together.Chains, calls, chains)
		}
	})
}
