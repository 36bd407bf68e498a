package serving

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// contextFor returns a context of the test that ends after a time.
func contextFor(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(context.WithoutCancel(t.Context()), d)
}

// canary is a text that must not leave the process.
const canary = "zebrafish"

// noon is when the events of these tests end.
var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// full returns an event of a kind with every text that one can have.
func full(kind transcript.EventKind) transcript.Event {
	return transcript.Event{V: transcript.EventVersion, Time: noon, Seq: 7, Session: "worker", Client: &transcript.EventClient{Name: "agent\xff", Version: "2"}, Connection: "8f3a", Kind: kind,
		Request: &transcript.EventRequest{Name: "tool_call", Queries: []string{canary, "moor"}, Names: []string{canary}, Called: canary,
			Arguments: json.RawMessage(`{"a":"` + canary + `"}`), Bytes: 27, SHA256: hex.EncodeToString([]byte(canary))},
		Hits:     []transcript.EventHit{{Query: 1, Name: "mcp_harbor_moor", Rank: 1, Score: 4.25}, {Query: 1, Name: "mcp_harbor_book", Rank: 2, Score: 1.5}},
		RealName: "harbor:moor", Trace: []transcript.EventStep{{Gate: "catalog", Verdict: "pass"}, {Gate: "hook pre_tool_call", Verdict: "fail"}},
		Verdict: transcript.VerdictDenied, Code: "policy_denied", Tokens: transcript.EventTokens{Request: 7, Response: 96, Schemas: 11}, UpstreamMS: 1.5, TotalMS: 2.5,
		Result: &transcript.EventResult{Chars: 300, Tokens: 96, Rescued: true, Blob: canary, SHA256: hex.EncodeToString([]byte(canary)), Text: canary}, Error: canary}
}

// value returns an attribute in Go's notation; "" for none.
func value(attributes []*common.KeyValue, key string) string {
	for _, a := range attributes {
		if a.Key == key {
			return plain(a.Value)
		}
	}
	return ""
}

// plain returns a value in Go's notation.
func plain(v *common.AnyValue) string {
	switch v := v.Value.(type) {
	case *common.AnyValue_StringValue:
		return fmt.Sprintf("%q", v.StringValue)
	case *common.AnyValue_BoolValue:
		return fmt.Sprint(v.BoolValue)
	case *common.AnyValue_IntValue:
		return fmt.Sprint(v.IntValue)
	case *common.AnyValue_DoubleValue:
		return fmt.Sprint(v.DoubleValue)
	case *common.AnyValue_ArrayValue:
		var all []string
		for _, e := range v.ArrayValue.Values {
			all = append(all, plain(e))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return "unknown"
}

// TestCall: the span of a call has the attributes of the conventions, the gates and the
// price, and the times of its event.
func TestCall(t *testing.T) {
	c := collecting(t, nil)
	s := sending(t, SpanOptions{URL: c.URL, Version: "1.2.3", Headers: "Authorization=Bearer%20secret"})
	s.Add(full(transcript.EventCall))
	stop(t, s, 5*time.Second)
	if lost, added := s.Lost(); lost != 0 || added != 1 || len(c.got()) != 1 {
		t.Fatalf("%d of %d are lost, %d have come", lost, added, len(c.got()))
	}
	span := c.got()[0]
	if span.Name != "tools/call tool_call" || span.Kind != traces.Span_SPAN_KIND_SERVER || span.Status.GetCode() != traces.Status_STATUS_CODE_ERROR || span.Status.GetMessage() != "" {
		t.Errorf("it is %s, %v, %v", span.Name, span.Kind, span.Status)
	}
	if len(span.TraceId) != 16 || len(span.SpanId) != 8 || len(span.ParentSpanId) != 0 {
		t.Errorf("trace %x, span %x, parent %x", span.TraceId, span.SpanId, span.ParentSpanId)
	}
	if span.EndTimeUnixNano != uint64(noon.UnixNano()) || span.EndTimeUnixNano-span.StartTimeUnixNano != 2_500_000 {
		t.Errorf("from %d to %d", span.StartTimeUnixNano, span.EndTimeUnixNano)
	}
	for key, want := range map[string]string{
		"mcp.method.name": `"tools/call"`, "mcp.session.id": `"8f3a"`, "gen_ai.operation.name": `"execute_tool"`, "gen_ai.tool.name": `"tool_call"`, "error.type": `"tool_error"`,
		"caliper.session": `"worker"`, "caliper.seq": "7", "caliper.client.name": `"agent�"`, "caliper.tool.name": `"harbor:moor"`, "caliper.verdict": `"denied"`, "caliper.code": `"policy_denied"`,
		"caliper.gate.catalog": `"pass"`, "caliper.gate.hook_pre_tool_call": `"fail"`,
		"caliper.tokens.request": "7", "caliper.tokens.response": "96", "caliper.tokens.schemas": "11", "caliper.upstream.ms": "1.5",
		"caliper.request.bytes": "27", "caliper.result.chars": "300", "caliper.result.rescued": "true",
	} {
		if got := value(span.Attributes, key); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if got := value(c.about, "service.name") + value(c.about, "service.version"); got != `"caliper""1.2.3"` {
		t.Errorf("the process is %s", got)
	}
	if got := c.headers.Get("Authorization") + c.headers.Get("Content-Type"); got != "Bearer secret"+"application/x-protobuf" {
		t.Errorf("the headers are %v", c.headers)
	}
}

// TestParent: a span is the child of the client's, if the client names one, whether that
// is sampled or not. A text that is not in the form is none.
func TestParent(t *testing.T) {
	const traceID, spanID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for parent, child := range map[string]bool{
		"00-" + traceID + "-" + spanID + "-01": true, "00-" + traceID + "-" + spanID + "-00": true, "01-" + traceID + "-" + spanID + "-ff-later": true,
		"": false, "00-" + strings.Repeat("0", 32) + "-" + spanID + "-01": false, "00-" + traceID + "-" + strings.Repeat("0", 16) + "-01": false, canary: false,
		"00-" + traceID + "-" + spanID: false, "00-" + traceID + "-" + spanID + "-04": false, "00-" + traceID + "-" + spanID + "-01-later": false,
		"00-" + strings.ToUpper(traceID) + "-" + spanID + "-01": false, "ff-" + traceID + "-" + spanID + "-01": false,
	} {
		c := collecting(t, nil)
		s := sending(t, SpanOptions{URL: c.URL})
		e := full(transcript.EventCall)
		e.Request.Parent = parent
		s.Add(e)
		stop(t, s, 5*time.Second)
		if len(c.got()) != 1 {
			t.Fatalf("%q: %d spans", parent, len(c.got()))
		}
		span := c.got()[0]
		if got := hex.EncodeToString(span.TraceId) == traceID && hex.EncodeToString(span.ParentSpanId) == spanID; got != child || !child && len(span.ParentSpanId) > 0 || len(span.TraceId) != 16 {
			t.Errorf("%q: trace %x, parent %x", parent, span.TraceId, span.ParentSpanId)
		}
	}
}

// TestSearch: the span of a search has the ranks, and no query.
func TestSearch(t *testing.T) {
	d := describe(full(transcript.EventSearch))
	got := fmt.Sprint(d.name)
	for _, a := range d.attributes {
		var pair common.KeyValue
		require.NoError(t, proto.Unmarshal(a, &pair))
		if strings.Contains(pair.Key, "hit") {
			got += " " + pair.Key + "=" + plain(pair.Value)
		}
	}
	if want := `tools/call tool_call caliper.search.hits=2 caliper.hit.names=["mcp_harbor_moor" "mcp_harbor_book"] caliper.hit.queries=[1 1] caliper.hit.ranks=[1 2] caliper.hit.scores=[4.25 1.5]`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestLimits: a span has each attribute once, 128 at most, and a text of 1,000 characters at most.
func TestLimits(t *testing.T) {
	e := full(transcript.EventCall)
	e.Session = strings.Repeat("ä", 1001)
	for i := range 200 {
		e.Trace = append(e.Trace, transcript.EventStep{Gate: fmt.Sprint(i), Verdict: "pass"})
	}
	e.Trace = append(e.Trace, transcript.EventStep{Gate: "catalog", Verdict: "fail"})
	var span traces.Span
	require.NoError(t, proto.Unmarshal(encodeSpan(e), &span))
	if len(span.Attributes) != 128 || value(span.Attributes, "caliper.gate.catalog") != `"fail"` || value(span.Attributes, "caliper.session") != `"`+strings.Repeat("ä", 1000)+`"` {
		t.Errorf("%d attributes, catalog %s, session %s", len(span.Attributes), value(span.Attributes, "caliper.gate.catalog"), value(span.Attributes, "caliper.session"))
	}
}

// TestNoText: whatever happened, no text of a query, of arguments, of a result or of an
// error is sent, and no digest or id of one.
func TestNoText(t *testing.T) {
	c := collecting(t, nil)
	s := sending(t, SpanOptions{URL: c.URL})
	kinds := []transcript.EventKind{transcript.EventConnect, transcript.EventList, transcript.EventSearch, transcript.EventDescribe, transcript.EventCall, transcript.EventFetch, transcript.EventApprove, transcript.EventUpstream, transcript.EventReload, transcript.EventRefuse, transcript.EventDisconnect}
	for _, kind := range kinds {
		s.Add(full(kind))
	}
	made := full(transcript.EventCall) // of a tool that there is not
	made.Request.Name, made.RealName = canary, ""
	s.Add(made)
	stop(t, s, 5*time.Second)
	if got := len(c.got()); got != len(kinds)+1 {
		t.Fatalf("%d spans", got)
	}
	for _, body := range c.bodies {
		if bytes.Contains(body, []byte(canary)) || bytes.Contains(body, []byte(hex.EncodeToString([]byte(canary)))) {
			t.Errorf("the text is in %q", body)
		}
	}
	names := map[string]bool{}
	for _, span := range c.got() {
		names[span.Name] = true
		if (span.Kind == traces.Span_SPAN_KIND_SERVER) != strings.HasPrefix(span.Name, "tools/") {
			t.Errorf("%s is %v", span.Name, span.Kind)
		}
	}
	for _, want := range []string{"caliper.connect", "tools/list", "tools/call tool_call", "tools/call", "caliper.approve", "caliper.upstream", "caliper.reload", "caliper.refuse", "caliper.disconnect"} {
		if !names[want] {
			t.Errorf("no %s among %v", want, names)
		}
	}
}

// TestFailures: an event has an error where its request failed, and none where a person
// said no or nothing was executed.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		kind    transcript.EventKind
		verdict string
		want    string
	}{
		{transcript.EventCall, transcript.VerdictOK, ""}, {transcript.EventCall, transcript.VerdictDryRun, ""}, {transcript.EventCall, transcript.VerdictDenied, "tool_error"}, {transcript.EventCall, transcript.VerdictFailed, "tool_error"},
		{transcript.EventCall, transcript.VerdictGone, "cancelled"}, {transcript.EventUpstream, transcript.VerdictGone, "gone"}, {transcript.EventApprove, transcript.VerdictRefused, ""}, {transcript.EventApprove, transcript.VerdictTimedOut, ""}, {transcript.EventRefuse, transcript.VerdictDenied, "wrong_token"},
	} {
		if got := describe(transcript.Event{Kind: c.kind, Verdict: c.verdict, Code: "wrong_token"}).failure; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.kind, c.verdict, got, c.want)
		}
	}
}

// TestHanging: while a collector holds every request, events are taken at once, those
// that find no room are lost, and so are the others when the time to stop is over.
func TestHanging(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	c := collecting(t, func(http.ResponseWriter, int) { <-release })
	t.Cleanup(func() { close(release) }) // before the collector is closed
	s := sending(t, SpanOptions{URL: c.URL, most: 100, batch: 10, every: time.Millisecond})
	add(s, 1000)
	if lost, added := s.Lost(); lost != 900 || added != 1000 {
		t.Errorf("%d of %d are lost", lost, added)
	}
	stop(t, s, 200*time.Millisecond)
	s.Add(transcript.Event{Kind: transcript.EventList, Time: noon})
	if lost, added := s.Lost(); lost != 1001 || added != 1001 {
		t.Errorf("at the end %d of %d are lost", lost, added)
	}
}

// TestDown: what cannot be sent is lost and counted, why is told once, and Stop does not
// wait for another attempt.
func TestDown(t *testing.T) {
	t.Parallel()
	c := collecting(t, nil)
	c.Close()
	var faults atomic.Int64
	s := sending(t, SpanOptions{URL: c.URL, Fault: func(error) { faults.Add(1) }, every: time.Millisecond, batch: 5, request: 50 * time.Millisecond, pause: time.Millisecond})
	for range 4 {
		add(s, 5)
		time.Sleep(60 * time.Millisecond)
	}
	stop(t, s, 10*time.Second)
	if lost, added := s.Lost(); lost != 20 || added != 20 || faults.Load() != 1 {
		t.Errorf("%d of %d are lost, told %d times", lost, added, faults.Load())
	}
	late := sending(t, SpanOptions{URL: c.URL, pause: time.Hour})
	add(late, 1)
	if !stop(t, late, time.Minute) {
		t.Error("it waits for another attempt")
	}
}

// TestAnswers: an answer that says to try again is followed by another attempt, any
// other failure is not, and what a collector rejects is lost.
func TestAnswers(t *testing.T) {
	status := func(codes ...int) func(http.ResponseWriter, int) {
		return func(w http.ResponseWriter, attempt int) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(codes[min(attempt, len(codes))-1])
		}
	}
	for name, tt := range map[string]struct {
		answer         func(http.ResponseWriter, int)
		attempts, lost int
	}{
		"again":    {status(503, 429, 200), 3, 0},
		"broken":   {status(500, 200), 1, 3},
		"refused":  {status(401, 200), 1, 3},
		"moved":    {status(307, 200), 1, 3},
		"rejected": {func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte{0x0a, 2, 8, 2}) }, 1, 2},
		"warned":   {func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte{0x0a, 3, 0x12, 1, 'x'}) }, 1, 0},
		"garbage":  {func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte("\xff\xff\xff")) }, 1, 0},
		"too many": {func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte{0x0a, 3, 8, 0xff, 1}) }, 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			c := collecting(t, tt.answer)
			s := sending(t, SpanOptions{URL: c.URL, batch: 3, every: time.Hour, pause: time.Millisecond})
			add(s, 3)
			for end := time.Now().Add(5 * time.Second); s.waiting.Load() > 0 && time.Now().Before(end); {
				time.Sleep(time.Millisecond)
			}
			stop(t, s, time.Second)
			if lost, _ := s.Lost(); int(lost) != tt.lost || len(c.bodies) != tt.attempts {
				t.Errorf("%d are lost after %d attempts", lost, len(c.bodies))
			}
		})
	}
}

// TestEnvironment: the environment's words about the process are sent, its words about
// sampling and limits do not count, and broken ones are an error.
func TestEnvironment(t *testing.T) {
	t.Setenv("OTEL_SERVICE_NAME", "tools-of-ours")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", " deployment.environment.name=test%20it, service.name=overruled,part=5%")
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	t.Setenv("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "1")
	t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "1")
	c := collecting(t, nil)
	s := sending(t, SpanOptions{URL: c.URL})
	add(s, 50)
	stop(t, s, 5*time.Second)
	if lost, _ := s.Lost(); lost != 0 || len(c.got()) != 50 {
		t.Errorf("%d are lost, %d have come", lost, len(c.got()))
	}
	if got := value(c.about, "service.name") + value(c.about, "deployment.environment.name") + value(c.about, "part"); got != `"tools-of-ours""test it""5%"` {
		t.Errorf("the process is %s", got)
	}
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "nothing")
	if _, err := NewSender(SpanOptions{URL: c.URL}); err == nil || !strings.Contains(err.Error(), "OTEL_RESOURCE_ATTRIBUTES") {
		t.Errorf("broken attributes: %v", err)
	}
}

// TestAddress: spans go in the clear only where http is written, and anything but the address of
// a collector is named.
func TestAddress(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"},
		{"collector:4318", "https://collector:4318/v1/traces"},
		{"127.0.0.1:4318/", "https://127.0.0.1:4318/v1/traces"},
		{"https://x.example/otlp/v1/traces?team=a", "https://x.example/otlp/v1/traces?team=a"},
		{"grpc://x:4317", "want http:// or https://"},
		{"https://", "has no host"},
		{"http://x:y", "is not a URL"},
		{"https://me:secret@x", "does not belong in the URL"},
		{"https://x/#y", "no part after #"},
	} {
		got, err := Address(c.in)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) || strings.Contains(got, "secret") {
			t.Errorf("%s: %s", c.in, got)
		}
	}
	for text, good := range map[string]bool{"": true, "a=b,c=d%2C": true, " a = b ,": true, "a": false, "=b": false, "a b=c": false, "a=%zz": false, "a=b%0ac": false} {
		if _, err := headersOf(text); (err == nil) != good {
			t.Errorf("headers %q: %v", text, err)
		}
	}
}
