package logs_test

import (
	"fmt"
	"reflect"
	"testing"
)

// printedRun returns what codex exec --json prints of a run of a session: a call that
// succeeds, one that fails, a command and an answer, with the sum of the session so far.
func printedRun(id string, input int) string {
	return fmt.Sprintf(`{"type":"thread.started","thread_id":%q}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"mcp_tool_call","server":"boats","tool":"find","arguments":{"bay":"x"},"result":null,"error":null,"status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_0","type":"mcp_tool_call","server":"boats","tool":"find","arguments":{"bay":"x"},"result":{"content":[{"type":"text","text":"Gull"}],"structured_content":null},"error":null,"status":"completed"}}
{"type":"item.completed","item":{"id":"item_1","type":"mcp_tool_call","server":"boats","tool":"sink","arguments":{},"result":null,"error":{"message":"no"},"status":"failed"}}
{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"ls","aggregated_output":"a","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"item_3","type":"reasoning","text":"so"}}
{"type":"item.completed","item":{"id":"item_4","type":"agent_message","text":"done"}}
{"type":"turn.completed","usage":{"input_tokens":%d,"cached_input_tokens":20,"output_tokens":3}}
`, id, input)
}

// What codex exec --json prints is a session: its calls are known again by their run, its
// sum is over all runs, and a rollout of the same session has more.
func TestPrintedRuns(t *testing.T) {
	read := func(texts ...string) (out []string) {
		for _, s := range codexReadAll(t, texts...).Sessions {
			calls := ""
			for _, e := range s.Contexts[0].Entries {
				if e.Request == nil {
					continue
				}
				for _, c := range e.Request.Calls {
					calls += " " + c.Tool
					if c.Failed {
						calls += "!"
					}
					if !c.Answered {
						calls += "?"
					}
				}
			}
			sum := 0
			if s.Sums != nil {
				sum = s.Sums.Total()
			}
			out = append(out, fmt.Sprintf("%s %d%s", s.ID, sum, calls))
		}
		return out
	}
	const calls = " mcp__boats__find mcp__boats__sink! exec_command"
	for _, c := range []struct {
		name  string
		texts []string
		want  []string
	}{
		{"one run", []string{printedRun("a", 100)}, []string{"a 100" + calls}},
		{"resumed, in one file", []string{printedRun("a", 100) + printedRun("a", 250)}, []string{"a 250" + calls + calls}},
		{"resumed, in two files", []string{printedRun("a", 250), printedRun("a", 100)}, []string{"a 150" + calls, "a 100" + calls}},
		{"two sessions in one file", []string{printedRun("a", 100) + printedRun("b", 50)}, []string{"a 100" + calls, "b 50" + calls}},
		{"beside its rollout", []string{printedRun("s", 100), rollout(codexAsk("go"), reply("done"))}, []string{"s 0"}},
		{"not ended", []string{`{"type":"thread.started","thread_id":"a"}` + "\n" + `{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"x"}}` + "\n"}, []string{"a 0"}},
	} {
		if got := read(c.texts...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if log := codexRead(t, printedRun("a", 100)); len(log.Skipped) > 0 {
		t.Errorf("skipped %v", log.Skipped)
	}
}
