package ui

import (
	"context"
	"testing"
	"time"
)

// Work that nobody waits for begins and goes on only while nothing else runs.
func TestIdleWorkGivesWay(t *testing.T) {
	ctx := WithIdle(t.Context(), new(Idle))
	var quiet, loud Job[int, int]
	running, release, ended := make(chan int), make(chan int), make(chan int)
	begin := func() { // other work, until release
		cmd := loud.Start(ctx, 1, func(context.Context, Progress) (int, error) {
			running <- 1
			<-release
			return 1, nil
		})
		go func() {
			messages(cmd)
			ended <- 1
		}()
		<-running
	}
	pieces, on := make(chan int), make(chan int)
	cmd := quiet.StartIdle(ctx, 1, func(_ context.Context, _ Progress, pause func()) (int, error) {
		for i := range 3 {
			pieces <- i
			<-on
			pause()
		}
		close(pieces)
		return 7, nil
	})
	begin()
	go messages(cmd)
	for want := range 3 {
		select {
		case <-pieces:
			t.Fatalf("piece %d is worked on while other work runs", want)
		case <-time.After(5 * time.Millisecond):
		}
		release <- 1
		<-ended
		if got := <-pieces; got != want {
			t.Fatalf("piece %d, want %d", got, want)
		}
		begin()
		on <- 1
	}
	release <- 1
	<-ended
	<-pieces
}

// Work that nobody waits for waits until nothing has happened for a while, and no
// longer than its context.
func TestIdleIsCalm(t *testing.T) {
	idle := Idle{Calm: 20 * time.Millisecond}
	idle.Touch()
	began := time.Now()
	idle.Wait(t.Context())
	if waited := time.Since(began); waited < 15*time.Millisecond {
		t.Errorf("idle after %v", waited)
	}
	idle.Work()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	idle.Wait(ctx)
	(*Idle)(nil).Wait(t.Context())
	var j Job[int, int]
	cmd := j.StartIdle(WithIdle(ctx, &idle), 1, func(context.Context, Progress, func()) (int, error) {
		t.Error("work of a context that has ended")
		return 1, nil
	})
	for _, msg := range messages(cmd) {
		j.Update(msg)
	}
	if !j.Stopped {
		t.Errorf("%+v", j)
	}
}
