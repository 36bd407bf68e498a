package logs_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model/require"
)

// codexReadAll reads some logs of one home.
func codexReadAll(t testing.TB, texts ...string) transcript.Log {
	t.Helper()
	r := new(logs.CodexReader)
	for i, text := range texts {
		require.NoError(t, r.Read(t.Context(), strings.NewReader(text), fmt.Sprintf("rollout-%d.jsonl", i)))
	}
	log := r.Log()
	if again := r.Log(); !reflect.DeepEqual(again, log) {
		t.Error("the log is another when it is asked for again")
	}
	return log
}

// codexCounted returns, for each context of the sessions, its name and the input of each
// request that counts: its characters where the log has no usage.
func codexCounted(log transcript.Log) (out []string) {
	for _, s := range log.Sessions {
		for _, c := range s.Contexts {
			name := s.ID
			if c.Helper != "" {
				name += "/" + c.Helper
			}
			for _, e := range c.Entries {
				switch {
				case e.Copy || e.Request == nil:
				case e.Request.Usage != nil:
					name += fmt.Sprint(" ", e.Request.Usage.Input)
				default:
					name += fmt.Sprint(" c", e.Size.AllChars())
				}
			}
			out = append(out, name)
		}
	}
	return out
}

// codexOf returns the log of a session with some more members in its head.
func codexOf(id, origin string, lines ...string) string {
	return strings.Join(append([]string{codexLine("session_meta", fmt.Sprintf(`{"id":%q%s}`, id, origin))}, lines...), "\n") + "\n"
}

// spawned is the origin of a helper.
func spawned(by string) string {
	return fmt.Sprintf(`,"source":{"subagent":{"thread_spawn":{"parent_thread_id":%q,"depth":1}}}`, by)
}

func forked(from string) string { return fmt.Sprintf(`,"forked_from_id":%q`, from) }

func TestFamilies(t *testing.T) {
	t.Parallel()
	one := []string{codexAsk("go"), use("c", "", "a"), spent(10, 0, 10), codexResult("c", `"x"`), reply("yes"), spent(20, 0, 30)}
	two := []string{codexAsk("more"), reply("no"), spent(30, 0, 60)}
	plain := []string{codexAsk("go"), reply("yes")}
	later := func(lines []string) string {
		return strings.ReplaceAll(strings.Join(lines, "\n"), "2026-09-15", "2026-10-01")
	}
	for name, c := range map[string]struct {
		texts []string
		want  []string
	}{
		"a fork counts what is its own": {
			[]string{codexOf("p", "", append(one, two...)...), codexOf("f", forked("p"), head("p"), later(one), codexAsk("else"), reply("so"), spent(40, 0, 70))},
			[]string{"p 10 20 30", "f 40"}},
		"a fork is read before what it was forked from": {
			[]string{codexOf("f", forked("p"), head("p"), later(one), codexAsk("else"), reply("so"), spent(40, 0, 70)), codexOf("p", "", one...)},
			[]string{"f 40", "p 10 20"}},
		"a fork of a fork": {
			[]string{codexOf("g", forked("f"), head("f"), later(one), later(two), reply("g"), spent(7, 0, 67)), codexOf("f", forked("p"), head("p"), later(one), later(two)), codexOf("p", "", one...)},
			[]string{"g 7", "f 30", "p 10 20"}},
		"a resumed session of an old version names the other by its head alone": {
			[]string{codexOf("p", "", one...), codexOf("r", "", head("p"), later(one), later(two))},
			[]string{"p 10 20", "r 30"}},
		"two forks of a session that was not read": {
			[]string{codexOf("f", forked("p"), later(one), reply("a"), spent(1, 0, 31)), codexOf("g", forked("p"), later(one), reply("b"), spent(2, 0, 32))},
			[]string{"f 10 20 1", "g 2"}},
		"sessions that say the same are none of one family": {
			[]string{codexOf("p", "", one...), codexOf("q", "", one...)},
			[]string{"p 10 20", "q 10 20"}},
		"an answer that repeats one behind the fork is not a copy": {
			[]string{codexOf("p", "", append(one, two...)...), codexOf("f", forked("p"), later(one[:3]), codexAsk("else"), reply("so"), spent(9, 0, 19), reply("yes"), spent(20, 0, 30))},
			[]string{"p 10 20 30", "f 9 20"}},
		"without usage a call is known by its id, and a text by what was said before": {
			[]string{codexOf("p", "", append(plain, use("c", "", "a"), codexResult("c", `"x"`), reply("end"))...),
				codexOf("f", forked("p"), append(plain, use("c", "", "a"), codexResult("c", `"x"`), reply("end"), codexAsk("else"), reply("end"))...)},
			[]string{"p c6 c3", "f c3"}},
		"calls without an id are known by what was said before": {
			[]string{codexOf("p", "", append(plain, use("", "", "a"), codexResult("", `"x"`))...), codexOf("f", forked("p"), codexAsk("else"), use("", "", "b"), codexResult("", `"y"`))},
			[]string{"p c6", "f c3"}},
		"a copy without its results": {
			[]string{codexOf("p", "", one...), codexOf("f", forked("p"), codexAsk("go"), reply("yes"), spent(20, 0, 30), codexAsk("else"), reply("a"), spent(5, 0, 35))},
			[]string{"p 10 20", "f 5"}},
		"a log that is there twice counts once": {
			[]string{codexOf("p", "", one...), codexOf("p", "", append(one, two...)...), codexOf("p", "", one...)},
			[]string{"p 10 20 30"}},
		"helpers are contexts": {
			[]string{codexOf("h", spawned("p"), codexAsk("help"), reply("done"), spent(3, 0, 3)), codexOf("p", "", one...), codexOf("n", `,"parent_thread_id":"h"`, codexAsk("deep"), reply("done"), spent(4, 0, 4))},
			[]string{"p 10 20", "p/h 3", "p/n 4"}},
		"a helper that begins with a copy": {
			[]string{codexOf("p", "", one...), codexOf("h", spawned("p"), head("p"), later(one), codexAsk("help"), reply("done"), spent(3, 0, 33))},
			[]string{"p 10 20", "p/h 3"}},
		"a helper whose session was not read": {
			[]string{codexOf("h", spawned("p"), codexAsk("help"), reply("done"), spent(3, 0, 3))},
			[]string{"h 3"}},
		"a fork that copies nothing has its history in the other log": {
			[]string{codexOf("f", forked("p")+`,"forked_from_ordinal_exclusive":5`, codexNumbered(5, codexAsk("else"), use("d", "", "b"), spent(5, 4, 35), codexResult("d", `"y"`))), codexOf("p", "", codexNumbered(1, append(one, two...)...))},
			[]string{"f 1", "p 10 20 30"}},
		"a helper's own history begins where its head says": {
			[]string{codexOf("p", "", one...), codexOf("h", spawned("p")+forked("p")+`,"subagent_history_start_ordinal":4`, head("p"), codexNumbered(2, codexAsk("go"), use("c", "", "a"), use("e", "", "b"), spent(3, 0, 3), reply("done"), spent(4, 0, 7)))},
			[]string{"p 10 20", "p/h 3 4"}},
		"a fork and a helper whose logs are there twice count once": {
			slices.Concat([]string{codexOf("p", "", codexNumbered(1, append(one, two...)...))}, slices.Repeat([]string{
				codexOf("f", `,"history_base":{"thread_id":"p","end_ordinal_exclusive":5}`, codexNumbered(5, codexAsk("else"), use("d", "", "b"), spent(5, 4, 35), codexResult("d", `"y"`))), // another head's words
				codexOf("h", spawned("p")+forked("p")+`,"subagent_history_start_ordinal":4`, head("p"), codexNumbered(2, codexAsk("go"), use("c", "", "a"), use("e", "", "b"), spent(3, 0, 3), reply("done"), spent(4, 0, 7))),
			}, 2)),
			[]string{"p 10 20 30", "p/h 3 4", "f 1"}},
		"what two forks of a log that is gone copied counts in the first": {
			[]string{later([]string{codexOf("a", forked("p"), append(one, two...)...)}), codexOf("b", forked("p"), one...)},
			[]string{"a 30", "b 10 20"}},
		"helpers and forks of one another": {
			[]string{codexOf("a", spawned("b")+forked("b"), one...), codexOf("b", spawned("a")+forked("a"), two...), codexOf("s", spawned("s")+forked("s"), one...)},
			[]string{"a 10 20", "b 30", "s 10 20"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := codexCounted(codexReadAll(t, c.texts...)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// codexNumbered returns lines with ordinals from a number on.
func codexNumbered(from int, lines ...string) string {
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, `{"timestamp":`, fmt.Sprintf(`{"ordinal":%d,"timestamp":`, from+i))
	}
	return strings.Join(lines, "\n")
}

// TestInheritedHistory: a fork of a fork goes on behind the history of both, up to the lines
// that each was forked at, and has what they say of tools; a compaction begins anew.
func TestInheritedHistory(t *testing.T) {
	t.Parallel()
	search := item(`{"type":"tool_search_call","call_id":"s","arguments":{"query":"q"}}`)
	base := `,"base_instructions":{"text":"be kind"}`
	p := codexOf("p", base, codexNumbered(1, codexAsk("go"), search, spent(10, 0, 10), codexAsk("no"), reply("late"), spent(20, 0, 30)))
	f := codexOf("f", forked("p")+`,"forked_from_ordinal_exclusive":4`+base, codexNumbered(4, codexAsk("f"), use("c", "", "a"), spent(3, 2, 13), codexResult("c", `"x"`), codexAsk("late"), reply("z"), spent(9, 2, 22)))
	g := codexOf("g", forked("f")+`,"forked_from_ordinal_exclusive":8`+base, codexNumbered(8, codexAsk("g"), reply("h"), spent(4, 1, 17), codexLine("compacted", `{"message":"short"}`), reply("i"), spent(5, 1, 22)))
	for _, texts := range [][]string{{p, f, g}, {g, f, p}} {
		log := codexReadAll(t, texts...)
		check(t, log)
		var told []string
		for _, s := range log.Sessions {
			c := s.Contexts[0]
			if s.ID != "g" {
				continue
			}
			for i, e := range c.Entries {
				text := fmt.Sprint(e.Kind, " ", e.Parent-i, " ", e.Words)
				if e.Copy {
					text += " copy"
				}
				told = append(told, text)
			}
			if !c.Deferred {
				t.Error("the search of the first log is not known")
			}
		}
		want := []string{"1 -1  copy", "0 -1 go copy", "2 -1  copy", "0 -1 f copy", "2 -1  copy", "3 -1  copy", "0 -1 g", "2 -1 ", "4 -9 ", "2 -1 "}
		if !reflect.DeepEqual(told, want) {
			t.Errorf("got  %q\nwant %q", told, want)
		}
		if got := codexCounted(log); len(got) != 3 {
			t.Errorf("%q", got)
		}
	}
}

// TestForkWithoutItsHistory: a fork whose history is in a log that was not read is left out, and which
// session has it is said; one that copies, or goes on behind nothing, is read.
func TestForkWithoutItsHistory(t *testing.T) {
	t.Parallel()
	fork := func(id, of string, from int) string {
		return codexOf(id, forked(of)+fmt.Sprintf(`,"forked_from_ordinal_exclusive":%d`, from), codexNumbered(from, codexAsk(id), reply("so")))
	}
	base := codexOf("p", "", codexNumbered(1, codexAsk("go"), reply("late")))
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"alone":                  {[]string{fork("f", "p", 4)}, " 0 of p"},
		"with its session":       {[]string{fork("f", "p", 4), base}, "f p"},
		"a fork of it":           {[]string{fork("f", "p", 4), fork("g", "f", 6), codexOf("o", "", codexAsk("x"), reply("y"))}, "o 0 of p 1 of p"},
		"one that copies":        {[]string{codexOf("f", forked("p")+`,"forked_from_ordinal_exclusive":4`, codexNumbered(1, codexAsk("go"), reply("so")))}, "f"},
		"of an old version":      {[]string{codexOf("f", forked("p"), codexAsk("go"), reply("so"))}, "f"},
		"each a fork of another": {[]string{fork("f", "g", 4), fork("g", "f", 4)}, "f g"},
	} {
		log := codexReadAll(t, c.texts...)
		var ids, left []string
		for _, s := range log.Sessions {
			ids = append(ids, s.ID)
		}
		for _, s := range log.Skipped {
			if of, ok := strings.CutPrefix(s.What, transcript.ForkOf); ok {
				left = append(left, " "+strings.TrimSuffix(strings.TrimPrefix(s.File, "rollout-"), ".jsonl")+" of "+of)
			}
		}
		if got := strings.Join(ids, " ") + strings.Join(left, ""); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestCopiedWords: the words before the first answer of a fork's own are its own; those
// that were copied are none of its words.
func TestCopiedWords(t *testing.T) {
	t.Parallel()
	log := codexReadAll(t, codexOf("p", "", codexAsk("go"), use("c", "", "a"), spent(10, 0, 10), codexResult("c", `"x"`)),
		codexOf("f", forked("p"), codexAsk("go"), use("c", "", "a"), spent(10, 0, 10), codexResult("c", `"x"`), codexAsk("else"), reply("so")))
	var own []transcript.Kind
	for _, e := range log.Sessions[1].Contexts[0].Entries {
		if !e.Copy {
			own = append(own, e.Kind)
		}
	}
	if want := []transcript.Kind{transcript.User, transcript.Answer}; !reflect.DeepEqual(own, want) {
		t.Errorf("kinds %v, want %v", own, want)
	}
}

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
		{"the same twice", []string{printedRun("a", 100), printedRun("a", 100)}, []string{"a 100" + calls}},
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
