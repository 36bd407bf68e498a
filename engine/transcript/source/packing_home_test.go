package source

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/diskcache"
	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
)

// claudeTurns returns so many turns of a session, each a user's line and an answer with a
// call, of which the first follows a line, and the call of the last waits for its result.
func claudeTurns(session, first, after string, turns int) string {
	var b strings.Builder
	line := func(kind, uuid, message string) {
		fmt.Fprintf(&b, `{"type":%q,"sessionId":%q,"uuid":%q,"parentUuid":%q,"timestamp":"2026-09-01T10:00:00Z","message":%s}`+"\n", kind, session, uuid, after, message)
		after = uuid
	}
	for i := range turns {
		id := fmt.Sprint(first, i)
		if i > 0 {
			line("user", "r"+id, fmt.Sprintf(`{"content":[{"type":"tool_result","tool_use_id":"c%s%d","content":"done"}]}`, first, i-1))
		}
		line("user", "u"+id, `{"content":"go on"}`)
		line("assistant", "a"+id, fmt.Sprintf(`{"id":"m%s","model":"sable","content":[{"type":"tool_use","id":"c%s","name":"mail_send","input":{}}],"usage":{"input_tokens":%d,"output_tokens":3}}`, id, id, 100+i))
	}
	return b.String()
}

// codexTurns returns a rollout of so many turns, whose usage begins at a sum.
func codexTurns(head string, sum, turns int) string {
	var b strings.Builder
	line := func(kind, payload string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-09-01T10:00:00.5Z","type":%q,"payload":%s}`+"\n", kind, payload)
	}
	line("session_meta", head)
	for i := range turns {
		sum += 10
		line("response_item", fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":"go on %d"}]}`, sum))
		line("response_item", fmt.Sprintf(`{"type":"function_call","call_id":"c%d","name":"mail_send","arguments":"{}"}`, sum))
		line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"done"}`, sum))
		line("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":10,"output_tokens":%d},"total_token_usage":{"input_tokens":%d,"output_tokens":%d}}}`, i, sum, sum))
	}
	return b.String()
}

// TestPackOfHomes: sessions of agents whose files belong together are packed when many
// follow, and are those that are not packed: one that goes on in a later file, behind a
// compaction, too; a fork with its copies; and one with the log of a helper.
func TestPackOfHomes(t *testing.T) {
	const many = kept.MostUnpacked/600 + 2 // sessions of 200 turns, three entries each
	homes := map[string]map[string]string{"claude": {}, "codex": {}}
	claude, codex := homes["claude"], homes["codex"]
	claude["a.jsonl"] = claudeTurns("first", "x", "", 50) +
		`{"type":"system","subtype":"compact_boundary","sessionId":"first","uuid":"cut","compactMetadata":{"preservedMessages":{"uuids":["ux49","ax49"]}}}` + "\n"
	codex["a.jsonl"] = codexTurns(`{"id":"first"}`, 0, 50)
	for i := range many {
		id := fmt.Sprintf("b%03d", i)
		claude[id+".jsonl"] = claudeTurns(id, id, "", 200)
		codex[id+".jsonl"] = codexTurns(fmt.Sprintf(`{"id":%q}`, id), 100_000*(i+1), 200)
	}
	claude["c.jsonl"] = `{"type":"user","sessionId":"first","uuid":"late","parentUuid":"cut","message":{"content":[{"type":"tool_result","tool_use_id":"cx49","content":"done at last"}]}}` + "\n" +
		claudeTurns("first", "y", "late", 5) + claudeTurns("first", "x", "", 2) // which it has already
	claude["d.jsonl"] = claudeTurns("other", "x", "", 3) // whose messages have ids of the first
	codex["a1.jsonl"] = codexTurns(`{"id":"fork","forked_from_id":"first"}`, 0, 60)
	codex["a2.jsonl"] = codexTurns(`{"id":"helper","parent_thread_id":"first"}`, 50_000, 5)
	for name, files := range homes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range files {
				put(t, filepath.Join(dir, file), text, 0)
			}
			want, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, diskcache.Folder{})
			if err != nil {
				t.Fatal(err)
			}
			if sessions := len(want.Sessions); sessions != many+2 {
				t.Fatalf("%d sessions", sessions)
			}
			got, err := Read(t.Context(), []string{dir}, "", transcript.Options{Pack: true}, diskcache.Folder{})
			if err != nil {
				t.Fatal(err)
			}
			packed := 0
			for i := range got.Sessions {
				if got.Sessions[i].Packed != nil {
					packed++
				}
				if got.Sessions[i], err = got.Sessions[i].Opened(); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got.Sessions[i], want.Sessions[i]) {
					t.Errorf("session %s is another when it is packed", want.Sessions[i].ID)
				}
			}
			if packed == 0 || packed == len(got.Sessions) {
				t.Errorf("%d of %d sessions are packed", packed, len(got.Sessions))
			}
			copies := 0
			for _, s := range want.Sessions {
				for _, c := range s.Contexts {
					for _, e := range c.Entries {
						if e.Copy {
							copies++
						}
					}
				}
			}
			if copies == 0 {
				t.Error("nothing is a copy: the test says nothing of copies")
			}
		})
	}
}
