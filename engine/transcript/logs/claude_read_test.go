package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// claudeRead reads lines of one file, each written without its session.
func claudeRead(t *testing.T, files ...string) transcript.Log {
	t.Helper()
	r := new(ClaudeReader)
	for i, text := range files {
		require.NoError(t, r.Read(t.Context(), strings.NewReader(text), fmt.Sprintf("%d.jsonl", i)))
	}
	return r.Log()
}

const (
	claudeAsk  = `{"type":"user","sessionId":"s","uuid":"u1","parentUuid":null,"message":{"content":"find the boat"}}`
	claudeSaid = `{"type":"assistant","sessionId":"s","uuid":"a1","parentUuid":"u1","message":{"id":"m1","model":"x","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":3,"cache_read_input_tokens":10,"output_tokens":1}}}`
)

func answerLine(uuid, parent, id, block string, output int) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":"s","uuid":%q,"parentUuid":%q,"message":{"id":%q,"model":"x","content":[%s],"usage":{"input_tokens":3,"output_tokens":%d}}}`, uuid, parent, id, block, output)
}

func useBlock(id, name, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, name, input)
}

func resultLine(uuid, parent, id string, fails bool) string {
	return fmt.Sprintf(`{"type":"user","sessionId":"s","uuid":%q,"parentUuid":%q,"message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":"done","is_error":%t}]}}`, uuid, parent, id, fails)
}

// requests returns the answers of the main line that count.
func requests(s transcript.Session) (list []*transcript.Request) {
	for _, e := range s.Contexts[0].Entries {
		if e.Request != nil && !e.Copy {
			list = append(list, e.Request)
		}
	}
	return list
}

// history returns the kinds of the entries that the last one has before it, the last first.
func history(c transcript.Context) (kinds []transcript.Kind) {
	for i := len(c.Entries) - 1; i != transcript.None; i = c.Entries[i].Parent {
		kinds = append(kinds, c.Entries[i].Kind)
	}
	return kinds
}

func TestOneMessageInManyLines(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, strings.Join([]string{claudeAsk,
		answerLine("a1", "u1", "m1", useBlock("t1", "one", `{}`), 5),
		resultLine("r1", "a1", "t1", false),
		answerLine("a2", "a1", "m1", useBlock("t2", "two", `{}`), 9),
		resultLine("r2", "a2", "t2", true),
		answerLine("a3", "r2", "m2", `{"type":"text","text":"so"}`, 2), ""}, "\n"))
	s := log.Sessions[0]
	got := requests(s)
	if len(got) != 2 || len(got[0].Calls) != 2 || got[0].Usage.Output != 9 || got[0].Usage.Input != 3 {
		t.Fatalf("got %+v", got)
	}
	if !got[0].Calls[1].Failed || got[0].Calls[0].Failed {
		t.Errorf("the second call failed, and no other: %+v", got[0].Calls)
	}
	// The model saw both results, though the second names the answer.
	if h := fmt.Sprint(history(s.Contexts[0])); h != fmt.Sprint([]transcript.Kind{transcript.Answer, transcript.Result, transcript.Result, transcript.Answer, transcript.User}) {
		t.Errorf("history %s", h)
	}
}

func TestLinesThatAreNoRequests(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, strings.Join([]string{`{"type":"mode","sessionId":"s"}`, claudeAsk, claudeSaid,
		`{"type":"progress","sessionId":"s","uuid":"p1","parentUuid":"a1","data":{"message":{"type":"assistant","message":{"id":"m9","content":[],"usage":{"input_tokens":9}}}}}`,
		`{"type":"assistant","sessionId":"s","uuid":"e1","parentUuid":"p1","isApiErrorMessage":true,"message":{"id":"m7","model":"<synthetic>","content":[]}}`,
		`{"type":"assistant","sessionId":"s","uuid":"e2","parentUuid":"e1","message":{"id":"m8","model":"<synthetic>","content":[]}}`,
		`not JSON`,
		`{"type":"user","sessionId":"s","uuid":"u2","parentUuid":"e2","isMeta":true,"message":{"content":"by the program"}}`,
		`{"type":"user","sessionId":"s","uuid":"u3","parentUuid":"u2","message":{"content":"<command-name>/cost</command-name>"}}`,
		answerLine("a2", "u3", "m2", `{"type":"text","text":"b"}`, 1), `{"type":"user","session`}, "\n"))
	s := log.Sessions[0]
	if got := requests(s); len(got) != 2 {
		t.Errorf("%d requests", len(got))
	}
	if n := len(history(s.Contexts[0])); n != 4 {
		t.Errorf("a history of %d: a line that is left out breaks the chain", n)
	}
	var words []string
	for _, e := range s.Contexts[0].Entries {
		if e.Words != "" {
			words = append(words, e.Words)
		}
	}
	if len(words) != 1 || words[0] != "find the boat" {
		t.Errorf("the user's words are %q", words)
	}
	what := map[string]int{}
	for _, k := range log.Skipped {
		what[k.What] += k.Count
		if faulty := k.What == "not JSON" || k.What == "torn"; k.Known == faulty {
			t.Errorf("%s: known %t", k.What, k.Known)
		}
	}
	for _, kind := range []string{"mode", "progress", "api_error", "synthetic", "not JSON", "meta", "torn"} {
		if what[kind] != 1 {
			t.Errorf("%s: %d lines", kind, what[kind])
		}
	}
}

func TestRewindAndCompaction(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, strings.Join([]string{claudeAsk, claudeSaid,
		`{"type":"user","sessionId":"s","uuid":"u2","parentUuid":"a1","message":{"content":"wrong way"}}`,
		answerLine("a2", "u2", "m2", `{"type":"text","text":"b"}`, 1),
		`{"type":"user","sessionId":"s","uuid":"u3","parentUuid":"a1","message":{"content":"this way"}}`,
		answerLine("a3", "u3", "m3", `{"type":"text","text":"c"}`, 1), ""}, "\n"))
	if s := log.Sessions[0]; len(requests(s)) != 3 || len(history(s.Contexts[0])) != 4 {
		t.Errorf("%d requests were paid, and the last one has a history of %d", len(requests(s)), len(history(s.Contexts[0])))
	}
	log = claudeRead(t, strings.Join([]string{claudeAsk, claudeSaid,
		`{"type":"system","subtype":"compact_boundary","sessionId":"s","uuid":"b","parentUuid":null,"compactMetadata":{"preservedMessages":{"uuids":["a1"]}}}`,
		`{"type":"user","sessionId":"s","uuid":"u2","parentUuid":"b","isCompactSummary":true,"message":{"content":"in short"}}`,
		answerLine("a2", "u2", "m2", `{"type":"text","text":"b"}`, 1), ""}, "\n"))
	s := log.Sessions[0]
	if h := fmt.Sprint(history(s.Contexts[0])); h != fmt.Sprint([]transcript.Kind{transcript.Answer, transcript.Summary, transcript.Answer}) || len(requests(s)) != 2 {
		t.Errorf("history %s, %d requests", h, len(requests(s)))
	}
}

func TestHelpersCopiesAndSearches(t *testing.T) {
	t.Parallel()
	side := `{"type":"user","sessionId":"s","agentId":"h","isSidechain":true,"uuid":"h1","parentUuid":null,"message":{"content":"look"}}
{"type":"assistant","sessionId":"s","agentId":"h","isSidechain":true,"uuid":"h2","parentUuid":"h1","message":{"id":"m5","model":"y","content":[` +
		useBlock("t5", "ToolSearch", `{"query":"select:one,two"}`) + `,` + useBlock("t6", "ToolSearch", `{"query":"a boat"}`) + `]}}
`
	main := claudeAsk + "\n" + claudeSaid + "\n"
	log := claudeRead(t, main, side, strings.ReplaceAll(main, `"sessionId":"s"`, `"sessionId":"later"`))
	if len(log.Sessions) != 2 {
		t.Fatalf("%d sessions", len(log.Sessions))
	}
	s := log.Sessions[0]
	if len(s.Contexts) != 2 || s.Contexts[1].Helper != "h" || s.Model != "x" {
		t.Fatalf("got %+v", s)
	}
	calls := s.Contexts[1].Entries[1].Request.Calls
	if calls[0].Kind != transcript.Describe || len(calls[0].Asked().Names) != 2 || calls[1].Kind != transcript.Search || calls[1].Asked().Queries[0] != "a boat" {
		t.Errorf("got %+v", calls)
	}
	if n := len(requests(log.Sessions[1])); n != 0 {
		t.Errorf("a copy has %d requests of its own", n)
	}
}

func FuzzClaudeRead(f *testing.F) {
	f.Add(claudeAsk + "\n" + claudeSaid)
	f.Add(resultLine("r1", "a1", "t1", true))
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range claudeRead(t, text).Sessions {
			for _, c := range s.Contexts {
				for i, e := range c.Entries {
					if e.Parent >= i || e.Parent < transcript.None {
						t.Fatalf("entry %d follows %d", i, e.Parent)
					}
				}
			}
		}
	})
}

func TestCallWithoutInput(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, claudeAsk+"\n"+answerLine("a1", "u1", "m1", `{"type":"tool_use","id":"t1","name":"find"}`, 1))
	if calls := requests(log.Sessions[0])[0].Calls; len(calls) != 1 || calls[0].Tool != "find" || calls[0].Size.AllChars() != len("find") {
		t.Errorf("calls %+v", calls)
	}
}

// The message in the place of an answer and the program's own note are of one kind.
func TestAPIErrorsAreOneKind(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, strings.Join([]string{claudeAsk,
		`{"type":"system","subtype":"api_error","sessionId":"s","uuid":"n1","parentUuid":"u1"}`,
		`{"type":"assistant","sessionId":"s","uuid":"n2","parentUuid":"n1","isApiErrorMessage":true,"message":{"id":"m7","model":"<synthetic>","content":[]}}`, claudeSaid, ""}, "\n"))
	if len(log.Skipped) != 1 || log.Skipped[0].What != "api_error" || log.Skipped[0].Line != 2 || log.Skipped[0].Count != 2 {
		t.Errorf("left out %+v", log.Skipped)
	}
}

// Lines that the program writes beside a conversation are known, and others are not.
func TestKnownKinds(t *testing.T) {
	t.Parallel()
	kinds := []string{"queue-operation", "mode", "atis-latch", "tools-used", "last-prompt", "cost-state", "file-history-snapshot", "ai-title", "summary",
		"api-request-blob", "permission-mode", "custom-title", "of-next-year"}
	text := claudeAsk + "\n" + claudeSaid + "\n" + `{"type":"system","subtype":"away_summary","sessionId":"s","uuid":"w"}` + "\n"
	for i, kind := range kinds {
		text += fmt.Sprintf(`{"type":%q,"sessionId":"s","timestamp":"2026-01-01T00:00:%02dZ"}`+"\n", kind, i)
	}
	skipped := claudeRead(t, text).Skipped
	if len(skipped) != len(kinds)+1 {
		t.Errorf("left out %+v", skipped)
	}
	for _, k := range skipped {
		if k.Known != (k.What != "of-next-year") {
			t.Errorf("%s: known %t", k.What, k.Known)
		}
	}
}

// TestSessionInTwoFiles: a session that goes on in another file after any of its lines,
// where the memory for adding was freed, equals that of one file; so do compactions,
// helpers and answers of several lines.
func TestSessionInTwoFiles(t *testing.T) {
	t.Parallel()
	tests := []string{claudeAsk + "\n" +
		answerLine("a1", "u1", "m1", useBlock("t1", "a", `{}`), 5) + "\n" + resultLine("r1", "a1", "t1", false) + "\n" +
		answerLine("a2", "r1", "m1", useBlock("t2", "b", `{}`), 7) + "\n" +
		`{"type":"system","subtype":"compact_boundary","sessionId":"s","uuid":"c","compactMetadata":{"preservedMessages":{"uuids":["u1","a1","r1"]}}}` + "\n" +
		resultLine("r2", "a2", "t2", false) + "\n" + answerLine("a3", "r2", "m2", useBlock("t1", "a", `{}`), 5) + "\n" + resultLine("r3", "a3", "t1", false) + "\n",
		claudeAsk + "\n" + // an answer goes on, behind another one, with a call whose id both have
			answerLine("a1", "u1", "m1", useBlock("t1", "one", `{}`), 5) + "\n" + answerLine("a2", "a1", "m2", useBlock("t1", "two", `{}`), 5) + "\n" +
			answerLine("a3", "a2", "m1", useBlock("t2", "three", `{}`)+","+useBlock("t1", "four", `{}`), 5) + "\n" +
			answerLine("a4", "a3", "m1", useBlock("t3", "five", `{}`), 5) + "\n" + resultLine("r1", "a4", "t1", true) + "\n" + answerLine("a5", "r1", "m3", useBlock("t4", "six", `{}`), 5) + "\n",
		claudeAsk + "\n" + // answers without an id
			answerLine("a1", "u1", "", useBlock("t1", "one", `{}`), 5) + "\n" + answerLine("a2", "a1", "", useBlock("t2", "two", `{}`), 5) + "\n" +
			`{"type":"system","subtype":"compact_boundary","sessionId":"s","uuid":"c","compactMetadata":{"preservedMessages":{"uuids":["a1","a2"]}}}` + "\n" +
			resultLine("r2", "a2", "t2", false) + "\n" + answerLine("a3", "r2", "", useBlock("t3", "three", `{}`), 5) + "\n",
		strings.Join(offering, "\n")}
	root := "../../../../shared/transcripts/claude"
	_ = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error { // they may not be here
		if err == nil && strings.HasSuffix(path, ".jsonl") {
			data, err := os.ReadFile(path)
			tests = append(tests, string(data))
			return err
		}
		return nil
	})
	for i, text := range tests {
		list := strings.SplitAfter(text, "\n")
		step := max(1, len(list)/20)
		whole := new(ClaudeReader)
		require.NoError(t, whole.Read(t.Context(), strings.NewReader(text), "f"))
		for cut := step; cut < len(list); cut += step {
			parts := new(ClaudeReader)
			for _, part := range []string{strings.Join(list[:cut], ""), strings.Join(list[cut:], "")} {
				require.NoError(t, parts.Read(t.Context(), strings.NewReader(part), "f"))
			}
			if got, want := parts.Log().Sessions, whole.Log().Sessions; !reflect.DeepEqual(got, want) {
				t.Fatalf("log %d cut behind line %d:\n%+v\nwhole\n%+v", i, cut, got, want)
			}
		}
	}
}

// TestOtherBlocks: blocks that do not count take no memory, and many that do leave none behind.
func TestOtherBlocks(t *testing.T) {
	t.Parallel()
	p := claudeParser{names: new(transcript.Names)}
	line := func(block string) []byte {
		return []byte(`{"type":"assistant","sessionId":"s","uuid":"u","message":{"id":"m","content":[` + strings.Repeat(block+",", 10*mostBlocks) + block + `]}}`)
	}
	if _, ok := p.line(line("{}")); !ok || cap(p.message.blocks) > 0 {
		t.Errorf("read: %t, %d blocks", ok, cap(p.message.blocks))
	}
	if l, ok := p.line(line(`{"type":"text","text":"x"}`)); !ok || l.Size.Chars[transcript.Prose] != 10*mostBlocks+1 {
		t.Errorf("read: %t, %+v", ok, l.Size)
	}
	if p.message.clear(); cap(p.message.blocks) > mostBlocks {
		t.Errorf("%d blocks are left", cap(p.message.blocks))
	}
}

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

// A message that several sessions have counts in the one that wrote it, in whatever order
// the files are read and whether they are packed.
func TestCopiesCountWhereTheyWereWritten(t *testing.T) {
	t.Parallel()
	line := func(session, uuid, id, at, extra string, input int) string {
		return fmt.Sprintf(`{"type":"assistant","sessionId":%q,"uuid":%q,"timestamp":"2026-01-01T00:%s:00Z"%s,"message":{"id":%q,"model":"x","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":%d}}}`,
			session, uuid, at, extra, id, input)
	}
	begins := func(session, at string) string {
		return fmt.Sprintf(`{"type":"queue-operation","sessionId":%q,"timestamp":"2026-01-01T00:%s:00Z"}`, session, at)
	}
	keeps := func(session, uuid string) string {
		return fmt.Sprintf(`{"type":"system","subtype":"compact_boundary","sessionId":%q,"uuid":"c","timestamp":"2026-01-01T00:20:00Z","compactMetadata":{"preservedMessages":{"uuids":[%q]}}}`, session, uuid)
	}
	original := []string{line("s", "a1", "m1", "10", "", 5), line("s", "a2", "m2", "11", "", 6)}
	for _, c := range []struct {
		name       string
		own, other []string // lines of the session s and of the other one, f
		want       string   // ids that count in s, then in f
	}{
		{"a fork says of whom it is", original, []string{line("f", "a1", "m1", "10", `,"requestSessionId":"s"`, 5), line("f", "b", "m3", "30", "", 7)}, "m1 m2/m3"},
		{"one of the years before", original, []string{line("f", "a1", "m1", "10", `,"forkedFrom":{"sessionId":"s","messageUuid":"a1"}`, 5), line("f", "b", "m3", "30", "", 7)}, "m1 m2/m3"},
		{"a message older than its session", append(original, line("s", "a4", "m4", "50", "", 5)), []string{begins("f", "30"), line("f", "a1", "m1", "10", "", 5), line("f", "b", "m3", "31", "", 7)}, "m1 m2 m4/m3"},
		{"a copy that lost its usage", append(original, line("s", "a4", "m4", "50", "", 5)), []string{line("f", "a1", "m1", "10", "", 0), line("f", "b", "m3", "31", "", 7)}, "m1 m2 m4/m3"},
		{"resumed by an old version", original, []string{line("f", "a1", "m1", "10", "", 5), line("f", "a2", "m2", "11", "", 6), line("f", "b", "m3", "31", "", 7)}, "m1 m2/m3"},
		{"a compaction keeps a message of a session that was not read", nil, []string{keeps("f", "a2"), line("f", "a2", "m2", "11", "", 0), line("f", "b", "m3", "31", "", 7)}, "/m3"},
		{"a copy of a session that was not read", nil, []string{line("f", "a2", "m2", "11", `,"requestSessionId":"s"`, 6), line("f", "b", "m3", "31", "", 7)}, "/m3"},
	} {
		for _, files := range [][]string{{strings.Join(c.own, "\n"), strings.Join(c.other, "\n")}, {strings.Join(c.other, "\n"), strings.Join(c.own, "\n")}} {
			r := new(ClaudeReader)
			for i, text := range files {
				require.NoError(t, r.Read(t.Context(), strings.NewReader(text), fmt.Sprint(i)))
			}
			ids := map[string][]string{}
			for _, s := range r.Log().Sessions {
				for _, q := range requests(s) {
					ids[s.ID] = append(ids[s.ID], q.ID)
				}
			}
			if got := strings.Join(ids["s"], " ") + "/" + strings.Join(ids["f"], " "); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
	}
}

// A message that is written again after a compaction has no usage: its larger one is true.
func TestTheLargerUsageIsTrue(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, strings.Join([]string{claudeAsk, claudeSaid,
		`{"type":"assistant","sessionId":"s","uuid":"a1","parentUuid":"u1","message":{"id":"m1","model":"x","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":0,"output_tokens":0}}}`}, "\n"))
	if got := requests(log.Sessions[0]); len(got) != 1 || *got[0].Usage != (transcript.Usage{Input: 3, CacheRead: 10, Output: 1}) {
		t.Errorf("%+v", got)
	}
}

const (
	berthDefinition = `{"name":"mcp__quay__berth","description":"Reserve a berth","input_schema":{"type":"object"},"defer_loading":true}`
	bashDefinition  = `{"name":"Bash","description":"Run","input_schema":{"type":"object"}}`
	hidden          = `{"name":"DeferredToolPlaceholder","defer_loading":true,"input_schema":{"type":"object"}}`
)

// answerTo is an answer to a request that the log has.
func answerTo(request, uuid, parent, id, block string) string {
	return strings.Replace(answerLine(uuid, parent, id, block, 5), `"sessionId"`, fmt.Sprintf(`"requestRef":%q,"sessionId"`, request), 1)
}

func shapeLine(hash string, definitions ...string) string {
	return fmt.Sprintf(`{"type":"api-request-shape","sessionId":"s","shapeHash":%q,"timestamp":"2026-01-01T00:00:00Z","shape":{"system":[],"tools":[%s]}}`, hash, strings.Join(definitions, ", "))
}

func claudeRequestLine(id, hash string) string {
	return fmt.Sprintf(`{"type":"api-request","sessionId":"s","id":%q,"timestamp":"2026-01-01T00:00:00Z","shapeHash":%q,"tail":["x"]}`, id, hash)
}

func attachLine(uuid, parent, attachment string) string {
	return fmt.Sprintf(`{"type":"attachment","sessionId":"s","uuid":%q,"parentUuid":%q,"attachment":%s}`, uuid, parent, attachment)
}

// offering is a session whose log has each request, with a compaction in it.
var offering = []string{
	`{"type":"tools-used","sessionId":"s","tools":["Bash"]}`, claudeAsk,
	attachLine("d1", "u1", `{"type":"deferred_tools_delta","addedNames":["CronList","mcp__quay__berth","mcp__quay__tide"],"removedNames":[]}`),
	shapeLine("h1", bashDefinition, hidden), claudeRequestLine("q1", "h1"),
	answerTo("q1", "a1", "d1", "m1", useBlock("t1", "ToolSearch", `{"query":"berth"}`)), resultLine("r1", "a1", "t1", false),
	shapeLine("h2", bashDefinition, berthDefinition, hidden), claudeRequestLine("q2", "h2"),
	attachLine("d2", "r1", `{"type":"deferred_tools_record","entries":[`+berthDefinition+`]}`),
	answerTo("q2", "a2", "d2", "m2", useBlock("t2", "mcp__quay__berth", `{}`)), answerTo("q2", "a3", "a2", "m2", useBlock("t3", "Bash", `{}`)),
	strings.Replace(claudeRequestLine("q3", "h2"), `"tail"`, `"params":{"model":"sable","thinking":true},"promptCacheRequested":"1h","tail"`, 1), answerTo("q3", "a4", "a3", "m3", `{"type":"text","text":"so"}`),
	`{"type":"system","subtype":"compact_boundary","sessionId":"s","uuid":"b","parentUuid":null,"compactMetadata":{"preCompactDiscoveredTools":["mcp__quay__berth"]}}`,
	`{"type":"user","sessionId":"s","uuid":"u2","parentUuid":"b","isCompactSummary":true,"message":{"content":"in short"}}`,
	shapeLine("h2", bashDefinition, berthDefinition, hidden), claudeRequestLine("q4", "h2"),
	answerTo("q4", "a5", "u2", "m4", `{"type":"text","text":"done"}`),
	answerLine("a6", "a5", "m5", `{"type":"text","text":"a request that is not in the log"}`, 1), "",
}

// TestOffers: the log has which tools each request sent, which are deferred, which of them were
// found, and which stay loaded after a compaction.
func TestOffers(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, strings.Join(offering, "\n"))
	s := log.Sessions[0]
	var sent []int
	for _, r := range requests(s) {
		sent = append(sent, r.Tools)
	}
	if got := fmt.Sprint(sent); got != "[0 1 1 1 -1]" {
		t.Errorf("the requests sent the arrays %s", got)
	}
	if got := fmt.Sprintf("%q", s.Settings); got != `["system=[]\n" "cache=1h\nsystem=[]\nthinking=true\n"]` {
		t.Errorf("settings %s", got)
	}
	var arrays []string
	for _, a := range s.Arrays {
		arrays = append(arrays, fmt.Sprintf("%s", a.Definitions))
	}
	if got, want := fmt.Sprint(arrays), fmt.Sprint([]string{"[" + bashDefinition + "]", "[" + bashDefinition + " " + berthDefinition + "]"}); got != want {
		t.Errorf("arrays\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprintf("%s", s.Listed); got != "[{CronList } {mcp__quay__berth "+berthDefinition+"} {mcp__quay__tide }]" {
		t.Errorf("listed %s", got)
	}
	main := s.Contexts[0]
	if len(main.Loaded) != 1 || main.Entries[main.Loaded[0].Entry].Kind != transcript.Summary || fmt.Sprint(main.Loaded[0].Tools) != "[mcp__quay__berth]" || !main.Deferred {
		t.Errorf("loaded %+v, deferred %t", main.Loaded, main.Deferred)
	}
	for _, k := range log.Skipped {
		if strings.HasPrefix(k.What, "api-request") {
			t.Errorf("left out: %+v", k)
		}
	}
	if &s.Arrays[0].Definitions[0][0] != &s.Arrays[1].Definitions[0][0] {
		t.Error("two arrays have a definition twice")
	}
}
