package tui

import (
	"caliper/tui/explore"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode"
)

// SECURITY: what was searched for is nobody else's business.
func TestStateIsPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "state.json")
	if err := (savedState{Query: "refund"}).save(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// What a later version of the program wrote is left as it is, and what is broken
// or of no version is replaced.
func TestStateOfAnotherVersion(t *testing.T) {
	t.Parallel()
	for old, kept := range map[string]bool{
		`{"version": 2, "query": "theirs"}`:    true,
		`{"version": 1e3}`:                     true,
		`{"version": 1, "query": "ours"}`:      false,
		`{"query": "of no version"}`:           false,
		`{"version": 2, "query": "cut off`:     false,
		`{"version": "1", "query": "no text"}`: false,
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := loadState(path); kept && s.Query != "" {
			t.Errorf("%s is read", old)
		}
		err := (savedState{Query: "refund"}).save(path)
		if kept != errors.Is(err, errOtherVersion) {
			t.Errorf("%s: %v", old, err)
		}
		if now, err := os.ReadFile(path); err != nil || kept != (string(now) == old) {
			t.Errorf("%s became %s, %v", old, now, err)
		}
	}
}

// FuzzState reads any bytes as a state file: what comes of them can be drawn,
// is bounded, and is read back as it was written.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"version": 1, "query": "a\u001b[31m\nb", "focus": "hits", "history": ["a", "a", "", "b\u202e"]}`))
	f.Add([]byte(`{"version": 2}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, ok := parseState(data)
		if !ok {
			return
		}
		for i, q := range append(slices.Clone(s.History), s.Query) {
			if slices.ContainsFunc([]rune(q), controls) {
				t.Fatalf("%q acts on a terminal", q)
			}
			if i < len(s.History) && (q == "" || slices.Index(s.History, q) != i) {
				t.Fatalf("the history %q has an empty query or repeats one", s.History)
			}
		}
		if len(s.History) > explore.MaxHistory {
			t.Fatalf("%d queries", len(s.History))
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, ok := parseState(written)
		if !ok || again.Query != s.Query || !slices.Equal(again.History, s.History) {
			t.Fatalf("%+v is read back as %+v", s, again)
		}
	})
}

// controls reports whether a character acts on a terminal or hides in it.
func controls(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
