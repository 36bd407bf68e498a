package serving

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/config"
	"caliper/engine/live"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/workbench"
)

// shop is a server of the official SDK that counts what it was asked to do.
type shop struct {
	*mcp.Server
	mu     sync.Mutex
	called []string
}

// newShop returns a server with the tools named.
func newShop(tools ...string) *shop {
	s := &shop{Server: mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)}
	for _, name := range tools {
		s.offer(name)
	}
	return s
}

// offer adds a tool that answers with its name.
func (s *shop) offer(name string) {
	s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.called = append(s.called, name)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name + " done"}}}, nil
	})
}

// calls returns the names of the tools that were called.
func (s *shop) calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.called)
}

// open serves s over HTTP until the test ends.
func open(t *testing.T, name string, s *shop) live.Server {
	t.Helper()
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, nil))
	t.Cleanup(web.Close)
	server, err := live.Remote(name, live.HTTPTransport, web.URL)
	require.NoError(t, err)
	return server
}

// started returns a hub that executes, and waits until its servers have listed their tools.
func started(t *testing.T, o Options, servers ...live.Server) *Hub {
	t.Helper()
	listed := make(chan error, len(servers))
	var once sync.Map
	o.Execute = true
	o.Upstream = func(name string, s live.Outcome) {
		if _, known := once.LoadOrStore(name, true); !known {
			listed <- s.Err
		}
	}
	h, err := New(o)
	require.NoError(t, err)
	h.Start(t.Context(), servers, live.Options{})
	t.Cleanup(h.Close)
	for range servers {
		require.NoError(t, <-listed)
	}
	return h
}

// dumped returns the names of the functions in the hub's dump.
func dumped(t *testing.T, h *Hub, n model.Naming) []string {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "dump.json", Data: h.Dump(n)})
	require.NoError(t, err)
	var names []string
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// TestOnlyWhatIsAllowed: a tool that the client's configuration leaves out is neither in
// the dump nor called, by whatever it is named.
func TestOnlyWhatIsAllowed(t *testing.T) {
	t.Parallel()
	s := newShop("list_crates", "burn_down")
	server := open(t, "store", s)
	server.Exclude = []string{"burn_*"}
	h := started(t, Options{}, server)

	if got, want := dumped(t, h, model.HermesNaming), []string{"mcp_store_list_crates"}; !slices.Equal(got, want) {
		t.Errorf("the dump has %v, want %v", got, want)
	}
	for _, tt := range []struct {
		name string
		tool model.Tool
		runs bool
	}{
		{"by its name", model.Tool{Name: "mcp_store_list_crates"}, true},
		{"by the later name", model.Tool{Name: "mcp__store__list_crates"}, true},
		{"by its source", model.Tool{Name: "crates", Server: "store", OriginalName: "list_crates"}, true},
		{"left out, by its name", model.Tool{Name: "mcp_store_burn_down"}, false},
		{"left out, by the later name", model.Tool{Name: "mcp__store__burn_down"}, false},
		{"left out, by its source", model.Tool{Name: "mcp_store_list_crates", Server: "store", OriginalName: "burn_down"}, false},
		{"of a server that is not there", model.Tool{Name: "mcp_store_list_crates", Server: "elsewhere", OriginalName: "list_crates"}, false},
		{"of nobody", model.Tool{Name: "mcp_store_nothing"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := len(s.calls())
			result, err := h.execute(t.Context(), &tt.tool, json.RawMessage(`{}`), nil)
			ran := len(s.calls()) - before
			if tt.runs != (err == nil) || tt.runs != (ran == 1) || tt.runs != strings.Contains(string(result), "list_crates done") {
				t.Errorf("ran %d times, result %s, error %v", ran, result, err)
			}
		})
	}
	if slices.Contains(s.calls(), "burn_down") {
		t.Error("what is left out was called")
	}
}

// TestChanged: a tool that a server announces later is in the next dump, and the hub says
// that there is one.
func TestChanged(t *testing.T) {
	t.Parallel()
	s := newShop("list_crates")
	h := started(t, Options{}, open(t, "store", s))
	<-h.Changed
	s.offer("weigh_crate")
	for !slices.Contains(dumped(t, h, model.LaterNaming), "mcp__store__weigh_crate") {
		select {
		case <-h.Changed:
		case <-t.Context().Done():
			t.Fatal("the hub never said that the tools changed")
		}
	}
}

// TestFirstServerOfAName: where two servers' tools bear one name, a call goes to the server
// that was given first, in whatever order they answered.
func TestFirstServerOfAName(t *testing.T) {
	t.Parallel()
	first, second := newShop("b_list"), newShop("list")
	h := started(t, Options{}, open(t, "a", first), open(t, "a_b", second))
	if _, err := h.execute(t.Context(), &model.Tool{Name: "mcp_a_b_list"}, json.RawMessage(`{}`), nil); err != nil {
		t.Fatal(err)
	}
	if len(first.calls()) != 1 || len(second.calls()) != 0 {
		t.Errorf("the first server was called %v, the second %v", first.calls(), second.calls())
	}
}

// TestRecordingIsTold: a record that somebody moved is said and goes on, one that cannot be
// written any more is said once, and every event is heard all the same.
func TestRecordingIsTold(t *testing.T) {
	t.Parallel()
	moved, lost, heard := 0, 0, 0
	path := t.TempDir() + "/record.jsonl"
	h, err := New(Options{Record: path, Heard: func(transcript.Event) { heard++ }, Recording: func(err error) {
		if errors.Is(err, transcript.ErrMoved) {
			moved++
		} else {
			lost++
		}
	}})
	require.NoError(t, err)
	h.note(transcript.Event{})
	require.NoError(t, os.Rename(path, path+".old"))
	h.note(transcript.Event{})
	if _, err := os.Stat(path); err != nil || moved != 1 {
		t.Errorf("after it was renamed: said %d times, %v", moved, err)
	}
	require.NoError(t, h.record.Close())
	h.note(transcript.Event{})
	h.note(transcript.Event{})
	if moved != 1 || lost != 1 || heard != 4 {
		t.Errorf("moved was said %d times, lost %d times and %d events were heard, want 1, 1 and 4", moved, lost, heard)
	}
	if _, err := New(Options{Record: path + "/record.jsonl"}); err == nil {
		t.Error("a record that cannot be opened is no error")
	}
}

// TestExpiredGoesWithAConnection: what has expired of rescued results goes when a
// client leaves, not when one comes.
func TestExpiredGoesWithAConnection(t *testing.T) {
	t.Parallel()
	now := time.Now()
	in := workbench.RescueInputs{Config: config.Default().Rescue, Store: filepath.Join(t.TempDir(), "store"), Now: func() time.Time { return now }}
	r := workbench.NewRescuer(in)
	t.Cleanup(func() { r.Close() })
	x, err := r.Put(t.Context(), "s", "mcp_x", "pipe", strings.NewReader(strings.Repeat("a line\n", 5000)))
	if err != nil || !x.Rescue {
		t.Fatalf("%+v, %v", x, err)
	}
	h := started(t, Options{Rescuer: r})
	now = now.Add(1000 * time.Hour)
	for _, c := range []struct {
		kind transcript.EventKind
		want int
	}{{transcript.EventConnect, 1}, {transcript.EventDisconnect, 0}} {
		h.note(transcript.Event{Kind: c.kind})
		if st, err := r.Status(t.Context()); err != nil || st.Blobs != c.want {
			t.Errorf("after %s: %+v, %v, want %d blobs", c.kind, st, err, c.want)
		}
	}
}
