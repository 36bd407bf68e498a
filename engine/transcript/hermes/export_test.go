package hermes

import (
	"reflect"
	"testing"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
	"caliper/model/jsontree"
)

// exports are texts that the walker reads, and whether it does: what it refuses is the tree's.
var exports = map[string]bool{
	export(row(1, "user", "u", ""), row(2, "assistant", "", calls("c", "t", `{"a":1}`)), row(3, "tool", "r\n\"x\"", `,"tool_call_id":"c"`)):                                                                        true,
	export(row(1, "user", "u", compacted), row(2, "assistant", "x", compacted), row(9, "user", "sum", ""), row(2, "assistant", "x", inactive)):                                                                     true,
	export(row(1, "assistant", "", calls("c", "tool_search", `{"queries":["a","b"]}`)), row(2, "tool", `{"error":"no"}`, `,"tool_call_id":"c"`)):                                                                   true,
	`{"messages":[{"type":"function_call","call_id":"1","name":"tool_search","arguments":{"query":"a b"}},{"type":"function_call_output","call_id":"1","tools":null,"output":{"a":[]}}],"id":"late","id":"later"}`: true,
	`{"id":"s","messages":[1,null,[],{},{"role":"user","role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"1","name":"t","input":{}}]}]}`:                                            true,
	`{"id":"s","messages":[{"role":"user","content":"é \\ud \u00e9 \t","timestamp":"2026-09-01T00:00:01"}],"input_tokens":"7","started_at":null}`:                                                                  true,
	`{"id":"s","messages":1,"messages":[{"content":"a"}],"extra":{"messages":[]}}`:                                                                                                                                 true,
	`{"id":"s","messages":[{"content":"a"}],"messages":null}`:                                                                                                                                                      false,
	`{"id":"s","session_id":"d","messages":[{"content":"a"}]}`:                                                                                                                                                     false,
	`{"role":"user","id":"s","messages":[]}`:                                 false,
	`{"id":7,"messages":[]}`:                                                 false,
	`{"system_prompt":"p","messages":[]}`:                                    false,
	`{"id":"s","messages":[{"role":"user","content":"half \ud800"}]}`:        false,
	"{\"id\":\"s\",\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}": false,
	`{"id":"s","messages":[{"role":"user",}]}`:                               false,
	`{"id":"s","messages":[]} 1`:                                             false,
	`{"id":"s","messages":[`:                                                 false,
}

// sameExport compares what the walker reads of a text with what the tree of it says, and
// returns whether the walker takes it.
func sameExport(t *testing.T, in []byte) bool {
	t.Helper()
	data := append([]byte(nil), in...)
	var e exported
	if !e.walk(data) {
		return false
	}
	n, ok := dialogue.Parse(in)
	if !ok || isDump(n) || !n.Member("messages").Is(jsontree.Array) {
		t.Fatalf("the tree of %q says that it is no export", in)
	}
	log := func(e exported) transcript.Log {
		var r Reader
		r.export(&e, "e.jsonl", 1)
		return r.Log()
	}
	got, want := log(e), log(exportedOf(n))
	for i := range data { // nothing may still be a slice of it
		data[i] = '#'
	}
	if !reflect.DeepEqual(got, want) {
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
