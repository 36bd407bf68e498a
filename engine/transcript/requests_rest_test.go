package transcript

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"caliper/model/require"
)

// conversations returns a log of requests, three to a conversation; the last request of
// every hundredth goes on with the first conversation.
func conversations(requests int) string {
	var b strings.Builder
	line := func(id int, history string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-09-01T10:00:00.%06dZ","request":{"model":"m","messages":[%s]},"response":{"id":"r%d","choices":[{"message":{"role":"assistant","content":"a%d"}}],"usage":{"prompt_tokens":%d,"completion_tokens":3}}}`+"\n", id%1_000_000, history, id, id, 100+id)
	}
	first := ""
	for i := 0; i < requests; {
		history := fmt.Sprintf(`{"role":"user","content":"what is there to do on day %d"}`, i)
		for range 3 {
			line(i, history)
			history += fmt.Sprintf(`,{"role":"assistant","content":"a%d"},{"role":"user","content":"and then %d"}`, i, i)
			i++
		}
		if first == "" {
			first = history
		} else if i%100 == 0 {
			line(i, first)
			first += fmt.Sprintf(`,{"role":"assistant","content":"a%d"},{"role":"user","content":"still %d"}`, i, i)
			i++
		}
	}
	return b.String()
}

// TestSessionsRest: conversations that go on after they were packed are the same.
func TestSessionsRest(t *testing.T) {
	t.Parallel()
	text := conversations(4 * restful)
	read := func(pack bool) []Session {
		r := &RequestsReader{Options: Options{Pack: pack}}
		require.NoError(t, r.Read(t.Context(), strings.NewReader(text), "log"))
		sessions := r.Log().Sessions
		for i := range sessions {
			if (sessions[i].Packed != nil) != pack {
				t.Errorf("session %d is packed: %t", i, !pack)
			}
			sessions[i].Unpack()
		}
		return sessions
	}
	if got, want := read(true), read(false); !reflect.DeepEqual(got, want) || len(want[0].Contexts[0].Entries) < 10 {
		t.Errorf("%d sessions, want %d; or they differ", len(got), len(want))
	}
}
