package serving

import (
	"context"
	"sync"
	"testing"

	"caliper/engine/serve"
	"caliper/engine/transcript"
)

// TestOrder: events of many goroutines all arrive, each goroutine's in its order.
func TestOrder(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 500
	var b Inbox
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				b.Event(transcript.Event{Connection: string(rune('a' + w)), Seq: i + 1})
			}
		})
	}
	last := map[string]int{}
	for seen := 0; seen < writers*each; {
		batch, ok := b.Take(t.Context())
		if !ok || batch.Lost > 0 {
			t.Fatalf("%v, %d lost", ok, batch.Lost)
		}
		for _, e := range batch.Events {
			if e.Seq != last[e.Connection]+1 {
				t.Fatalf("%s: %d after %d", e.Connection, e.Seq, last[e.Connection])
			}
			last[e.Connection] = e.Seq
			seen++
		}
	}
	all.Wait()
}

// TestFlood: nobody reads, and memory is bounded; dropped events are counted.
func TestFlood(t *testing.T) {
	t.Parallel()
	var b Inbox
	const n = 3 * mostWaiting
	for i := range n {
		b.Event(transcript.Event{Seq: i + 1})
	}
	batch, _ := b.Take(t.Context())
	if len(batch.Events) > mostWaiting || len(batch.Events)+batch.Lost != n || batch.Events[len(batch.Events)-1].Seq != n {
		t.Errorf("%d kept, %d lost", len(batch.Events), batch.Lost)
	}
}

// TestAsk: the first answer counts, a call that is withdrawn has none, and both are told
// when they wait no longer.
func TestAsk(t *testing.T) {
	t.Parallel()
	var b Inbox
	answers := make(chan serve.Answer, 1)
	ctx, withdraw := context.WithCancel(t.Context())
	go func() { answers <- b.Ask(ctx, serve.Question{Tool: "x"}) }()
	batch, _ := b.Take(t.Context())
	q := batch.Asked[0]
	q.Answer(serve.No)
	q.Answer(serve.Yes)
	if got := <-answers; got != serve.No {
		t.Errorf("the answer is %v", got)
	}
	q.Answer(serve.Yes) // nobody waits, and nothing stops
	if batch, _ := b.Take(t.Context()); len(batch.Closed) != 1 || batch.Closed[0] != q.ID {
		t.Errorf("%+v", batch)
	}
	go func() { answers <- b.Ask(ctx, serve.Question{Tool: "y"}) }()
	batch, _ = b.Take(t.Context())
	withdraw()
	if got := <-answers; got != serve.NoAnswer {
		t.Errorf("the answer is %v", got)
	}
	if closed, _ := b.Take(t.Context()); len(closed.Closed) != 1 || closed.Closed[0] != batch.Asked[0].ID || batch.Asked[0].ID == q.ID {
		t.Errorf("%+v", closed)
	}
	if _, ok := b.Take(ctx); ok {
		t.Error("there was something after the end")
	}
}
