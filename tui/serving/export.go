package serving

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// run sends what waits: a batch when it is full, and every while what there is. It ends when the
// queue is closed and empty.
func (s *SpanSender) run() {
	var spans [][]byte
	losing := false // the last batch was lost
	timer := time.NewTimer(s.every)
	send := func() {
		if timer.Reset(s.every); len(spans) > 0 {
			err := s.export(spans)
			if err != nil && !losing && s.Fault != nil {
				s.Fault(err)
			}
			losing = err != nil
		}
		spans = nil
	}
	for {
		select {
		case <-timer.C:
			send()
		case span, more := <-s.queue:
			if !more {
				send()
				return
			}
			if spans = append(spans, span); len(spans) == s.batch {
				send()
			}
		}
	}
}

// export sends a batch over OTLP/HTTP, and counts the lost spans; the error tells why.
func (s *SpanSender) export(spans [][]byte) error {
	ctx, cancel := context.WithTimeout(s.ended, s.request)
	defer cancel()
	body, again, wait := encode(s.about, s.Version, spans), true, time.Duration(0)
	var lost int64
	var err error
	for pause := cmp.Or(s.pause, 500*time.Millisecond); again; pause *= 2 {
		if lost, again, wait, err = s.attempt(ctx, body); again {
			select { // as many attempts as there is time for
			case <-ctx.Done():
				again = false
			case <-s.stopping:
				again = false
			case <-time.After(max(pause, wait)):
			}
		}
	}
	if err != nil {
		lost = int64(len(spans))
	}
	s.waiting.Add(-int64(len(spans)))
	s.lost.Add(min(lost, int64(len(spans))))
	if err == nil && lost > 0 {
		err = fmt.Errorf("the collector rejected %d of %d", lost, len(spans))
	}
	return err
}

// passing are the answers after which a batch may be sent again (OTLP specification,
// OTLP/HTTP response, retryable response codes).
var passing = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// attempt sends a batch once. again is whether another attempt may do better, after wait
// at the earliest.
func (s *SpanSender) attempt(ctx context.Context, body []byte) (lost int64, again bool, wait time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return 0, false, 0, err
	}
	r.Header = s.headers
	answer, err := s.client.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return 0, false, 0, fmt.Errorf("%s: no answer", s.URL)
		}
		return 0, true, 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
	if answer.StatusCode/100 != 2 {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return 0, slices.Contains(passing, answer.StatusCode), time.Duration(seconds) * time.Second,
			fmt.Errorf("%s answers %d %s", s.URL, answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	if err != nil {
		return 0, false, 0, err
	}
	rejected, _ := protowire.ConsumeVarint(field(field(text, 1), 1)) // an ExportTraceServiceResponse: partial_success (1) has rejected_spans (1)
	return max(int64(rejected), 0), false, 0, nil
}
