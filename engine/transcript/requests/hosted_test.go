package requests

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
		log := read(t, c.text)
		var calls []string
		for _, e := range log.Sessions[0].Contexts[0].Entries {
			if e.Request != nil && !e.Copy {
				for _, call := range e.Request.Calls {
					calls = append(calls, fmt.Sprintf("[%d %s %v %v]", call.Kind, call.Tool, call.Answered, call.Failed))
				}
			}
		}
		if got := shown(log); got != c.entries || strings.Join(calls, " ") != c.calls {
			t.Errorf("%s: %q with %q\nwant %q with %q", name, got, calls, c.entries, c.calls)
		}
	}
}
