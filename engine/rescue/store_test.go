package rescue

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/model/require"
)

// clock is a time that tests move.
type clock struct{ at time.Time }

func newClock() *clock                { return &clock{time.Unix(1_800_000_000, 123_456_789)} }
func (c *clock) now() time.Time       { return c.at }
func (c *clock) pass(d time.Duration) { c.at = c.at.Add(d) }

func open(t testing.TB, dir string, o StoreOptions) *Store {
	t.Helper()
	s, err := OpenStore(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func put(t testing.TB, s *Store, session, text string) Meta {
	t.Helper()
	m, err := s.Put(t.Context(), session, "tool of "+strings.ToValidUTF8(session[:min(len(session), 20)], "?"), Text, []byte(text))
	require.NoError(t, err)
	return m
}

// fetch reads a blob whole.
func fetch(s *Store, session, id string) (string, Meta, error) {
	m, text, err := s.Open(context.Background(), session, id)
	return string(text), m, err
}

// holds fails the test unless session reads text under id.
func holds(t testing.TB, s *Store, session, id, text string) {
	t.Helper()
	if got, _, err := fetch(s, session, id); err != nil || got != text {
		t.Fatalf("fetch: %.40q, %v; want %.40q", got, err, text)
	}
}

// failer is the part that *testing.T and *rapid.T share here.
type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// fails fails the test unless the error is an E.
func fails[E error](t failer, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("error %T %v, want %T", err, err, e)
	}
	return e
}

// coded fails the test unless the error is one of a code, and returns its text.
func coded(t failer, err error, code string) string {
	t.Helper()
	e := fails[*Error](t, err)
	if e.Code != code {
		t.Fatalf("error %s: %v, want %s", e.Code, err, code)
	}
	return e.Text
}

func sweepAll(t testing.TB, s *Store) Swept {
	t.Helper()
	dry, err := s.Sweep(t.Context(), true)
	require.NoError(t, err)
	w, err := s.Sweep(t.Context(), false)
	require.NoError(t, err)
	if dry != w {
		t.Fatalf("the dry run said %+v, the sweep did %+v", dry, w)
	}
	again, err := s.Sweep(t.Context(), false)
	if err != nil || again != (Swept{}) {
		t.Fatalf("a second sweep did %+v, %v", again, err)
	}
	return w
}

func TestPutAndOpen(t *testing.T) {
	c := newClock()
	s := open(t, filepath.Join(t.TempDir(), "a", "store"), StoreOptions{Now: c.now})
	for _, test := range []struct {
		name, text   string
		chars, lines int
	}{
		{"empty", "", 0, 0},
		{"one line", "abc", 3, 1},
		{"ended line", "abc\n", 4, 1},
		{"characters", "äöü\n€\n\U0001F600", 7, 3},
		{"not UTF-8", "a\xff\xfeb", 4, 1},
		{"long", strings.Repeat("é\n", 1<<18), 2 << 18, 1 << 18},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := Meta{
				ID: ID([]byte(test.text)), Tool: "t", Session: "s", Bytes: int64(len(test.text)),
				Chars: test.chars, Lines: test.lines, Kind: Code, Stored: c.at.UTC(),
			}
			got, err := s.Put(t.Context(), "s", "t", Code, []byte(test.text))
			if err != nil || got != want {
				t.Fatalf("put: %+v, %v; want %+v", got, err, want)
			}
			text, m, err := fetch(s, "s", got.ID)
			if err != nil || text != test.text || m != want {
				t.Fatalf("open: %+v, %v; want %+v", m, err, want)
			}
		})
	}
}

func TestSameContentIsStoredOnce(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	for _, session := range []string{"a", "b", "a"} {
		put(t, s, session, "same")
	}
	st, err := s.Status(t.Context())
	if err != nil || st.Blobs != 1 || st.References != 2 || st.Sessions != 2 || st.Bytes != 4 {
		t.Fatalf("%+v, %v", st, err)
	}
}

func TestSessionsAreApart(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{TTL: time.Hour})
	m := put(t, s, "a", "secret")
	_, _, err := fetch(s, "b", m.ID)
	held := coded(t, err, CodeNotHeld)
	if strings.Contains(held, "tool of a") {
		t.Fatal(held)
	}
	_, _, err = fetch(s, "b", m.ID[:MinPrefix])
	coded(t, err, CodeNotHeld)
	never := ID([]byte("never stored"))
	_, _, err = fetch(s, "b", never)
	if got := coded(t, err, CodeNotHeld); strings.ReplaceAll(got, never, m.ID) != held {
		t.Fatalf("%q and %q tell whether the store has it", held, got)
	}
}

func TestSessionNamesAreAnyString(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "store"), StoreOptions{})
	names := []string{"", ".", "..", "../../x", "/etc/passwd", "a\x00b", "\xff", "\xfe", strings.Repeat("s", 4096), "CON", "ä"}
	for _, n := range names {
		put(t, s, n, "of "+n)
	}
	for _, n := range names {
		holds(t, s, n, ID([]byte("of "+n)), "of "+n)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Fatalf("beside the store: %v, %v", list, err)
	}
	if _, err := s.Put(t.Context(), strings.Repeat("s", 4097), "", Text, []byte("x")); err == nil {
		t.Fatal("a session name that no reference can keep was taken")
	}
}

func TestIDs(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	m := put(t, s, "s", "text")
	for _, id := range []string{m.ID, m.ID[:MinPrefix], strings.ToUpper(m.ID), m.ID[:40]} {
		holds(t, s, "s", id, "text")
	}
	for _, id := range []string{"", "ab", m.ID[:MinPrefix-1], m.ID + "0", "../../../../etc/passwd", "..", m.ID[:62] + "/.", strings.Repeat("*", 64), strings.Repeat("\u212a", 22)} {
		_, _, err := s.Open(t.Context(), "s", id)
		coded(t, err, CodeBadID)
	}
}

func TestAmbiguousPrefix(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	m := put(t, s, "s", "text")
	// Two ids that share sixteen digits cannot be made by hashing; a second reference can.
	twin := m.ID[:MinPrefix] + strings.Repeat("0", idLength-MinPrefix)
	file := filepath.Join(s.path, notePath(refs, sessionHash("s"), m.ID))
	other := filepath.Join(s.path, notePath(refs, sessionHash("s"), twin))
	if err := os.Link(file, other); err != nil {
		t.Skip(err)
	}
	_, _, err := s.Open(t.Context(), "s", m.ID[:MinPrefix])
	coded(t, err, CodeBadID)
	holds(t, s, "s", m.ID, "text")
}

func TestPermissions(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made")
	open(t, filepath.Join(made, "store"), StoreOptions{})
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder around: %v, %v", info.Mode(), err)
	}
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.Mkdir(dir, 0o777))
	s := open(t, dir, StoreOptions{TTL: 1, Now: newClock().now})
	put(t, s, "s", "text")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return err
	})
	require.NoError(t, err)
}

// A store of a later version of the program is left as it is.
func TestLaterStoresAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	s, err := OpenStore(dir, StoreOptions{})
	require.NoError(t, err)
	s.Close()
	require.NoError(t, os.RemoveAll(filepath.Join(dir, temp)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, marker), []byte("2\n"), 0o600))
	_, err = OpenStore(dir, StoreOptions{})
	if want := dir + ": a rescue store of another version: left alone"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := os.Lstat(filepath.Join(dir, temp)); err == nil {
		t.Error("a folder was made in it")
	}
}

func TestForeignFoldersAreLeftAlone(t *testing.T) {
	for _, name := range []string{"blobs/ab/x", "index.json", "sub/" + marker, marker + "/x"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, name)
			os.MkdirAll(filepath.Dir(file), 0o755)
			os.WriteFile(file, []byte("theirs"), 0o644)
			before, _ := os.ReadDir(dir)
			_, err := OpenStore(dir, StoreOptions{})
			if want := dir + ": not a rescue store and not empty: left alone"; err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
			after, _ := os.ReadDir(dir)
			if data, _ := os.ReadFile(file); string(data) != "theirs" || len(after) != len(before) {
				t.Fatal("touched")
			}
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o644)
	_, err := OpenStore(file, StoreOptions{})
	if want := file + ": not used as a rescue store: it is not a folder"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestNoPathLeavesTheStore(t *testing.T) {
	outside := t.TempDir()
	s := open(t, t.TempDir(), StoreOptions{})
	id := ID([]byte("text"))
	if err := os.Symlink(outside, filepath.Join(s.path, shardPath(id))); err != nil {
		t.Skip(err)
	}
	if _, err := s.Put(t.Context(), "s", "", Text, []byte("text")); err == nil {
		t.Fatal("put followed a link out of the store")
	}
	if list, _ := os.ReadDir(outside); len(list) != 0 {
		t.Fatal("written outside")
	}
	require.NoError(t, os.WriteFile(filepath.Join(outside, id), []byte("text"), 0o600))
	sweepAll(t, s)
	if _, err := os.Stat(filepath.Join(outside, id)); err != nil {
		t.Fatal("a sweep removed a file outside")
	}
}

func TestPutThatFailsLeavesNothing(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Put(ctx, "s", "", Text, []byte("text")); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if list, _ := s.entries(temp); len(list) != 0 {
		t.Fatalf("left in temp: %v", list)
	}
}

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
