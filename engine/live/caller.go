package live

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The requests of a server to its client, by their methods (MCP 2025-11-25,
// client/elicitation, client/sampling, client/roots).
const (
	Elicitation = "elicitation/create"
	Sampling    = "sampling/createMessage"
	Roots       = "roots/list"
)

// Caller is the client whose call a server runs. What the server asks of its client
// meanwhile goes to it: for a user's answer, an answer of the client's model, its folders.
//
// Example: an agent calls mcp_forge_merge. Package serve has the call's context say which
// client calls, and an Upstream sends the call to forge. Forge asks which branch is meant;
// the Upstream finds the client of the call that forge is running, and serve asks it.
type Caller struct {
	ID string // the same for every call of the client, and for no other client

	// Offers reports whether the client has said that it answers a method.
	Offers func(method string) bool

	// Ask sends a request to the client on behalf of a server, until ctx or the call ends.
	Ask func(ctx context.Context, server string, request mcp.Params) (mcp.Result, error)
}

// callerKey is the key of the client in a context.
type callerKey struct{}

// WithCaller returns a context that says which client calls.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the client that calls; ok is false where nobody has said.
func CallerOf(ctx context.Context) (c Caller, ok bool) {
	c, ok = ctx.Value(callerKey{}).(Caller)
	return c, ok
}
