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
func TestClaudeLinesAreKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		claudeAsk, claudeSaid,
		answerLine("a1", "u1", "m2", useBlock("t1", "ToolSearch", `{"query":"select:x,y"}`)+","+useBlock("t2", "ToolSearch", `{"query":"x"}`)+","+useBlock("t3", "a", `{"b":1}`), 5),
		resultLine("r1", "a1", "t1", true),
		`{"type":"user","sessionId":"s","uuid":"u","isSidechain":true,"agentId":"h","timestamp":"2026-09-15T10:39:35.3341+02:00","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"tool_reference","tool_name":"a"}]},{"type":"text","text":"hi"}]}}`,
		`{"type":"user","sessionId":"s","uuid":"u","isMeta":true,"message":{"content":"<command-name>"}}`,
		`{"type":"user","sessionId":"s","uuid":"u","isCompactSummary":true,"message":{"content":""}}`,
		`{"type":"assistant","sessionId":"s","uuid":"u","isApiErrorMessage":true,"message":{"id":"m"}}`,
		`{"type":"assistant","sessionId":"s","uuid":"u","message":{"content":"without an id"}}`,
		`{"type":"attachment","sessionId":"s","uuid":"u","attachment":{"type":"deferred_tools_delta"}}`,
		`{"type":"system","subtype":"compact_boundary","sessionId":"s","uuid":"u","compactMetadata":{"preservedMessages":{"uuids":["u1","a1"]}}}`,
		`{"type":"system","subtype":"init","session_id":"s","tools":["ToolSearch"]}`,
		`{"type":"result","session_id":"s","usage":{"output_tokens":7},"uuid":"u"}`,
		`{"type":"assistant","sessionId":"s","uuid":"u","requestSessionId":"other","message":{"id":"m"}}`,
		attachLine("u", "v", `{"type":"deferred_tools_delta","addedNames":["a","b"]}`),
		attachLine("u", "v", `{"type":"deferred_tools_record","entries":[`+berthDefinition+`,`+berthDefinition+`]}`),
		shapeLine("h", bashDefinition, berthDefinition), claudeRequestLine("q", "h"), answerTo("q", "u", "v", "m", ""),
		`{"type":"system","subtype":"compact_boundary","sessionId":"s","uuid":"u","compactMetadata":{"preCompactDiscoveredTools":["a"]}}`,
		`{}`,
	} {
		p := claudeParser{count: func(text string) int { return len(text) }, names: new(transcript.Names)}
		want, ok := p.line([]byte(text))
		if !ok {
			t.Fatal(text)
		}
		var out bytes.Buffer
		var got claudeLine
		if err := errors.Join(gob.NewEncoder(&out).Encode(&want), gob.NewDecoder(&out).Decode(&got)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis kept as %+v\nand was    %+v", text, got, want)
		}
	}
}
