package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveSpans serves the demo with --otlp, has a client search and call, and returns what
// is said at the end.
func serveSpans(t *testing.T, url string, calls int, called func()) (complaints string) {
	t.Helper()
	var told bytes.Buffer
	in, out, ended := serveTelling(t, &told, "--demo", "--stdio", "--otlp", url)
	c := agent(t, &mcp.IOTransport{Reader: io.NopCloser(out), Writer: in})
	for range calls {
		answerTo(t, c, "tool_search", `{"query":"zebrafish wiki page"}`)
		answerTo(t, c, "tool_call", `{"name":"mcp_wiki_read_page","arguments":{"page":"zebrafish"}}`)
	}
	called()
	_ = c.Close()
	_ = in.Close()
	<-ended
	return told.String()
}

// TestServeSpans: what a client does arrives at a collector, without its texts.
func TestServeSpans(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sent []byte
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, body...)
	}))
	defer collector.Close()
	complaints := serveSpans(t, collector.URL, 1, func() {})
	for _, want := range []string{"caliper.connect", "tools/call tool_search", "caliper.hit.ranks", "tools/call tool_call", "dry_run", "caliper.disconnect"} {
		if !bytes.Contains(sent, []byte(want)) {
			t.Errorf("no %s is sent", want)
		}
	}
	if bytes.Contains(sent, []byte("zebrafish")) {
		t.Error("a text is sent")
	}
	if strings.Contains(complaints, "lost") {
		t.Errorf("it says %s", complaints)
	}
}

// TestServeSpansLost: calls are answered while a collector answers nothing, and the
// spans that are lost are counted at the end.
func TestServeSpansLost(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var asked atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
		<-release
	}))
	defer collector.Close()
	defer close(release)
	complaints := serveSpans(t, collector.URL, 100, func() {
		if n := asked.Load(); n > 100 {
			t.Errorf("200 calls waited for the collector %d times", n)
		}
	})
	// The calls, the connection and its end.
	if want := "caliper: 202 of 202 spans were lost\n"; !strings.HasSuffix(complaints, want) {
		t.Errorf("it says %q", complaints)
	}
}
