package serving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// exporter sends batches over OTLP/HTTP. It is called by one goroutine.
type exporter struct {
	sender  *SpanSender
	address string
	headers http.Header
	client  *http.Client
	fault   func(error)
	pause   time.Duration

	losing   bool               // the last batch was lost
	stopping chan struct{}      // closed when there is no time for further attempts
	ended    context.Context    // ends when there is no time at all
	end      context.CancelFunc // ends it
}

// ExportSpans implements trace.SpanExporter. It counts lost spans, and so returns no
// error.
func (x *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(x.ended, func() { cancel(errors.New("the time to stop is over")) })()
	lost, err := x.send(ctx, encode(spans))
	if err != nil {
		lost = int64(len(spans))
	}
	x.sender.waiting.Add(-int64(len(spans)))
	x.sender.lost.Add(min(lost, int64(len(spans))))
	if err == nil && lost > 0 {
		err = fmt.Errorf("the collector rejected %d of %d", lost, len(spans))
	}
	if err != nil && !x.losing && x.fault != nil {
		x.fault(err)
	}
	x.losing = err != nil
	return nil
}

// Shutdown implements trace.SpanExporter.
func (x *exporter) Shutdown(context.Context) error { return nil }

// send sends a batch, in as many attempts as there is time for, and returns how many of
// its spans the collector rejected.
func (x *exporter) send(ctx context.Context, body []byte) (lost int64, err error) {
	for pause := x.pause; ; pause *= 2 {
		again, wait := false, pause
		lost, again, wait, err = x.attempt(ctx, body)
		if err == nil || !again {
			return lost, err
		}
		select {
		case <-ctx.Done():
			return 0, err
		case <-x.stopping:
			return 0, err
		case <-time.After(max(pause, wait)):
		}
	}
}

// passing are the answers after which a batch may be sent again (OTLP specification,
// OTLP/HTTP response, retryable response codes).
var passing = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// attempt sends a batch once. again is whether another attempt may do better, after wait
// at the earliest.
func (x *exporter) attempt(ctx context.Context, body []byte) (lost int64, again bool, wait time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, x.address, bytes.NewReader(body))
	if err != nil {
		return 0, false, 0, err
	}
	r.Header = x.headers
	answer, err := x.client.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return 0, false, 0, fmt.Errorf("%s: no answer", x.address)
		}
		return 0, true, 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
	if answer.StatusCode/100 != 2 {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return 0, slices.Contains(passing, answer.StatusCode), time.Duration(seconds) * time.Second,
			fmt.Errorf("%s answers %d %s", x.address, answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	if err != nil {
		return 0, false, 0, err
	}
	return max(rejected(text), 0), false, 0, nil
}
