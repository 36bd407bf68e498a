// Package serve offers a session's assembly to agents as a server of MCP: the tools that
// it sends, in their order and with their bytes, and behind the bridge the tools that it
// defers. Every call goes through the gates of the dry run, and is run only where that
// is wanted, by a function of the caller.
//
// Example: the session worker has tool search on. A client that connects to it lists
// read_file, tool_search, tool_describe and tool_call. Its call of tool_call with
// {"name":"mcp_forge_open_change","arguments":{...}} passes the gates, is sent to the
// server forge as open_change, and the server's answer is the client's, byte for byte.
//
// Invariants:
//   - a call is run only after Snapshot.Invoke has authorized it, with the tool and the
//     arguments that it authorized;
//   - a call is answered by one snapshot, the one of the moment at which it came; one that a
//     person approved passes the gates again, by the snapshot of that moment;
//   - each request has one answer and one event, also when a server ends in it;
//   - without Execute nothing is run: a call is answered as the dry run answers it.
//
// Non-goals: starting servers (package live), keeping results (package rescue), asking a
// person on a screen: these are functions of Options.
package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options are what a Server needs of its surroundings. The zero value serves dry runs
// and notes nothing.
type Options struct {
	Version string // of caliper, which clients are told

	// Execute runs a tool with arguments that are a JSON object, and tells progress,
	// which may be nil, of its progress. The result is handed on as it stands, and so is
	// a *live.CallError, with which a server answers. nil: nothing is executed.
	Execute func(ctx context.Context, t *model.Tool, arguments json.RawMessage, progress Progress) (json.RawMessage, error)

	// Ask asks a person whether a call may run, until ctx ends. nil: the client is asked
	// by elicitation where it offers that.
	Ask func(ctx context.Context, q Question) Answer

	// ApproveTimeout is how long a person has to answer; 0 means 45 seconds, which is
	// less than clients wait.
	ApproveTimeout time.Duration

	// Results keeps results that are too long for a conversation; nil keeps none.
	Results Results

	// Note takes each event, from any goroutine; nil for nobody. It must be quick.
	Note func(transcript.Event)

	// Texts has events include the arguments of calls and the text of results.
	Texts bool

	Now func() time.Time // nil: time.Now
}

// Progress hears how much of a call is done: a part of a total, which is 0 where it is not
// known.
type Progress func(done, total float64, message string)

// Results keeps results that are too long.
type Results interface {
	// Keep returns what the model gets in the place of a text that a tool returned to a
	// connection, and the id under which the text is kept; kept is false for a text
	// that is not too long.
	Keep(ctx context.Context, connection, tool, text string) (handle, id string, kept bool, err error)

	// Fetch answers a call of the tool that reads slices of what Keep kept for this
	// connection; ok is false when the answer is a fault.
	Fetch(ctx context.Context, connection string, arguments json.RawMessage) (answer string, ok bool)

	// Tool returns the definition of that tool, in the form of an assembly.
	Tool() (name string, definition json.RawMessage)
}

// Server serves sessions. Its methods may be called from several goroutines.
type Server struct {
	o Options

	mu       sync.Mutex
	sessions map[string]*session

	leaving  sync.WaitGroup // clients whose end, or refusal, is still to be noted
	refusals refusals
}

// session is one named scope as it is served.
type session struct {
	server *Server
	name   string
	mcp    *mcp.Server
	prefix string // of the ids of its clients over HTTP, which tells them from other sessions'

	mu     sync.Mutex
	list   *toolList
	headed map[string]string   // the schemas of tools that are listed with headers
	known  map[any]*connection // by *mcp.ServerSession, or by unconnected
}

// toolList is the tools of a session at one time. It never changes.
type toolList struct {
	snapshot *engine.Snapshot
	tools    json.RawMessage // the result of tools/list
	says     string          // what the servers say of their tools as a whole
	count    int
	tokens   int // of the tools that are listed
	eager    int // of every tool that the session is granted, and of the server's own
}

// New returns a server without sessions.
func New(o Options) *Server {
	o.ApproveTimeout = cmp.Or(o.ApproveTimeout, 45*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Note == nil {
		o.Note = func(transcript.Event) {}
	}
	return &Server{o: o, sessions: map[string]*session{}}
}

// Publish offers a snapshot's session from now on. Calls that have begun keep the
// snapshot that they began with. Clients are told when the list of tools is another one.
func (s *Server) Publish(snapshot *engine.Snapshot) {
	name := snapshot.Session.Name
	s.mu.Lock()
	x := s.sessions[name]
	if x == nil {
		// The SDK serves a session but for its tools: it would sort them, write their schemas
		// anew, and stop at one that it does not understand.
		x = &session{server: s, name: name, known: map[any]*connection{}, prefix: newID() + "-"}
		x.mcp = mcp.NewServer(&mcp.Implementation{Name: "caliper", Title: "caliper, session " + name, Version: s.o.Version}, &mcp.ServerOptions{
			Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
			SupportedProtocolVersions: Revisions(),
			GetSessionID:              func() string { return x.prefix + NewToken() },
			SetCacheable:              func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }, // a session's
		})
		x.mcp.AddReceivingMiddleware(x.receive)
		s.sessions[name] = x
	}
	s.mu.Unlock()
	a := snapshot.Assembly()
	all, _ := snapshot.Tokens(a)
	_, own := s.rescuerTool()
	granted := map[string]bool{} // the toolsets whose servers' instructions are passed on
	for _, t := range snapshot.Registry.Tools {
		if snapshot.Granted(t) {
			granted[t.Toolset] = true
		}
	}
	var parts []string
	for _, set := range snapshot.Registry.Toolsets {
		if granted[set.Name] && set.Instructions != "" {
			parts = append(parts, "Server "+cmp.Or(set.Server, set.Name)+" says of its tools:\n"+set.Instructions)
		}
	}
	next := &toolList{snapshot: snapshot, tokens: all, eager: snapshot.Budget(false).EagerTokens, says: strings.Join(parts, "\n\n")}
	if own != nil {
		n := snapshot.Tokenizer.Tokens(snapshot.Tokenizer.Units(own))
		next.tokens, next.eager = next.tokens+n, next.eager+n
	}
	next.tools, next.count = listed(snapshot, a, own, s.o.Execute != nil)
	x.mu.Lock()
	last := x.list
	x.list = next
	x.mu.Unlock()
	x.compared(next)
	if last == nil {
		return
	}
	s.note(x.name, transcript.Event{Kind: transcript.EventReload, Tokens: transcript.EventTokens{Schemas: next.tokens}})
	if string(last.tools) != string(next.tools) {
		// The SDK tells clients so when a tool is set, the same one too.
		x.mcp.AddTool(&mcp.Tool{Name: marker, InputSchema: json.RawMessage(`{"type":"object"}`)}, refuseMarker)
	}
}

// Sessions returns the names of the sessions that are served, in order.
func (s *Server) Sessions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, 0, len(s.sessions))
	for name := range s.sessions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Close ends every connection. When it returns, the last event has been noted.
func (s *Server) Close() {
	for _, name := range s.Sessions() {
		for client := range s.session(name).mcp.Sessions() {
			_ = client.Close() // there is nobody to tell
		}
		x := s.session(name)
		x.mu.Lock()
		var gone []*connection
		for key, c := range x.known {
			if _, alone := key.(unconnected); alone {
				gone = append(gone, c)
				delete(x.known, key)
			}
		}
		x.mu.Unlock()
		for _, c := range gone {
			c.leave()
		}
	}
	s.leaving.Wait()
	for _, e := range s.refusals.untold() {
		s.note(e.Session, e)
	}
}

// session returns a session that is served; nil for none of the name.
func (s *Server) session(name string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[name]
}

// note completes an event that belongs to no connection, and hands it on.
func (s *Server) note(session string, e transcript.Event) {
	e.V, e.Time, e.Session = transcript.EventVersion, s.o.Now().UTC(), session
	s.o.Note(e)
}

// NoteUpstream notes that a server of tools came, with what there is to warn of, or went.
func (s *Server) NoteUpstream(server string, warnings []string, err error) {
	e := transcript.Event{Kind: transcript.EventUpstream, RealName: server, Verdict: transcript.VerdictOK, Error: strings.Join(warnings, "; ")}
	if err != nil {
		e.Verdict, e.Error = transcript.VerdictGone, err.Error()
	}
	s.note("", e)
}

// rescuerTool returns the tool that reads slices of rescued results, and nothing where
// results are not run or not kept.
func (s *Server) rescuerTool() (name string, definition json.RawMessage) {
	if s.o.Results == nil || s.o.Execute == nil {
		return "", nil
	}
	return s.o.Results.Tool()
}
