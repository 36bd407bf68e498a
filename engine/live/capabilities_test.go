//lint:file-ignore SA1019 servers still ask for samples, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"caliper/model"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
