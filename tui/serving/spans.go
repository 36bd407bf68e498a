package serving

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caliper/engine/transcript"
	"caliper/model/safetext"
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
	about   []byte         // the Resource that sends
	queue   chan []byte    // spans; it has room for all that wait
	running sync.WaitGroup // until the queue is closed and empty

	mu      sync.RWMutex // Stop has it alone
	stopped bool

	added, waiting, lost atomic.Int64

	client   *http.Client
	headers  http.Header
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
	about, err := resourceOf(safetext.Line(o.Version), os.Getenv("OTEL_SERVICE_NAME"), os.Getenv("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	headers.Set("Content-Type", "application/x-protobuf")
	headers.Set("User-Agent", "caliper/"+safetext.Line(o.Version))
	o.most = cmp.Or(o.most, 2048)
	o.batch = min(cmp.Or(o.batch, 512), o.most)
	o.every, o.request = cmp.Or(o.every, time.Second), cmp.Or(o.request, 10*time.Second)
	s := &SpanSender{SpanOptions: o, about: about, queue: make(chan []byte, o.most), headers: headers, stopping: make(chan struct{})}
	s.ended, s.end = context.WithCancel(context.Background())
	// SECURITY: a collector that redirects gets no further: the headers may be secret.
	s.client = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s.running.Go(s.run)
	return s, nil
}

// resourceOf returns the Resource of a process: caliper, and what the environment says of it, which
// wins.
func resourceOf(version, name, attributes string) ([]byte, error) {
	texts := map[string]string{"service.name": "caliper", "service.version": version}
	var broken []string
	for pair := range strings.SplitSeq(strings.TrimSpace(attributes), ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			broken = append(broken, pair)
		}
		text, err := url.PathUnescape(strings.TrimSpace(value))
		if err != nil {
			text = value
		}
		if key = strings.TrimSpace(key); key != "" {
			texts[key] = text
		}
	}
	if strings.TrimSpace(attributes) != "" && broken != nil {
		return nil, fmt.Errorf("error detecting resource: partial resource: missing value: %v", broken)
	}
	if name = strings.TrimSpace(name); name != "" {
		texts["service.name"] = name
	}
	var b []byte
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		pair := appendMessage(appendText(nil, pairKey, key), pairValue, appendText(nil, valueText, texts[key]))
		b = appendMessage(b, resourceAttributes, pair)
	}
	return b, nil
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
	s.queue <- encodeSpan(e)
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
	close(s.queue)   // nothing is added any more
	s.running.Wait() // when ctx ends, batches fail at once
	s.client.CloseIdleConnections()
}
