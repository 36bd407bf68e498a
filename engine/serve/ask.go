//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package serve

import (
	"context"
	"errors"

	"caliper/engine/asking"
	"caliper/model/safetext"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asked returns the client of a call, for what the server of the tool asks of it.
func (c *connection) asked(call context.Context) asking.Client {
	return asking.Client{ID: c.id, Offers: c.offers, Ask: func(ctx context.Context, server string, request mcp.Params) (mcp.Result, error) {
		// The request belongs to the call, on whose stream it is sent, and ends with
		// either.
		joined, cancel := context.WithCancel(call)
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		return c.forward(joined, server, request)
	}}
}

// offers reports whether the client has said that it answers a method.
func (c *connection) offers(method string) bool {
	p := c.client.InitializeParams()
	if p == nil || p.Capabilities == nil {
		return false
	}
	switch method {
	case asking.Elicitation:
		return p.Capabilities.Elicitation != nil
	case asking.Sampling:
		return p.Capabilities.Sampling != nil
	case asking.Roots:
		return p.Capabilities.RootsV2 != nil
	}
	return false
}

// forward sends a server's request to the client.
//
// SECURITY: a question of a server says whose it is, so that it cannot pass for one of
// caliper's own about an approval.
func (c *connection) forward(ctx context.Context, server string, request mcp.Params) (mcp.Result, error) {
	switch p := request.(type) {
	case *mcp.ElicitParams:
		named := *p
		named.Message = "Server " + safetext.Line(server) + " asks: " + p.Message
		return c.client.Elicit(ctx, &named)
	case *mcp.CreateMessageWithToolsParams:
		return c.client.CreateMessageWithTools(ctx, p)
	case *mcp.ListRootsParams:
		return c.client.ListRoots(ctx, p)
	}
	return nil, errors.New("a request that no client is asked")
}
