package transcript

import (
	"encoding/json"
	"os"
	"testing"
)

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
