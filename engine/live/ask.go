//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// codeRefused is the code of a refusal. The SDK rewrites the message of a method not found.
const codeRefused = -32000

// refusal returns the error that names a request of a server and the reason of its refusal.
func refusal(method, why string) error {
	return &jsonrpc.Error{Code: codeRefused, Message: "caliper refuses " + method + ": " + why}
}

// callers are the clients whose calls a server is running.
type callers struct {
	mu      sync.Mutex
	running []Caller // one for each call, in the order in which they began
}

// add notes the client of a call, if its context has one. done takes it out again.
func (c *callers) add(ctx context.Context) (done func()) {
	client, ok := CallerOf(ctx)
	if !ok {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = append(c.running, client)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.IndexFunc(c.running, func(x Caller) bool { return x.ID == client.ID })
		c.running = slices.Delete(c.running, i, i+1)
	}
}

// whose returns the client to which a request of the server belongs, and otherwise why
// there is none. A request does not say which call it is about.
//
// SECURITY: a question in the call of one client never reaches another.
func (c *callers) whose(method string) (client Caller, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.running) == 0 {
		return client, "no call is running that it could belong to"
	}
	client = c.running[len(c.running)-1]
	for _, other := range c.running {
		if other.ID != client.ID {
			return client, "calls of several clients are running, and it could belong to any"
		}
	}
	if !client.Offers(method) {
		return client, "the client whose call is running does not offer it"
	}
	return client, ""
}

// asks hands a request of the server to the client whose call it runs, or refuses it. The SDK
// would answer roots/list with an empty list, and not say who refuses the others.
func (x *session) asks(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case Elicitation, Sampling, Roots:
		default:
			return next(ctx, method, req)
		}
		if !slices.Contains(x.o.Offers, method) {
			return nil, refusal(method, "no server may ask for it here")
		}
		if !x.o.calls {
			return nil, refusal(method, "its tools are listed, and none is called")
		}
		client, why := x.callers.whose(method)
		if why != "" {
			return nil, refusal(method, why)
		}
		return client.Ask(ctx, x.server.Name, req.GetParams())
	}
}

// Declarable are the parts of capabilities that Options.Declares may name (MCP
// 2026-07-28, ClientCapabilities). It may also name any extension, as VENDOR/NAME.
func Declarable() []string {
	return []string{"elicitation.url", "sampling.tools", "sampling.context", "roots.listChanged"}
}

// IsExtension reports whether a name is an extension's, as io.modelcontextprotocol/ui.
func IsExtension(name string) bool {
	vendor, rest, ok := strings.Cut(name, "/")
	return ok && vendor != "" && rest != "" && !strings.ContainsAny(name, " \t\"")
}

// declared returns the names of the capabilities that servers are told of, sorted.
func declared(o Options) []string {
	names := slices.Clone(o.Declares)
	for _, method := range o.Offers {
		name, _, _ := strings.Cut(method, "/")
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// capabilities are what servers are told. A part of a capability declares the whole.
func capabilities(o Options) *mcp.ClientCapabilities {
	c := &mcp.ClientCapabilities{}
	names := declared(o)
	if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "elicitation") && !IsExtension(n) }) {
		c.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}
	}
	if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "sampling") && !IsExtension(n) }) {
		c.Sampling = &mcp.SamplingCapabilities{}
	}
	if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "roots") && !IsExtension(n) }) {
		c.RootsV2 = &mcp.RootCapabilities{ListChanged: slices.Contains(names, "roots.listChanged")}
	}
	for _, name := range names {
		switch {
		case name == "elicitation.url":
			c.Elicitation.URL = &mcp.URLElicitationCapabilities{}
		case name == "sampling.tools":
			c.Sampling.Tools = &mcp.SamplingToolsCapabilities{}
		case name == "sampling.context":
			c.Sampling.Context = &mcp.SamplingContextCapabilities{}
		case IsExtension(name):
			c.AddExtension(name, nil)
		}
	}
	return c
}

// The requests of a server to its client, by their methods (MCP 2025-11-25,
// client/elicitation, client/sampling, client/roots).
const (
	Elicitation = "elicitation/create"
	Sampling    = "sampling/createMessage"
	Roots       = "roots/list"
)

// Caller is the client whose call a server runs. What the server asks of its client meanwhile goes
// to it: for a user's answer, an answer of the client's model, its folders. Package serve puts it
// into the context of a call.
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
