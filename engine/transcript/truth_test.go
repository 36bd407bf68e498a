package transcript

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

// TestReadsTheSharedLogs compares the shared logs of Hermes and of requests with the truth
// about them.
func TestReadsTheSharedLogs(t *testing.T) {
	const folder = "../../../shared/transcripts/"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the shared transcripts are not here")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	type reader interface {
		Read(ctx context.Context, in io.Reader, path string) error
		Log() Log
	}
	read := func(r reader, names ...string) Log {
		for _, name := range names {
			f, err := os.Open(folder + name)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Read(t.Context(), f, name); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		return r.Log()
	}
	database := new(HermesReader)
	if err := ReadDatabase(t.Context(), database, folder+"hermes/state.db"); err != nil {
		t.Fatal(err)
	}
	hermes := read(new(HermesReader), "hermes/export.jsonl", "hermes/export-one.json", "hermes/sessions/20260920_162042_02b93dbd.jsonl")
	requests := read(new(RequestsReader), "requests/anthropic.jsonl", "requests/chat-search.jsonl", "requests/chat.jsonl", "requests/responses.json")
	ofDatabase := func(s TrueSession) bool { return strings.HasSuffix(s.File, "state.db") }
	for _, c := range []struct {
		log Log
		of  func(TrueSession) bool
	}{
		{hermes, func(s TrueSession) bool { return s.Agent == string(Hermes) && !ofDatabase(s) }},
		{requests, func(s TrueSession) bool { return strings.HasPrefix(s.File, "requests/") }},
		{database.Log(), ofDatabase},
	} {
		CheckTruth(t, folder+"truth.json", c.log, c.of)
		if len(c.log.Skipped) > 0 {
			t.Errorf("skipped %+v", c.log.Skipped)
		}
	}
	if gateway := hermes.Sessions[len(hermes.Sessions)-1]; len(gateway.Arrays) != 1 || len(gateway.Arrays[0].Definitions) == 0 {
		t.Errorf("the gateway's log has %d arrays", len(gateway.Arrays))
	}
	if n := len(requests.Sessions[0].Arrays); n != 2 {
		t.Errorf("anthropic.jsonl has %d tools arrays, not 2", n)
	}
	for _, s := range requests.Sessions {
		for _, e := range s.Contexts[0].Entries {
			if e.Copy {
				t.Errorf("%s: an answer is a copy", s.ID)
			}
		}
	}
	for _, s := range database.Log().Sessions {
		if first := s.Contexts[0].Entries[0]; first.Kind != System || first.Size.AllChars() == 0 {
			t.Errorf("%s has no system prompt", s.ID)
		}
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TrueSession is the known facts of one session.
type TrueSession struct {
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

// CheckTruth compares what was read of logs with the known truth: it reports every difference between a log and those sessions of a file that are
// of interest. It skips the test when the file is not there.
func CheckTruth(t *testing.T, file string, log Log, of func(TrueSession) bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the known truth is not here")
	}
	var all struct{ Sessions []TrueSession }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	read := map[string]Session{}
	for _, s := range log.Sessions {
		read[s.ID] = s
	}
	for _, want := range all.Sessions {
		if !of(want) {
			continue
		}
		s, ok := read[want.ID]
		if !ok {
			t.Errorf("%s: missing", want.ID)
			continue
		}
		delete(read, want.ID)
		checkSession(t, s, want)
	}
	for id := range read {
		t.Errorf("%s: no such session", id)
	}
}

func checkSession(t *testing.T, s Session, want TrueSession) {
	t.Helper()
	var sum Usage
	requests, calls, failed, unanswered := 0, 0, 0, 0
	for _, c := range s.Contexts {
		for _, e := range c.Entries {
			if e.Request == nil || e.Copy {
				continue
			}
			requests++
			if u := e.Request.Usage; u != nil {
				sum.Input += u.Input
				sum.CacheRead += u.CacheRead
				sum.CacheWrite += u.CacheWrite
				sum.Output += u.Output
			}
			for _, call := range e.Request.Calls {
				if !call.Answered {
					unanswered++
				}
				if call.Kind == Use {
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
	if s.Model != want.Model || requests != want.Requests || calls != want.Calls || failed != refused || unanswered > 0 {
		t.Errorf("%s: model %s, %d requests, %d calls, %d refused, %d without a result; want %s, %d, %d, %d, 0",
			want.ID, s.Model, requests, calls, failed, unanswered, want.Model, want.Requests, want.Calls, refused)
	}
	logged := Usage{}
	if want.Logged != nil {
		logged = Usage{Input: want.Logged.Input, CacheRead: want.Logged.CacheRead, CacheWrite: want.Logged.CacheWrite, Output: want.Logged.Output}
	}
	if sum != logged {
		t.Errorf("%s: logged %+v, want %+v", want.ID, sum, logged)
	}
}
