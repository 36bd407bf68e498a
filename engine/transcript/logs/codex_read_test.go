package logs_test

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
)

// rollout returns a log with a head and some lines.
func rollout(lines ...string) string {
	return strings.Join(append([]string{head("s"), codexLine("turn_context", `{"model":"gpt-x"}`)}, lines...), "\n") + "\n"
}

func codexLine(kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-09-15T11:57:45Z","type":%q,"payload":%s}`, kind, payload)
}

func head(id string) string { return codexLine("session_meta", fmt.Sprintf(`{"id":%q}`, id)) }

func item(payload string) string { return codexLine("response_item", payload) }

func codexEvent(payload string) string { return codexLine("event_msg", payload) }

// codexAsk returns the user's words as both logs have them.
func codexAsk(words string) string {
	return item(fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, words)) + "\n" +
		codexEvent(fmt.Sprintf(`{"type":"user_message","message":%q}`, words))
}

// said returns a message of the user's role.
func said(words string) string {
	return item(fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, words))
}

// codexSaid returns the event of a version that has the user's words in an item.
func codexSaid(words string) string {
	return codexEvent(fmt.Sprintf(`{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":%q,"text_elements":[]}]}}`, words))
}

// ask2 is ask in that version.
func ask2(words string) string {
	return item(fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, words)) + "\n" + codexSaid(words)
}

// exec returns a script of code mode, printed its output, and ran the event of a call in it.
func exec(id, script string) string {
	return item(fmt.Sprintf(`{"type":"custom_tool_call","call_id":%q,"name":"exec","input":%q}`, id, script))
}

func printed(id, output string) string {
	return item(fmt.Sprintf(`{"type":"custom_tool_call_output","call_id":%q,"output":[{"type":"input_text","text":%q}]}`, id, output))
}

func ran(id, status string) string {
	return codexEvent(fmt.Sprintf(`{"type":"item_completed","item":{"type":"McpToolCall","id":%q,"server":"boats","tool":"find","arguments":{},"status":%q,"result":{"content":[{"type":"text","text":"much"}]}}}`, id, status))
}

func reply(text string) string {
	return item(fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":%q}]}`, text))
}

func use(id, space, name string) string {
	return item(fmt.Sprintf(`{"type":"function_call","call_id":%q,"namespace":%q,"name":%q,"arguments":"{}"}`, id, space, name))
}

// codexResult returns what a call gave; output is JSON.
func codexResult(id, output string) string {
	return item(fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%s}`, id, output))
}

// ended returns the event that ends a call of a server's tool; result is JSON.
func ended(id, result string) string {
	return codexEvent(fmt.Sprintf(`{"type":"mcp_tool_call_end","call_id":%q,"invocation":{"server":"boats","tool":"find","arguments":{}},"result":%s}`, id, result))
}

// spent returns the usage of a request and the sum of input up to it.
func spent(input, cached, sum int) string {
	return codexEvent(fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":1},"total_token_usage":{"input_tokens":%d,"output_tokens":1}}}`, input, cached, sum))
}

// codexRead reads a log.
func codexRead(t testing.TB, text string) transcript.Log {
	t.Helper()
	return codexReadAll(t, text)
}

// tell returns each entry of a log's only session as a short text: "User" with the
// user's words, "Answer" with its calls and its whole input, and so on.
func tell(t *testing.T, log transcript.Log) (told []string) {
	t.Helper()
	if len(log.Sessions) != 1 {
		t.Fatalf("%d sessions", len(log.Sessions))
	}
	c := log.Sessions[0].Contexts[0]
	names := map[transcript.Kind]string{transcript.User: "user", transcript.System: "system", transcript.Answer: "answer", transcript.Result: "result", transcript.Summary: "summary"}
	for _, e := range c.Entries {
		text := names[e.Kind]
		if e.Words != "" {
			text += " says " + e.Words
		}
		if e.Kind == transcript.Result {
			call := c.Entries[e.CallEntry].Request.Calls[e.Call]
			text += fmt.Sprint(" of ", call.Tool, " ", e.Size.AllChars())
		}
		if e.Request != nil {
			for _, call := range e.Request.Calls {
				text += " " + []string{"use", "search", "describe", "wrap"}[call.Kind] + " " + strings.Join(append([]string{call.Tool}, append(call.Asked().Queries, call.Asked().Names...)...), " ")
				if hits := call.Asked().Hits; hits != nil {
					text += fmt.Sprint(" finds ", hits)
				}
				if call.Failed {
					text += " failed"
				}
			}
			if u := e.Request.Usage; u != nil {
				text += fmt.Sprintf(" for %d+%d", u.Input, u.CacheRead)
			}
		}
		told = append(told, text)
	}
	return told
}

// TestKnownKinds: what Codex writes beside a conversation is known, and another kind is not.
func TestKnownKinds(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{head("s"), codexLine("world_state", "{}"), codexLine("world_state", `{"state":{"tools":{"found":""}}}`), codexLine("inter_agent_communication_metadata", "{}"), codexLine("from_later", "{}"), codexAsk("go")}, "\n")
	known := map[string]bool{}
	for _, s := range codexRead(t, text).Skipped {
		known[s.What] = s.Known
		if s.Count != 1 { // a state that names tools is read
			t.Errorf("%d lines of %s", s.Count, s.What)
		}
	}
	if want := map[string]bool{"world_state": true, "inter_agent_communication_metadata": true, "from_later": false}; !maps.Equal(known, want) {
		t.Errorf("known are %v, want %v", known, want)
	}
}

// TestTraps has a case for each way in which a rollout says a thing twice, in another
// place, or not at all.
func TestTraps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a namespace stands beside the name": {
			rollout(codexAsk("go"), use("c", "mcp__boats", "find")),
			[]string{"user says go", "answer use mcp__boats__find"}},
		"an older file has one flat name": {
			rollout(codexAsk("go"), use("c", "", "mcp__boats__find")),
			[]string{"user says go", "answer use mcp__boats__find"}},
		"a call and the event that mirrors it are one": {
			rollout(codexAsk("go"), use("c", "mcp__boats__", "find"), ended("c", `{"Ok":{"content":[{"type":"text","text":"mirror"}]}}`), codexResult("c", `"done"`)),
			[]string{"user says go", "answer use mcp__boats__find", "result of mcp__boats__find 4"}},
		"a call is only in the event that ends it": {
			rollout(codexAsk("go"), ended("c", `{"Ok":{"content":[{"type":"text","text":"done"}]}}`)),
			[]string{"user says go", "answer use mcp__boats__find", "result of mcp__boats__find 4"}},
		"an event says that a call failed": {
			rollout(codexAsk("go"), use("c", "mcp__boats", "find"), ended("c", `{"Err":"no"}`), codexResult("c", `"no"`)),
			[]string{"user says go", "answer use mcp__boats__find failed", "result of mcp__boats__find 2"}},
		"the newest files end an item": {
			rollout(codexAsk("go"), codexEvent(`{"type":"item_completed","item":{"type":"McpToolCall","id":"c","server":"boats","tool":"find","arguments":{},"status":"failed","result":{"content":[{"type":"text","text":"no"}]}}}`)),
			[]string{"user says go", "answer use mcp__boats__find failed", "result of mcp__boats__find 2"}},
		"the newest files have the user's words in an item": {
			rollout(item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`), codexSaid("go"), reply("yes"), spent(10, 4, 10), ask2("more"), reply("no"), spent(12, 10, 22)),
			[]string{"user says go", "answer for 6+4", "user says more", "answer for 2+10"}},
		"words with both events are said once": {
			rollout(codexAsk("go"), codexSaid("go"), reply("yes"), ask2("go"), reply("yes"), spent(10, 4, 10)),
			[]string{"user says go", "answer", "user says go", "answer for 6+4"}},
		"words beside an image": {
			rollout(item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<image name=[Image #1] path=\"a.png\">"},{"type":"input_image","image_url":"data:"},{"type":"input_text","text":"</image>"},{"type":"input_text","text":"what is it"}]}`),
				codexEvent(`{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"local_image","path":"a.png"},{"type":"text","text":"what is it"}]}}`), reply("a boat")),
			[]string{"user says what is it", "answer"}},
		"a turn begins another answer": {
			rollout(codexAsk("go"), use("c", "", "a"), codexEvent(`{"type":"task_started"}`), use("d", "", "b"), spent(10, 4, 10)),
			[]string{"user says go", "answer use a", "answer use b for 6+4"}},
		"another agent speaks as the user, without words": {
			rollout(item(`{"type":"agent_message","author":"/root","content":[{"type":"input_text","text":"Task"},{"type":"encrypted_content","encrypted_content":"x"}]}`), reply("yes")),
			[]string{"user", "answer"}},
		"a script that looks through the tools is a search": {
			rollout(codexAsk("go"), exec("c", `const hits = ALL_TOOLS.filter(t => /berth|\bquay/.test(t.name)); text(hits.map(t => t.name).join('\n'));`), spent(10, 4, 10), printed("c", "mcp__boats__find\nmcp__boats__sell")),
			[]string{"user says go", "answer search exec berth quay finds [mcp__boats__find mcp__boats__sell] for 6+4", "result of exec 33"}},
		"what a script calls stands with its answer": {
			rollout(codexAsk("go"), exec("c", `const r = await tools.mcp__boats__find({}); await tools.exec_command({cmd: 'ls'})`), spent(10, 4, 10), ran("exec-1", "completed"), codexEvent(`{"type":"item_completed","item":{"type":"CommandExecution","id":"exec-2"}}`), ended("exec-1", `{"Ok":{"content":[]}}`), printed("c", "ok"), spent(10, 4, 10), reply("done"), spent(12, 10, 22)),
			[]string{"user says go", "answer wrap exec use mcp__boats__find for 6+4", "result of exec 2", "answer for 2+10"}},
		"what a script calls after it gave a result": {
			rollout(codexAsk("go"), exec("c", `tools.mcp__boats__find({})`), spent(10, 4, 10), printed("c", "running"), use("d", "", "wait"), spent(12, 10, 22), ran("exec-1", "failed"), codexResult("d", `"ok"`)),
			[]string{"user says go", "answer wrap exec for 6+4", "result of exec 7", "answer use wait use mcp__boats__find failed for 2+10", "result of wait 2"}},
		"a script that looks and calls is both": {
			rollout(codexAsk("go"), exec("c", `const t = ALL_TOOLS.find(t => t.name.includes("boat")); await tools[t.name]({q: "x"})`), ran("exec-1", "completed"), printed("c", "mcp__boats__find")),
			[]string{"user says go", "answer wrap exec search exec boat finds [mcp__boats__find] use mcp__boats__find", "result of exec 16"}},
		"a list of all tools has no words": {
			rollout(codexAsk("go"), exec("c", `text(ALL_TOOLS.map(t => t.name).join("\n")); const tools = 1; tools.x`), printed("c", "none")),
			[]string{"user says go", "answer search exec", "result of exec 4"}},
		"a completed item of another type is no call": {
			rollout(codexAsk("go"), reply("yes"), codexEvent(`{"type":"item_completed","item":{"type":"AgentMessage","id":"c"}}`)),
			[]string{"user says go", "answer"}},
		"the arguments of a search are an object": {
			rollout(codexAsk("go"), item(`{"type":"tool_search_call","call_id":"c","execution":"client","arguments":{"query":"a boat","limit":3}}`), item(`{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"boats__","tools":[{"name":"find"}]},{"type":"function","name":"row"}]}`)),
			[]string{"user says go", "answer search tool_search a boat finds [boats__find row]", "result of tool_search 98"}},
		"the server's own search has no call_id": {
			rollout(codexAsk("go"), item(`{"type":"tool_search_call","call_id":null,"execution":"server","arguments":{"paths":["boats"]}}`), item(`{"type":"tool_search_output","call_id":null,"tools":[]}`),
				item(`{"type":"tool_search_call","call_id":null,"execution":"server","arguments":{"paths":["quays"]}}`), item(`{"type":"tool_search_output","call_id":null,"tools":[1]}`)),
			[]string{"user says go", "answer describe tool_search boats", "result of tool_search 2", "answer describe tool_search quays", "result of tool_search 3"}},
		"a sum that repeats is one request": {
			rollout(codexAsk("go"), reply("a"), spent(10, 4, 10), spent(10, 4, 10), reply("b"), spent(12, 10, 22)),
			[]string{"user says go", "answer for 6+4", "answer for 2+10"}},
		"usage without info is none": {
			rollout(codexAsk("go"), reply("a"), codexEvent(`{"type":"token_count","info":null}`), spent(10, 4, 10)),
			[]string{"user says go", "answer for 6+4"}},
		"a record beside the event is the same request": {
			rollout(codexAsk("go"), reply("a"), codexLine("token_usage_record", `{"usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":1},"thread_token_usage":{"input_tokens":10,"output_tokens":1}}`), spent(10, 4, 10)),
			[]string{"user says go", "answer for 6+4"}},
		"without sums an answer is a request": {
			rollout(codexAsk("go"), use("c", "", "a"), codexResult("c", `"x"`), reply("done")),
			[]string{"user says go", "answer use a", "result of a 1", "answer"}},
		"what the agent says as the user has no words": {
			rollout(item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}`), item(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"be kind"}]}`), codexAsk("go"), reply("yes")),
			[]string{"user", "system", "user says go", "answer"}},
		"a compaction replaces the history": {
			rollout(codexAsk("go"), reply("a"), codexLine("compacted", `{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"short"}]}]}`), reply("b")),
			[]string{"user says go", "answer", "summary", "answer"}},
		"output is an object": {
			rollout(codexAsk("go"), use("c", "", "a"), codexResult("c", `{"content":"no","success":false}`)),
			[]string{"user says go", "answer use a failed", "result of a 2"}},
		"a cut result still says that the call failed": {
			rollout(codexAsk("go"), use("c", "", "a"), codexResult("c", `" {\"success\":false,\"text\":\"cut"`)),
			[]string{"user says go", "answer use a failed", "result of a 29"}},
		"the arguments of a search are a text": {
			rollout(codexAsk("go"), item(`{"type":"tool_search_call","call_id":"c","arguments":" {\"query\":\"a boat\"}"}`)),
			[]string{"user says go", "answer search tool_search a boat"}},
		"the arguments of a search are cut": {
			rollout(codexAsk("go"), item(`{"type":"tool_search_call","call_id":"c","arguments":"{\"query\":\""}`)),
			[]string{"user says go", "answer describe tool_search"}},
		"output is a list of texts": {
			rollout(codexAsk("go"), use("c", "", "a"), codexResult("c", `[{"type":"input_text","text":"one"},{"type":"input_image"}]`)),
			[]string{"user says go", "answer use a", "result of a 3"}},
		"the oldest files have no envelope": {
			`{"id":"s","timestamp":"2025-05-01T10:00:00Z","instructions":null}` + "\n" + `{"record_type":"state"}` + "\n" +
				`{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}` + "\n" +
				`{"type":"function_call","call_id":"c","name":"shell","arguments":"{}"}` + "\n" +
				`{"type":"function_call_output","call_id":"c","output":"ok"}` + "\n",
			[]string{"user says go", "answer use shell", "result of shell 2"}},
		"the user's words stand in messages alone, between what the agent says of itself": {
			rollout(said("<environment_context>x</environment_context>"), said("# AGENTS.md instructions for /x"), said("go"), reply("yes"), said("more"), reply("no")),
			[]string{"user", "user", "user says go", "answer", "user says more", "answer"}},
		"an event has other words than a message before it": {
			rollout(said("Another model began."), codexAsk("go"), reply("yes"), said("More of itself.")),
			[]string{"user", "user says go", "answer", "user"}},
		"members are missing": {
			rollout(codexAsk("go"), codexEvent(`{"type":"mcp_tool_call_end","call_id":"c"}`), item(`{"type":"tool_search_call","call_id":"d"}`), item(`{"type":"tool_search_output","call_id":"d"}`), item(`{"type":"local_shell_call","call_id":"e"}`)),
			[]string{"user says go", "answer use mcp____", "result of mcp____ 0", "answer describe tool_search", "result of tool_search 0", "answer use local_shell"}},
		"a torn last line waits": {
			rollout(codexAsk("go"), reply("a")) + `{"type":"response_item","payl`,
			[]string{"user says go", "answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tell(t, codexRead(t, c.text)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestDeferred: a search, a script, or their names in a log show that tools are deferred;
// a version that names none and defers leaves it open.
func TestDeferred(t *testing.T) {
	t.Parallel()
	state := func(members string) string { return codexLine("world_state", `{"full":true,"state":{`+members+`}}`) }
	for name, c := range map[string]struct {
		text             string
		deferred, likely bool
	}{
		"nothing":                 {rollout(codexAsk("go"), reply("a")), false, false},
		"tools are named":         {rollout(state(`"tools":{"mcp__boats":""}`), codexAsk("go"), reply("a")), true, false},
		"no tools are named":      {rollout(state(`"agents_md":{},"tools":{}`), codexAsk("go"), reply("a")), false, false},
		"a script":                {rollout(codexAsk("go"), exec("c", "text(1)")), true, false},
		"another custom tool":     {rollout(codexAsk("go"), item(`{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"x"}`)), false, false},
		"a version that defers":   {versioned("0.151.0", "gpt-x"), false, true},
		"another provider's":      {versioned("0.151.0", "qwen"), false, false},
		"a version that does not": {versioned("0.128.0", "gpt-x"), false, false},
		"a version that names":    {versioned("0.171.0", "gpt-x"), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := codexRead(t, c.text).Sessions[0]
			if s.Contexts[0].Deferred != c.deferred || s.Defers != c.likely {
				t.Errorf("deferred %v, likely %v", s.Contexts[0].Deferred, s.Defers)
			}
		})
	}
}

// TestFoundIsListed: a session has the tools that its searches and its helpers found,
// each once with its latest definition, and none without a name.
func TestFoundIsListed(t *testing.T) {
	t.Parallel()
	found := func(tools string) string {
		return item(`{"type":"tool_search_output","call_id":"c","tools":[` + tools + `]}`)
	}
	space := func(name, tool string) string {
		return `{"type":"namespace","name":"` + name + `","tools":[` + tool + `]}`
	}
	row := `{"type":"function","name":"row","description":"a\u0007b"}`
	main := rollout(codexAsk("go"), found(space("boats", `{"name":"find","description":"old"}`)+","+row+`,1,{"tools":[{}]}`), found(space("boats", `{"name":"find", "description":"new"}`)), reply("a"))
	helper := strings.Join([]string{codexLine("session_meta", `{"id":"h","parent_thread_id":"s"}`), codexAsk("help"), found(row + "," + space("quays", `{"name":"find"}`)), reply("b")}, "\n") + "\n"
	sessions := codexReadAll(t, main, helper).Sessions
	want := []transcript.Listed{{Name: "boats__find", Definition: []byte(space("boats", `{"name":"find","description":"new"}`))}, {Name: "row", Definition: []byte(row)},
		{Name: "__", Definition: []byte(space("", `{}`))}, {Name: "quays__find", Definition: []byte(space("quays", `{"name":"find"}`))}}
	if len(sessions) != 1 || !reflect.DeepEqual(sessions[0].Listed, want) {
		t.Errorf("%d sessions, %s\nwant %s", len(sessions), sessions[0].Listed, want)
	}
}

// versioned returns a log of a version of Codex and a model.
func versioned(version, model string) string {
	return strings.Join([]string{codexLine("session_meta", fmt.Sprintf(`{"id":"s","cli_version":%q}`, version)), codexLine("turn_context", fmt.Sprintf(`{"model":%q}`, model)), codexAsk("go"), reply("a")}, "\n") + "\n"
}

// TestCompactionCutsHistory: no later entry follows one before a compaction.
func TestCompactionCutsHistory(t *testing.T) {
	t.Parallel()
	log := codexRead(t, rollout(codexAsk("go"), reply("a"), codexLine("compacted", `{"message":"short"}`), reply("b")))
	entries := log.Sessions[0].Contexts[0].Entries
	if entries[2].Parent != transcript.None || entries[3].Parent != 2 {
		t.Errorf("parents %d and %d", entries[2].Parent, entries[3].Parent)
	}
}

// check fails when a log breaks what the package transcript promises.
func check(t *testing.T, log transcript.Log) {
	t.Helper()
	for _, s := range log.Sessions {
		if len(s.Contexts) == 0 {
			t.Fatal("a session without a context")
		}
		for _, c := range s.Contexts {
			for i, e := range c.Entries {
				switch {
				case e.Parent >= i || e.Parent < transcript.None:
					t.Fatalf("entry %d follows %d", i, e.Parent)
				case (e.Kind == transcript.Answer) != (e.Request != nil):
					t.Fatalf("entry %d of kind %d has request %v", i, e.Kind, e.Request)
				case e.Kind == transcript.Result && (e.CallEntry >= i || e.Call >= len(c.Entries[e.CallEntry].Request.Calls)):
					t.Fatalf("result %d of call %d of %d", i, e.Call, e.CallEntry)
				}
			}
		}
	}
}

func FuzzCodexRead(f *testing.F) {
	f.Add(rollout(codexAsk("go"), use("c", "mcp__boats", "find"), spent(10, 4, 10), codexResult("c", `"x"`), ended("c", `{"Err":"no"}`)))
	f.Add(rollout(codexAsk("go"), item(`{"type":"tool_search_call","call_id":null,"arguments":{"paths":["b"]}}`), codexLine("compacted", `{"message":"short"}`), ended("d", `{}`)))
	f.Add(rollout(ask2("go"), exec("c", `ALL_TOOLS.filter(t => /a(/.test("\\`), ran("exec-1", "failed"), printed("c", "mcp__a__b")))
	f.Add(`{"id":"s","timestamp":"x"}` + "\n" + `{"type":"message","role":"user","content":"\ud800"}`)
	f.Fuzz(func(t *testing.T, text string) { check(t, codexReadAll(t, text, text)) })
}
