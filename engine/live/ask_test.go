//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
