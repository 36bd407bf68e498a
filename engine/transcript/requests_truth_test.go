package transcript_test

import (
	"caliper/engine/transcript"
	"os"
	"strings"
	"testing"
)

const sharedLogs = "../../../../shared/transcripts/"

// TestReadsTheSharedLogs compares the logs of requests with the truth about them.
func TestReadsTheSharedLogs(t *testing.T) {
	r := new(transcript.RequestsReader)
	for _, name := range []string{"anthropic.jsonl", "chat-search.jsonl", "chat.jsonl", "responses.json"} {
		f, err := os.Open(sharedLogs + "requests/" + name)
		if err != nil {
			t.Skip("the shared transcripts are not here")
		}
		if err := r.Read(t.Context(), f, "requests/"+name); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	log := r.Log()
	transcript.CheckTruth(t, sharedLogs+"truth.json", log, func(s transcript.TrueSession) bool { return strings.HasPrefix(s.File, "requests/") })
	if len(log.Skipped) > 0 {
		t.Errorf("skipped %+v", log.Skipped)
	}
	if n := len(log.Sessions[0].Arrays); n != 2 {
		t.Errorf("anthropic.jsonl has %d tools arrays, not 2", n)
	}
	for _, s := range log.Sessions {
		for _, e := range s.Contexts[0].Entries {
			if e.Copy {
				t.Errorf("%s: an answer is a copy", s.ID)
			}
		}
	}
}
