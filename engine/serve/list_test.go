//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package serve

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/engine"
	"caliper/engine/live"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// saying is a dump of servers that say much of their tools, some of it in forms that
// clients refuse.
const saying = `{"toolsets":{"mcp-pier":{"server":"pier","instructions":"Moor before you unload."},"mcp-hut":{"server":"hut","instructions":"Knock."}},"tools":[
 {"type":"function","toolset":"mcp-pier","source":"mcp","server":"pier","original_name":"moor","function":{"name":"mcp_pier_moor","description":"Moor a boat.","parameters":{"type":"object","properties":{"boat":true}}},
  "title":"Moor","annotations":{"destructiveHint":false},"icons":[{"src":"https://example.com/a.png"}],"_meta":{"a":{"b":1}},"outputSchema":{"type":"object","properties":{"berth":{"type":"integer"}}},"execution":{"taskSupport":"optional"}},
 {"type":"function","toolset":"mcp-pier","source":"mcp","server":"pier","original_name":"wait","function":{"name":"mcp_pier_wait","description":"Wait for the tide.","parameters":{}},
  "execution":{"taskSupport":"required"},"annotations":{"readOnlyHint":"yes"}},
 {"type":"function","toolset":"mcp-hut","source":"mcp","server":"hut","original_name":"rest","function":{"name":"mcp_hut_rest","description":"Rest.","parameters":{}}}
]}`

// pierOnly sends the tools of one server as themselves.
const pierOnly = "tools: {tool_search: {enabled: off}}\nsessions: {pier: {enabled_toolsets: [mcp-pier]}}\n"

// kept keeps nothing, and has a tool that reads what was kept.
type kept struct{}

func (kept) Keep(context.Context, string, string, string) (string, string, bool, error) {
	return "", "", false, nil
}
func (kept) Fetch(context.Context, string, json.RawMessage) (string, bool) { return "", false }
func (kept) Tool() (string, json.RawMessage) {
	return "rescuer_fetch", json.RawMessage(`{"type":"function","function":{"name":"rescuer_fetch","description":"Read a part.","parameters":{"type":"object","properties":{"id":{"type":"string"}}}}}`)
}

// TestPassesOnWhatServersSay: a tool that is listed as itself is listed with what its
// server says of it, in every revision; instructions come from the servers that the
// session has tools of.
func TestPassesOnWhatServersSay(t *testing.T) {
	t.Parallel()
	for _, revision := range revisions {
		var done ran
		s := New(Options{Execute: done.execute})
		s.Publish(snapshotIn(t, saying, "pier", pierOnly))
		c := clientIn(t, revision, s, "pier", nil)
		list, err := c.ListTools(t.Context(), nil)
		require.NoError(t, err)
		moor, _ := json.Marshal(list.Tools[0])
		for _, want := range []string{`"description":"Moor a boat."`, `"title":"Moor"`, `"destructiveHint":false`, `"src":"https://example.com/a.png"`, `"_meta":{"a":{"b":1}}`, `"berth"`, `"boat":{}`} {
			if !strings.Contains(string(moor), want) {
				t.Errorf("%s: %s is not in %s", revision, want, moor)
			}
		}
		if got := c.InitializeResult().Instructions; got != "Server pier says of its tools:\nMoor before you unload." {
			t.Errorf("%s: instructions are %q", revision, got)
		}
		raw := string(s.session("pier").current().tools)
		if !strings.Contains(raw, `"execution":{"taskSupport":"optional"}`) || !strings.Contains(raw, `"annotations":{}`) {
			t.Errorf("it lists %s", raw)
		}
	}
}

// TestNotListedAsTheySay: the tools listed in another form are known.
func TestNotListedAsTheySay(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	s.Publish(snapshotIn(t, saying, "pier", pierOnly))
	got := ""
	for _, l := range s.Changed("pier") {
		for _, c := range l.Changes {
			got += l.Tool.Name + " " + string(c.Kind) + " " + c.Name + "; "
		}
	}
	if want := "mcp_pier_moor property boat; mcp_pier_wait bad_member readOnlyHint; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.Publish(snapshotIn(t, `{"tools":[{"name":"moor","description":"Moor a boat.","inputSchema":{"type":"object"}}]}`, "plain", "tools: {tool_search: {enabled: off}}\nsessions: {plain: {}}\n"))
	if got := s.Changed("plain"); len(got)+len(s.Changed("nobody")) != 0 {
		t.Errorf("of one plain tool, or of a session that is not served: %+v", got)
	}
}

// TestRefusedOfAList: the refusals of providers for a tool that is listed, and for the list, are
// known; a schema served in another form is no more refused.
func TestRefusedOfAList(t *testing.T) {
	t.Parallel()
	list := []string{`{"name":"moor","description":"Moor a boat.","inputSchema":{"type":"object","properties":{"boat":true},"anyOf":[{"required":["boat"]}]}}`, `{"name":"moor","description":"Moor another."}`}
	for i := range 128 {
		list = append(list, fmt.Sprintf(`{"name":"t%d","description":"Ring bell %d.","inputSchema":{"type":"object"}}`, i, i))
	}
	s := New(Options{})
	s.Publish(snapshotIn(t, `{"tools":[`+strings.Join(list, ",")+`]}`, "pier", "tools: {tool_search: {enabled: off}}\nsessions: {pier: {}}\n"))
	got := ""
	for _, l := range s.Changed("pier") {
		for _, b := range l.Refused {
			got += b.String() + "; "
		}
	}
	want := "anyOf at the top of the parameters: OpenAI, Anthropic and Claude on Bedrock refuse it; a name that another tool of the list has: OpenAI and Anthropic take each once; 130 tools: OpenAI takes 128 in a request; "
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNoOutputSchemaOfDryRuns: a result of a dry run is of no schema, so none is listed.
func TestNoOutputSchemaOfDryRuns(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	s.Publish(snapshotIn(t, saying, "pier", pierOnly))
	if raw := string(s.session("pier").current().tools); strings.Contains(raw, "outputSchema") || !strings.Contains(raw, `"title":"Moor"`) {
		t.Errorf("it lists %s", raw)
	}
}

// TestTaskOnly: a tool that runs only as a task is not called as if a plain call would do.
func TestTaskOnly(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"off", "on"} {
		var done ran
		var n notes
		s := New(Options{Execute: done.execute, Note: n.add})
		s.Publish(snapshotIn(t, saying, "pier", strings.Replace(pierOnly, "off", mode, 1)))
		tool, args := "mcp_pier_wait", `{}`
		if mode == "on" {
			tool, args = "tool_call", `{"name":"mcp_pier_wait","arguments":{}}`
		}
		if text, isError := says(t, client(t, s, "pier", nil), tool, args); !isError || !strings.Contains(text, "only as a task") || done.all() != "" {
			t.Errorf("search %s: %s; ran %q", mode, text, done.all())
		}
		if e := n.of(transcript.EventCall)[0]; e.Verdict != transcript.VerdictFailed || e.Error == "" {
			t.Errorf("noted as %+v", e)
		}
	}
}

// TestCountsWhatItLists: the tokens of a list count every tool on it, with the one
// that reads rescued results.
func TestCountsWhatItLists(t *testing.T) {
	t.Parallel()
	snapshot := snapshotIn(t, saying, "pier", pierOnly)
	lists := func(o Options) transcript.Event {
		var n notes
		o.Note = n.add
		s := New(o)
		s.Publish(snapshot)
		if _, err := client(t, s, "pier", nil).ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return n.of(transcript.EventList)[0]
	}
	var done ran
	plain, with := lists(Options{Results: kept{}}), lists(Options{Results: kept{}, Execute: done.execute})
	_, definition := kept{}.Tool()
	if n := snapshot.Tokenizer.Tokens(snapshot.Tokenizer.Units(definition)); with.Tools != plain.Tools+1 || with.Tokens.Schemas != plain.Tokens.Schemas+n || with.Tokens.Eager != plain.Tokens.Eager+n {
		t.Errorf("%+v without, and %+v with it, of %d tokens", plain, with, n)
	}
}

// TestStructuredContent: anything but an object is left out for clients that would lose the
// whole result over it.
func TestStructuredContent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, old, modern string }{
		{`{"berth":9007199254740993}`, `"structuredContent":{"berth":9007199254740993}`, `"structuredContent":{"berth":9007199254740993}`},
		{`[1,2]`, "", `"structuredContent":[1,2]`},
		{`"text"`, "", `"structuredContent":"text"`},
		{`null`, "", `"structuredContent":null`},
	} {
		s := New(Options{Execute: func(context.Context, *model.Tool, json.RawMessage, Progress) (json.RawMessage, error) {
			return json.RawMessage(`{"content":[{"type":"text","text":"done"}],"structuredContent":` + c.content + `}`), nil
		}})
		s.Publish(snapshotIn(t, saying, "pier", pierOnly))
		for _, modern := range []bool{false, true} {
			w := &work{connection: &connection{session: s.session("pier")}, peer: &peer{modern: modern}, list: s.session("pier").current(), params: &mcp.CallToolParamsRaw{Name: "mcp_pier_moor", Arguments: json.RawMessage(`{}`)}}
			want := c.old
			if modern {
				want = c.modern
			}
			got := string(w.answer(t.Context()))
			if !strings.Contains(got, want) || !strings.Contains(got, "done") || strings.Contains(got, "structuredContent") != (want != "") {
				t.Errorf("%s, modern %v: %s", c.content, modern, got)
			}
		}
	}
}

// TestDeniedIsNoted: each call that is not let through is noted as denied, with the code
// that the model reads and the name that it called.
func TestDeniedIsNoted(t *testing.T) {
	t.Parallel()
	off := strings.Replace(settings, "enabled: on", "enabled: off", 1)
	for _, c := range []struct{ yaml, tool, args, code, name, called string }{
		{settings, "tool_call", `{"name":"mcp_nothing"}`, engine.CodeUnknownTool, "", "mcp_nothing"},
		{settings, "tool_call", `{"name":"mcp_tide_read"}`, engine.CodeOutOfScope, "", "mcp_tide_read"},
		{settings, "tool_call", `{"name":"mcp_harbor_sink"}`, engine.CodeDenied, "mcp_harbor_sink", "mcp_harbor_sink"},
		{settings, "tool_call", `{"name":"mcp_harbor_tow"}`, engine.CodeNeedsApproval, "mcp_harbor_tow", "mcp_harbor_tow"},
		{settings, "tool_call", `{"name":"tool_search"}`, engine.CodeBridgeRecursion, "", "tool_search"},
		{settings, "tool_call", `{}`, engine.CodeMissingName, "", ""},
		{settings, "tool_call", `{"name":"mcp_harbor_book","arguments":7}`, engine.CodeNotObject, "", "mcp_harbor_book"},
		{settings, "tool_call", `{"name":"mcp_harbor_book","arguments":"{"}`, engine.CodeBadArguments, "", "mcp_harbor_book"},
		{settings, "mcp_harbor_book", `{}`, engine.CodeDeferred, "mcp_harbor_book", ""},
		{settings, "read_file", `{}`, engine.CodeOutOfScope, "", ""},
		{settings, "tool_search", `{}`, engine.CodeMissingQuery, "", ""},
		{settings, "tool_describe", `{"name":"mcp_tide_read"}`, engine.CodeOutOfScope, "", ""},
		{off, "mcp_harbor_sink", `{}`, engine.CodeDenied, "mcp_harbor_sink", ""},
		{off, "tool_call", `{"name":"mcp_harbor_book"}`, engine.CodeUnknownTool, "", "mcp_harbor_book"},
	} {
		var n notes
		var done ran
		s := New(Options{Execute: done.execute, Note: n.add})
		s.Publish(snapshotOf(t, "harbor", c.yaml))
		text, isError := says(t, client(t, s, "harbor", nil), c.tool, c.args)
		var read struct{ Code string }
		_ = json.Unmarshal([]byte(text), &read)
		var e transcript.Event
		for _, kind := range []transcript.EventKind{transcript.EventCall, transcript.EventSearch, transcript.EventDescribe} {
			for _, one := range n.of(kind) {
				e = one
			}
		}
		if !isError || read.Code != c.code || e.Verdict != transcript.VerdictDenied || e.Code != c.code || e.RealName != c.name || e.Request == nil || e.Request.Name != c.tool || e.Request.Called != c.called || done.all() != "" ||
			e.Kind == transcript.EventCall && e.Trace[len(e.Trace)-1].Verdict != string(engine.Fail) {
			t.Errorf("%s %s: the model reads %s; noted as %+v of %+v; ran %q", c.tool, c.args, text, e, e.Request, done.all())
		}
	}
}

// TestOwnToolsAreTaken: the bridge, and whatever else is listed of caliper's own, is in
// the form that clients take.
func TestOwnToolsAreTaken(t *testing.T) {
	t.Parallel()
	s := harbor(t, Options{Results: kept{}, Execute: new(ran).execute})
	n, err := jsontree.Parse(s.session("harbor").current().tools, jsontree.Strict)
	if err != nil {
		t.Fatal(err)
	}
	tools := n.Member("tools").Elements()
	if len(tools) != 4 || len(s.Changed("harbor")) > 0 {
		t.Errorf("%d tools, %v changed", len(tools), s.Changed("harbor"))
	}
	for _, tool := range tools {
		if tool.Member("inputSchema").Member("type").Text != "object" {
			t.Errorf("%s", tool.AppendTo(nil))
		}
	}
}

// TestListedWithoutDescription: a tool that says nothing of itself is listed without a
// description, which clients take.
func TestListedWithoutDescription(t *testing.T) {
	t.Parallel()
	s := snapshotIn(t, `{"tools":[{"type":"function","toolset":"mcp-pier","function":{"name":"moor","parameters":{"type":"object"}}},{"type":"function","toolset":"mcp-pier","function":{"name":"wait","description":7}}]}`,
		"", "tools: {tool_search: {enabled: off}}\nsessions: {default: {}}\n")
	result, _ := listed(s, s.Assembly(), nil, true)
	if !json.Valid(result) || strings.Contains(string(result), "description") {
		t.Errorf("the list is %s", result)
	}
}

// TestListsNumbersBeyondAll: a number that no float64 holds stays as the tool says it, and the list is JSON.
func TestListsNumbersBeyondAll(t *testing.T) {
	t.Parallel()
	s := snapshotIn(t, `{"tools":[{"type":"function","toolset":"mcp-pier","function":{"name":"moor","description":"1e9 Infinity","parameters":{"type":"object","minProperties":1.50,"properties":{"depth":{"maximum": 1e999}}}}}]}`,
		"", "tools: {tool_search: {enabled: off}}\nsessions: {default: {}}\n")
	result, _ := listed(s, s.Assembly(), nil, true)
	if !json.Valid(result) || !strings.Contains(string(result), `"maximum":1e999`) {
		t.Errorf("the list is %s", result)
	}
}

// TestRequestOfNoJSON: a client is asked also where the question's schema is no JSON.
func TestRequestOfNoJSON(t *testing.T) {
	t.Parallel()
	asked := inputRequired(&mcp.ElicitParams{Message: "May it?", RequestedSchema: json.RawMessage(`{`)}, "s")
	if !strings.Contains(string(asked), `{"method":"elicitation/create","params":{}}`) || !json.Valid(asked) {
		t.Errorf("%s", asked)
	}
}

var slow = flag.Bool("slow", false, "run the slow suites")

// overHTTPIn serves sessions over HTTP in a revision, and returns what connects a client that offers something.
func overHTTPIn(t testing.TB, revision string, s *Server, o *mcp.ClientOptions) func(session string) *mcp.ClientSession {
	t.Helper()
	tokens := map[string]string{}
	for _, name := range s.Sessions() {
		tokens[name] = NewToken()
	}
	web := httptest.NewServer(s.Handler(tokens, false))
	t.Cleanup(web.Close)
	return func(session string) *mcp.ClientSession {
		c, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, o).Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: web.URL + PathOf(session), HTTPClient: &http.Client{Transport: bearerOf(tokens[session])}, DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
}

// TestScopeOverTheWire asks, as a client of each session, for every tool of the registry
// by search, description, call and direct call: none of another session's is found,
// described or run, and each of its own is.
func TestScopeOverTheWire(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		var done ran
		s := New(Options{Execute: done.execute})
		sessions := []string{"harbor", "tide", "wide"}
		open := strings.Replace(strings.Split(settings, "policy:")[0], "sessions:", "sessions:\n  wide: {}", 1)
		for _, name := range sessions {
			s.Publish(snapshotOf(t, name, open))
		}
		connect := overHTTPIn(t, revision, s, nil)
		for _, session := range sessions {
			snapshot := s.session(session).current().snapshot
			agent := connect(session)
			for _, tool := range snapshot.Registry.Tools {
				deferred := slices.Contains(snapshot.Catalog(), tool)
				found, _ := says(t, agent, "tool_search", fmt.Sprintf(`{"query":%q,"limit":20}`, tool.Name))
				if strings.Contains(found, `"name":"`+tool.Name+`"`) != deferred {
					t.Errorf("%s: tool_search of %s answers %s", session, tool.Name, found)
				}
				if _, isError := says(t, agent, "tool_describe", fmt.Sprintf(`{"name":%q}`, tool.Name)); isError == deferred {
					t.Errorf("%s: tool_describe of %s: an error is %v", session, tool.Name, isError)
				}
				before := len(done.all())
				for _, call := range [][2]string{{"tool_call", fmt.Sprintf(`{"name":%q,"arguments":{}}`, tool.Name)}, {tool.Name, `{}`}} {
					text, isError := says(t, agent, call[0], call[1])
					may := snapshot.Granted(tool) && (call[0] == "tool_call") == deferred
					if isError == may {
						t.Errorf("%s: %s of %s: an error is %v: %s", session, call[0], tool.Name, isError, text)
					}
				}
				if ran := len(done.all()) > before; ran != snapshot.Granted(tool) {
					t.Errorf("%s: %s ran: %v", session, tool.Name, ran)
				}
			}
		}
	})
}

// TestManyClients: of many calls of many clients, through servers that answer, fail and
// lie, each has one answer, which is its own, and one event.
func TestManyClients(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		clients, calls := 8, 100
		connections := clients
		if revision == stateless {
			connections = 1 // of one name, with one token
		}
		if *slow {
			calls = 1250
		}
		var n notes
		s := harbor(t, Options{Note: n.add, Execute: func(_ context.Context, _ *model.Tool, arguments json.RawMessage, _ Progress) (json.RawMessage, error) {
			var asked struct{ Berth int }
			_ = json.Unmarshal(arguments, &asked)
			switch asked.Berth % 5 {
			case 1:
				return nil, errors.New("the server ended during the call")
			case 2:
				return json.RawMessage(`{"content":`), nil
			}
			return json.RawMessage(fmt.Sprintf(`{"content":[{"type":"text","text":"berth %d"}]}`, asked.Berth)), nil
		}})
		connect := overHTTPIn(t, revision, s, nil)
		var all sync.WaitGroup
		for c := range clients {
			agent := connect("harbor")
			all.Go(func() {
				for i := range calls {
					berth := c*calls + i
					text, isError := says(t, agent, "tool_call", fmt.Sprintf(`{"name":"mcp_harbor_book","arguments":{"berth":%d}}`, berth))
					fails := berth%5 == 1 || berth%5 == 2
					if isError != fails || !fails && text != fmt.Sprintf("berth %d", berth) {
						t.Errorf("berth %d: %v %s", berth, isError, text)
					}
				}
			})
		}
		all.Wait()
		s.Close()
		if got := len(n.of(transcript.EventCall)); got != clients*calls || len(n.of(transcript.EventConnect)) != connections || len(n.of(transcript.EventDisconnect)) != connections {
			t.Errorf("%d calls, %d connects, %d disconnects are noted", got, len(n.of(transcript.EventConnect)), len(n.of(transcript.EventDisconnect)))
		}
	})
}

// TestAsked: what a server asks in a call reaches the client that calls, under the
// server's name, in memory and over HTTP without a stream of its own; and a client
// without an answer is known to have none.
func TestAsked(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		s := harbor(t, Options{Execute: func(ctx context.Context, _ *model.Tool, arguments json.RawMessage, _ Progress) (json.RawMessage, error) {
			c, ok := live.CallerOf(ctx)
			if !ok {
				t.Error("nobody calls")
			}
			var asked struct{ Berth int }
			_ = json.Unmarshal(arguments, &asked)
			request := []mcp.Params{&mcp.ElicitParams{Message: "which?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)},
				&mcp.CreateMessageWithToolsParams{MaxTokens: 3}, &mcp.ListRootsParams{}}[asked.Berth]
			if method := []string{live.Elicitation, live.Sampling, live.Roots}[asked.Berth]; !c.Offers(method) {
				return json.RawMessage(`{"content":[{"type":"text","text":"not offered"}]}`), nil
			}
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // as of the server's request, which knows no call
			defer cancel()
			result, err := c.Ask(ctx, "forge", request)
			if err != nil {
				t.Error(err)
			}
			data, _ := json.Marshal(result)
			text, _ := json.Marshal(string(data))
			return json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}]}`), nil
		}})
		o := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}},
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"heard": r.Params.Message}}, nil
			},
			CreateMessageWithToolsHandler: func(_ context.Context, r *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
				return &mcp.CreateMessageWithToolsResult{Model: "mine", Role: "assistant", Content: []mcp.Content{&mcp.TextContent{Text: "three"}}}, nil
			}}
		for name, c := range map[string]struct {
			client *mcp.ClientSession
			want   [3]string
		}{
			"memory":         {clientIn(t, revision, s, "harbor", o), [3]string{"Server forge asks: which?", "three", `"roots":[]`}},
			"http":           {overHTTPIn(t, revision, s, o)("harbor"), [3]string{"Server forge asks: which?", "three", `"roots":[]`}},
			"offers nothing": {clientIn(t, revision, s, "harbor", &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}), [3]string{"not offered", "not offered", "not offered"}},
		} {
			for berth, want := range c.want {
				arguments, _ := json.Marshal(map[string]any{"name": "mcp_harbor_book", "arguments": map[string]int{"berth": berth}})
				if got, isError := says(t, c.client, "tool_call", string(arguments)); isError || !strings.Contains(got, want) {
					t.Errorf("%s, %d: %s, want %s", name, berth, got, want)
				}
			}
		}
	})
}
