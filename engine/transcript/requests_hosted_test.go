package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// TestHosted: what the provider runs stands in one answer with what it returned, and calls
// behind it are of that answer; a call of a remote server has the server's name in its own.
func TestHosted(t *testing.T) {
	t.Parallel()
	responses := func(items string) string { return `{"id":"r","model":"m","output":[` + items + `]}` }
	input := func(items ...string) string { return `{"model":"m","input":[` + strings.Join(items, ",") + `]}` }
	const search = `{"type":"tool_search_call","id":"s","call_id":null,"execution":"server","arguments":{"paths":["mcp__graph"]}}`
	const found = `{"type":"tool_search_output","id":"o","call_id":null,"tools":[{"type":"namespace","name":"mcp__graph","tools":[{"name":"explore"}]}]}`
	const call = `{"type":"function_call","id":"f","call_id":"c","namespace":"mcp__graph","name":"explore","arguments":"{}"}`
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
