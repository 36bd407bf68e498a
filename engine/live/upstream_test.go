//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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
				var err error
				for err == nil { // it listens until the goroutine that accepts has let it go
					_, err = net.Dial("tcp", server.Listener.Addr().String())
				}
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

// asked returns a context of a call of a client that offers some methods and accepts
// every question.
func asked(ctx context.Context, id string, offers ...string) context.Context {
	return WithCaller(ctx, Caller{ID: id,
		Offers: func(method string) bool { return strings.Contains(strings.Join(offers, " "), method) },
		Ask: func(_ context.Context, server string, request mcp.Params) (mcp.Result, error) {
			switch p := request.(type) {
			case *mcp.ElicitParams:
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"heard": id + " of " + server + ": " + p.Message}}, nil
			case *mcp.CreateMessageWithToolsParams:
				return &mcp.CreateMessageWithToolsResult{Model: "heard by " + id, Role: "assistant", Content: []mcp.Content{&mcp.TextContent{Text: "hello"}}}, nil
			}
			return &mcp.ListRootsResult{Roots: []*mcp.Root{{URI: "file:///heard/by/" + id}}}, nil
		}})
}

// TestAsks: what a server asks in a call reaches the client of the call, if it is meant
// to be asked, offers that, and no other client's call is running. Everything else is
// refused by name.
func TestAsks(t *testing.T) {
	t.Parallel()
	wire := filepath.Join(t.TempDir(), "wire")
	states := make(chan Outcome, 16)
	s := Stdio("forge", os.Args[0]).WithEnv(modeVariable, "calls").WithEnv(wireVariable, wire)
	u := Keep(t.Context(), s, Options{Offers: []string{Elicitation, Sampling, Roots}}, func(s Outcome) { states <- s })
	t.Cleanup(u.Close)
	up(t, states)
	data, _ := os.ReadFile(wire)
	for _, want := range []string{`"elicitation":{"form":{}}`, `"sampling":{}`, `"roots":{}`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the server is not told of %s: %s", want, data)
		}
	}
	ask := func(ctx context.Context, method, want string) {
		t.Helper()
		if got, err := u.Call(ctx, "ask "+method, nil, nil); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s, %v, want %s", method, got, err, want)
		}
	}
	one := asked(t.Context(), "one", Elicitation, Sampling, Roots)
	ask(one, Elicitation, "one of forge: which branch?")
	ask(one, Sampling, "heard by one")
	ask(one, Roots, "file:///heard/by/one")
	ask(asked(t.Context(), "two", Roots), Elicitation, "caliper refuses elicitation/create: the client whose call is running does not offer it")
	ask(t.Context(), Roots, "caliper refuses roots/list: no call is running")
	ctx, cancel := context.WithCancel(one)
	hangs := make(chan struct{})
	go func() { _, _ = u.Call(ctx, "hang", nil, nil); close(hangs) }()
	waitFor(t, wire, `"name":"hang"`)
	ask(asked(t.Context(), "two", Roots), Roots, "calls of several clients are running")
	ask(one, Roots, "file:///heard/by/one")
	cancel()
	<-hangs
	ask(asked(t.Context(), "two", Roots), Roots, "file:///heard/by/two")
}

// TestAsksUnasked: a server is told of nothing that it may ask, and is refused if it does,
// although the client offers it.
func TestAsksUnasked(t *testing.T) {
	t.Parallel()
	u, states := upstream(t, "calls")
	up(t, states)
	for _, method := range []string{Elicitation, Sampling, Roots} {
		if got, err := u.Call(asked(t.Context(), "one", method), "ask "+method, nil, nil); err != nil || !strings.Contains(string(got), "caliper refuses "+method+": no server may ask for it here") {
			t.Errorf("%s: %s, %v", method, got, err)
		}
	}
}

// waitFor waits until a server has read a text.
func waitFor(t *testing.T, wire, text string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		data, _ := os.ReadFile(wire)
		if strings.Contains(string(data), text) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the server does not read %s", text)
		}
	}
}

// reads returns when the list is read, given when changes are announced, both
// as times since the beginning. The clock is the bubble's. Reading takes
// a while, in which announcements are kept as the session keeps them.
func reads(t *testing.T, announcements []time.Duration, takes time.Duration) (at []time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		announced := make(chan time.Time, 1)
		for _, d := range announcements {
			time.AfterFunc(d, func() {
				select {
				case announced <- time.Now():
				default:
				}
			})
		}
		time.AfterFunc(announcements[len(announcements)-1]+time.Minute, cancel)
		err := afterAnnouncements(ctx, announced, nil, func() error {
			at = append(at, time.Since(start))
			<-time.After(takes)
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	})
	return at
}

func TestAfterAnnouncements(t *testing.T) {
	every := func(step, until time.Duration) (all []time.Duration) {
		for d := time.Duration(0); d <= until; d += step {
			all = append(all, d)
		}
		return all
	}
	ms := func(n ...int) (all []time.Duration) {
		for _, n := range n {
			all = append(all, time.Duration(n)*time.Millisecond)
		}
		return all
	}
	for _, c := range []struct {
		name          string
		announcements []time.Duration
		takes         time.Duration
		want          []time.Duration
	}{
		{"one", ms(10), 0, ms(210)},
		{"a burst is read once", ms(0, 50, 100, 299), 0, ms(499)},
		{"two bursts", ms(0, 100, 1000), 0, ms(300, 1200)},
		{"never calm", every(110*time.Millisecond, 4*time.Second), 0, ms(1500, 3040, 4160)},
		{"announced while it is read", ms(0, 300, 400), time.Second, ms(200, 1400)},
		{"overdue while it is read", ms(0, 300), 3 * time.Second, ms(200, 3200)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := reads(t, c.announcements, c.takes); !slices.Equal(got, c.want) {
				t.Errorf("read at %v, want %v", got, c.want)
			}
		})
	}
}

func TestAfterAnnouncementsEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		gone := make(chan error, 1)
		gone <- broken
		if err := afterAnnouncements(t.Context(), nil, gone, nil); !errors.Is(err, broken) || !errors.Is(err, ErrEnded) {
			t.Errorf("error is %v", err)
		}
		announced := make(chan time.Time, 1)
		announced <- time.Now()
		if err := afterAnnouncements(t.Context(), announced, nil, func() error { return broken }); err != broken {
			t.Errorf("error is %v", err)
		}
	})
}
