package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// upstream keeps the test server running in a mode, and returns the states that it goes
// through.
func upstream(t *testing.T, mode string) (*Upstream, <-chan Outcome) {
	t.Helper()
	states := make(chan Outcome, 16)
	s := Stdio("x", os.Args[0]).WithEnv(modeVariable, mode).WithEnv(secretVariable, secretValue)
	u := Keep(t.Context(), s, Options{}, func(s Outcome) { states <- s })
	t.Cleanup(u.Close)
	return u, states
}

// up waits until a server runs.
func up(t *testing.T, states <-chan Outcome) Outcome {
	t.Helper()
	for {
		select {
		case s := <-states:
			if s.Err == nil {
				return s
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the server does not run")
		}
	}
}

// TestCalls: a result comes back as it was sent, whatever other calls there are, and
// what the server reports on the way comes first.
func TestCalls(t *testing.T) {
	t.Parallel()
	u, states := upstream(t, "calls")
	if s := up(t, states); len(s.Listing.Tools) != 2 {
		t.Errorf("it lists %d tools", len(s.Listing.Tools))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if got, err := u.Call(t.Context(), "odd", json.RawMessage(`{"a":1}`), nil); err != nil || string(got) != oddResult {
					t.Errorf("the result is %s, %v", got, err)
				}
			}
		})
	}
	all.Wait()
	got, err := u.Call(t.Context(), "report", nil, func(progress, total float64, message string) {
		if progress != 1 || total != 2 || message != "half" {
			t.Errorf("heard %v of %v: %s", progress, total, message)
		}
		all.Go(func() { _, _ = u.Call(t.Context(), "release", nil, nil) })
	})
	if all.Wait(); err != nil || string(got) != oddResult {
		t.Errorf("after its progress: %s, %v", got, err)
	}
	var refused *CallError
	if _, err := u.Call(t.Context(), "refuse", nil, nil); !errors.As(err, &refused) || refused.Code != -32602 || !strings.HasPrefix(refused.Message, "no such boat") || strings.Contains(err.Error(), secretValue) {
		t.Errorf("refused with %v", err)
	}
}

// TestCallThatHangs: a call ends with its context, and the server is told.
func TestCallThatHangs(t *testing.T) {
	t.Parallel()
	wire := filepath.Join(t.TempDir(), "wire")
	states := make(chan Outcome, 16)
	s := Stdio("x", os.Args[0]).WithEnv(modeVariable, "calls").WithEnv(wireVariable, wire)
	u := Keep(t.Context(), s, Options{}, func(s Outcome) { states <- s })
	t.Cleanup(u.Close)
	up(t, states)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := u.Call(ctx, "hang", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ended with %v", err)
	}
	// The client withdraws the call in the background: it may be sent behind later calls.
	sent := ""
	for calls := 0; calls < 1000 && !strings.Contains(sent, "notifications/cancelled"); calls++ {
		if got, err := u.Call(t.Context(), "odd", nil, nil); err != nil || string(got) != oddResult {
			t.Fatalf("the next call returns %s, %v", got, err)
		}
		data, _ := os.ReadFile(wire)
		sent = string(data)
	}
	if !strings.Contains(sent, "notifications/cancelled") {
		t.Errorf("the server was sent\n%s", sent)
	}
}

// TestServerThatLogs: text that is no answer, or no message, ends no call.
func TestServerThatLogs(t *testing.T) {
	t.Parallel()
	u, states := upstream(t, "calls")
	up(t, states)
	for range 3 {
		if got, err := u.Call(t.Context(), "lie", nil, nil); err != nil || string(got) != oddResult {
			t.Errorf("%s, %v", got, err)
		}
	}
}

// TestServerThatDies: the call that it dies in and those while it is away have an error,
// and it is started again. A server that writes no message at all is ended, too.
func TestServerThatDies(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"die", "babble"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			u, states := upstream(t, "calls")
			up(t, states)
			_, err := u.Call(t.Context(), how, nil, nil)
			if !errors.Is(err, ErrEnded) || !strings.Contains(err.Error(), map[string]string{"die": "exit status", "babble": "not a JSON-RPC message"}[how]) ||
				!strings.Contains(err.Error(), "look before it is repeated") {
				t.Errorf("ended with %v", err)
			}
			if s := <-states; s.Err == nil {
				t.Error("nobody is told")
			}
			if _, err := u.Call(t.Context(), "odd", nil, nil); !errors.Is(err, ErrNotRun) || !strings.Contains(err.Error(), "try again in a few seconds") {
				t.Errorf("while it is away: %v", err)
			}
			up(t, states)
			if got, err := u.Call(t.Context(), "odd", nil, nil); err != nil || string(got) != oddResult {
				t.Errorf("afterwards: %s, %v", got, err)
			}
		})
	}
}

// TestStep: a call to a server that cannot run tells the next step.
func TestStep(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer closed.Close()
	for want, s := range map[string]Server{
		"has to be installed": Stdio("x", "no-such-command-of-anybody"),
		"a sign-in by import": remote(t, HTTPTransport, closed.URL),
	} {
		states := make(chan Outcome, 16)
		u := Keep(t.Context(), s, Options{}, func(s Outcome) { states <- s })
		<-states
		if _, err := u.Call(t.Context(), "odd", nil, nil); !errors.Is(err, ErrNotRun) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
		u.Close()
	}
}

// TestCallsWithoutAnswer: a call that no server has run is told apart from one that may have
// had an effect, without names of the SDK or the session's id.
func TestCallsWithoutAnswer(t *testing.T) {
	t.Parallel()
	gone := func(text, kind string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, text)
		}
	}
	status := func(n int) func(http.ResponseWriter) { return func(w http.ResponseWriter) { w.WriteHeader(n) } }
	const unknown, again = "; whether the call had an effect is unknown: look before it is repeated", "; caliper keeps it connected by itself: try again in a few seconds"
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter)
		want   string
		notRun bool
	}{
		{"no access", status(401), "the server answered 401 Unauthorized; it needs a key in its configuration, or a sign-in by import --sign-in", true},
		{"a session that is forgotten", status(404), "the server answered 404 Not Found" + again, true},
		{"a gateway", status(502), "the server answered 502 Bad Gateway" + unknown + again, false},
		{"a stream that ends", gone(": \n\n", "text/event-stream"), "no answer: request terminated without response" + unknown + again, false},
		{"half an answer", gone(`{"jsonrpc":`, "application/json"), "no answer: failed to decode response: unmarshaling jsonrpc message: unexpected EOF" + unknown + again, false},
		{"a connection that breaks", func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, "no answer: EOF" + unknown + again, false},
		{"nobody listens", nil, "no answer: dial tcp ADDRESS: connect: connection refused" + again, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdkServer(2) }, nil)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Body = io.NopCloser(bytes.NewReader(body)); bytes.Contains(body, []byte("tools/call")) {
					c.answer(w)
					return
				}
				h.ServeHTTP(w, r)
			}))
			defer server.Close()
			states := make(chan Outcome, 16)
			// Without connections that are kept, one that the closed server leaves is not used.
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			u := Keep(t.Context(), remote(t, HTTPTransport, server.URL), Options{HTTP: client}, func(s Outcome) { states <- s })
			defer u.Close()
			up(t, states)
			if c.answer == nil {
				_ = server.Listener.Close()
			}
			_, err := u.Call(t.Context(), "odd", nil, nil)
			if got := strings.ReplaceAll(err.Error(), server.Listener.Addr().String(), "ADDRESS"); got != c.want || errors.Is(err, ErrNotRun) != c.notRun {
				t.Errorf("%v: %s", errors.Is(err, ErrNotRun), got)
			}
		})
	}
}

// TestCloseEndsTheServer: nothing is left of it.
func TestCloseEndsTheServer(t *testing.T) {
	t.Parallel()
	u, states := upstream(t, "stubborn")
	up(t, states)
	u.Close()
	if _, err := u.Call(t.Context(), "odd", nil, nil); !errors.Is(err, ErrNotRun) {
		t.Errorf("called with %v", err)
	}
}

// TestRefuses: what a server asks of its client is refused by name, with a sentence, and
// its tools are served all the same.
func TestRefuses(t *testing.T) {
	t.Parallel()
	wire := filepath.Join(t.TempDir(), "wire")
	states := make(chan Outcome, 16)
	s := Stdio("x", os.Args[0]).WithEnv(modeVariable, "asks").WithEnv(wireVariable, wire)
	u := Keep(t.Context(), s, Options{}, func(s Outcome) { states <- s })
	t.Cleanup(u.Close)
	up(t, states)
	if got, err := u.Call(t.Context(), "odd", nil, nil); err != nil || string(got) != oddResult {
		t.Errorf("a call returns %s, %v", got, err)
	}
	// The call does not wait for the answers to what the server asked.
	got := map[string]string{}
	for late := time.Now().Add(20 * time.Second); len(got) < 4 && time.Now().Before(late); time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(wire)
		require.NoError(t, err)
		whole := data[:bytes.LastIndexByte(data, '\n')+1]
		for line := range strings.Lines(string(whole)) {
			var answer struct {
				ID     any
				Result json.RawMessage
				Error  struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if id, ok := answer.ID.(string); ok {
				got[id] = string(answer.Result) + answer.Error.Message
				if id != "p" && answer.Error.Code != codeRefused {
					t.Errorf("%s", line)
				}
			}
		}
	}
	for id, want := range map[string]string{"p": "{}", "r": "caliper refuses roots/list: ", "s": "caliper refuses sampling/createMessage: ", "e": "caliper refuses elicitation/create: "} {
		if !strings.HasPrefix(got[id], want) || id != "p" && len(got[id]) < len(want)+20 {
			t.Errorf("%s is answered with %q", id, got[id])
		}
	}
}
