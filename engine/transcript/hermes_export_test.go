package transcript

import (
	"reflect"
	"strings"
	"testing"

	"caliper/model/jsontree"
)

// exports are texts that the walker reads, and whether it does: what it refuses is the tree's.
var exports = map[string]bool{
	export(row(1, "user", "u", ""), row(2, "assistant", "", calls("c", "t", `{"a":1}`)), row(3, "tool", "r\n\"x\"", `,"tool_call_id":"c"`)):                                                                                                                                                                                              true,
	export(row(1, "user", "u", compacted), row(2, "assistant", "x", compacted), row(9, "user", "sum", ""), row(2, "assistant", "x", inactive)):                                                                                                                                                                                           true,
	export(row(1, "assistant", "", calls("c", "tool_search", `{"queries":["a","b"]}`)), row(2, "tool", `{"error":"no"}`, `,"tool_call_id":"c"`)):                                                                                                                                                                                         true,
	`{"messages":[{"type":"function_call","call_id":"1","name":"tool_search","arguments":{"query":"a b"}},{"type":"function_call_output","call_id":"1","tools":null,"output":{"a":[]}}],"id":"late","id":"later"}`:                                                                                                                       false,
	`{"id":"first","id":"second","messages":[{"type":"function_call","call_id":"1","name":"tool_search","arguments":{"query":"a b"}},{"type":"function_call_output","call_id":"1","tools":null,"output":{"a":[]}}],"late":{"id":"no"}}`:                                                                                                  true,
	`{"id":"s","messages":[1,null,[],{},{"role":"user","role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"1","name":"t","input":{}}]}]}`:                                                                                                                                                                  true,
	`{"id":"s","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"tool_search","input":{"query":"select:a,\n","queries":["b","\n"]}},{"type":"tool_use","id":"2","name":"tool_describe","input":{"name":"c","names":["d","\n"]}},{"type":"tool_use","id":"3","name":"tool_call","input":{"name":"e\n"}}]}]}`: true,
	`{"id":"s","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"tool_search","input":{"query":"a \n","queries":["b","\n"]}}]},{"type":"tool_search_output","call_id":"1","tools":[{"a" : "\n"}]}]}`:                                                                                                        true,
	`{"id":"s","messages":[{"role":"user","content":"a","timestamp":1},{"role":"tool","content":"\n"},{"role":"user","content":"b"},{"role":"user","content":"a\n","timestamp":2},{"role":"assistant","content":"\t"},{"role":"user","content":"a\n","timestamp":2}]}`:                                                                   true,
	`{"id":"s","messages":[{"role":"user","content":"é \\ud \u00e9 \t","timestamp":"2026-09-01T00:00:01"}],"input_tokens":"7","started_at":null}`:                                                                                                                                                                                        false,
	`{"id":"s","input_tokens":"7","started_at":null,"messages":[{"role":"user","content":"é \\ud \u00e9 \t","timestamp":"2026-09-01T00:00:01"}]}`:                                                                                                                                                                                        true,
	`{"id":"s","messages":1,"messages":[{"content":"a"}],"extra":{"messages":[]}}`:                                                                                                                                                                                                                                                       true,
	`{"id":"s","messages":[{"content":"a"}],"messages":null}`:                                 false,
	`{"id":"s","session_id":"d","messages":[{"content":"a"}]}`:                                false,
	`{"role":"user","id":"s","messages":[]}`:                                                  false,
	`{"id":7,"messages":[]}`:                                                                  false,
	`{"system_prompt":"p","messages":[]}`:                                                     false,
	`{"id":"s","messages":[{"role":"user","content":"half \ud800"}]}`:                         false,
	"{\"id\":\"s\",\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}":                  false,
	`{"id":"s","messages":[{"role":"user",}]}`:                                                false,
	`{"id":"s","messages":[]} 1`:                                                              false,
	`{"id":"s","messages":[`:                                                                  false,
	`{"id":"s","messages":[{"role":"user","content":"a"},{"role":"user" "content":"b"}]}`:     false,
	`{"id":"s","messages":[{"role":"user","content":"a"}}]}`:                                  false,
	`{"id":"s","messages":[}]}`:                                                               false,
	`{"id":"s","messages":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`: false,
	`{"id":"s","messages":` + strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999) + `}`:   true,
}

// sameExport compares what the walker reads of a text with what the tree of it says, and
// returns whether the walker takes it.
func sameExport(t *testing.T, in []byte) bool {
	t.Helper()
	data := append([]byte(nil), in...)
	var walked, whole HermesReader
	if !walked.walk(data, "e.jsonl", 1) {
		if log := walked.Log(); len(log.Sessions)+len(log.Skipped) > 0 {
			t.Errorf("the walker does not take %q, and has %+v of it", in, log)
		}
		return false
	}
	n, ok := ParseObject(in)
	if !ok || isDump(n) || !n.Member("messages").Is(jsontree.Array) {
		t.Fatalf("the tree of %q says that it is no export", in)
	}
	e := exportedOf(n)
	whole.export(&e, "e.jsonl", 1)
	for i := range data { // nothing may still be a slice of it
		data[i] = '#'
	}
	if got, want := walked.Log(), whole.Log(); !reflect.DeepEqual(got, want) {
		t.Errorf("of %q\ngot  %+v\nwant %+v", in, got, want)
	}
	return true
}

func TestWalkerReadsWhatTheTreeSays(t *testing.T) {
	t.Parallel()
	for text, walked := range exports {
		if got := sameExport(t, []byte(text)); got != walked {
			t.Errorf("the walker takes %q: %v, want %v", text, got, walked)
		}
	}
}

func FuzzWalker(f *testing.F) {
	for text := range exports {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameExport(t, text) })
}
