package transcript

import (
	"strconv"
	"strings"
	"testing"
)

// What a search was answered with is read from every form of answer; another text says nothing.
func TestFound(t *testing.T) {
	const search = `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"tool_search","arguments":"{\"query\":\"boats\"}"}}]}`
	for _, c := range []struct {
		name, call, answer, want string
	}{
		{"matches", search, `{"role":"tool","tool_call_id":"c","content":"{\"query\":\"boats\",\"matches\":[{\"name\":\"a\"},{\"name\":\"b\"}]}"}`, "a b"},
		{"no match", search, `{"role":"tool","tool_call_id":"c","content":"{\"query\":\"boats\",\"matches\":[]}"}`, ""},
		{"results of each query", search, `{"role":"tool","tool_call_id":"c","content":"{\"results\":[{\"query\":\"x\",\"matches\":[\"a\"]},{\"matches\":[\"b\"]}]}"}`, "a b"},
		{"a fault", search, `{"role":"tool","tool_call_id":"c","content":"{\"error\":\"no matches\"}"}`, ""},
		{"a text", search, `{"role":"tool","tool_call_id":"c","content":"nothing"}`, ""},
		{"references", `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"ToolSearch","input":{"query":"boats"}}]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"tool_reference","tool_name":"a"}]}]}`, "a"},
		{"definitions", `{"type":"tool_search_call","call_id":"c","arguments":{"query":"boats"}}`,
			`{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"mcp__s","tools":[{"name":"a"}]},{"type":"function","function":{"name":"b"}}]}`, "mcp__s__a b"},
	} {
		b := new(Builder)
		for _, text := range []string{c.call, c.answer} {
			n, ok := ParseObject([]byte(text))
			if !ok {
				t.Fatal(c.name)
			}
			for _, p := range MessageParts(n) {
				b.Add(p, Entry{}.Time, UnpaidRequest)
			}
		}
		got := strings.Join(b.Entries[0].Request.Calls[0].Asked().Hits, " ")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The query of a search that a client runs stands in a parameter that the client named.
func TestOwnParameter(t *testing.T) {
	for args, want := range map[string]string{
		`{"goal":"hire a boat"}`:                   "hire a boat",
		`{"goal":"hire a boat","limit":3}`:         "hire a boat",
		`{"query":"boats","namespace":"a"}`:        "boats",
		`{"goal":"hire a boat","where":"Rostock"}`: "", // which of them is the query is not known
		`{"paths":["mcp__graph"]}`:                 "",
		`{}`:                                       "",
	} {
		for name, call := range map[string]string{
			"object": `{"type":"tool_search_call","call_id":"c","arguments":` + args + `}`,
			"text":   `{"type":"tool_search_call","call_id":"c","arguments":` + strconv.Quote(args) + `}`,
		} {
			n, _ := ParseObject([]byte(call))
			c := MessageParts(n)[0].Calls[0]
			if got := strings.Join(c.Asked().Queries, "|"); c.Kind != Search || got != want {
				t.Errorf("%s as %s: %q, want %q", args, name, got, want)
			}
		}
	}
}
