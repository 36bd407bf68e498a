package embed

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// sleeper is an embedder whose model is loaded when loads is closed, if the client of
// the first request stays until then: a client that leaves ends the load.
type sleeper struct {
	*fake
	loads   chan struct{}
	came    chan string // what a request that has to wait asks for
	aborted chan string // those whose client left
}

func asleep() *sleeper {
	return &sleeper{newFake(4), make(chan struct{}), make(chan string, 9), make(chan string, 9)}
}

func (s *sleeper) Query(ctx context.Context, text string) ([]float32, error) {
	s.came <- text
	select {
	case <-s.loads:
		return s.fake.Query(ctx, text)
	case <-ctx.Done():
		s.aborted <- text
		return nil, ctx.Err()
	}
}

// A message that leaves before its model is loaded is followed by one that stays; the
// next finds the model, and the same has its vector already.
func TestWake(t *testing.T) {
	s := asleep()
	w := NewWaking(s)
	v := mustOpen(t, w, some(3), "")
	short, leave := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := v.Scores(short, " a message ", some(3))
		failed <- err
	}()
	<-s.came
	if v.Awake() != nil {
		t.Error("a wake before anyone asked for it")
	}
	if !v.Wake(short, " a message ") || !v.Wake(short, "another") {
		t.Error("the embedder cannot be woken")
	}
	if len(s.came) > 0 {
		t.Error("the wake does not wait for the request that is under way")
	}
	leave()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("the message: %v", err)
	}
	if <-s.aborted; <-s.came != "a message" {
		t.Error("another text is asked for")
	}
	if _, err := v.Scores(t.Context(), "meanwhile", some(3)); !errors.Is(err, ErrWaking) {
		t.Errorf("meanwhile: %v", err)
	}
	close(s.loads)
	<-v.Awake()
	if len(s.came)+len(s.aborted) > 0 {
		t.Error("more than one wake, or it was given up")
	}
	mustScore(t, v, "a message", some(3))
	if len(s.came) > 0 {
		t.Error("a vector that is known is asked for again")
	}
	mustScore(t, v, "another", some(3))
	if got := <-s.came; got != "another" {
		t.Errorf("asked for %q", got)
	}
}

// A wake that fails is over, and the next message may begin another.
func TestWakeFails(t *testing.T) {
	s := asleep()
	close(s.loads)
	s.ask = func([]float32) ([]float32, error) { return nil, errors.New("no such model") }
	w := NewWaking(s)
	w.Wake(t.Context(), "a")
	first := w.Awake()
	<-first
	if _, err := w.Query(t.Context(), "a"); err == nil || errors.Is(err, ErrWaking) {
		t.Errorf("after a wake that failed: %v", err)
	}
	s.ask = nil
	w.Wake(t.Context(), "a")
	if <-w.Awake(); w.Awake() == first {
		t.Error("two wakes have one channel")
	}
	if _, err := w.Query(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}

// A message is tried before documents: an answer lets them be embedded and is not asked for
// again, a refusal is theirs, and none in time wakes the model.
func TestTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := asleep()
		w := NewWaking(s)
		w.Try(" a message ", time.Minute)
		began := time.Now()
		_, err := w.Documents(t.Context(), []string{"x"})
		if err == nil || err.Error() != "waking the model, which did not embed the message within 1m0s" || time.Since(began) != time.Minute || w.Awake() == nil {
			t.Errorf("asleep: %v after %v", err, time.Since(began))
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := w.Documents(gone, []string{"x"}); !errors.Is(err, context.Canceled) && !errors.Is(err, ErrWaking) {
			t.Errorf("nobody waits: %v", err)
		}
		close(s.loads)
		<-w.Awake()
		refused := errors.New("no such model")
		w.Try("another", time.Minute)
		s.ask = func([]float32) ([]float32, error) { return nil, refused }
		if _, err := w.Documents(t.Context(), []string{"x"}); !errors.Is(err, refused) {
			t.Errorf("refused: %v", err)
		}
		s.ask = nil
		for range 2 {
			if got, err := w.Documents(t.Context(), []string{"x", "y"}); err != nil || len(got) != 2 {
				t.Errorf("awake: %v, %v", got, err)
			}
		}
		for len(s.came) > 0 {
			<-s.came
		}
		if _, err := w.Documents(t.Context(), []string{"x"}); err != nil || len(s.came) > 0 {
			t.Errorf("the message is tried again: %v", err)
		}
	})
}

// A server that answers that it loads its model is asked until it has it; a message does not
// stay for that, and wakes the model.
func TestServerThatLoads(t *testing.T) {
	tests := []struct {
		name, says string
		status     int
		loads      bool
	}{
		{"llama.cpp", `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`, 503, true},
		{"Hugging Face", `{"error":"Model bge is currently loading","estimated_time":20.0}`, 503, true},
		{"a queue", `{"error":"server busy, please try again"}`, 503, false},
		{"a load that failed", `{"error":{"message":"error loading model"}}`, 500, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			loading := make([]http.HandlerFunc, 9)
			for i := range loading {
				loading[i] = says(tt.status, tt.says)
			}
			s := serve(t, append(loading, answer("openai"))...)
			var asked waits
			w := NewWaking(client("openai", s.URL, RemoteOptions{Wait: asked.wait}))
			short, leave := context.WithTimeout(t.Context(), time.Minute)
			defer leave()
			w.Embedder.(*RemoteClient).jitter = func(time.Duration) time.Duration { return time.Hour }
			if _, err := w.Query(short, "a"); errors.Is(err, ErrWaking) != tt.loads {
				t.Errorf("the message: %v", err)
			}
			w.Try("a", time.Minute)
			if _, err := w.Documents(t.Context(), []string{"x"}); err == nil || (w.Awake() != nil) != tt.loads {
				t.Errorf("the trial: %v", err)
			}
			if tt.loads {
				<-w.Awake()
			}
			w.Try("", 0)
			if got, err := w.Documents(t.Context(), []string{"x"}); (err == nil) != tt.loads || len(got) > 1 {
				t.Errorf("the documents: %v, %v", got, err)
			}
		})
	}
}
