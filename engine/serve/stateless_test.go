package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// alone is a client of 2026-07-28 over HTTP that is made by hand, so that each request
// can be what no SDK sends.
type alone struct {
	url, token, name string
	id               int
}

// send sends a message with headers, of which empty ones are left out.
func (a *alone) send(t *testing.T, body []byte, header map[string]string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.url, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	for name, value := range header {
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	return resp
}

// post sends a request and returns the answer, and the HTTP status where it is none.
func (a *alone) post(t *testing.T, method string, params map[string]any, header map[string]string) (answer map[string]any, status int) {
	t.Helper()
	a.id++
	if params == nil {
		params = map[string]any{}
	}
	params["_meta"] = map[string]any{mcp.MetaKeyProtocolVersion: stateless, mcp.MetaKeyClientInfo: map[string]any{"name": a.name, "version": "1"},
		mcp.MetaKeyClientCapabilities: map[string]any{"elicitation": map[string]any{}}}
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": a.id, "method": method, "params": params})
	all := map[string]string{"Mcp-Protocol-Version": stateless, "Mcp-Method": method}
	if name, ok := params["name"].(string); ok {
		all["Mcp-Name"] = name
	}
	maps.Copy(all, header)
	resp := a.send(t, body, all)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, resp.StatusCode
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		text := strings.TrimPrefix(lines.Text(), "data: ")
		var m struct{ Result map[string]any }
		if json.Unmarshal([]byte(text), &m) == nil && m.Result != nil {
			return m.Result, http.StatusOK
		}
	}
	return nil, http.StatusOK
}

// call calls tool_call for a tool, and returns what the model reads.
func (a *alone) call(t *testing.T, tool, arguments string, more map[string]any) (text string, answer map[string]any) {
	t.Helper()
	params := map[string]any{"name": "tool_call", "arguments": map[string]any{"name": tool, "arguments": json.RawMessage(arguments)}}
	for name, value := range more {
		params[name] = value
	}
	answer, status := a.post(t, "tools/call", params, nil)
	if answer == nil {
		t.Fatalf("status %d", status)
	}
	content, _ := answer["content"].([]any)
	for _, part := range content {
		text += fmt.Sprint(part.(map[string]any)["text"])
	}
	return text, answer
}

// served serves the sessions of settings over HTTP, and returns their tokens.
func served(t *testing.T, o Options) (s *Server, base string, tokens map[string]string) {
	t.Helper()
	s = New(o)
	tokens = map[string]string{}
	for _, name := range []string{"harbor", "tide"} {
		s.Publish(snapshotOf(t, name, settings))
		tokens[name] = NewToken()
	}
	web := httptest.NewServer(s.Handler(tokens, false))
	t.Cleanup(web.Close)
	return s, web.URL, tokens
}

// TestHTTP: a token opens the path of its own session, from this machine, and nothing else,
// to a client that connects and to a request that stands alone.
func TestHTTP(t *testing.T) {
	t.Parallel()
	s, base, tokens := served(t, Options{})
	own, harbor := PathOf("harbor"), tokens["harbor"]
	for name, c := range map[string]struct {
		path, token     string
		header          map[string]string
		connects, alone int // the status; 0: not asked
	}{
		"its own":                      {own, harbor, nil, 200, 200},
		"another session":              {PathOf("tide"), harbor, nil, 401, 401},
		"no token":                     {own, "", nil, 401, 401},
		"no such session":              {PathOf("nobody"), harbor, nil, 401, 401},
		"another path":                 {"/", harbor, nil, 401, 401},
		"below the path":               {own + "/x", harbor, nil, 401, 401},
		"under another name":           {own, harbor, map[string]string{"Host": "evil.example:80"}, 403, 403},
		"from a page":                  {own, harbor, map[string]string{"Origin": "https://evil.example"}, 403, 403},
		"from a page of no origin":     {own, harbor, map[string]string{"Origin": "null"}, 403, 403},
		"a client that does not exist": {own, harbor, map[string]string{"Mcp-Session-Id": s.session("harbor").prefix + "x"}, 404, 200},
		"a client of another session":  {own, harbor, map[string]string{"Mcp-Session-Id": s.session("tide").prefix + "x"}, 404, 404},
		"of a revision yet to come":    {own, harbor, map[string]string{"Mcp-Protocol-Version": "2099-01-01"}, 0, 400},
		"whose header is of another":   {own, harbor, map[string]string{"Mcp-Method": "ping"}, 0, 400},
	} {
		a := &alone{base + c.path, c.token, "x", 0}
		if answer, got := a.post(t, "tools/list", nil, c.header); got != c.alone || (answer != nil) != (c.alone == 200) {
			t.Errorf("%s, alone: %d %v, want %d", name, got, answer, c.alone)
		}
		resp := a.send(t, []byte(hello[0]), c.header)
		_ = resp.Body.Close()
		if resp.StatusCode != c.connects && c.connects != 0 || strings.HasPrefix(resp.Header.Get("WWW-Authenticate"), "Bearer ") != (c.connects == 401) {
			t.Errorf("%s: %d %q, want %d", name, resp.StatusCode, resp.Header.Get("WWW-Authenticate"), c.connects)
		}
	}
	agent := clientOf(t, "", base, tokens, "tide")
	if text, isError := says(t, agent, "tool_search", `{"query":"tide"}`); isError || !strings.Contains(text, "mcp_tide_read") {
		t.Errorf("%v %s", isError, text)
	}
}

// clientOf connects a client of the SDK to a session over HTTP, in a revision.
func clientOf(t *testing.T, revision, base string, tokens map[string]string, session string) *mcp.ClientSession {
	t.Helper()
	agent, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: base + PathOf(session),
		HTTPClient: &http.Client{Transport: bearerOf(tokens[session])}}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	require.NoError(t, err)
	t.Cleanup(func() { _ = agent.Close() })
	return agent
}

// TestHeadersOfArguments: a call of a tool that is listed with headers of its arguments is refused
// where they are another's, or missing, and not where the tool is no longer listed so.
func TestHeadersOfArguments(t *testing.T) {
	t.Parallel()
	const open = "tools: {tool_search: {enabled: off}}\nsessions: {harbor: {enabled_toolsets: [mcp-harbor]}}"
	headed := strings.Replace(dump, `"berth":{"type":"integer"}`, `"berth":{"type":"integer","x-mcp-header":"Berth"},"odd":{"type":"number","x-mcp-header":"Odd"}`, 1)
	s, base, tokens := served(t, Options{})
	s.Publish(snapshotIn(t, headed, "harbor", open))
	a := &alone{base + PathOf("harbor"), tokens["harbor"], "x", 0}
	call := func(header map[string]string) int {
		_, status := a.post(t, "tools/call", map[string]any{"name": "mcp_harbor_book", "arguments": map[string]any{"berth": 7, "odd": 1.5}}, header)
		return status
	}
	for _, c := range []struct {
		value string
		want  int
	}{{"7", 200}, {"7.0", 200}, {"8", 400}, {"", 400}, {"=?base64?Nw==?=", 200}, {"=?base64?7?=", 400}} {
		if got := call(map[string]string{"Mcp-Param-Berth": c.value}); got != c.want {
			t.Errorf("a header %q: %d, want %d", c.value, got, c.want)
		}
	}
	if list, _ := a.post(t, "tools/list", nil, nil); !strings.Contains(fmt.Sprint(list), "x-mcp-header:Berth") || strings.Contains(fmt.Sprint(list), "Odd") {
		t.Errorf("the list is %v", list)
	}
	s.Publish(snapshotIn(t, dump, "harbor", open))
	if got := call(nil); got != 200 {
		t.Errorf("without headers in the list: %d", got)
	}
}

// TestStatelessResults: results say that they are complete, a list for whom it may be
// kept, and discovery which revisions there are.
func TestStatelessResults(t *testing.T) {
	t.Parallel()
	var n notes
	_, base, tokens := served(t, Options{Note: n.add})
	a := &alone{base + PathOf("harbor"), tokens["harbor"], "x", 0}
	found, _ := a.post(t, "server/discover", nil, nil)
	if len(n.of(transcript.EventConnect)) != 1 {
		t.Errorf("who discovers has come: %+v", n.list)
	}
	if fmt.Sprint(found["supportedVersions"]) != fmt.Sprint(Revisions()) || found["cacheScope"] != "private" {
		t.Errorf("discovery says %v", found)
	}
	list, _ := a.post(t, "tools/list", nil, nil)
	if tools, _ := list["tools"].([]any); len(tools) != 3 || list["resultType"] != "complete" || list["cacheScope"] != "private" || list["ttlMs"] != 0.0 {
		t.Errorf("the list is %v", list)
	}
	if _, answer := a.call(t, "mcp_harbor_book", `{"berth":7}`, nil); answer["resultType"] != "complete" {
		t.Errorf("the call returns %v", answer)
	}
	if _, answer := a.call(t, "mcp_nothing", `{}`, nil); answer["resultType"] != "complete" || answer["isError"] != true {
		t.Errorf("the call of nothing returns %v", answer)
	}
}

// TestCompleteResults: a result says once that it is complete, unless it says otherwise.
func TestCompleteResults(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		`{"content":[]}`: `{"resultType":"complete","content":[]}`, `{ }`: `{"resultType":"complete"}`, `{}`: `{"resultType":"complete"}`,
		` {"a":1,"resultType":"input_required","b":2}`: ` {"a":1,"resultType":"input_required","b":2}`, `[]`: `[]`,
	} {
		for _, modern := range []bool{false, true} {
			got, err := (&rawResult{data: json.RawMessage(data), modern: modern}).MarshalJSON()
			if modern && string(got) != want || !modern && string(got) != data || err != nil {
				t.Errorf("%s, modern %v: %s, %v", data, modern, got, err)
			}
		}
	}
}

// TestStatelessConnection: requests of one client are one connection, to which an
// approval belongs; requests of another session, or of a client of another name, are others.
func TestStatelessConnection(t *testing.T) {
	t.Parallel()
	var n notes
	var done ran
	asked := 0
	s, base, tokens := served(t, Options{Note: n.add, Execute: done.execute, Ask: func(context.Context, Question) Answer { asked++; return Always }})
	one := &alone{base + PathOf("harbor"), tokens["harbor"], "one", 0}
	two := &alone{base + PathOf("harbor"), tokens["harbor"], "two", 0}
	other := &alone{base + PathOf("tide"), tokens["tide"], "one", 0}
	for range 3 {
		if text, _ := one.call(t, "mcp_harbor_tow", `{}`, nil); text != "done" {
			t.Errorf("the call returns %s", text)
		}
	}
	if asked != 1 {
		t.Errorf("a person was asked %d times", asked)
	}
	if text, _ := two.call(t, "mcp_harbor_tow", `{}`, nil); text != "done" || asked != 2 {
		t.Errorf("of another client: %s, asked %d times", text, asked)
	}
	if text, _ := other.call(t, "mcp_harbor_tow", `{}`, nil); !strings.Contains(text, "out_of_scope") {
		t.Errorf("of another session: %s", text)
	}
	s.Close()
	s.Close() // nobody leaves twice
	ids := map[string]int{}
	for _, e := range n.list {
		if e.Connection != "" {
			if ids[e.Connection]++; e.Seq != ids[e.Connection] || (e.Seq == 1) != (e.Kind == transcript.EventConnect) || e.Client == nil {
				t.Errorf("event %+v is the %d. of its connection", e, ids[e.Connection])
			}
		}
	}
	if len(ids) != 3 || len(n.of(transcript.EventDisconnect)) != 3 {
		t.Errorf("%d connections, %d are gone", len(ids), len(n.of(transcript.EventDisconnect)))
	}
}

// TestStatelessForgets: of clients without connections a session knows the latest.
func TestStatelessForgets(t *testing.T) {
	t.Parallel()
	var n notes
	now := time.Unix(0, 0)
	s := harbor(t, Options{Note: n.add, Now: func() time.Time { now = now.Add(time.Second); return now }})
	x := s.session("harbor")
	ctx := context.WithValue(t.Context(), aloneKey{}, true)
	come := func(name string) *connection {
		return x.connection(ctx, &peer{info: &mcp.Implementation{Name: name}, modern: true})
	}
	first := come("first")
	for i := range 2 * mostUnconnected {
		come(fmt.Sprint(i))
		if come("first") != first {
			t.Fatal("a client that is there is forgotten")
		}
	}
	if len(x.known) != mostUnconnected || len(n.of(transcript.EventDisconnect)) != mostUnconnected+1 {
		t.Errorf("%d clients are known, %d are gone", len(x.known), len(n.of(transcript.EventDisconnect)))
	}
	now = now.Add(2 * idleConnection)
	later := come("later")
	if len(x.known) != 1 {
		t.Errorf("after a long time %d clients are known", len(x.known))
	}
	if left := len(n.of(transcript.EventDisconnect)); left != 2*mostUnconnected+1 || !first.mu.TryLock() {
		t.Errorf("%d clients have left, or the first is still leaving", left)
	}
	now = later.last.Add(idleConnection - time.Second)
	if come("then"); len(x.known) != 2 {
		t.Errorf("after six hours %d clients are known", len(x.known))
	}
}

// TestAnswersOpenOneCall: the reply of a client opens the call that asked, once, and no
// other call, client or session.
func TestAnswersOpenOneCall(t *testing.T) {
	t.Parallel()
	var done ran
	s, base, tokens := served(t, Options{Execute: done.execute})
	one := &alone{base + PathOf("harbor"), tokens["harbor"], "one", 0}
	two := &alone{base + PathOf("harbor"), tokens["harbor"], "two", 0}
	const tow = "mcp_harbor_tow"
	ask := func() (reply map[string]any) {
		_, answer := one.call(t, tow, `{"boat":"x"}`, nil)
		questions, _ := answer["inputRequests"].(map[string]any)
		if answer["resultType"] != "input_required" || len(questions) != 1 || !strings.Contains(fmt.Sprint(questions), "May mcp_harbor_tow run") {
			t.Fatalf("it asks %v", answer)
		}
		return map[string]any{"requestState": answer["requestState"], "inputResponses": map[string]any{questionKey: map[string]any{"action": "accept"}}}
	}
	for name, try := range map[string]func(reply map[string]any) string{
		"other arguments": func(r map[string]any) string { text, _ := one.call(t, tow, `{"boat":"y"}`, r); return text },
		"another tool": func(r map[string]any) string {
			text, _ := one.call(t, "mcp_harbor_sink", `{"boat":"x"}`, r)
			return text
		},
		"another client": func(r map[string]any) string { text, _ := two.call(t, tow, `{"boat":"x"}`, r); return text },
		"a made-up state": func(r map[string]any) string {
			r["requestState"] = "x"
			text, _ := one.call(t, tow, `{"boat":"x"}`, r)
			return text
		},
	} {
		if text := try(ask()); !strings.Contains(text, errStale.Error()) || done.all() != "" {
			t.Errorf("%s: %s; ran %q", name, text, done.all())
		}
	}
	for action, want := range map[string]string{"decline": "a person said no", "cancel": "a person said no"} {
		reply := ask()
		reply["inputResponses"] = map[string]any{questionKey: map[string]any{"action": action}}
		if text, _ := one.call(t, tow, `{"boat":"x"}`, reply); !strings.Contains(text, want) || done.all() != "" {
			t.Errorf("%s: %s; ran %q", action, text, done.all())
		}
	}
	reply := ask()
	if text, _ := one.call(t, tow, `{"boat":"x"}`, reply); text != "done" {
		t.Errorf("the call returns %s", text)
	}
	if text, _ := one.call(t, tow, `{"boat":"x"}`, reply); !strings.Contains(text, errStale.Error()) || done.all() != `harbor tow {"boat":"x"}` {
		t.Errorf("the second time: %s; ran %q", text, done.all())
	}
	s.Close() // with calls that nobody came back for
}

// TestNamedIn: a client is named by name and version, both texts; else the SDK is asked.
func TestNamedIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		meta mcp.Meta
		want *mcp.Implementation
	}{
		{"both", mcp.Meta{mcp.MetaKeyClientInfo: map[string]any{"name": "x", "version": "1", "title": "X"}}, &mcp.Implementation{Name: "x", Version: "1"}},
		{"no version", mcp.Meta{mcp.MetaKeyClientInfo: map[string]any{"name": "x"}}, nil},
		{"no name", mcp.Meta{mcp.MetaKeyClientInfo: map[string]any{"version": "1"}}, nil},
		{"a version that is no text", mcp.Meta{mcp.MetaKeyClientInfo: map[string]any{"name": "x", "version": 1.0}}, nil},
		{"a text", mcp.Meta{mcp.MetaKeyClientInfo: "x"}, nil},
		{"nothing", nil, nil},
	} {
		if got := namedIn(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: c.meta}}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := namedIn(&mcp.CallToolRequest{}); got != nil {
		t.Errorf("without parameters: %+v", got)
	}
}
