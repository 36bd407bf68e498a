package transcript_test

import (
	"os"
	"strings"
	"testing"

	"caliper/engine/transcript"
)

const sharedHermes = "../../../../shared/transcripts/hermes"

// TestReadsTheSharedSessions compares the export and the gateway's log with the truth
// about them.
func TestReadsTheSharedSessions(t *testing.T) {
	r := new(transcript.HermesReader)
	for _, name := range []string{"/export.jsonl", "/export-one.json", "/sessions/20260920_162042_02b93dbd.jsonl"} {
		f, err := os.Open(sharedHermes + name)
		if err != nil {
			t.Skip("the shared transcripts are not here")
		}
		if err := r.Read(t.Context(), f, name); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	log := r.Log()
	transcript.CheckTruth(t, sharedHermes+"/../truth.json", log, func(s transcript.TrueSession) bool {
		return s.Agent == string(transcript.Hermes) && !strings.HasSuffix(s.File, "state.db")
	})
	if len(log.Skipped) > 0 {
		t.Errorf("skipped %+v", log.Skipped)
	}
	if gateway := log.Sessions[len(log.Sessions)-1]; len(gateway.Arrays) != 1 || len(gateway.Arrays[0].Definitions) == 0 {
		t.Errorf("the gateway's log has %d arrays", len(gateway.Arrays))
	}
}
