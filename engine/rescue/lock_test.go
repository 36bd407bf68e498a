package rescue

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"caliper/model/require"
)

// TestFailedLock: without the lock nothing is done, which every request says, and what
// was held is held when the lock is back.
func TestFailedLock(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	m := put(t, s, "s", "kept")
	lock := filepath.Join(s.path, "lock")
	require.NoError(t, errors.Join(os.Rename(lock, lock+".away"), os.Mkdir(lock, 0o700)))
	for name, f := range map[string]func() error{
		"put": func() error {
			_, err := s.Put(t.Context(), "s", "t", Text, []byte("new"))
			return err
		},
		"fetch":      func() error { _, _, err := fetch(s, "s", m.ID); return err },
		"sweep":      func() error { _, err := s.Sweep(t.Context(), false); return err },
		"status":     func() error { _, err := s.Status(t.Context()); return err },
		"references": func() error { _, err := s.References(t.Context()); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "lock of the rescue store: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	require.NoError(t, errors.Join(os.Remove(lock), os.Rename(lock+".away", lock)))
	holds(t, s, "s", m.ID, "kept")
	if st, err := s.Status(t.Context()); err != nil || st.Blobs != 1 {
		t.Errorf("%+v, %v", st, err)
	}
}

// TestSeveralAdopt: of several that make a store of one folder at once each has it, and
// none loses what another keeps.
func TestSeveralAdopt(t *testing.T) {
	for round := range 25 {
		dir := filepath.Join(t.TempDir(), "s")
		if round%2 == 0 { // it is there and empty
			require.NoError(t, os.Mkdir(dir, 0o755))
		}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				s, err := OpenStore(dir, StoreOptions{})
				if err == nil {
					_, err = s.Put(t.Context(), "s", "t", Text, []byte(strings.Repeat("x", i+1)))
					err = errors.Join(err, s.Close())
				}
				if err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		all.Wait()
		s := open(t, dir, StoreOptions{})
		if st, err := s.Status(t.Context()); err != nil || st.Blobs != 8 || st.References != 8 {
			t.Fatalf("round %d: %+v, %v", round, st, err)
		}
	}
}
