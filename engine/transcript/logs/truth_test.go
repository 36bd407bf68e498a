package logs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

// TestReadsTheSharedSessions compares the sessions of the shared logs with the truth about them:
// requests, calls, usage and models.
func TestReadsTheSharedSessions(t *testing.T) {
	const folder = "../../../../shared/transcripts/"
	data, err := os.ReadFile(folder + "truth.json")
	if err != nil {
		t.Skip("the shared transcripts are not here")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var all struct {
		Sessions []struct {
			ID, File, Agent, Model string
			Requests, Calls        int
			Logged                 *struct {
				Input      int
				CacheRead  int `json:"cache_read"`
				CacheWrite int `json:"cache_write"`
				Output     int
			}
			CallList []struct{ OK bool } `json:"call_list"`
		}
	}
	require.NoError(t, json.Unmarshal(data, &all))
	var paths []string
	for _, name := range []string{"claude", "codex", "hermes", "requests"} {
		paths = append(paths, folder+name)
	}
	log, err := Read(t.Context(), paths, "", transcript.Options{}, newfile.CacheFolder{})
	require.NoError(t, err)
	got := map[string]transcript.Session{}
	for _, s := range log.Sessions {
		got[strings.TrimPrefix(s.ID, filepath.Clean(folder)+"/")] = s
	}
	for _, want := range all.Sessions {
		s, ok := got[want.ID]
		if !ok {
			t.Errorf("%s: missing", want.ID)
			continue
		}
		delete(got, want.ID)
		repeats := want.Agent == "claude" || want.Agent == "codex" // answers of other logs, and calls that were interrupted
		var sum transcript.Usage
		requests, calls, failed, unanswered := 0, 0, 0, 0
		for _, c := range s.Contexts {
			for _, e := range c.Entries {
				if e.Request == nil || e.Copy {
					continue
				}
				requests++
				if u := e.Request.Usage; u != nil {
					sum = transcript.Usage{Input: sum.Input + u.Input, CacheRead: sum.CacheRead + u.CacheRead, CacheWrite: sum.CacheWrite + u.CacheWrite, Output: sum.Output + u.Output}
				}
				for _, call := range e.Request.Calls {
					if !call.Answered && !repeats {
						unanswered++
					}
					if call.Kind == transcript.Use {
						calls++
						if call.Failed {
							failed++
						}
					}
				}
			}
		}
		if s.Sums != nil {
			sum = *s.Sums
		}
		refused := 0
		for _, c := range want.CallList {
			if !c.OK {
				refused++
			}
		}
		if s.Model != want.Model || requests != want.Requests && (want.Logged != nil || !repeats) || calls != want.Calls || failed != refused || unanswered > 0 {
			t.Errorf("%s: model %s, %d requests, %d calls, %d failed, %d without a result; want %s, %d, %d, %d, 0", want.ID, s.Model, requests, calls, failed, unanswered, want.Model, want.Requests, want.Calls, refused)
		}
		if w := want.Logged; w != nil && sum != (transcript.Usage{Input: w.Input, CacheRead: w.CacheRead, CacheWrite: w.CacheWrite, Output: w.Output}) {
			t.Errorf("%s: logged %+v, want %+v", want.ID, sum, *w)
		}
		if first := s.Contexts[0].Entries[0]; strings.HasSuffix(want.File, "state.db") && (first.Kind != transcript.System || first.Size.AllChars() == 0) {
			t.Errorf("%s has no system prompt", want.ID)
		}
		if n := len(s.Arrays); want.File == "requests/anthropic.jsonl" && n != 2 || strings.HasPrefix(want.File, "hermes/sessions/") && n != 1 {
			t.Errorf("%s has %d tools arrays", want.ID, n)
		}
	}
	for id := range got {
		t.Errorf("%s: no such session", id)
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
