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
	"caliper/model/safetext"

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

	// How much is kept and how long is waited; 0 for the usual values.
	most    int           // spans that are not sent yet
	batch   int           // spans in a request
	every   time.Duration // after which a batch that is not full is sent
	request time.Duration // for a batch to be confirmed, with all attempts
	pause   time.Duration // before the second attempt, and twice as long before each further one
}

// SpanSender sends events as spans. Its methods may be called from several goroutines.
type SpanSender struct {
	SpanOptions
	provider *sdk.TracerProvider
	tracer   trace.Tracer

	mu      sync.RWMutex // Stop has it alone
	stopped bool

	added, waiting, lost atomic.Int64

	client   *http.Client
	headers  http.Header
	losing   bool               // the last batch was lost
	stopping chan struct{}      // closed when there is no time for further attempts
	ended    context.Context    // ends when there is no time at all
	end      context.CancelFunc // ends it
}

// NewSender returns a sender. It connects when it has something to send; the error is of the
// options or of the environment.
func NewSender(o SpanOptions) (*SpanSender, error) {
	var err error
	if o.URL, err = Address(o.URL); err != nil {
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
	own := resource.NewSchemaless(attribute.String("service.name", "caliper"), attribute.String("service.version", safetext.Line(o.Version)))
	about, err := resource.Merge(own, environment)
	if err != nil {
		return nil, err
	}
	headers.Set("Content-Type", "application/x-protobuf")
	headers.Set("User-Agent", "caliper/"+safetext.Line(o.Version))
	o.most = cmp.Or(o.most, 2048)
	s := &SpanSender{SpanOptions: o, headers: headers, stopping: make(chan struct{})}
	s.ended, s.end = context.WithCancel(context.Background())
	// SECURITY: a collector that redirects gets no further: the headers may be secret.
	s.client = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s.provider = sdk.NewTracerProvider(
		sdk.WithSampler(sdk.AlwaysSample()),
		sdk.WithResource(about),
		sdk.WithRawSpanLimits(sdk.SpanLimits{AttributeCountLimit: 128, AttributeValueLengthLimit: 1000}),
		sdk.WithBatcher((*exporter)(s),
			// Add keeps the queue from being full, so that the SDK, which does not
			// say what it drops, drops nothing.
			sdk.WithMaxQueueSize(o.most),
			sdk.WithMaxExportBatchSize(min(cmp.Or(o.batch, 512), o.most)),
			sdk.WithBatchTimeout(cmp.Or(o.every, time.Second)),
			sdk.WithExportTimeout(cmp.Or(o.request, 10*time.Second))))
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
	if s.waiting.Add(1) > int64(s.most) {
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
	close(s.stopping) // batches that are not confirmed at the first attempt fail
	context.AfterFunc(ctx, s.end)
	_ = s.provider.Shutdown(context.WithoutCancel(ctx)) // when ctx ends, the exporter fails at once
	s.client.CloseIdleConnections()
}
