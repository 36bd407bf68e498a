package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadsTheSharedDatabase compares all sessions of the database and its log with the
// truth about them.
func TestReadsTheSharedDatabase(t *testing.T) {
	const shared = "../../../../../shared/transcripts/"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared transcripts are not here")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	path := filepath.Join(shared, "hermes/state.db")
	r := new(HermesReader)
	if err := ReadDatabase(t.Context(), r, path); err != nil {
		t.Fatal(err)
	}
	log := r.Log()
	CheckTruth(t, shared+"truth.json", log, func(s TrueSession) bool { return strings.HasSuffix(s.File, "state.db") })
	if len(log.Skipped) > 0 {
		t.Errorf("skipped %+v", log.Skipped)
	}
	for _, s := range log.Sessions {
		if first := s.Contexts[0].Entries[0]; first.Kind != 1 || first.Size.AllChars() == 0 {
			t.Errorf("%s has no system prompt", s.ID)
		}
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
