package logs

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"caliper/engine/transcript"
)

// TestReadsTheSharedRollouts compares the sessions of the shared rollouts with the truth
// about them: requests, calls, usage and models.
func TestReadsTheSharedRollouts(t *testing.T) {
	const folder = "../../../../shared/transcripts"
	data, err := os.ReadFile(folder + "/truth.json")
	if err != nil {
		t.Skip("the shared transcripts are not here")
	}
	type truth struct {
		ID, File, Agent, Model string
		Requests, Calls        int
		Logged                 map[string]int
		CallList               []struct {
			LoggedName string `json:"logged_name"`
			OK         bool
		} `json:"call_list"`
	}
	var all struct{ Sessions []truth }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var files []string
	if err := filepath.WalkDir(folder+"/codex", func(path string, e os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".jsonl") {
			files = append(files, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	got := map[string]transcript.Session{}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		r := new(CodexReader)
		if err := r.Read(context.Background(), f, path); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for _, s := range r.Log().Sessions {
			got[s.ID] = s
		}
	}
	for _, want := range all.Sessions {
		if want.Agent != "codex" {
			continue
		}
		s, ok := got[want.ID]
		if !ok {
			t.Errorf("%s: missing", want.ID)
			continue
		}
		delete(got, want.ID)
		requests, sum := 0, map[string]int{}
		var calls []transcript.Call
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
						calls = append(calls, call)
					}
				}
			}
		}
		if s.Model != want.Model || requests != want.Requests && want.Logged != nil || len(calls) != want.Calls {
			t.Errorf("%s: model %s, %d requests, %d calls; want %s, %d, %d", want.ID, s.Model, requests, len(calls), want.Model, want.Requests, want.Calls)
		}
		for key, n := range want.Logged {
			if sum[key] != n {
				t.Errorf("%s: %s is %d, want %d", want.ID, key, sum[key], n)
			}
		}
		failed := 0
		for _, c := range calls {
			if c.Failed {
				failed++
			}
		}
		for _, c := range want.CallList {
			if !c.OK {
				failed--
			}
		}
		if failed != 0 {
			t.Errorf("%s: %d calls failed more than truly", want.ID, failed)
		}
	}
	for id := range got {
		t.Errorf("%s: no such session", id)
	}
}
