// Package serving ties the server of package serve to its surroundings: the servers of
// tools that calls go to, the store of results, the record, and the explorer, which
// follows the record.
//
// Example: the client's configuration names the servers forge and wiki. Both are kept
// running; what they list is a registry, and a call of mcp_forge_open_change is sent to
// forge as open_change. When wiki announces another tool, Changed is signalled, and its
// reader builds and publishes anew.
//
// Non-goals: the choice of what to serve, and words for it, which belong to the
// command and to the explorer (package activity); what agents of the past did (package
// replay), whose loops are counted over whole sessions.
//
// # What agents did
//
// A Feed holds each connection with its requests and their costs, and raises an alarm
// where an agent goes in circles.
//
// Example: a session has 40 tools of 20,000 tokens, and lists three bridge tools of 1,000. An
// agent searches, which takes 100 tokens with its answer, and calls what it found. Each
// request is a turn of the model: the first was sent 1,000 tokens, the second 1,100, for the
// search is in the context by then. Had every tool been sent, there would have been the call
// alone, for 20,000. Served is 2,100, Eager is 20,000.
//
// MCP shows the requests of a model and not its turns. A turn in which it only wrote is
// not counted, and neither is the conversation around the tools, which both ways carry alike.
//
// Invariants:
//   - memory is bounded, however many agents come;
//   - Served and Eager grow with every request and are never negative;
//   - a need alarms once, at its third search; a refusal once, when it is repeated.
//
// # Spans
//
// A SpanSender sends the notes about the agents to a collector of OpenTelemetry: each
// event becomes one span, over OTLP/HTTP.
//
// Example: a client's call of tool_call, by which it runs mcp_forge_open_change, becomes
// a span "tools/call tool_call" of the kind SERVER, which ends at the time of the event
// and is as long as its total_ms. It has the attributes of the semantic conventions
// (mcp.method.name, mcp.session.id, gen_ai.tool.name, gen_ai.operation.name, error.type)
// and caliper's own: caliper.tool.name, caliper.gate.* with the verdict of each gate,
// caliper.tokens.* with the price, caliper.hit.* with the ranks of a search. Where the
// client names its own span (traceparent in _meta), that is the parent.
//
// Invariants:
//   - Add never waits: where too many spans wait to be sent, the new one is lost;
//   - Lost counts each span that no collector has confirmed, once, whatever the reason;
//   - no text of arguments, queries and results is sent, nor a digest of one, nor a name
//     that a client made up.
//
// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say more of the process. Other variables of
// OpenTelemetry do not count: the sampler, the queue and the limits are set here.
//
// The official exporter would bring gRPC, 9 MB of the program, although it speaks HTTP, and the
// SDK another 0.7 MB for a queue of spans. What they write is written here in encode.go, and
// tested against the official types.
package serving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"caliper/engine/live"
	"caliper/engine/serve"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/workbench"
)

// Options are the options of a Hub.
type Options struct {
	Version        string
	Execute        bool
	Record         string // file to which events are appended; empty for none
	Texts          bool   // events have arguments and results
	ApproveTimeout time.Duration
	Rescuer        *workbench.Rescuer // nil keeps no results
	Ask            func(context.Context, serve.Question) serve.Answer
	Heard          func(transcript.Event) // hears every event, from any goroutine; nil for nobody
	Recording      func(error)            // hears that the record goes on in a new file, and once why it has ended; nil for nobody
	Upstream       func(server string, s live.Outcome)
}

// Hub serves sessions with the servers behind them. Its methods may be called from
// several goroutines.
type Hub struct {
	*serve.Server
	// Changed is signalled when the servers list other tools.
	Changed chan struct{}

	o      Options
	record *transcript.Record
	lost   sync.Once

	mu        sync.Mutex
	order     []string // of the servers, as they were given
	upstreams map[string]*live.Upstream
	listings  map[string]live.Listing
	targets   map[string][2]string // the server and its name of a tool, by the name of the tool in either naming
}

// New returns a hub without servers and sessions. The error is the record's.
func New(o Options) (*Hub, error) {
	h := &Hub{Changed: make(chan struct{}, 1), o: o, upstreams: map[string]*live.Upstream{}, listings: map[string]live.Listing{}}
	if o.Record != "" {
		var err error
		if h.record, err = transcript.OpenRecord(o.Record); err != nil {
			return nil, err
		}
	}
	so := serve.Options{Version: o.Version, Texts: o.Texts, ApproveTimeout: o.ApproveTimeout, Ask: o.Ask, Note: h.note}
	if o.Execute {
		so.Execute = h.execute
	}
	if o.Rescuer != nil {
		so.Results = keeper{o.Rescuer}
	}
	h.Server = serve.New(so)
	return h, nil
}

// Start keeps servers running, until Close. Each must have been expanded.
func (h *Hub) Start(ctx context.Context, servers []live.Server, o live.Options) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range servers {
		h.order = append(h.order, s.Name)
		h.upstreams[s.Name] = live.Keep(ctx, s, o, func(state live.Outcome) { // what the server says of itself
			if state.Err == nil {
				state.Listing = state.Listing.Allowed(s)
				h.mu.Lock()
				h.listings[s.Name] = state.Listing
				h.targets = map[string][2]string{}
				for _, name := range h.order { // the first server of a name has it
					for _, tool := range h.listings[name].Names() {
						for _, n := range []model.Naming{model.HermesNaming, model.LaterNaming} {
							if full := n.ToolName(name, tool); h.targets[full] == [2]string{} {
								h.targets[full] = [2]string{name, tool}
							}
						}
					}
				}
				h.mu.Unlock()
				select {
				case h.Changed <- struct{}{}:
				default: // it is known already
				}
			}
			h.NoteUpstream(s.Name, state.Listing.Warnings(), state.Err)
			if h.o.Upstream != nil {
				h.o.Upstream(s.Name, state)
			}
		})
	}
}

// Dump returns a registry dump of what the servers list, in their order. One that has not
// listed its tools yet is left out.
func (h *Hub) Dump(n model.Naming) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	var known []live.Listing
	for _, name := range h.order {
		if l, ok := h.listings[name]; ok {
			known = append(known, l)
		}
	}
	data, _ := live.Dump(known, n)
	return data
}

// execute sends a call to the server that has the tool.
//
// SECURITY: a tool that the client's configuration leaves out is in no listing, and so
// not called, whatever a registry says of it.
func (h *Hub) execute(ctx context.Context, t *model.Tool, arguments json.RawMessage, progress serve.Progress) (json.RawMessage, error) {
	h.mu.Lock()
	at, ok := h.targets[t.Name]
	if t.Server != "" && t.OriginalName != "" {
		ok = slices.Contains(h.listings[t.Server].Names(), t.OriginalName)
		at = [2]string{t.Server, t.OriginalName}
	}
	server, tool := at[0], at[1]
	u := h.upstreams[server]
	h.mu.Unlock()
	if !ok || u == nil {
		return nil, live.NotRun("no server that is connected here has it")
	}
	result, err := u.Call(ctx, tool, arguments, live.CallProgress(progress))
	var answer *live.CallError
	if errors.As(err, &answer) {
		return nil, answer
	}
	if err != nil {
		return nil, fmt.Errorf("server %s: %w", safetext.Line(server), err)
	}
	return result, nil
}

// note records an event and hands it on.
func (h *Hub) note(e transcript.Event) {
	if e.Kind == transcript.EventDisconnect && h.o.Rescuer != nil {
		h.o.Rescuer.Expire(context.Background())
	}
	if h.record != nil {
		switch err := h.record.Add(e); {
		case err == nil || h.o.Recording == nil:
		case errors.Is(err, transcript.ErrMoved):
			h.o.Recording(err)
		default:
			h.lost.Do(func() { h.o.Recording(fmt.Errorf("the record has ended: %w", err)) })
		}
	}
	if h.o.Heard != nil {
		h.o.Heard(e)
	}
}

// Close ends the connections, the servers, all at once, and the record.
func (h *Hub) Close() {
	h.Server.Close()
	h.mu.Lock()
	upstreams := make([]*live.Upstream, 0, len(h.upstreams))
	for _, u := range h.upstreams {
		upstreams = append(upstreams, u)
	}
	h.mu.Unlock()
	var all sync.WaitGroup
	for _, u := range upstreams {
		all.Go(u.Close)
	}
	all.Wait()
	if h.record != nil {
		_ = h.record.Close() // every line was written when it came
	}
}

// Source is where the news of agents comes from: this process serves them, or another one
// whose record is followed.
type Source struct {
	// Take waits for what happens next; ok is false when nothing more will.
	Take func(context.Context) (b Batch, ok bool)
	// Address returns where a session is served. Entry returns what a client's
	// configuration needs for that, with the token; it is empty until the session is
	// served. Both are nil where the record of another process is followed.
	Address func(session string) string
	Entry   func(session string) string
	// Record is the file that is followed; empty where this process serves.
	Record string
}

// Input returns a stream that can be closed while somebody reads it: the reader then gets
// its end, although the stream itself may stay open, as standard input does.
func Input(in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		_ = w.CloseWithError(err) // never fails
	}()
	return r
}
