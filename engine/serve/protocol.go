package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"caliper/engine/export"
	"caliper/engine/transcript"
	"caliper/model/jsontree"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stateless is the first revision of MCP in which every request stands alone: a client
// begins with server/discover, or with what it wants, and not with initialize.
const stateless = "2026-07-28"

// Revisions returns the revisions of MCP that are served, the newest first.
func Revisions() []string {
	return []string{stateless, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// marker is a tool that the SDK knows and nobody is shown. Changing it has the SDK tell
// clients that the list of tools has changed, for which it has no other way.
const marker = "caliper_marker"

// compared has the SDK compare the headers of a call with the arguments that they repeat, for
// each tool that is listed with such headers (MCP 2026-07-28, transports, custom headers from
// tool parameters): it answers 400 and -32020 where one is missing or differs. The SDK compares
// for tools that it has, and no call reaches it.
//
// SECURITY: what stands between a client and caliper may decide by the headers.
func (x *session) compared(o *toolList) {
	schemas := map[string]string{}
	jsontree.Members(o.tools, func(_ string, tools []byte) {
		for tool := range (jsontree.Value{Raw: tools}).All() {
			if schema := tool.Member("inputSchema").Raw; bytes.Contains(schema, []byte(export.HeaderMark)) {
				schemas[tool.Member("name").Text()] = string(schema)
			}
		}
	})
	x.mu.Lock()
	defer x.mu.Unlock()
	for name := range x.headed {
		if _, stays := schemas[name]; !stays {
			x.mcp.RemoveTools(name)
		}
	}
	for name, schema := range schemas {
		if x.headed[name] != schema {
			x.mcp.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)}, refuseMarker)
		}
	}
	x.headed = schemas
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
		p := &peer{client: client, capabilities: func() *mcp.ClientCapabilities { return nil }}
		if said, ok := req.(interface {
			ProtocolVersion() string
			ClientInfo() *mcp.Implementation
			ClientCapabilities() *mcp.ClientCapabilities
		}); ok {
			p.capabilities, p.modern = said.ClientCapabilities, said.ProtocolVersion() >= stateless
			if p.info = namedIn(req); p.info == nil {
				p.info = said.ClientInfo()
			}
		}
		switch method {
		case "notifications/initialized":
			defer x.connection(ctx, p)
		case "tools/list":
			return x.connection(ctx, p).list(p), nil
		case "tools/call":
			ctx, end := untilEnding(ctx)
			defer end()
			return x.connection(ctx, p).call(ctx, p, req.GetParams().(*mcp.CallToolParamsRaw)) // the SDK refuses a call without them
		}
		result, err := next(ctx, method, req)
		if found, _ := result.(*mcp.DiscoverResult); found != nil {
			found.Instructions = x.current().says
			x.connection(ctx, p)
		} else if begun, _ := result.(*mcp.InitializeResult); begun != nil {
			begun.Instructions = x.current().says
		}
		return result, err
	}
}

// rawResult is a result that is sent as it stands.
type rawResult struct {
	mcp.ResultBase
	data   json.RawMessage
	modern bool // a client of 2026-07-28 wants to be told that it is complete
}

// MarshalJSON returns the bytes of the result.
func (r *rawResult) MarshalJSON() ([]byte, error) {
	if !r.modern {
		return r.data, nil
	}
	said := false
	jsontree.Members(r.data, func(name string, _ []byte) { said = said || name == "resultType" })
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(r.data), []byte("{"))
	if said || !ok {
		return r.data, nil
	}
	out := []byte(`{"resultType":"complete"`)
	if rest = bytes.TrimSpace(rest); rest[0] != '}' {
		out = append(out, ',')
	}
	return append(out, rest...), nil
}

// list answers tools/list: all tools on one page.
func (c *connection) list(p *peer) mcp.Result {
	began := time.Now()
	o := c.session.current()
	c.note(transcript.Event{Kind: transcript.EventList, Tools: o.count, Tokens: transcript.EventTokens{Schemas: o.tokens, Eager: o.eager}, TotalMS: since(began)})
	if p.modern {
		return &rawResult{data: append([]byte(`{"ttlMs":0,"cacheScope":"private",`), o.tools[1:]...), modern: true}
	}
	return &rawResult{data: o.tools}
}

// current returns what the session offers at the moment.
func (x *session) current() *toolList {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.list
}

// since returns the milliseconds since a time.
func since(t time.Time) float64 { return float64(time.Since(t).Microseconds()) / 1e3 }
