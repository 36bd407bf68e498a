package serving

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/protobuf/encoding/protowire"
)

// exporter is a SpanSender as it sends batches over OTLP/HTTP. It is called by one goroutine.
type exporter SpanSender

// ExportSpans implements trace.SpanExporter. It counts lost spans, and so returns no
// error.
func (x *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(x.ended, func() { cancel(errors.New("the time to stop is over")) })()
	body, again, wait := encode(spans), true, time.Duration(0)
	var lost int64
	var err error
	for pause := cmp.Or(x.pause, 500*time.Millisecond); again; pause *= 2 {
		if lost, again, wait, err = x.attempt(ctx, body); again {
			select { // as many attempts as there is time for
			case <-ctx.Done():
				again = false
			case <-x.stopping:
				again = false
			case <-time.After(max(pause, wait)):
			}
		}
	}
	if err != nil {
		lost = int64(len(spans))
	}
	x.waiting.Add(-int64(len(spans)))
	x.lost.Add(min(lost, int64(len(spans))))
	if err == nil && lost > 0 {
		err = fmt.Errorf("the collector rejected %d of %d", lost, len(spans))
	}
	if err != nil && !x.losing && x.Fault != nil {
		x.Fault(err)
	}
	x.losing = err != nil
	return nil
}

// Shutdown implements trace.SpanExporter.
func (x *exporter) Shutdown(context.Context) error { return nil }

// passing are the answers after which a batch may be sent again (OTLP specification,
// OTLP/HTTP response, retryable response codes).
var passing = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// attempt sends a batch once. again is whether another attempt may do better, after wait
// at the earliest.
func (x *exporter) attempt(ctx context.Context, body []byte) (lost int64, again bool, wait time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, x.URL, bytes.NewReader(body))
	if err != nil {
		return 0, false, 0, err
	}
	r.Header = x.headers
	answer, err := x.client.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return 0, false, 0, fmt.Errorf("%s: no answer", x.URL)
		}
		return 0, true, 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
	if answer.StatusCode/100 != 2 {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return 0, slices.Contains(passing, answer.StatusCode), time.Duration(seconds) * time.Second,
			fmt.Errorf("%s answers %d %s", x.URL, answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	if err != nil {
		return 0, false, 0, err
	}
	rejected, _ := protowire.ConsumeVarint(field(field(text, 1), 1)) // an ExportTraceServiceResponse: partial_success (1) has rejected_spans (1)
	return max(int64(rejected), 0), false, 0, nil
}
