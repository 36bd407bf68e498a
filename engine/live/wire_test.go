//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model"
	"caliper/model/require"
)

func TestOutgoing(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`:                                                     "same",
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                                         "same",
		`{"jsonrpc":"2.0","id":2,"method":"caliper/tools.list","params":{"cursor":"\"method\":\"caliper/tools.list\""}}`: `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"\"method\":\"caliper/tools.list\""}}`,
		`{"jsonrpc":"2.0","id":"p","result":{}}`:                                                                         "same",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`:                                  "dropped",
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`:                                                  "dropped",
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"delete_everything"}}`:                           "refused",
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`:                                                                       "refused",
		`{"jsonrpc":"2.0","id":3,"method":"server/discover"}`:                                                            "same",
		`{"jsonrpc":"2.0","id":3,"method":""}`:                                                                           "refused",
		`[{"jsonrpc":"2.0","id":3,"method":"tools/call"}]`:                                                               "refused",
		`{`: "refused",
	} {
		out, err := outgoing([]byte(in), false)
		got := string(out)
		switch {
		case errors.Is(err, errUnsent):
			got = "refused"
		case out == nil:
			got = "dropped"
		case got == in:
			got = "same"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestOutgoingCalls: with calls let through, a server is asked for one thing more.
func TestOutgoingCalls(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":3,"method":"caliper/tools.call","params":{"name":"a"}}`:  `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read"}`:                            "",
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`:                 "",
	} {
		if out, _ := outgoing([]byte(in), true); string(out) != want {
			t.Errorf("%s: %s, want %s", in, out, want)
		}
	}
}

// TestNothingIsSentOverHTTP: of a message that may not be sent nothing reaches the
// server, whether it is refused or dropped; the others reach it once.
func TestNothingIsSentOverHTTP(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, string(body))
	}))
	defer server.Close()
	for _, c := range []struct {
		message string
		calls   bool
		sent    bool
		refused bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, false, true, false},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, false, true, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, true, true, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, false, false, false},
		{`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, true, false, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, true, false, true},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read"}`, true, false, true},
		{`{"jsonrpc":"2.0","id":1,"method":"` + ownCallMethod + `"}`, false, false, true},
		{`{"jsonrpc":"2.0","id":1,`, true, false, true},
	} {
		client, g, err := newGuard(nil, &hidden{url: server.URL}, 1<<20)
		require.NoError(t, err)
		g.calls, got = c.calls, nil
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(c.message))
		require.NoError(t, err)
		resp, err := client.Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err != nil) != c.refused || (len(got) == 1) != c.sent || len(got) > 1 {
			t.Errorf("%s, calls %v: the server got %q, error %v", c.message, c.calls, got, err)
		}
	}
}

// TestCapabilities: a server that has more for a client which answers samples lists it to
// one that says so, and is refused when it asks; the dump has what the server was told.
func TestCapabilities(t *testing.T) {
	for _, tt := range []struct {
		name    string
		offers  []string
		tools   int
		refused string
		dump    string
	}{
		{"none", nil, 1, "", ""},
		{"sampling, roots", []string{Sampling, Roots}, 2,
			"caliper refuses sampling/createMessage: its tools are listed, and none is called", `"client_capabilities":["roots","sampling"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused := ""
			server := mcp.NewServer(&mcp.Implementation{Name: "own", Version: "1"}, nil)
			addTool(server, "plain")
			server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
					session := r.GetSession().(*mcp.ServerSession)
					if method == "tools/list" && session.InitializeParams().Capabilities.Sampling != nil {
						if _, err := session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1}); err != nil {
							refused = err.Error()
						}
						addTool(server, "for_samplers")
					}
					return next(ctx, method, r)
				}
			})
			web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
			defer web.Close()
			l, err := List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Offers: tt.offers})
			if err != nil || len(l.Tools) != tt.tools {
				t.Errorf("%d tools, %v, want %d", len(l.Tools), err, tt.tools)
			}
			if !strings.Contains(refused, tt.refused) || (refused == "") != (tt.refused == "") {
				t.Errorf("the server hears %q, want %q", refused, tt.refused)
			}
			dump, _ := Dump([]Listing{l}, model.HermesNaming)
			if has := strings.Contains(string(dump), "client_capabilities"); has != (tt.dump != "") || !strings.Contains(string(dump), tt.dump) {
				t.Errorf("the dump is %s", dump)
			}
		})
	}
}
