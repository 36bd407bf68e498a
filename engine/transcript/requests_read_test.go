package transcript

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/jsontree"
	"caliper/model/require"
)

// readRequests reads one log.
func readRequests(t testing.TB, text string) Log {
	t.Helper()
	r := new(RequestsReader)
	require.NoError(t, r.Read(t.Context(), strings.NewReader(text), "log"))
	return r.Log()
}

// said is a message of a text.
func said(role, content string) string { return fmt.Sprintf(`{"role":%q,"content":%q}`, role, content) }

// chatRequest and chatResponse are the halves of a request of OpenAI chat.
func chatRequest(messages ...string) string {
	return `{"model":"m","messages":[` + strings.Join(messages, ",") + `]}`
}

func chatResponse(message string) string {
	return `{"id":"r","object":"chat.completion","model":"m","choices":[{"message":` + message + `},{"message":{"role":"assistant","content":"another choice"}}],"usage":{"prompt_tokens":100,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":64}}}`
}

// pair is an entry of both halves.
func pair(request, response string) string {
	return `{"timestamp":"2026-09-20T10:00:00Z","request":` + request + `,"response":` + response + `}`
}

const (
	useA    = `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"a","arguments":"{}"}}]}`
	useOld  = `{"role":"assistant","content":null,"function_call":{"name":"a","arguments":"{}"}}`
	resultA = `{"role":"tool","tool_call_id":"c","content":"{\"error\":\"no\"}"}`
)

// shownRequest writes sessions: the id, then each entry's kind and parent, C for a copy.
func shownRequest(log Log) string {
	var b strings.Builder
	for _, s := range log.Sessions {
		fmt.Fprintf(&b, "%s:", s.ID)
		for _, e := range s.Contexts[0].Entries {
			fmt.Fprintf(&b, " %s%d", []string{"u", "s", "a", "r", "S"}[e.Kind], e.Parent)
			if e.Copy {
				b.WriteByte('C')
			}
		}
		b.WriteString("; ")
	}
	for _, s := range log.Skipped {
		fmt.Fprintf(&b, "%d %s %d; ", s.Line, s.What, s.Count)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestChains(t *testing.T) {
	t.Parallel()
	u, v, w, a, b := said("user", "u"), said("user", "v"), said("user", "w"), said("assistant", "a"), said("assistant", "b")
	first, second := pair(chatRequest(u), chatResponse(a)), pair(chatRequest(u, a, v), chatResponse(b))
	for name, c := range map[string]struct{ text, want string }{
		"an array":           {"[" + first + ",\n" + second + "]", "log: u-1 a0 u1 a2"},
		"lines in turns":     {strings.Join([]string{chatRequest(u), chatResponse(a), chatRequest(u, a, v), chatResponse(b)}, "\n"), "log: u-1 a0 u1 a2"},
		"halves in turns":    {`{"request":` + chatRequest(u) + "}\r\n" + `{"response":` + chatResponse(a) + "}\r\n", "log: u-1 a0"},
		"a response inside":  {strings.TrimSuffix(chatRequest(u), "}") + `,"response":` + chatResponse(a) + "}\n" + second, "log: u-1 a0 u1 a2"},
		"the same beginning": {strings.Join([]string{first, pair(chatRequest(u), chatResponse(b)), pair(chatRequest(u, b, v), chatResponse(a)), second}, "\n"), "log: u-1 a0 u1 a2; log#2: u-1 a0 u1 a2"},
		"sent again":         {strings.Join([]string{first, second, pair(chatRequest(u, a, v), chatResponse(a))}, "\n"), "log: u-1 a0 u1 a2 a2"},
		"a result alone":     {"\n" + pair(chatRequest(u, resultA), chatResponse(b)), "log: u-1 a0; 2 result without a call 1"},
		"lines twice":        {first + "\n" + first + "\n" + second + "\n" + first, "log: u-1 a0 u1 a2; 2 copy of a response 2"},
		"later again":        {first + "\n" + strings.Replace(first, "10:00", "10:01", 1), "log: u-1 a0; log#2: u-1 a0"},
		"no id":              {strings.Repeat(strings.Replace(first, `"id":"r",`, "", 1)+"\n", 2), "log: u-1 a0; log#2: u-1 a0"},
		"taken back":         {strings.Join([]string{first, second, pair(chatRequest(u, a, w), chatResponse(b))}, "\n"), "log: u-1 a0 u1 a2 u1 a4"},
		"begun midway":       {second, "log: u-1 a0C u1 a2"},
		"an answer was cut":  {first + "\n" + pair(chatRequest(u, said("assistant", "other"), v), chatResponse(b)), "log: u-1 a0 a0C u2 a3"},
		"space around it":    {first + "\n" + pair(chatRequest(u, said("assistant", " a\n"), v), chatResponse(b)), "log: u-1 a0 u1 a2"},
		"another system":     {pair(chatRequest(said("system", "12:00"), u), chatResponse(a)) + "\n" + pair(chatRequest(said("system", "12:01"), u, a, v), chatResponse(b)), "log: s-1 u0 a1 u2 a3"},
		"calls and results":  {pair(chatRequest(u), chatResponse(useA)) + "\n" + pair(chatRequest(u, useA, resultA), chatResponse(b)), "log: u-1 a0 r1 a2"},
		"an error":           {pair(chatRequest(u), `{"error":{"message":"overloaded"}}`) + "\n" + first, "log: u-1 a0; 1 error 1"},
		"a stream":           {pair(chatRequest(u), `"data: {}\n\n"`) + "\n" + pair(chatRequest(u), `[{"type":"message_start"}]`) + "\n" + `{"object":"chat.completion.chunk","choices":[]}` + "\n" + first, "log: u-1 a0; 1 stream 3"},
		"no response":        {chatRequest(u) + "\n" + chatRequest(w) + "\n" + chatResponse(a), "log: u-1 a0; 1 request without a response 1"},
		"no request":         {chatResponse(a) + "\n" + first, "log: u-1 a0; 1 response without a request 1"},
		"a null request":     {`{"request":null,"response":null}` + "\n" + `{"request":"id"}` + "\n" + `{}`, "1 unknown 3"},
		"foreign":            {`{"hello":1}` + "\nnot JSON\n[1]\n", "1 unknown 1; 2 not JSON 2"},
		"torn":               {first + "\n" + second[:90], "log: u-1 a0; 2 torn 1"},
		"empty":              {"", ""},
		"deep":               {strings.Repeat(`{"request":`, 1<<16), "1 torn 1"},
		"deep in an array":   {strings.Repeat(`[`, 1<<16), "1 not JSON 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := shownRequest(readRequests(t, c.text)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestUsageOfFormats(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		request, response string
		agent             Agent
		want              *Usage
	}{
		"chat": {chatRequest(said("user", "u")), chatResponse(said("assistant", "a")), OpenAI, &Usage{Input: 36, CacheRead: 64, Output: 3}},
		"responses": {`{"model":"m","input":"u"}`, `{"id":"r","model":"m","output":[{"type":"reasoning"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":100,"output_tokens":3,"input_tokens_details":{"cached_tokens":64}}}`,
			OpenAI, &Usage{Input: 36, CacheRead: 64, Output: 3}},
		"anthropic": {chatRequest(said("user", "u")), `{"id":"r","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a"}],"usage":{"input_tokens":3,"cache_read_input_tokens":64,"cache_creation_input_tokens":33,"output_tokens":3}}`,
			Anthropic, &Usage{Input: 3, CacheRead: 64, CacheWrite: 33, Output: 3}},
		"absent":     {chatRequest(said("user", "u")), `{"id":"r","model":"m","choices":[{"message":{"role":"assistant","content":"a"}}]}`, OpenAI, nil},
		"too large":  {chatRequest(said("user", "u")), `{"id":"r","model":"m","choices":[{"message":{"role":"assistant","content":"a"}}],"usage":{"prompt_tokens":99999999999999}}`, OpenAI, nil},
		"impossible": {chatRequest(said("user", "u")), `{"id":"r","model":"m","choices":[{"message":{"role":"assistant","content":"a"}}],"usage":{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":9},"completion_tokens":-1}}`, OpenAI, &Usage{CacheRead: 5}},
	} {
		log := readRequests(t, pair(c.request, c.response))
		if shownRequest(log) != "log: u-1 a0" {
			t.Fatalf("%s: %s", name, shownRequest(log))
		}
		s := log.Sessions[0]
		r := s.Contexts[0].Entries[1].Request
		if s.Agent != c.agent || s.Model != "m" || r.ID != "r" || fmt.Sprint(r.Usage) != fmt.Sprint(c.want) || s.Contexts[0].Entries[1].Size.Chars[Prose] != 1 {
			t.Errorf("%s: %+v %+v", name, s, r.Usage)
		}
	}
}

func TestToolsThatChange(t *testing.T) {
	t.Parallel()
	in := func(member, tools string, messages ...string) string {
		return strings.Replace(chatRequest(messages...), `"messages"`, member+tools+`,"messages"`, 1)
	}
	request := func(tools string, messages ...string) string { return in(`"tools":`, tools, messages...) }
	u, a, b := said("user", "u"), said("assistant", "a"), said("assistant", "b")
	s := readRequests(t, strings.Join([]string{
		pair(request(`[{"name":"x"}]`, u), chatResponse(a)), pair(request(`[{"name":"y"}]`, u, a, u), chatResponse(b)), pair(in(`"functions":`, `[{"name" :"x"}]`, u, a, u, b, u), chatResponse(b)), pair(chatRequest(u, a, u, b, u, b, u), chatResponse(b)),
	}, "\n")).Sessions[0]
	var got []int
	for _, e := range s.Contexts[0].Entries {
		if e.Request != nil {
			got = append(got, e.Request.Tools)
		}
	}
	if !slices.Equal(got, []int{0, 1, 0, None}) || len(s.Arrays) != 2 {
		t.Errorf("got %v of %d arrays", got, len(s.Arrays))
	}
}

func TestResponsesInAChain(t *testing.T) {
	t.Parallel()
	call := `{"type":"function_call","id":"fc","call_id":"c","namespace":"mcp__s","name":"t","arguments":"{}"}`
	search := `{"type":"tool_search_call","call_id":null,"arguments":{"query":"boats"}}`
	found := `{"type":"tool_search_output","call_id":null,"tools":[{"name":"x"}]}`
	answer := func(id, items string) string { return `{"id":"` + id + `","model":"m","output":[` + items + `]}` }
	for name, text := range map[string]string{
		"whole histories": pair(`{"model":"m","instructions":"be brief","input":[`+said("user", "u")+`]}`, answer("r1", search+","+found)) + "\n" +
			pair(`{"model":"m","instructions":"be brief","input":[`+said("user", "u")+`,`+search+`,`+found+`]}`, answer("r2", call)) + "\n" +
			pair(`{"model":"m","input":[`+said("user", "u")+`,`+search+`,`+found+`,`+call+`,{"type":"function_call_output","call_id":"c","output":"ok"}]}`, answer("r3", said("assistant", "done"))),
		"by the response's id": pair(`{"model":"m","instructions":"be brief","input":"u"}`, answer("r1", search+","+found)) + "\n" +
			pair(`{"model":"m","previous_response_id":"r1","input":[]}`, answer("r2", call)) + "\n" +
			pair(`{"model":"m","previous_response_id":"r2","input":[{"type":"function_call_output","call_id":"c","output":"ok"}]}`, answer("r3", said("assistant", "done"))),
		"in a conversation that the provider keeps": pair(`{"model":"m","instructions":"be brief","conversation":"k","input":"u"}`, answer("r1", search+","+found)) + "\n" +
			pair(`{"model":"m","conversation":{"id":"k"},"input":[]}`, answer("r2", call)) + "\n" +
			pair(`{"model":"m","conversation":"k","input":[{"type":"function_call_output","call_id":"c","output":"ok"}]}`, answer("r3", said("assistant", "done"))),
	} {
		log := readRequests(t, text)
		if got := shownRequest(log); got != "log: s-1 u0 a1 r2 a3 r4 a5" {
			t.Fatalf("%s: %s", name, got)
		}
		e := log.Sessions[0].Contexts[0].Entries
		if c := e[2].Request.Calls[0]; c.Kind != Search || c.Asked().Queries[0] != "boats" || !c.Answered {
			t.Errorf("%s: %+v", name, c)
		}
		if c := e[4].Request.Calls[0]; c.Tool != "mcp__s__t" || !c.Answered {
			t.Errorf("%s: %+v", name, c)
		}
		if n := e[3].Size.Chars[Schema]; n != len(`[{"name":"x"}]`) {
			t.Errorf("%s: what was found has %d characters", name, n)
		}
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	response := `{"id":"r","type":"message","role":"assistant","model":"m","content":[{"type":"server_tool_use","id":"t","name":"tool_search_tool_bm25","input":{"query":"boats"}},{"type":"tool_search_tool_result","tool_use_id":"t","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"x"}]}},{"type":"tool_use","id":"c","name":"x","input":{}}]}`
	next := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":true,"content":[{"type":"text","text":"no"}]},{"type":"text","text":"and?"}]}`
	history := `{"role":"assistant","content":[` + response[strings.Index(response, `[{`)+1:len(response)-1] + `}`
	log := readRequests(t, pair(chatRequest(said("user", "u")), response)+"\n"+pair(chatRequest(said("user", "u"), history, next), strings.Replace(response, `"t"`, `"t2"`, 2)))
	if got := shownRequest(log); got != "log: u-1 a0 r1 r2 u3 a4 r5" {
		t.Fatal(got)
	}
	c := log.Sessions[0].Contexts[0].Entries[1].Request.Calls
	if len(c) != 2 || c[0].Kind != Search || !slices.Equal(c[0].Asked().Expanded, []string{"x"}) || !c[1].Failed {
		t.Errorf("got %+v", c)
	}
	log = readRequests(t, pair(chatRequest(said("user", "u")), strings.NewReplacer("bm25", "regex", `"query"`, `"pattern"`).Replace(response)))
	if c := log.Sessions[0].Contexts[0].Entries[1].Request.Calls[0]; c.Kind != Search || !slices.Equal(c.Asked().Queries, []string{"boats"}) {
		t.Errorf("by regular expression: %+v", c)
	}
}

// TestAnyOrder reads conversations that are interleaved in any way: each is a session,
// with all of its requests.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "conversations")
		histories, want := make([][]string, n), make([]int, n)
		var text []string
		for range rapid.IntRange(1, 20).Draw(t, "requests") {
			k := rapid.IntRange(0, n-1).Draw(t, "next")
			if len(histories[k]) == 0 {
				histories[k] = []string{said("user", fmt.Sprint("begin ", k))}
			} else {
				histories[k] = append(histories[k], said("user", rapid.StringN(1, 5, -1).Filter(func(s string) bool {
					return !strings.ContainsAny(s, "\x00\a\v\x7f") && fmt.Sprintf("%q", s) == `"`+s+`"`
				}).Draw(t, "words")))
			}
			answer := said("assistant", rapid.SampledFrom([]string{"a", "b"}).Draw(t, "answer"))
			text = append(text, pair(chatRequest(histories[k]...), chatResponse(answer)))
			histories[k] = append(histories[k], answer)
			want[k]++
		}
		r := new(RequestsReader)
		require.NoError(t, r.Read(t.Context(), strings.NewReader(strings.Join(text, "\n")), "log"))
		var got []int
		for _, s := range r.Log().Sessions {
			requests := 0
			for i, e := range s.Contexts[0].Entries {
				if e.Request != nil && !e.Copy {
					requests++
				}
				if e.Parent != i-1 {
					t.Fatalf("a branch: %s", shownRequest(r.Log()))
				}
			}
			got = append(got, requests)
		}
		want = slices.DeleteFunc(want, func(n int) bool { return n == 0 })
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("sessions of %v requests, want %v", got, want)
		}
	})
}

func FuzzRequests(f *testing.F) {
	f.Add([]byte(pair(chatRequest(said("user", "u")), chatResponse(useA)) + "\n" + pair(chatRequest(said("user", "u"), useA, resultA), chatResponse(useA))))
	f.Add([]byte("[\n" + pair(`{"model":"m","input":"u","previous_response_id":"r"}`, `{"id":"r","output":[{"type":"tool_search_call","arguments":{}}]}`) + "]"))
	f.Add([]byte(chatRequest(said("user", "u")) + "\r\n" + `{"role":"assistant","content":[{"type":"tool_use","input":[]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range readRequests(t, string(data)).Sessions {
			for i, e := range s.Contexts[0].Entries {
				if e.Parent < None || e.Parent >= i || (e.Request != nil) != (e.Kind == Answer) {
					t.Fatalf("entry %d: %+v", i, e)
				}
			}
		}
	})
}

// conversations returns a log of requests, three to a conversation; the last request of
// every hundredth goes on with the first conversation.
func conversations(requests int) string {
	var b strings.Builder
	line := func(id int, history string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-09-01T10:00:00.%06dZ","request":{"model":"m","messages":[%s]},"response":{"id":"r%d","choices":[{"message":{"role":"assistant","content":"a%d"}}],"usage":{"prompt_tokens":%d,"completion_tokens":3}}}`+"\n", id%1_000_000, history, id, id, 100+id)
	}
	first := ""
	for i := 0; i < requests; {
		history := fmt.Sprintf(`{"role":"user","content":"what is there to do on day %d"}`, i)
		for range 3 {
			line(i, history)
			history += fmt.Sprintf(`,{"role":"assistant","content":"a%d"},{"role":"user","content":"and then %d"}`, i, i)
			i++
		}
		if first == "" {
			first = history
		} else if i%100 == 0 {
			line(i, first)
			first += fmt.Sprintf(`,{"role":"assistant","content":"a%d"},{"role":"user","content":"still %d"}`, i, i)
			i++
		}
	}
	return b.String()
}

// TestSessionsRest: conversations that go on after they were packed are the same.
func TestSessionsRest(t *testing.T) {
	t.Parallel()
	text := conversations(4 * restful)
	read := func(pack bool) []Session {
		r := &RequestsReader{Options: Options{Pack: pack}}
		require.NoError(t, r.Read(t.Context(), strings.NewReader(text), "log"))
		sessions := r.Log().Sessions
		for i := range sessions {
			if (sessions[i].Packed != nil) != pack {
				t.Errorf("session %d is packed: %t", i, !pack)
			}
			sessions[i].Unpack()
		}
		return sessions
	}
	if got, want := read(true), read(false); !reflect.DeepEqual(got, want) || len(want[0].Contexts[0].Entries) < 10 {
		t.Errorf("%d sessions, want %d; or they differ", len(got), len(want))
	}
}

// TestHosted: a tool that the provider runs has its call and its result in one answer, and calls
// behind them belong to that answer; a call of a remote server carries the name of the server.
func TestHosted(t *testing.T) {
	t.Parallel()
	responses := func(items string) string { return `{"id":"r","model":"m","output":[` + items + `]}` }
	input := func(items ...string) string { return `{"model":"m","input":[` + strings.Join(items, ",") + `]}` }
	const search = `{"type":"tool_search_call","id":"s","call_id":null,"execution":"server","arguments":{"paths":["mcp__graph"]}}`
	const found = `{"type":"tool_search_output","id":"o","call_id":null,"tools":[{"type":"namespace","name":"mcp__graph","tools":[{"name":"explore"}]}]}`
	const call = `{"type":"function_call","id":"f","call_id":"c","namespace":"mcp__graph__","name":"explore","arguments":"{}"}`
	const listed = `{"type":"mcp_list_tools","server_label":"graph","tools":[{"name":"explore"}]}`
	const remote = `{"type":"mcp_call","id":"m","server_label":"graph","name":"explore","arguments":"{}","output":"parser.go","error":%s}`
	u := said("user", "u")
	for name, c := range map[string]struct{ text, entries, calls string }{
		"a call behind a hosted search": {
			pair(input(u), responses(search+","+found+","+call)) + "\n" + pair(input(u, search, found, call, `{"type":"function_call_output","call_id":"c","output":"ok"}`), responses(said("assistant", "done"))),
			"log: u-1 a0 r1 r2 a3", "[1 tool_search true false] [0 mcp__graph__explore true false]"},
		"a remote server": {
			pair(input(u), responses(listed+","+fmt.Sprintf(remote, "null")+","+said("assistant", "done"))),
			"log: u-1 s0 a1 r2", "[0 mcp__graph__explore true false]"},
		"a remote server that fails": {
			pair(input(u), responses(fmt.Sprintf(remote, `"no"`))),
			"log: u-1 a0 r1", "[0 mcp__graph__explore true true]"},
		"calls before there were tool_calls": {
			pair(chatRequest(u), chatResponse(useOld)) + "\n" + pair(chatRequest(u, useOld, `{"role":"function","name":"a","content":"ok"}`), chatResponse(said("assistant", "done"))),
			"log: u-1 a0 r1 a2", "[0 a true false]"},
		"a remote server of Anthropic": {
			pair(`{"model":"m","messages":[`+u+`]}`, `{"id":"r","role":"assistant","content":[{"type":"mcp_tool_use","id":"m","server_name":"graph","name":"explore","input":{}},{"type":"mcp_tool_result","tool_use_id":"m","is_error":false,"content":[{"type":"text","text":"x"}]},{"type":"text","text":"done"}]}`),
			"log: u-1 a0 r1", "[0 mcp__graph__explore true false]"},
	} {
		log := readRequests(t, c.text)
		var calls []string
		for _, e := range log.Sessions[0].Contexts[0].Entries {
			if e.Request != nil && !e.Copy {
				for _, call := range e.Request.Calls {
					calls = append(calls, fmt.Sprintf("[%d %s %v %v]", call.Kind, call.Tool, call.Answered, call.Failed))
				}
			}
		}
		if got := shownRequest(log); got != c.entries || strings.Join(calls, " ") != c.calls {
			t.Errorf("%s: %q with %q\nwant %q with %q", name, got, calls, c.entries, c.calls)
		}
	}
}

// TestListed: what a search of the client found was deferred, each tool with its latest
// definition; what a hosted search found is among the tools of the request.
func TestListed(t *testing.T) {
	t.Parallel()
	const boats = `{"type":"namespace","name":"boats","tools":[{"name":"find"},{"name":"hire"},{"description":"nameless"}]}`
	for name, c := range map[string]struct{ id, first, second, want string }{
		"a client's":          {`"c"`, `{"type":"function","name":"row"}`, ``, `row {"type":"function","name":"row"}`},
		"namespace by tool":   {`"c"`, boats, ``, `boats__find {"type":"namespace","name":"boats","tools":[{"name":"find"}]}; boats__hire {"type":"namespace","name":"boats","tools":[{"name":"hire"}]}`},
		"the latest counts":   {`"c"`, `{"name":"row"},{"name":"sail"}`, `{"name":"row","strict":true}`, `row {"name":"row","strict":true}; sail {"name":"sail"}`},
		"a hosted one's":      {`null`, `{"type":"function","name":"row"}`, ``, ``},
		"what no tool may be": {`"c"`, `1,"a",{},{"tools":[1]}`, ``, ``},
	} {
		items := ""
		for i, found := range []string{c.first, c.second} {
			id := strings.Replace(c.id, "c", fmt.Sprint("c", i), 1)
			items += fmt.Sprintf(`,{"type":"tool_search_call","id":"s%d","call_id":%s,"arguments":{"query":"q"}},{"type":"tool_search_output","call_id":%s,"tools":[%s]}`, i, id, id, found)
		}
		log := readRequests(t, pair(`{"model":"m","input":[`+said("user", "u")+items+`]}`, `{"id":"r","model":"m","output":[`+said("assistant", "done")+`]}`))
		var got []string
		for _, l := range log.Sessions[0].Listed {
			got = append(got, l.Name+" "+string(l.Definition))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestBrought: definitions that a conversation brings are tools of the requests from then on,
// and no part of its messages.
func TestBrought(t *testing.T) {
	t.Parallel()
	u, done := said("user", "u"), said("assistant", "done")
	responses := func(items string) string { return `{"id":"r","model":"m","output":[` + items + `]}` }
	input := func(tools string, items ...string) string {
		return `{"model":"m","tools":[` + tools + `],"input":[` + strings.Join(items, ",") + `]}`
	}
	anthropic := func(content string) string {
		return `{"id":"r","role":"assistant","content":[` + content + `]}`
	}
	const (
		own    = `{"type":"function","name":"ping"}`
		listed = `{"type":"mcp_list_tools","server_label":"graph","tools":[{"name":"explore"}]}`
		space  = `{"type":"namespace","name":"mcp__graph","tools":[{"name":"explore"}]}`
		add    = `{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"pong"}]}`
		inline = `{"role":"user","content":[{"type":"text","text":"v"},{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"pong"}}},{"type":"tool_addition","tool":{"type":"tool_reference","name":"ping"}}]}`
	)
	for name, c := range map[string]struct{ text, want string }{
		"a server":           {pair(input(own, u), responses(listed+","+done)) + "\n" + pair(input(own, u, listed, done, u), responses(done)), "[" + own + " " + space + "] 0 0"},
		"an item":            {pair(input("", u), responses(done)) + "\n" + pair(input("", u, done, add, u), responses(done)), "[] [" + `{"type":"function","name":"pong"}` + "] 0 1"},
		"without a list":     {pair(input(own, u), responses(`{"type":"mcp_list_tools","server_label":"graph","error":"no"},`+done)), "[" + own + "] 0"},
		"a block":            {pair(`{"model":"m","messages":[`+u+`]}`, anthropic(`{"type":"mcp_tool_listing","mcp_server_name":"graph","tools":[{"name":"explore"}]},{"type":"text","text":"done"}`)), "[" + space + "] 0"},
		"an inline addition": {pair(`{"model":"m","tools":[{"name":"ping"}],"messages":[`+inline+`]}`, anthropic(`{"type":"text","text":"done"}`)), `[{"name":"ping"} {"name":"pong"}] 0`},
	} {
		s := readRequests(t, c.text).Sessions[0]
		var got []string
		for _, a := range s.Arrays {
			got = append(got, fmt.Sprintf("%s", a.Definitions))
		}
		for _, e := range s.Contexts[0].Entries {
			if e.Request != nil && !e.Copy {
				got = append(got, fmt.Sprint(e.Request.Tools))
			}
			if e.Size.Chars[Schema] > 0 {
				t.Errorf("%s: definitions are in the messages: %+v", name, e)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// TestFormatOf: lists, and of Anthropic the role, tell whose response an object is.
func TestFormatOf(t *testing.T) {
	for text, want := range map[string]provider{`{"choices":[]}`: chat, `{"output":[]}`: responses, `{"content":[],"role":"assistant"}`: anthropic,
		`{"choices":{}}`: unknown, `{"output":"x"}`: unknown, `{"content":[],"role":"user"}`: unknown, `{"content":"x","role":"assistant"}`: unknown} {
		if n, err := jsontree.Parse([]byte(text), jsontree.Strict); err != nil || formatOf(n) != want {
			t.Errorf("%s: %v, want %v, %v", text, formatOf(n), want, err)
		}
	}
}
