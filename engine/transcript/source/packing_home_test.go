package source

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"caliper/engine/diskcache"
	"caliper/engine/transcript"
	"caliper/engine/transcript/claude"
	"caliper/engine/transcript/codex"
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
	inClaude, inCodex := homes["claude"], homes["codex"]
	inClaude["a.jsonl"] = claudeTurns("first", "x", "", 50) +
		`{"type":"system","subtype":"compact_boundary","sessionId":"first","uuid":"cut","compactMetadata":{"preservedMessages":{"uuids":["ux49","ax49"]}}}` + "\n"
	inCodex["a.jsonl"] = codexTurns(`{"id":"first"}`, 0, 50)
	for i := range many {
		id := fmt.Sprintf("b%03d", i)
		inClaude[id+".jsonl"] = claudeTurns(id, id, "", 200)
		inCodex[id+".jsonl"] = codexTurns(fmt.Sprintf(`{"id":%q}`, id), 100_000*(i+1), 200)
	}
	inClaude["c.jsonl"] = `{"type":"user","sessionId":"first","uuid":"late","parentUuid":"cut","message":{"content":[{"type":"tool_result","tool_use_id":"cx49","content":"done at last"}]}}` + "\n" +
		claudeTurns("first", "y", "late", 5) + claudeTurns("first", "x", "", 2) // which it has already
	inClaude["d.jsonl"] = claudeTurns("other", "x", "", 3) // whose messages have ids of the first
	inCodex["a1.jsonl"] = codexTurns(`{"id":"fork","forked_from_id":"first"}`, 0, 60)
	inCodex["a2.jsonl"] = codexTurns(`{"id":"helper","parent_thread_id":"first"}`, 50_000, 5)
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

// TestMemoryOfHomes: what readers have in memory of sessions that went on long ago is little
// for each of their lines.
func TestMemoryOfHomes(t *testing.T) {
	const turns = 200
	claudeReader, codexReader := func() reader { return &claude.Reader{Spill: new(kept.Spill)} }, func() reader { return &codex.Reader{Spill: new(kept.Spill)} }
	for name, c := range map[string]struct {
		of    func() reader
		text  func(i int) string
		lines int // of one session
		most  int // bytes for each
	}{
		"claude": {claudeReader, func(i int) string { return claudeTurns(fmt.Sprint(i), fmt.Sprint(i, "-"), "", turns) }, 3 * turns, 60},
		"codex":  {codexReader, func(i int) string { return codexTurns(fmt.Sprintf(`{"id":"%d"}`, i), i*100_000, turns) }, 4 * turns, 20},
	} {
		live := func(sessions int) int {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := c.of()
			for i := range sessions {
				if err := r.Read(t.Context(), strings.NewReader(c.text(i)), fmt.Sprintf("%d.jsonl", i)); err != nil {
					t.Fatal(err)
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(r)
			return int(after.HeapAlloc) - int(before.HeapAlloc)
		}
		const few, many = 100, 200 // both more than stays unpacked
		each := float64(live(many)-live(few)) / float64((many-few)*c.lines)
		t.Logf("%s: %.0f bytes for each line", name, each)
		if each > float64(c.most) {
			t.Errorf("%s: %.0f bytes stay of each line, want %d at most", name, each, c.most)
		}
	}
}

// reader is a reader of the files of one home.
type reader interface {
	Read(ctx context.Context, in io.Reader, path string) error
}
