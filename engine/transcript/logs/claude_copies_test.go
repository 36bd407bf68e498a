package logs

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

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
