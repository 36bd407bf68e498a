//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package serve

import (
	"context"

	"caliper/engine/live"
	"caliper/model/safetext"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asked returns the client of a call, for what the server of the tool asks of it.
func (w *work) asked(call context.Context) live.Caller {
	return live.Caller{ID: w.connection.id, Offers: w.peer.offers, Ask: func(ctx context.Context, server string, request mcp.Params) (mcp.Result, error) {
		// The request belongs to the call, on whose stream it is sent, and ends with
		// either.
		joined, cancel := context.WithCancel(call)
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		// SECURITY: a question of a server says whose it is, so that it cannot pass for
		// one of caliper's own about an approval.
		if p, ok := request.(*mcp.ElicitParams); ok {
			named := *p
			named.Message = "Server " + safetext.Line(server) + " asks: " + p.Message
			request = &named
		}
		return w.ask(joined, request)
	}}
}

// offers reports whether the client has said that it answers a method.
func (p *peer) offers(method string) bool {
	can := p.capabilities()
	return can != nil && (method == live.Elicitation && can.Elicitation != nil ||
		method == live.Sampling && can.Sampling != nil || method == live.Roots && can.RootsV2 != nil)
}
