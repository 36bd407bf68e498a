package serve

import (
	"context"
	"encoding/json"
	"time"

	"caliper/engine/event"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// versions are the revisions of MCP that are served: those in which a client has a
// session, which approvals and rescued results belong to.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// marker is a tool that the SDK knows and nobody is shown. Changing it has the SDK tell
// clients that the list of tools has changed, for which it has no other way.
const marker = "caliper_marker"

// newSession returns a session, which the SDK serves but for its tools: it would sort
// them, write their schemas anew, and stop at one that it does not understand.
func newSession(s *Server, name string) *session {
	x := &session{server: s, name: name, known: map[*mcp.ServerSession]*connection{}, prefix: newID() + "-"}
	x.mcp = mcp.NewServer(&mcp.Implementation{Name: "caliper", Title: "caliper, session " + name, Version: s.o.Version}, &mcp.ServerOptions{
		Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		SupportedProtocolVersions: versions,
		GetSessionID:              func() string { return x.prefix + NewToken() },
	})
	x.mcp.AddReceivingMiddleware(x.receive)
	return x
}

// announce tells the clients that the list of tools has changed.
func (x *session) announce() {
	x.mcp.AddTool(&mcp.Tool{Name: marker, InputSchema: json.RawMessage(`{"type":"object"}`)}, refuseMarker)
	x.mcp.RemoveTools(marker)
}

// refuseMarker is never called: calls do not reach the tools of the SDK.
func refuseMarker(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no such tool"}
}

// receive answers the requests about tools, and leaves all others to the SDK.
func (x *session) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		client, ok := req.GetSession().(*mcp.ServerSession)
		if !ok {
			return next(ctx, method, req)
		}
		switch method {
		case "notifications/initialized":
			defer x.connection(client)
		case "tools/list":
			return x.connection(client).list(), nil
		case "tools/call":
			params, ok := req.GetParams().(*mcp.CallToolParamsRaw)
			if !ok || params == nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "tools/call without params"}
			}
			ctx, end := untilEnding(ctx)
			defer end()
			return x.connection(client).call(ctx, params)
		}
		return next(ctx, method, req)
	}
}

// rawResult is a result that is sent as it stands.
type rawResult struct {
	mcp.ResultBase
	data json.RawMessage
}

// MarshalJSON returns the bytes of the result.
func (r *rawResult) MarshalJSON() ([]byte, error) { return r.data, nil }

// list answers tools/list: all tools on one page.
func (c *connection) list() mcp.Result {
	began := time.Now()
	o := c.session.current()
	c.note(event.Event{Kind: event.List, Tools: o.count, Tokens: event.Tokens{Schemas: o.tokens, Eager: o.eager}, TotalMS: since(began)})
	return &rawResult{data: o.tools}
}

// current returns what the session offers at the moment.
func (x *session) current() *offer {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.offer
}

// since returns the milliseconds since a time.
func since(t time.Time) float64 { return float64(time.Since(t).Microseconds()) / 1000 }
