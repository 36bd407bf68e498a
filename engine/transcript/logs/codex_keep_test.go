package logs

import (
	"bytes"
	"encoding/gob"
	"errors"
	"reflect"
	"testing"

	"caliper/engine/transcript"
)

// TestLinesAreKept: a line that was kept is the line that was read, in every field.
func TestCodexLinesAreKept(t *testing.T) {
	t.Parallel()
	item := func(payload string) string {
		return `{"timestamp":"2026-09-15T11:57:45.5Z","type":"response_item","payload":` + payload + `}`
	}
	event := func(payload string) string { return `{"type":"event_msg","payload":` + payload + `}` }
	p := &codexParser{count: func(text string) int { return len(text) }, names: new(transcript.Names)}
	seen := map[what]bool{}
	for _, text := range []string{
		`{"type":"session_meta","payload":{"id":"s","forked_from_id":"f","parent_thread_id":"p","instructions":"x","forked_from_ordinal_exclusive":9,"subagent_history_start_ordinal":4,"cli_version":"0.151.0"}}`,
		`{"ordinal":7,"type":"world_state","payload":{"state":{"tools":{"mcp__s":""}}}}`,
		item(`{"type":"custom_tool_call","call_id":"c","name":"exec","input":"ALL_TOOLS.filter(t => /a b/.test(t.name)); await tools.mcp__s__t()"}`),
		item(`{"type":"custom_tool_call_output","call_id":"c","output":"mcp__s__t"}`), item(`{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"s","tools":[{"name":"t"}]},{"name":"u"}]}`),
		event(`{"type":"task_started"}`),
		`{"type":"turn_context","payload":{"model":"m"}}`,
		`{"type":"new kind","payload":{}}`,
		`{"type":"compacted","payload":{"replacement_history":[{"content":"a"},{"content":"bc"}]}}`,
		`{"type":"compacted","payload":{"message":"x"}}`,
		item(`{"type":"reasoning"}`), item(`{"type":"message","role":"user","content":"hello"}`), item(`{"type":"message","role":"user","content":""}`),
		item(`{"type":"message","role":"assistant","content":"hi"}`), item(`{"type":"message","role":"developer","content":"do"}`),
		item(`{"type":"function_call","call_id":"c","namespace":"mcp__s","name":"t","arguments":"{}"}`),
		item(`{"type":"tool_search_call","call_id":"c","arguments":{"query":"q"}}`), item(`{"type":"tool_search_call","arguments":{"paths":["a","b"]}}`),
		item(`{"type":"function_call_output","call_id":"c","output":{"success":false,"content":"no"}}`),
		event(`{"type":"user_message","message":"hello"}`),
		event(`{"type":"mcp_tool_call_end","call_id":"d","invocation":{"server":"s","tool":"t"},"result":{"Err":"x"}}`),
		event(`{"type":"item_completed","item":{"type":"McpToolCall","id":"d","server":"s","tool":"t","status":"failed"}}`),
		event(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":30,"cached_input_tokens":40,"output_tokens":2},"total_token_usage":{"input_tokens":3,"output_tokens":4}}}`),
		`{"type":"thread.started","thread_id":"t"}`, `{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":4}}`,
	} {
		want, ok := p.parse([]byte(text))
		if !ok {
			t.Fatal(text)
		}
		seen[want.What] = true
		var out bytes.Buffer
		var got codexLine
		if err := errors.Join(gob.NewEncoder(&out).Encode(&want), gob.NewDecoder(&out).Decode(&got)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis kept as %+v\nand was    %+v", text, got, want)
		}
	}
	if len(seen) != int(whatCount) {
		t.Errorf("lines of %d meanings, of %d", len(seen), whatCount)
	}
}
