// Package asking takes what a server of tools asks of its client to the client whose call
// it runs: for a user's answer, for an answer of the client's model, for its folders.
//
// Example: an agent calls mcp_forge_merge. Package serve has the call's context say which
// client calls, and package live sends the call to forge. Forge asks which branch is
// meant; live finds the client of the call that forge is running, and serve asks it.
//
// Non-goals: whether a server may ask at all, which package live decides.
package asking

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

// Client is the client of a call.
type Client struct {
	ID string // the same for every call of the client, and for no other client

	// Offers reports whether the client has said that it answers a method.
	Offers func(method string) bool

	// Ask sends a request to the client on behalf of a server, until ctx or the call ends.
	Ask func(ctx context.Context, server string, request mcp.Params) (mcp.Result, error)
}

// key is that of the client in a context.
type key struct{}

// With returns a context that says which client calls.
func With(ctx context.Context, c Client) context.Context { return context.WithValue(ctx, key{}, c) }

// From returns the client that calls; ok is false where nobody has said.
func From(ctx context.Context) (c Client, ok bool) {
	c, ok = ctx.Value(key{}).(Client)
	return c, ok
}
