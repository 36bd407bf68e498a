package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// The waits before another try: below firstWait before the second, twice that
// before the third, and so on to lastWait. A server may ask for longer, up to
// askedWait.
const (
	firstWait = 200 * time.Millisecond
	lastWait  = 5 * time.Second
	askedWait = 30 * time.Second
)

// ask sends a request until it has an answer, an error that stays, or no tries
// left: while the server says that it loads its model, there are as many as wakeTime has
// room for. Tries of a limited request last Options.Timeout each; one that used it
// up is the last, since the next would as well.
func (c *RemoteClient) ask(ctx context.Context, input []string, limited bool) ([]byte, error) {
	payload, err := json.Marshal(c.dialect.request(c.identity.Model, input))
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for try := 0; ; try++ {
		body, err := c.try(ctx, payload, len(input), limited)
		var r *refusal
		if !errors.As(err, &r) || !r.again {
			return body, err
		}
		if loads := r.cause == ErrWaking && time.Since(began) < wakeTime; try >= c.options.Retries && !loads {
			if try > 0 {
				r.text += fmt.Sprintf(" (%d tries)", try+1)
			}
			return nil, r
		}
		d := max(r.after, c.jitter(backoff(try)))
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
			r.text += " (no time for another try)"
			return nil, r
		}
		if err := c.options.Wait(ctx, d); err != nil {
			return nil, fmt.Errorf("%w, after: %s", err, r.text)
		}
	}
}

// try sends a request once.
func (c *RemoteClient) try(ctx context.Context, payload []byte, texts int, limited bool) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !limited {
		return c.exchange(ctx, payload, texts)
	}
	bounded, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	body, err := c.exchange(bounded, payload, texts)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, &refusal{text: fmt.Sprintf("no answer within %v", c.options.Timeout), cause: context.DeadlineExceeded}
	}
	return body, err
}

// backoff returns the limit of the wait after a number of retries.
func backoff(retries int) time.Duration {
	return min(lastWait, firstWait<<min(retries, 10))
}

// fullJitter spreads waits over all of [0, limit), so that clients that failed
// together do not come back together. See
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
func fullJitter(limit time.Duration) time.Duration { return rand.N(limit) }

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// worthRetry reports whether a status is temporary, so that another try may succeed.
func worthRetry(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter returns the wait that a server asks for, askedWait at most, and 0
// when it asks for none. A date counts from the server's own, so that the
// clocks need not agree; without that it is ignored. See RFC 9110, 10.2.3.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(askedWait/time.Second))) * time.Second
	}
	then, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return min(max(then.Sub(now), 0), askedWait)
}
