package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostIdle is the most memory that a client which does nothing may take, in bytes, with
// its own end and the goroutines of both.
const mostIdle = 150_000

// inUse returns the bytes of the heap and of stacks that are in use.
func inUse() uint64 {
	runtime.GC()
	runtime.GC() // what the first one finalized
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// TestIdleConnections keeps many clients connected, each with its stream of
// notifications open: they take little memory, and every one is answered and told of
// another list of tools. The end of each is noted.
func TestIdleConnections(t *testing.T) {
	clients := 50
	if *slow {
		clients = 1000
	}
	var n notes
	s := New(Options{Note: n.add, Execute: func(context.Context, *model.Tool, json.RawMessage, Progress) (json.RawMessage, error) {
		return json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`), nil
	}})
	s.Publish(snapshotOf(t, "harbor", settings))
	token := NewToken()
	web := httptest.NewServer(s.Handler(map[string]string{"harbor": token}, false))
	defer web.Close()
	over := &http.Client{Transport: bearerOf(token)}
	var told sync.WaitGroup
	told.Add(clients)
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told.Done() }})
	before, goroutines := inUse(), runtime.NumGoroutine()
	all := make([]*mcp.ClientSession, clients)
	for i := range all {
		c, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL + PathOf("harbor"), HTTPClient: over}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			t.Fatalf("client %d: %v", i, err)
		}
		all[i] = c
	}
	each := (inUse() - before) / uint64(clients)
	t.Logf("%d bytes and %.1f goroutines a client, with its own end", each, float64(runtime.NumGoroutine()-goroutines)/float64(clients))
	if each > mostIdle {
		t.Errorf("a client that does nothing takes %d bytes", each)
	}
	var took []float64
	for i, c := range all {
		began := time.Now()
		if text, isError := says(t, c, "tool_call", `{"name":"mcp_harbor_book","arguments":{"berth":7}}`); isError || text != "done" {
			t.Fatalf("client %d: %s", i, text)
		}
		took = append(took, since(began))
	}
	slices.Sort(took)
	t.Logf("a call takes %.2f ms, 99 of 100 at most %.2f ms", took[len(took)/2], took[len(took)*99/100])
	s.session("harbor").announce()
	heard := make(chan struct{})
	go func() { told.Wait(); close(heard) }()
	select {
	case <-heard:
	case <-time.After(20 * time.Second):
		t.Error("not every client is told that the list of tools has changed")
	}
	s.Close()
	if connected, gone := len(n.of(transcript.EventConnect)), len(n.of(transcript.EventDisconnect)); connected != clients || gone != clients {
		t.Errorf("%d connected, %d are gone", connected, gone)
	}
	for _, c := range all {
		_ = c.Close() // the server has ended it
	}
}
