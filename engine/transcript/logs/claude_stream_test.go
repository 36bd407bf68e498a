package logs

import (
	"strings"
	"testing"

	"caliper/engine/transcript"
)

// A stream is a session: its lines follow one another, its first line says whether tools are
// deferred, and its last what the whole turn cost.
func TestStream(t *testing.T) {
	t.Parallel()
	const (
		begin  = `{"type":"system","subtype":"init","session_id":"s","tools":["Bash","ToolSearch","mcp__a__b"],"uuid":"1"}`
		answer = `{"type":"assistant","message":{"id":"m1","model":"x","content":[{"type":"tool_use","id":"t","name":"ToolSearch","input":{"query":"boats"}}],"usage":{"input_tokens":3,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s","uuid":"2"}`
		result = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"tool_reference","tool_name":"mcp__a__b"}]}]},"parent_tool_use_id":null,"session_id":"s","uuid":"3"}`
		helper = `{"type":"assistant","message":{"id":"h1","model":"x","content":[{"type":"text","text":"help"}],"usage":{"input_tokens":9,"output_tokens":1}},"parent_tool_use_id":"t9","session_id":"s","uuid":"4"}`
		after  = `{"type":"assistant","message":{"id":"m2","model":"x","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":4,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s","uuid":"5"}`
		end    = `{"type":"result","subtype":"success","session_id":"s","usage":{"input_tokens":7,"output_tokens":50},"uuid":"6"}`
	)
	all := []string{begin, answer, result, helper, after, end}
	for _, c := range []struct {
		name  string
		lines []string
	}{
		{"with ids", all},
		{"without ids, as before", strings.Split(strings.NewReplacer(`,"uuid":"1"`, "", `,"uuid":"2"`, "", `,"uuid":"3"`, "", `,"uuid":"4"`, "", `,"uuid":"5"`, "", `,"uuid":"6"`, "").Replace(strings.Join(all, "\n")), "\n")},
	} {
		log := claudeRead(t, strings.Join(c.lines, "\n"))
		if len(log.Sessions) != 1 || len(log.Sessions[0].Contexts) != 2 {
			t.Fatalf("%s: %+v", c.name, log)
		}
		s := log.Sessions[0]
		main := s.Contexts[0]
		got := requests(s)
		if len(got) != 2 || got[0].Usage.Output+got[1].Usage.Output != 50 || !main.Deferred {
			t.Errorf("%s: %+v", c.name, main)
		}
		if hits := got[0].Calls[0].Asked().Hits; len(hits) != 1 || hits[0] != "mcp__a__b" {
			t.Errorf("%s: found %v", c.name, hits)
		}
		if kinds := history(main); len(kinds) != 3 || s.Contexts[1].Helper != "t9" {
			t.Errorf("%s: the last answer has %v before it", c.name, kinds)
		}
	}
	eager := claudeRead(t, strings.Join([]string{strings.Replace(begin, `"ToolSearch",`, "", 1), after}, "\n"))
	if eager.Sessions[0].Contexts[0].Deferred {
		t.Error("tools are deferred without a search of them")
	}
	const compacts = `{"type":"system","subtype":"compact_boundary","session_id":"s","uuid":"7"}`
	short := claudeRead(t, strings.Join([]string{begin, answer, result, compacts, after}, "\n"))
	if kinds := history(short.Sessions[0].Contexts[0]); len(kinds) != 1 || kinds[0] != transcript.Answer {
		t.Errorf("after a compaction the last answer has %v before it", kinds)
	}
}
