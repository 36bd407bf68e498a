package logs

import (
	"encoding/json"
	"os"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/newfile"
)

// TestReadsTheSharedSessions compares the sessions of the shared logs of Claude Code and
// Codex with the truth about them: requests, calls, usage and models.
func TestReadsTheSharedSessions(t *testing.T) {
	const folder = "../../../../shared/transcripts/"
	data, err := os.ReadFile(folder + "truth.json")
	if err != nil {
		t.Skip("the shared transcripts are not here")
	}
	var all struct {
		Sessions []struct {
			ID, Agent, Model string
			Requests, Calls  int
			Logged           map[string]int
			CallList         []struct{ OK bool } `json:"call_list"`
		}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{"claude", "codex"} {
		log, err := Read(t.Context(), []string{folder + agent}, "", transcript.Options{}, newfile.CacheFolder{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]transcript.Session{}
		for _, s := range log.Sessions {
			got[s.ID] = s
		}
		for _, want := range all.Sessions {
			if want.Agent != agent {
				continue
			}
			s, ok := got[want.ID]
			if !ok {
				t.Errorf("%s: missing", want.ID)
				continue
			}
			delete(got, want.ID)
			requests, calls, failed, sum := 0, 0, 0, map[string]int{}
			for _, c := range s.Contexts {
				for _, e := range c.Entries {
					if e.Request == nil || e.Copy {
						continue
					}
					requests++
					if u := e.Request.Usage; u != nil {
						sum["input"] += u.Input
						sum["cache_read"] += u.CacheRead
						sum["cache_write"] += u.CacheWrite
						sum["output"] += u.Output
					}
					for _, call := range e.Request.Calls {
						if call.Kind == transcript.Use {
							calls++
							if call.Failed {
								failed++
							}
						}
					}
				}
			}
			refused := 0
			for _, c := range want.CallList {
				if !c.OK {
					refused++
				}
			}
			if s.Model != want.Model || requests != want.Requests && want.Logged != nil || calls != want.Calls || failed != refused {
				t.Errorf("%s: model %s, %d requests, %d calls, %d failed; want %s, %d, %d, %d", want.ID, s.Model, requests, calls, failed, want.Model, want.Requests, want.Calls, refused)
			}
			for key, n := range want.Logged {
				if sum[key] != n {
					t.Errorf("%s: %s is %d, want %d", want.ID, key, sum[key], n)
				}
			}
		}
		for id := range got {
			t.Errorf("%s: no such session", id)
		}
	}
}
