package serving

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector is a collector of OpenTelemetry on this machine. Its answers come from
// answer; nil takes everything.
type collector struct {
	*httptest.Server
	answer func(w http.ResponseWriter, attempt int)

	mu      sync.Mutex
	bodies  [][]byte
	headers http.Header
	spans   []*traces.Span
	about   []*common.KeyValue
}

// collecting starts a collector.
func collecting(t *testing.T, answer func(w http.ResponseWriter, attempt int)) *collector {
	t.Helper()
	c := &collector{answer: answer}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.Path != path {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		// An ExportTraceServiceRequest has the fields of TracesData, by the same numbers.
		var data traces.TracesData
		if err := proto.Unmarshal(body, &data); err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		c.bodies, c.headers = append(c.bodies, body), r.Header
		attempt := len(c.bodies)
		for _, one := range data.ResourceSpans {
			c.about = one.Resource.Attributes
			for _, scope := range one.ScopeSpans {
				if scope.Scope.Name != "caliper" {
					t.Errorf("the scope is %v", scope.Scope)
				}
				c.spans = append(c.spans, scope.Spans...)
			}
		}
		c.mu.Unlock()
		if c.answer != nil {
			c.answer(w, attempt)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// got returns the spans that have come.
func (c *collector) got() []*traces.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spans
}

// sending returns a sender to a collector that is stopped at the end of the test.
func sending(t *testing.T, o SpanOptions) *SpanSender {
	t.Helper()
	s, err := NewSender(o)
	require.NoError(t, err)
	t.Cleanup(func() { stop(t, s, time.Second) })
	return s
}

// stop stops a sender, which gets some time to send what is left, and reports whether it took less.
func stop(t *testing.T, s *SpanSender, most time.Duration) (early bool) {
	t.Helper()
	ctx, cancel := contextFor(t, most)
	defer cancel()
	s.Stop(ctx)
	return ctx.Err() == nil
}

// add adds events.
func add(s *SpanSender, n int) {
	for range n {
		s.Add(transcript.Event{Kind: transcript.EventList, Time: time.Now()})
	}
}
