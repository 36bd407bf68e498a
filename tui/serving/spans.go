package serving

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"caliper/engine/transcript"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// SpanOptions say where spans are sent.
type SpanOptions struct {
	URL     string      // as Address takes it
	Headers string      // sent with each batch, as OTEL_EXPORTER_OTLP_HEADERS has them
	Version string      // of caliper
	Fault   func(error) // hears why a batch is lost, unless the one before was lost too; nil for nobody
}

// bounds are how much is kept and how long is waited. Zero fields have the usual values.
type bounds struct {
	waiting int           // spans that are not sent yet
	batch   int           // spans in a request
	every   time.Duration // after which a batch that is not full is sent
	request time.Duration // for a batch to be confirmed, with all attempts
	pause   time.Duration // before the second attempt, and twice as long before each further one
}

// SpanSender sends events as spans. Its methods may be called from several goroutines.
type SpanSender struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	exporter *exporter
	most     int64

	mu      sync.RWMutex // Stop has it alone
	stopped bool

	added, waiting, lost atomic.Int64
}

// NewSender returns a sender. It connects when it has something to send; the error is of the
// options or of the environment.
func NewSender(o SpanOptions) (*SpanSender, error) { return start(o, bounds{}) }

// start returns a sender with other bounds than the usual ones.
func start(o SpanOptions, b bounds) (*SpanSender, error) {
	address, err := Address(o.URL)
	if err != nil {
		return nil, err
	}
	headers, err := headersOf(o.Headers)
	if err != nil {
		return nil, err
	}
	// What goes wrong in the SDK is counted by the exporter. It must not write to
	// standard error, which may be a screen.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {}))
	environment, err := resource.New(context.Background(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	own := resource.NewSchemaless(attribute.String("service.name", "caliper"), attribute.String("service.version", clean(o.Version)))
	about, err := resource.Merge(own, environment)
	if err != nil {
		return nil, err
	}
	headers.Set("Content-Type", "application/x-protobuf")
	headers.Set("User-Agent", "caliper/"+clean(o.Version))
	s := &SpanSender{most: int64(cmp.Or(b.waiting, 2048))}
	s.exporter = &exporter{sender: s, address: address, headers: headers, fault: o.Fault, stopping: make(chan struct{}), pause: cmp.Or(b.pause, 500*time.Millisecond)}
	s.exporter.ended, s.exporter.end = context.WithCancel(context.Background())
	// SECURITY: a collector that redirects gets no further: the headers may be secret.
	s.exporter.client = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s.provider = sdk.NewTracerProvider(
		sdk.WithSampler(sdk.AlwaysSample()),
		sdk.WithResource(about),
		sdk.WithRawSpanLimits(sdk.SpanLimits{AttributeCountLimit: 128, AttributeValueLengthLimit: 1000}),
		sdk.WithBatcher(s.exporter,
			// Add keeps the queue from being full, so that the SDK, which does not
			// say what it drops, drops nothing.
			sdk.WithMaxQueueSize(int(s.most)),
			sdk.WithMaxExportBatchSize(min(cmp.Or(b.batch, 512), int(s.most))),
			sdk.WithBatchTimeout(cmp.Or(b.every, time.Second)),
			sdk.WithExportTimeout(cmp.Or(b.request, 10*time.Second))))
	s.tracer = s.provider.Tracer("caliper", trace.WithInstrumentationVersion(o.Version))
	return s, nil
}

// Add sends an event, some time later. It never waits.
func (s *SpanSender) Add(e transcript.Event) {
	s.added.Add(1)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.stopped {
		s.lost.Add(1)
		return
	}
	if s.waiting.Add(1) > s.most {
		s.waiting.Add(-1)
		s.lost.Add(1)
		return
	}
	d := describe(e)
	began := e.Time.Add(-time.Duration(e.TotalMS * float64(time.Millisecond)))
	parent := context.Background()
	if e.Request != nil { // it may name the client's span that the event belongs to
		parent = propagation.TraceContext{}.Extract(parent, propagation.MapCarrier{"traceparent": e.Request.Parent})
	}
	_, span := s.tracer.Start(parent, d.name, trace.WithTimestamp(began), trace.WithSpanKind(d.kind), trace.WithAttributes(d.attributes...))
	if d.failure != "" {
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(e.Time))
}

// Lost returns how many spans are lost, of how many events that were added.
func (s *SpanSender) Lost() (lost, added int64) { return s.lost.Load(), s.added.Load() }

// Stop sends the waiting spans, for no longer than ctx lasts, and loses the rest. Events
// that are added later are lost.
func (s *SpanSender) Stop(ctx context.Context) {
	s.mu.Lock()
	stopped := s.stopped
	s.stopped = true
	s.mu.Unlock()
	if stopped {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	close(s.exporter.stopping) // batches that are not confirmed at the first attempt fail
	context.AfterFunc(ctx, s.exporter.end)
	_ = s.provider.Shutdown(context.WithoutCancel(ctx)) // when ctx ends, the exporter fails at once
	s.exporter.client.CloseIdleConnections()
}
