package serving

import (
	"context"
	"sync"
	"time"

	"caliper/engine/serve"
	"caliper/engine/transcript"
)

// mostWaiting is how many events wait for the explorer. More are dropped, the oldest
// first, and counted.
const mostWaiting = 10_000

// Question is a call that waits for a person.
type Question struct {
	ID int // from 1, in the order of asking
	serve.Question
	Until  time.Time // when no answer becomes a no
	answer chan serve.Answer
}

// Answer answers the call. Only the first answer counts.
func (q *Question) Answer(a serve.Answer) {
	select {
	case q.answer <- a:
	default: // it is answered
	}
}

// Batch is the events since the last one. Their order is the order of their
// coming.
type Batch struct {
	Events []transcript.Event
	Lost   int         // events that were dropped before these
	Asked  []*Question // that wait now for the first time
	Closed []int       // IDs of the questions that wait no longer
	Said   []string    // what the server has to say, safe for a terminal
}

// Inbox takes what happens from any goroutine, without ever keeping a call waiting, and
// hands it to the explorer. Its zero value is empty and ready.
type Inbox struct {
	mu        sync.Mutex
	batch     Batch
	questions int
	ready     chan struct{} // closed when the batch has something; nil while nobody waits
}

// put changes the batch and wakes who waits for it.
func (b *Inbox) put(change func(*Batch)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.batch)
	if b.ready != nil {
		close(b.ready)
		b.ready = nil
	}
}

// Event takes an event.
func (b *Inbox) Event(e transcript.Event) {
	b.put(func(batch *Batch) {
		if len(batch.Events) >= mostWaiting {
			dropped := mostWaiting / 10 // at once, so that a flood does not move all for each
			batch.Events = append(batch.Events[:0], batch.Events[dropped:]...)
			batch.Lost += dropped
		}
		batch.Events = append(batch.Events, e)
	})
}

// Say takes a line, which must be safe for a terminal.
func (b *Inbox) Say(line string) {
	b.put(func(batch *Batch) { batch.Said = append(batch.Said, line) })
}

// Ask shows a call to a person, and returns the answer; NoAnswer when ctx ends first.
func (b *Inbox) Ask(ctx context.Context, q serve.Question) serve.Answer {
	asked := &Question{Question: q, answer: make(chan serve.Answer, 1)}
	if at, ok := ctx.Deadline(); ok {
		asked.Until = at
	}
	b.put(func(batch *Batch) {
		b.questions++
		asked.ID = b.questions
		batch.Asked = append(batch.Asked, asked)
	})
	defer b.put(func(batch *Batch) { batch.Closed = append(batch.Closed, asked.ID) })
	select {
	case a := <-asked.answer:
		return a
	case <-ctx.Done():
		return serve.NoAnswer
	}
}

// Take waits until there is something, and returns it; ok is false when ctx ended first.
func (b *Inbox) Take(ctx context.Context) (batch Batch, ok bool) {
	for {
		b.mu.Lock()
		if got := &b.batch; len(got.Events)+len(got.Asked)+len(got.Closed)+len(got.Said)+got.Lost > 0 {
			batch, b.batch = b.batch, Batch{}
			b.mu.Unlock()
			return batch, true
		}
		if b.ready == nil {
			b.ready = make(chan struct{})
		}
		ready := b.ready
		b.mu.Unlock()
		select {
		case <-ready:
		case <-ctx.Done():
			return Batch{}, false
		}
	}
}
