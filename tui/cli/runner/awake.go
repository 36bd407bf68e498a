package runner

import (
	"context"
	"time"

	"caliper/model/safetext"
)

// wakeWait is how long a command stays for a model that is being loaded.
const wakeWait = 30 * time.Second

// AwaitModel waits until the model that is being loaded is, so that the next command
// finds it: the server would give the load up when this one leaves. The answer of
// this one is written by then.
func (r *Run) AwaitModel(ctx context.Context) {
	if r.embedder == nil || r.embedder.Awake() == nil {
		return
	}
	if r.Env.StderrTerminal {
		r.Complain("caliper: waking " + safetext.Line(r.embedder.Identity().String()) + " for the next command; ctrl+c leaves it")
	}
	waiting, stop := context.WithTimeout(ctx, wakeWait)
	defer stop()
	select {
	case <-r.embedder.Awake():
	case <-waiting.Done():
	}
}
