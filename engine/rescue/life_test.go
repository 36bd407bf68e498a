package rescue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/model/require"
)

func TestExpiry(t *testing.T) {
	c := newClock()
	s := open(t, t.TempDir(), StoreOptions{TTL: 3 * time.Hour, TombstoneTTL: 10 * time.Hour, Now: c.now})
	m := put(t, s, "a", "text")
	put(t, s, "b", "text")
	c.pass(2 * time.Hour)
	put(t, s, "b", "text") // renews b's
	if st, err := s.Status(t.Context()); err != nil || !st.NextExpiry.Equal(m.Stored.Add(3*time.Hour)) {
		t.Fatalf("%+v, %v", st, err)
	}
	c.pass(time.Hour)
	_, _, err := fetch(s, "a", m.ID) // before any sweep
	coded(t, err, CodeGone)
	if w := sweepAll(t, s); w != (Swept{Expired: 1}) {
		t.Fatalf("%+v", w)
	}
	holds(t, s, "b", m.ID, "text")
	_, _, err = fetch(s, "a", m.ID[:20])
	if g := coded(t, err, CodeGone); !strings.Contains(g, `run "tool of a" again`) {
		t.Fatal(g)
	}
	_, _, err = fetch(s, "c", m.ID)
	coded(t, err, CodeNotHeld)

	c.pass(2 * time.Hour)
	if w := sweepAll(t, s); w != (Swept{Expired: 1, Blobs: 1, Bytes: 4}) {
		t.Fatalf("%+v", w)
	}
	c.pass(8 * time.Hour)
	_, _, err = fetch(s, "a", m.ID)
	coded(t, err, CodeNotHeld)
	if w := sweepAll(t, s); w != (Swept{Tombstones: 1}) {
		t.Fatalf("%+v", w)
	}
	put(t, s, "b", "text") // a put ends the tombstone
	if w := sweepAll(t, s); w != (Swept{}) {
		t.Fatalf("%+v", w)
	}
	holds(t, s, "b", m.ID, "text")
}

func TestEvictionTakesTheLeastRecentlyUsed(t *testing.T) {
	c := newClock()
	s := open(t, t.TempDir(), StoreOptions{MaxBytes: 30, TombstoneTTL: -1, Now: c.now})
	var ids []string
	for _, text := range []string{"aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"} {
		ids = append(ids, put(t, s, "s", text).ID)
		c.pass(time.Second)
	}
	put(t, s, "other", "bbbbbbbbbb")
	c.pass(time.Second)
	holds(t, s, "s", ids[0], "aaaaaaaaaa")
	c.pass(time.Second)
	put(t, s, "s", "d") // c is now the oldest
	_, _, err := fetch(s, "s", ids[2])
	coded(t, err, CodeGone)
	c.pass(time.Second)
	put(t, s, "s", strings.Repeat("e", 15)) // b goes for both sessions, a stays
	for _, session := range []string{"s", "other"} {
		_, _, err = fetch(s, session, ids[1])
		coded(t, err, CodeGone)
	}
	holds(t, s, "s", ids[0], "aaaaaaaaaa")
	holds(t, s, "s", ID([]byte("d")), "d")
	if st, _ := s.Status(t.Context()); st.Bytes != 26 || st.Tombstones != 3 {
		t.Fatalf("%+v", st)
	}
}

func TestCapHoldsAtEveryPut(t *testing.T) {
	const limit = 1000
	dir, c := t.TempDir(), newClock()
	stores := []*Store{open(t, dir, StoreOptions{MaxBytes: limit, Now: c.now}), open(t, dir, StoreOptions{MaxBytes: limit, Now: c.now})}
	for i := range 60 {
		c.pass(time.Second)
		text := strings.Repeat(string(rune('a'+i%26)), 1+i*37%limit)
		m := put(t, stores[i%2], "s", text)
		holds(t, stores[(i+1)%2], "s", m.ID, text)
		if st, err := stores[0].Status(t.Context()); err != nil || st.Bytes > limit {
			t.Fatalf("after put %d: %+v, %v", i, st, err)
		}
	}
	if w := sweepAll(t, stores[0]); w.Blobs != 0 || w.Lost != 0 {
		t.Fatalf("eviction left %+v", w)
	}
}

func TestLargerThanTheCap(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{MaxBytes: 10})
	m := put(t, s, "s", "0123456789")
	_, err := s.Put(t.Context(), "s", "", Text, make([]byte, 11))
	if f := fails[*StoreFull](t, err); f.Cap != 10 {
		t.Fatalf("%+v", f)
	}
	holds(t, s, "s", m.ID, "0123456789")
}

func TestDamageIsQuarantinedAndRepaired(t *testing.T) {
	c := newClock()
	s := open(t, t.TempDir(), StoreOptions{TombstoneTTL: time.Hour, Now: c.now})
	for _, test := range []struct {
		name   string
		damage func(path string) error
	}{
		{"a flipped bit", func(p string) error { return os.WriteFile(p, []byte("tezt"), 0o600) }},
		{"cut short", func(p string) error { return os.Truncate(p, 2) }},
		{"emptied", func(p string) error { return os.Truncate(p, 0) }},
		{"grown", func(p string) error { return os.WriteFile(p, []byte("texttext"), 0o600) }},
		{"same size and time, another file", func(p string) error {
			info, err := os.Stat(p) // while it is there, no other file gets its number
			return errors.Join(err, os.WriteFile(p+".new", []byte("tezt"), 0o600), os.Rename(p+".new", p), os.Chtimes(p, info.ModTime(), info.ModTime()))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := put(t, s, "s", "text")
			put(t, s, "other", "text")
			holds(t, s, "s", m.ID, "text")
			require.NoError(t, test.damage(filepath.Join(s.path, blobPath(m.ID))))
			for range 2 { // found, then known
				_, _, err := fetch(s, "s", m.ID)
				if d := coded(t, err, CodeDamaged); !strings.HasSuffix(d, `was set aside; run "tool of s" again`) {
					t.Fatal(d)
				}
			}
			if st, _ := s.Status(t.Context()); st.Quarantined != 1 || st.Blobs != 0 {
				t.Fatalf("%+v", st)
			}
			put(t, s, "other", "text")
			holds(t, s, "s", m.ID, "text")
			if st, _ := s.Status(t.Context()); st.Quarantined != 0 || st.Blobs != 1 {
				t.Fatalf("%+v", st)
			}
		})
	}
	m := put(t, s, "s", "text")
	os.Truncate(filepath.Join(s.path, blobPath(m.ID)), 1)
	_, _, err := fetch(s, "s", m.ID)
	coded(t, err, CodeDamaged)
	if w := sweepAll(t, s); w.Lost != 2 || w.Quarantined != 0 {
		t.Fatalf("%+v", w)
	}
	c.pass(time.Hour)
	if w := sweepAll(t, s); w.Quarantined != 1 || w.Bytes != 1 {
		t.Fatalf("%+v", w)
	}
}

func TestPutRepairsUnreadDamage(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	m := put(t, s, "s", "text")
	os.WriteFile(filepath.Join(s.path, blobPath(m.ID)), []byte("tezt"), 0o600)
	put(t, s, "s", "text")
	holds(t, s, "s", m.ID, "text")
}

func TestQuarantineGoesFirst(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{MaxBytes: 10})
	a, b := put(t, s, "s", "aaaaa"), put(t, s, "s", "bbbbb")
	os.WriteFile(filepath.Join(s.path, blobPath(b.ID)), []byte("xxxxx"), 0o600)
	fetch(s, "s", b.ID)
	put(t, s, "s", "ccccc")
	holds(t, s, "s", a.ID, "aaaaa")
}

func TestDamagedReferenceStillHolds(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{TTL: time.Hour})
	for _, broken := range []string{"", "{", "null", `{"id":"` + ID([]byte("other")) + `"}`, strings.Repeat(" ", 2*maxNote)} {
		m := put(t, s, "s", "one\ntwo\n")
		note := filepath.Join(s.path, notePath(refs, sessionHash("s"), m.ID))
		require.NoError(t, os.WriteFile(note, []byte(broken), 0o600))
		sweepAll(t, s)
		text, got, err := fetch(s, "s", m.ID)
		if err != nil || text != "one\ntwo\n" || got.ID != m.ID || got.Session != "s" || got.Bytes != 8 || got.Chars != 8 || got.Lines != 2 {
			t.Fatalf("%q: %q %+v %v", broken, text, got, err)
		}
	}
}

func TestContentTakenAway(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{TombstoneTTL: -1})
	m := put(t, s, "s", "text")
	os.Remove(filepath.Join(s.path, blobPath(m.ID)))
	_, _, err := fetch(s, "s", m.ID)
	if e := coded(t, err, CodeNotFound); !strings.HasSuffix(e, `run "tool of s" again`) {
		t.Fatal(e)
	}
	if w := sweepAll(t, s); w != (Swept{Lost: 1}) {
		t.Fatalf("%+v", w)
	}
	_, _, err = fetch(s, "s", m.ID)
	coded(t, err, CodeGone)
}

// What killed puts left does not add up until somebody sweeps, and a sweep says how much it was;
// live puts are spared.
func TestWhatKilledPutsLeft(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	live, err := s.newStage(t.Context())
	require.NoError(t, err)
	leave := func() {
		t.Helper()
		dead, err := s.newStage(t.Context())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(s.path, path.Join(dead.name, "blob")), make([]byte, 1000), 0o600))
		dead.lease.Close() // as the system does for a process that was killed
		require.NoError(t, os.MkdirAll(filepath.Join(s.path, temp, "unlocked"), 0o700))
	}
	leave()
	leave()
	m := put(t, s, "s", "text")
	if list, err := s.entries(temp); err != nil || len(list) != 1 || list[0].Name() != filepath.Base(live.name) {
		t.Fatalf("%v, %v", list, err)
	}
	holds(t, s, "s", m.ID, "text")
	leave()
	if w := sweepAll(t, s); w != (Swept{Abandoned: 2, Bytes: 1000}) {
		t.Fatalf("%+v", w)
	}
	if _, err := s.root.Lstat(live.name); err != nil {
		t.Fatal(err)
	}
	live.discard()
	if list, _ := s.entries(temp); len(list) != 0 {
		t.Fatal(list)
	}
}

func TestReferencesAreListed(t *testing.T) {
	c := newClock()
	s := open(t, t.TempDir(), StoreOptions{TTL: time.Hour, Now: c.now})
	put(t, s, "b", "old")
	put(t, s, "a", "old")
	c.pass(time.Minute)
	put(t, s, "b", "new")
	list, err := s.References(t.Context())
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for i, want := range []string{"b new", "a old", "b old"} {
		session, text, _ := strings.Cut(want, " ")
		r := list[i]
		if r.Meta.Session != session || r.Meta.ID != ID([]byte(text)) || !r.Expires.Equal(r.Meta.Stored.Add(time.Hour)) || !r.Used.Equal(r.Meta.Stored) {
			t.Fatalf("%d: %+v, want %s", i, r, want)
		}
	}
}

func TestToolNamesCannotForgeMessages(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	m, err := s.Put(t.Context(), "s", "a\x1b[2J\nb\u202e", Text, []byte("text"))
	require.NoError(t, err)
	file := filepath.Join(s.path, blobPath(m.ID))
	for _, breaks := range []func() error{
		func() error { return os.Mkdir(file, 0o700) }, func() error { return nil }, func() error { return os.WriteFile(file, nil, 0o600) }, func() error { return nil },
	} {
		require.NoError(t, errors.Join(os.RemoveAll(file), breaks()))
		_, _, err := fetch(s, "s", m.ID)
		if e := fails[*Error](t, err); strings.ContainsAny(e.Text, "\x1b\n\u202e") || !strings.Contains(e.Text, `run "a\x1b[2J\nb\u202e" again`) {
			t.Errorf("%q", e)
		}
	}
	if e := badID("\x1b\n", "bad").Error(); strings.ContainsAny(e, "\x1b\n") {
		t.Errorf("%q", e)
	}
}

func TestBlobsAreReplacedNotOverwritten(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{MaxBytes: 20})
	m := put(t, s, "s", "0123456789")
	before, err := os.Stat(filepath.Join(s.path, blobPath(m.ID)))
	require.NoError(t, err)
	put(t, s, "s", "0123456789")
	after, err := os.Stat(filepath.Join(s.path, blobPath(m.ID)))
	if err != nil || os.SameFile(before, after) {
		t.Fatalf("a put wrote into a file that others read: %v", err)
	}
}

func TestManyGoroutines(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, StoreOptions{})
	var group sync.WaitGroup
	for g := range 6 {
		group.Go(func() {
			session := fmt.Sprint(g % 3)
			for i := range 8 {
				text := fmt.Sprint("text ", i%4)
				m, err := s.Put(context.Background(), session, "", Text, []byte(text))
				if err != nil {
					t.Error(err)
					return
				}
				if got, _, err := fetch(s, session, m.ID); err != nil || got != text {
					t.Errorf("%q, %v", got, err)
				}
				if _, err := s.Sweep(context.Background(), i%2 == 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if st, err := s.Status(t.Context()); err != nil || st.Blobs != 4 || st.References != 12 || st.Quarantined != 0 {
		t.Fatalf("%+v, %v", st, err)
	}
}
