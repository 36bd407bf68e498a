package logs

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

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
