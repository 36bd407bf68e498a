package ui

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Idle says when a program has nothing to do that its user waits for. Work that
// nobody waits for asks it before each of its pieces. The zero value is idle. A nil
// Idle always is. An Idle is safe for concurrent use.
type Idle struct {
	// Calm is how long nothing may have happened before the program is idle.
	Calm time.Duration

	mu      sync.Mutex
	running int           // work that somebody waits for
	last    time.Time     // when a key was pressed, or work ended
	changed chan struct{} // closed when running becomes 0; nil: nobody waits for that
}

// Work reports that work begins that the user waits for. The function that it
// returns reports the end.
func (i *Idle) Work() (end func()) {
	if i == nil {
		return func() {}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running++
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.last = time.Now()
		if i.running--; i.running == 0 && i.changed != nil {
			close(i.changed)
			i.changed = nil
		}
	}
}

// Touch reports that the user did something.
func (i *Idle) Touch() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last = time.Now()
}

// Wait returns when the program is idle, or the context ends.
func (i *Idle) Wait(ctx context.Context) {
	for i != nil && ctx.Err() == nil {
		ended, calm := i.busy()
		switch {
		case ended != nil:
			select {
			case <-ended:
			case <-ctx.Done():
			}
		case calm > 0:
			select {
			case <-time.After(calm):
			case <-ctx.Done():
			}
		default:
			return
		}
	}
}

// busy returns a channel that is closed when no work runs, nil when none runs, and
// then how long it takes until the program is idle if nothing happens.
func (i *Idle) busy() (ended <-chan struct{}, calm time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running == 0 {
		return nil, i.Calm - time.Since(i.last)
	}
	if i.changed == nil {
		i.changed = make(chan struct{})
	}
	return i.changed, 0
}

// idleKey is the key of the Idle of a context.
type idleKey struct{}

// WithIdle returns a context whose jobs report to an Idle.
func WithIdle(ctx context.Context, i *Idle) context.Context {
	return context.WithValue(ctx, idleKey{}, i)
}

// idleOf returns the Idle of a context, nil when it has none.
func idleOf(ctx context.Context) *Idle {
	i, _ := ctx.Value(idleKey{}).(*Idle)
	return i
}

// StartIdle is Start for work that nobody waits for. It begins when the program is
// idle, and calls pause between its pieces, which waits while the program is not. It
// must not hold a lock then that other work may need.
func (j *Job[Q, R]) StartIdle(ctx context.Context, of Q, work func(ctx context.Context, progress Progress, pause func()) (R, error)) tea.Cmd {
	return j.start(ctx, of, func(ctx context.Context, progress Progress) (R, error) {
		pause := func() { idleOf(ctx).Wait(ctx) }
		pause()
		if err := ctx.Err(); err != nil {
			var none R
			return none, err
		}
		return work(ctx, progress, pause)
	})
}
