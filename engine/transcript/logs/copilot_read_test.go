package logs

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

func copilotEvent(kind, data string) string {
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"x","timestamp":"2026-01-01T00:00:00Z","parentId":null}`, kind, data)
}

func paid(id string, input, read, write int) string {
	return copilotEvent("session.usage_record", fmt.Sprintf(`{"usage":{"apiCallId":%q,"inputTokens":%d,"cacheReadTokens":%d,"cacheWriteTokens":%d,"outputTokens":5}}`, id, input, read, write))
}

// talk is a session in which a tool is searched and called, and one fails.
var talk = strings.Join([]string{
	copilotEvent("session.start", `{"sessionId":"s"}`),
	copilotEvent("user.message", `{"content":"book it","transformedContent":"<now/> book it"}`),
	paid("m1", 2010, 0, 2000),
	copilotEvent("assistant.message", `{"apiCallId":"m1","model":"x","content":"","toolRequests":[{"toolCallId":"c1","name":"tool_search_tool","arguments":{"pattern":"berth"}}]}`),
	copilotEvent("tool.execution_complete", `{"toolCallId":"c1","success":true,"result":{"content":"Found 2 matching tool(s): my-harbor-book, my-harbor-list"}}`),
	copilotEvent("assistant.message", `{"apiCallId":"m2","model":"x","content":"so","toolRequests":[{"toolCallId":"c2","name":"my-harbor-book","arguments":{},"mcpServerName":"my-harbor","mcpToolName":"book"}]}`),
	copilotEvent("assistant.message", `{"apiCallId":"m2","model":"x","content":"","toolRequests":[{"toolCallId":"c3","name":"my-harbor-fuel","arguments":{},"mcpServerName":"my-harbor","mcpToolName":"fuel"}]}`),
	paid("m2", 2112, 2010, 100),
	copilotEvent("tool.execution_complete", `{"toolCallId":"c2","success":true,"result":{"content":"ok"}}`),
	copilotEvent("tool.execution_complete", `{"toolCallId":"c3","success":false,"error":{"message":"no"}}`),
	copilotEvent("assistant.message", `{"apiCallId":"h1","parentToolCallId":"c9","model":"y","content":"help","toolRequests":[]}`),
	copilotEvent("assistant.turn_end", `{}`),
	copilotEvent("session.shutdown", `{"modelMetrics":{"x":{"usage":{"inputTokens":4122,"cacheReadTokens":2010,"cacheWriteTokens":2100,"outputTokens":10}}}}`),
}, "\n")

func copilotRead(t testing.TB, text string) transcript.Log {
	t.Helper()
	r := new(CopilotReader)
	require.NoError(t, r.Read(t.Context(), strings.NewReader(text), "state/id/events.jsonl"))
	return r.Log()
}

// TestKnownKinds: what Copilot writes beside a conversation is known, and another kind is not.
func TestKnownCopilotKinds(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{copilotEvent("session.start", `{"sessionId":"s"}`), copilotEvent("assistant.turn_start", `{}`), copilotEvent("assistant.turn_end", `{}`), copilotEvent("tool.execution_start", `{}`), copilotEvent("from.later", `{}`)}, "\n")
	known := map[string]bool{}
	for _, s := range copilotRead(t, text).Skipped {
		known[s.What] = s.Known
	}
	if want := map[string]bool{"assistant.turn_start": true, "assistant.turn_end": true, "tool.execution_start": true, "from.later": false}; !maps.Equal(known, want) {
		t.Errorf("known are %v, want %v", known, want)
	}
}

func TestCopilotRead(t *testing.T) {
	t.Parallel()
	log := copilotRead(t, talk)
	s := log.Sessions[0]
	var usages []transcript.Usage
	said := ""
	for _, e := range s.Contexts[0].Entries {
		if e.Request == nil {
			continue
		}
		usages = append(usages, *e.Request.Usage)
		for _, c := range e.Request.Calls {
			said += fmt.Sprintf("%s %v %v %v;", c.Tool, c.Asked().Queries, c.Asked().Hits, c.Failed)
		}
	}
	if want := []transcript.Usage{{Input: 10, CacheWrite: 2000, Output: 5}, {Input: 2, CacheRead: 2010, CacheWrite: 100, Output: 5}}; !reflect.DeepEqual(usages, want) {
		t.Errorf("usages %v, want %v", usages, want)
	}
	if want := "tool_search_tool [berth] [mcp__my-harbor__book my-harbor-list] false;mcp__my-harbor__book [] [] false;mcp__my-harbor__fuel [] [] true;"; said != want {
		t.Errorf("calls %s, want %s", said, want)
	}
	if s.ID != "s" || s.Agent != transcript.Copilot || len(s.Contexts) != 2 || s.Contexts[1].Helper != "c9" || !s.Contexts[0].Deferred || s.Contexts[0].Entries[0].Words != "book it" {
		t.Errorf("%+v", s)
	}
	if s.Sums == nil || *s.Sums != (transcript.Usage{Input: 12, CacheRead: 2010, CacheWrite: 2100, Output: 10}) {
		t.Errorf("sums %+v", s.Sums)
	}
	if len(log.Skipped) != 1 || log.Skipped[0].What != "assistant.turn_end" {
		t.Errorf("left out: %v", log.Skipped)
	}
}

// After a compaction the history begins with the summary.
func TestCompaction(t *testing.T) {
	t.Parallel()
	log := copilotRead(t, talk+"\n"+copilotEvent("session.compaction_complete", `{"success":true,"summaryContent":"all"}`)+"\n"+copilotEvent("assistant.message", `{"apiCallId":"m3","content":"yes"}`))
	entries := log.Sessions[0].Contexts[0].Entries
	last := entries[len(entries)-1]
	if before := entries[last.Parent]; before.Kind != transcript.Summary || before.Parent != transcript.None {
		t.Errorf("%+v", before)
	}
}

// Whatever an event holds, the log contradicts nothing that package transcript promises.
func FuzzCopilotRead(f *testing.F) {
	f.Add(talk)
	f.Add(copilotEvent("assistant.message", `{"toolRequests":[{"toolCallId":"c","name":"tool_search_tool"}]}`) + "\n" + copilotEvent("tool.execution_complete", `{"toolCallId":"c"}`))
	f.Fuzz(func(t *testing.T, text string) {
		if what := fault(copilotRead(t, text)); what != "" {
			t.Fatal(what)
		}
	})
}
