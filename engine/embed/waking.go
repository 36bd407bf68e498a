package embed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// wakeTime is how long a model may take to be loaded. Ollama itself gives a load
// five minutes (OLLAMA_LOAD_TIMEOUT), and most take seconds.
const wakeTime = 2 * time.Minute

// ErrWaking is the error of a message whose model is being loaded: it was not asked for, or
// the server said so.
var ErrWaking = errors.New("the model is being loaded")

// Waking is an embedder whose server loads its model at the first request, and gives
// the load up when the client leaves, as Ollama does. A message that waits for less
// time than the load takes would never find the model: Wake asks again beside it, for
// as long as the load takes. It is safe for concurrent use.
type Waking struct {
	Embedder

	asking sync.RWMutex // held for reading by each Query under way

	mu     sync.Mutex
	trial  string        // a message to be embedded before any document is; empty: none
	wait   time.Duration // for the trial
	waking bool          // a wake is under way
	awake  chan struct{} // of the last wake, closed at its end; nil before the first
	text   string        // the message that was embedded last
	vector []float32     // its vector; nil before the first
}

// NewWaking returns e with Wake.
func NewWaking(e Embedder) *Waking { return &Waking{Embedder: e} }

// Query returns the vector of a message. It reuses the last one's, and returns
// ErrWaking at once while a wake is under way: the server would queue the message
// behind the load, and its sender would not wait for it.
func (w *Waking) Query(ctx context.Context, text string) ([]float32, error) {
	w.mu.Lock()
	known, waking := w.vector, w.waking
	if text != w.text {
		known = nil
	}
	if known != nil || waking {
		w.mu.Unlock()
		if known == nil {
			return nil, fmt.Errorf("%s: %w", w.Identity(), ErrWaking)
		}
		return slices.Clone(known), nil
	}
	w.asking.RLock()
	w.mu.Unlock()
	defer w.asking.RUnlock()
	vector, err := w.Embedder.Query(ctx, text)
	if err != nil {
		return nil, err
	}
	w.keep(text, vector)
	return vector, nil
}

// Try has a message embedded within a time before any document is, which may take much
// longer than its sender waits. It is called before Documents.
func (w *Waking) Try(message string, within time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trial, w.wait = bounded(strings.TrimSpace(message)), within
}

// Documents returns the vectors of texts, or the error of embedding the message of Try.
// When that got no answer in time, its model is woken.
func (w *Waking) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	w.mu.Lock()
	trial, wait := w.trial, w.wait
	w.mu.Unlock()
	if trial != "" {
		waiting, stop := context.WithTimeout(ctx, wait)
		defer stop()
		switch _, err := w.Query(waiting, trial); {
		case err != nil && (errors.Is(err, ErrWaking) || waiting.Err() != nil) && ctx.Err() == nil:
			w.Wake(ctx, trial)
			return nil, fmt.Errorf("waking the model, which did not embed the message within %v", wait)
		case err != nil:
			return nil, err
		}
		w.Try("", 0)
	}
	return w.Embedder.Documents(ctx, texts)
}

// keep remembers the vector of a message.
func (w *Waking) keep(text string, vector []float32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text, w.vector = text, slices.Clone(vector)
}

// Wake embeds a message without the limit of its sender, unless a wake is under way.
// It returns at once; the end of ctx does not end it. It first lets the requests end
// that were given up, so that the load begins with a client that stays.
func (w *Waking) Wake(ctx context.Context, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waking {
		return
	}
	awake := make(chan struct{})
	w.waking, w.awake = true, awake
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), wakeTime)
	go func() {
		defer stop()
		w.asking.Lock()
		w.asking.Unlock() //lint:ignore SA2001 all that is wanted is that no Query is under way
		vector, err := w.Embedder.Query(ctx, text)
		if err == nil {
			w.keep(text, vector)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.waking = false
		close(awake)
	}()
}

// Awake returns a channel that is closed when the last wake has ended, and nil before
// the first. Each wake has its own.
func (w *Waking) Awake() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.awake
}

// Wake has the model of a message loaded beside it, and reports whether the embedder
// is one whose model can be asleep (see Waking).
func (v *Vectors) Wake(ctx context.Context, message string) bool {
	w, ok := v.embedder.(*Waking)
	if ok {
		w.Wake(ctx, bounded(strings.TrimSpace(message)))
	}
	return ok
}

// Awake returns the channel of the last wake (see Waking.Awake), and nil before the first.
func (v *Vectors) Awake() <-chan struct{} {
	if w, ok := v.embedder.(*Waking); ok {
		return w.Awake()
	}
	return nil
}
