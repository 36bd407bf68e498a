package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/live"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// dump has a core tool, and the tools of two servers, one that no provider's schema
// check would let pass.
const dump = `{"toolsets":{"mcp-harbor":{"server":"harbor"},"mcp-tide":{"server":"tide"}},"tools":[
 {"type":"function","toolset":"files","function":{"name":"read_file","description":"Read a file.","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}},
 {"type":"function","toolset":"mcp-harbor","source":"mcp","server":"harbor","original_name":"book","function":{"name":"mcp_harbor_book","description":"Book a berth for a boat.","parameters":{"type":"object","properties":{"z":{"maximum":9007199254740993},"berth":{"type":"integer"}}}}},
 {"type":"function","toolset":"mcp-harbor","source":"mcp","server":"harbor","original_name":"tow","function":{"name":"mcp_harbor_tow","description":"Tow a boat.","parameters":{}}},
 {"type":"function","toolset":"mcp-harbor","source":"mcp","server":"harbor","original_name":"sink","function":{"name":"mcp_harbor_sink","description":"Sink a boat.","parameters":{}}},
 {"type":"function","toolset":"mcp-tide","source":"mcp","server":"tide","original_name":"read","function":{"name":"mcp_tide_read","description":"Read the tide table.","parameters":{"properties":{}}}}
]}`

// settings turns search on and has two sessions.
const settings = `
tools: {tool_search: {enabled: on}, core: [read_file]}
sessions:
  harbor: {enabled_toolsets: [mcp-harbor]}
  tide: {enabled_toolsets: [mcp-tide]}
policy:
  - {match: "*_tow", action: approve}
  - {match: "*_sink", action: deny}
`

// snapshotOf builds a session of a configuration over dump.
func snapshotOf(t testing.TB, session, yaml string) *engine.Snapshot {
	t.Helper()
	return snapshotIn(t, dump, session, yaml)
}

// snapshotIn is snapshotOf over a dump.
func snapshotIn(t testing.TB, dump, session, yaml string) *engine.Snapshot {
	t.Helper()
	file, err := config.Parse("c.yaml", []byte(yaml))
	require.NoError(t, err)
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Parse(t, []byte(dump)), Config: file.Config, Session: session})
	require.NoError(t, err)
	return s
}

// harbor serves session harbor of settings.
func harbor(t testing.TB, o Options) *Server {
	t.Helper()
	s := New(o)
	s.Publish(snapshotOf(t, "harbor", settings))
	return s
}

// notes collects events.
type notes struct {
	mu   sync.Mutex
	list []transcript.Event
}

func (n *notes) add(e transcript.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, e)
}

// of returns the events of a kind.
func (n *notes) of(k transcript.EventKind) (out []transcript.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.list {
		if e.Kind == k {
			out = append(out, e)
		}
	}
	return out
}

// ran is the calls that were executed.
type ran struct {
	mu    sync.Mutex
	calls []string
}

// execute records which tool of which server got which arguments.
func (r *ran) execute(_ context.Context, t *model.Tool, arguments json.RawMessage, _ Progress) (json.RawMessage, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, fmt.Sprintf("%s %s %s", t.Server, t.OriginalName, arguments))
	return json.RawMessage(`{ "content":[{"text":"done","type":"text","n":9007199254740993}] }`), nil
}

func (r *ran) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.calls, "; ")
}

// revisions are one of those in which a client is connected, and the one in which every
// request stands alone.
var revisions = []string{"2025-11-25", stateless}

// eachRevision runs a test in each of revisions.
func eachRevision(t *testing.T, test func(t *testing.T, revision string)) {
	t.Parallel()
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			test(t, revision)
		})
	}
}

// client connects a client of the SDK to a session in memory, in the newest revision.
func client(t *testing.T, s *Server, session string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return clientIn(t, stateless, s, session, o)
}

// clientIn is client in a revision.
func clientIn(t *testing.T, revision string, s *Server, session string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.session(session).mcp.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, o)
	listens := make(chan struct{}, 1)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "notifications/subscriptions/acknowledged" {
				listens <- struct{}{}
			}
			return next(ctx, method, r)
		}
	})
	c, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	if o != nil && o.ToolListChangedHandler != nil && revision == "2026-07-28" {
		<-listens // Connect only sends the request
	}
	return c
}

// says calls a tool and returns the text of the answer.
func says(t *testing.T, c *mcp.ClientSession, tool, arguments string) (text string, isError bool) {
	t.Helper()
	got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	for _, part := range got.Content {
		if p, ok := part.(*mcp.TextContent); ok {
			text += p.Text
		}
	}
	return text, got.IsError
}

// TestServesTheSession: what a client is sent is the assembly, and what it may call is
// what the gates let through.
func TestServesTheSession(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		var n notes
		var done ran
		s := harbor(t, Options{Execute: done.execute, Note: n.add})
		c := clientIn(t, revision, s, "harbor", nil)
		list, err := c.ListTools(t.Context(), nil)
		require.NoError(t, err)
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		if got := strings.Join(names, " "); got != "tool_search tool_describe tool_call" {
			t.Errorf("it lists %s", got)
		}
		for _, call := range []struct{ tool, args, says, code string }{
			{"tool_search", `{"query":"book a berth"}`, `"name":"mcp_harbor_book"`, ""},
			{"tool_describe", `{"name":"mcp_harbor_book"}`, `9007199254740993`, ""},
			{"tool_call", `{"name":"mcp_harbor_book","arguments":{"berth":7}}`, "done", ""},
			{"tool_call", `{"name":"mcp_tide_read","arguments":{}}`, `"error"`, engine.CodeOutOfScope},
			{"tool_call", `{"Name":"mcp_harbor_book","arguments":{"berth":8}}`, `"error"`, engine.CodeMissingName},
			{"mcp_tide_read", `{}`, `"error"`, engine.CodeOutOfScope},
			{marker, `{}`, `"error"`, engine.CodeUnknownTool},
		} {
			before := len(n.of(transcript.EventSearch)) + len(n.of(transcript.EventDescribe)) + len(n.of(transcript.EventCall))
			text, isError := says(t, c, call.tool, call.args)
			if !strings.Contains(text, call.says) || isError != (call.code != "") || isError && !strings.Contains(text, call.code) {
				t.Errorf("%s %s: %v %s", call.tool, call.args, isError, text)
			}
			if after := len(n.of(transcript.EventSearch)) + len(n.of(transcript.EventDescribe)) + len(n.of(transcript.EventCall)); after != before+1 {
				t.Errorf("%s %s: %d events", call.tool, call.args, after-before)
			}
		}
		if got := done.all(); got != `harbor book {"berth":7}` {
			t.Errorf("executed: %s", got)
		}
		search := n.of(transcript.EventSearch)[0]
		if search.Request.Queries[0] != "book a berth" || len(search.Hits) == 0 || search.Hits[0].Name != "mcp_harbor_book" || search.Hits[0].Rank != 1 || search.Hits[0].Score <= 0 || search.Client.Name != "agent" {
			t.Errorf("the search is noted as %+v", search)
		}
		for _, e := range n.list {
			if e.Request != nil && e.Request.Arguments != nil || e.Result != nil && e.Result.Text != "" {
				t.Errorf("texts are noted: %+v", e)
			}
		}
		s.Close()
		if len(n.of(transcript.EventDisconnect)) != 1 {
			t.Error("its end is not noted")
		}
		if known := len(s.session("harbor").known); known != 0 {
			t.Errorf("%d clients are known that are gone", known)
		}
		last := 0
		for _, e := range n.list {
			if e.Connection != "" {
				if e.Seq != last+1 {
					t.Errorf("event %d follows %d", e.Seq, last)
				}
				last = e.Seq
			}
		}
	})
}

// TestDryRun: without Execute nothing runs, and the answer is the dry run's.
func TestDryRun(t *testing.T) {
	t.Parallel()
	var n notes
	s := New(Options{Note: n.add})
	snapshot := snapshotOf(t, "harbor", settings)
	s.Publish(snapshot)
	const args = `{"name":"mcp_harbor_book","arguments":{"berth":7}}`
	want, _ := snapshot.Bridge(engine.ToolCall, json.RawMessage(args))
	if text, isError := says(t, client(t, s, "harbor", nil), "tool_call", args); text != string(want) || isError || n.of(transcript.EventCall)[0].Verdict != transcript.VerdictDryRun {
		t.Errorf("%s, want %s; noted %+v", text, want, n.list)
	}
	says(t, client(t, s, "harbor", nil), "tool_call", `{"name":"mcp_harbor_book","arguments":{"berth":"x","z":9007199254740995}}`)
	if trace := fmt.Sprint(n.of(transcript.EventCall)[1].Trace); !strings.Contains(trace, "the arguments break the schema's type and maximum") { // and no value
		t.Errorf("noted %s", trace)
	}
}

// TestEventTokens: sizes are counted in tokens, as tools' sizes are.
func TestEventTokens(t *testing.T) {
	t.Parallel()
	want := transcript.EventTokens{Request: 14, Response: 1} // chars4: a quarter of 55 and of 4, rounded up
	var n notes
	var done ran
	s := harbor(t, Options{Execute: done.execute, Note: n.add})
	says(t, client(t, s, "harbor", nil), "tool_call", `{"name":"mcp_harbor_book","arguments":{"berth":123456}}`)
	if got := n.of(transcript.EventCall)[0]; got.Tokens != want || got.Result.Chars != 4 || got.Result.Tokens != want.Response {
		t.Errorf("%+v and %+v, want %+v", got.Tokens, got.Result, want)
	}
}

// TestHitsOfOne: the record has the hit of a search that finds one tool, and a server of
// tools that came or went.
func TestHitsOfOne(t *testing.T) {
	t.Parallel()
	var n notes
	s := harbor(t, Options{Note: n.add})
	says(t, client(t, s, "harbor", nil), "tool_search", `{"query":"book a berth","limit":1}`)
	s.Publish(snapshotOf(t, "harbor", strings.Replace(settings, "enabled: on", "enabled: on, generation: september-2026", 1)))
	says(t, client(t, s, "harbor", nil), "tool_search", `{"queries":["zzyzx","book a berth"],"limit":1}`)
	for i, e := range n.of(transcript.EventSearch) {
		if got := e.Hits; len(got) != 1 || got[0].Name != "mcp_harbor_book" || got[0].Rank != 1 || got[0].Query != i {
			t.Errorf("hits %+v", got)
		}
	}
	s.NoteUpstream("harbor", []string{"slow", "old"}, nil)
	s.NoteUpstream("harbor", nil, errors.New("it left"))
	got := n.of(transcript.EventUpstream)
	if len(got) != 2 || got[0].RealName != "harbor" || got[0].Verdict != transcript.VerdictOK || got[0].Error != "slow; old" || got[1].Verdict != transcript.VerdictGone || got[1].Error != "it left" || got[1].V != transcript.EventVersion || got[1].Time.IsZero() {
		t.Errorf("servers of tools: %+v", got)
	}
}

// TestReload: a client is told when its tools are others, and a call keeps the snapshot
// that it began with.
func TestReload(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		told := make(chan struct{}, 4)
		var n notes
		s := harbor(t, Options{Note: n.add})
		agent := clientIn(t, revision, s, "harbor", &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} }})
		s.Publish(snapshotOf(t, "harbor", strings.Replace(settings, "enabled: on", "enabled: off", 1)))
		select {
		case <-told:
		case <-time.After(10 * time.Second):
			t.Fatal("nobody is told")
		}
		list, err := agent.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 3 || list.Tools[0].Name != "mcp_harbor_book" {
			t.Errorf("%v, %v", list, err)
		}
		if s.Publish(s.session("harbor").current().snapshot); len(n.of(transcript.EventReload)) != 2 || len(told) > 0 {
			t.Errorf("%d reloads, told %d times of the same tools", len(n.of(transcript.EventReload)), len(told))
		}
		if _, err := agent.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "x"}); err == nil {
			t.Error("a prompt that is not there has no error")
		}
	})
}

// TestCloseWaits: when Close returns, the last event has been noted.
func TestCloseWaits(t *testing.T) {
	t.Parallel()
	var left atomic.Bool
	came := make(chan struct{})
	s := harbor(t, Options{Note: func(e transcript.Event) {
		switch e.Kind {
		case transcript.EventConnect:
			close(came)
		case transcript.EventDisconnect:
			time.Sleep(50 * time.Millisecond)
			left.Store(true)
		}
	}})
	clientIn(t, revisions[0], s, "harbor", nil)
	<-came
	if s.Close(); !left.Load() {
		t.Error("a client is still leaving")
	}
}

// TestErrorAnswer: an error of the protocol with which a server answers is the client's.
func TestErrorAnswer(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		var n notes
		s := harbor(t, Options{Note: n.add, Execute: func(context.Context, *model.Tool, json.RawMessage, Progress) (json.RawMessage, error) {
			return nil, &live.CallError{Code: -32602, Message: "no such berth"}
		}})
		_, err := clientIn(t, revision, s, "harbor", nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "tool_call", Arguments: json.RawMessage(`{"name":"mcp_harbor_book","arguments":{}}`)})
		var answer *jsonrpc.Error
		if !errors.As(err, &answer) || answer.Code != -32602 || answer.Message != "no such berth" || n.of(transcript.EventCall)[0].Verdict != transcript.VerdictFailed || n.of(transcript.EventCall)[0].Error != "no such berth" {
			t.Errorf("%v, noted as %+v", err, n.of(transcript.EventCall))
		}
	})
}

// TestTraceParent: the span that a client names is noted, and no other text in its place.
func TestTraceParent(t *testing.T) {
	t.Parallel()
	const good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	var n notes
	s := harbor(t, Options{Note: n.add})
	agent := client(t, s, "harbor", nil)
	given := []any{good, strings.ToUpper(good), strings.Replace(good, "-b", "xb", 1), good + "-1", "01" + good[2:], "a secret", 7, nil}
	for _, parent := range given {
		params := &mcp.CallToolParams{Meta: mcp.Meta{"traceparent": parent}, Name: "tool_call", Arguments: json.RawMessage(`{"name":"mcp_harbor_book","arguments":{}}`)}
		if _, err := agent.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
	}
	for i, e := range n.of(transcript.EventCall) {
		if want := map[bool]string{true: good}[i == 0]; e.Request.Parent != want {
			t.Errorf("%v is noted as %q", given[i], e.Request.Parent)
		}
	}
	if got := len(n.of(transcript.EventCall)); got != len(given) {
		t.Errorf("%d calls are noted", got)
	}
}

// TestProgressAndCancellation: in memory and over HTTP a client that asks for progress
// hears it, one that does not hears none, and a call that the client
// withdraws ends, which is noted.
func TestProgressAndCancellation(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"memory", "http", "http, 2025-11-25"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			var n notes
			running, ended := make(chan struct{}, 1), make(chan error, 1)
			s := New(Options{Note: n.add, Execute: func(ctx context.Context, tool *model.Tool, _ json.RawMessage, progress Progress) (json.RawMessage, error) {
				if tool.OriginalName == "tow" {
					running <- struct{}{}
					<-ctx.Done()
					ended <- ctx.Err()
					return nil, ctx.Err()
				}
				if progress != nil {
					progress(1, 4, "rope is fast")
					progress(2, 0, "")
				}
				return json.RawMessage(fmt.Sprintf(`{"content":[{"type":"text","text":"%v"}]}`, progress != nil)), nil
			}})
			s.Publish(snapshotOf(t, "harbor", strings.Split(settings, "policy:")[0]))
			heard := make(chan string, 8)
			o := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
				heard <- fmt.Sprintln(r.Params.ProgressToken, r.Params.Progress, r.Params.Total, r.Params.Message)
			}}
			var agent *mcp.ClientSession
			if transport == "memory" {
				agent = client(t, s, "harbor", o)
			} else {
				agent = overHTTPIn(t, map[bool]string{true: stateless, false: "2025-11-25"}[transport == "http"], s, o)("harbor")
			}
			if text, _ := says(t, agent, "tool_call", `{"name":"mcp_harbor_book","arguments":{}}`); text != "false" || len(heard) > 0 {
				t.Errorf("unasked for: %s, %d heard", text, len(heard))
			}
			params := &mcp.CallToolParams{Name: "tool_call", Arguments: json.RawMessage(`{"name":"mcp_harbor_book","arguments":{}}`)}
			params.SetProgressToken("seven")
			if _, err := agent.CallTool(t.Context(), params); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"seven 1 4 rope is fast\n", "seven 2 0 \n"} {
				select {
				case got := <-heard:
					if got != want {
						t.Errorf("heard %q, want %q", got, want)
					}
				case <-time.After(10 * time.Second):
					t.Fatalf("%q is not heard", want)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-running; cancel() }()
			if _, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "tool_call", Arguments: json.RawMessage(`{"name":"mcp_harbor_tow","arguments":{}}`)}); !errors.Is(err, context.Canceled) {
				t.Errorf("the call ends with %v", err)
			}
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Fatal("the call goes on")
			}
			for end := time.Now().Add(10 * time.Second); len(n.of(transcript.EventCall)) < 3; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the call is not noted")
				}
			}
			if last := n.of(transcript.EventCall)[2]; last.Verdict != transcript.VerdictGone {
				t.Errorf("noted as %+v", last)
			}
		})
	}
}

// bearerOf sends a token with each request.
type bearerOf string

// RoundTrip implements http.RoundTripper.
func (b bearerOf) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}
