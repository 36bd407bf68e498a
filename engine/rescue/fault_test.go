package rescue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model/newfile"
	"caliper/model/require"
)

// faulty is a folder that remembers what was asked of it and refuses one request.
// Nothing is written through, so that tests need not wait for the disk.
type faulty struct {
	files
	log  []string
	fail int // the number of the request that fails, from 1; 0: none
}

var errFault = errors.New("injected fault")

// asked notes a request and returns the fault when it is its turn.
func (f *faulty) asked(what string) error {
	f.log = append(f.log, what)
	if len(f.log) == f.fail {
		return errFault
	}
	return nil
}

func (f *faulty) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	if err := f.asked("open " + name); err != nil {
		return nil, err
	}
	g, err := f.files.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultyFile{g, f, name}, nil
}

func (f *faulty) Mkdir(name string, perm fs.FileMode) error {
	return cmpOr(f.asked("mkdir "+name), func() error { return f.files.Mkdir(name, perm) })
}

func (f *faulty) Lstat(name string) (info fs.FileInfo, err error) {
	if err := f.asked("lstat " + name); err != nil {
		return nil, err
	}
	return f.files.Lstat(name)
}

func (f *faulty) Rename(from, to string) error {
	return cmpOr(f.asked("rename "+from+" "+to), func() error { return f.files.Rename(from, to) })
}

func (f *faulty) Remove(name string) error {
	return cmpOr(f.asked("remove "+name), func() error { return f.files.Remove(name) })
}

func (f *faulty) RemoveAll(name string) error {
	return cmpOr(f.asked("removeall "+name), func() error { return f.files.RemoveAll(name) })
}

func (f *faulty) Chtimes(name string, used, changed time.Time) error {
	return cmpOr(f.asked("chtimes "+name), func() error { return f.files.Chtimes(name, used, changed) })
}

// cmpOr returns the error, or what do returns without one.
func cmpOr(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

type faultyFile struct {
	file
	f    *faulty
	name string
}

func (g *faultyFile) Read(p []byte) (int, error) {
	if err := g.f.asked("read " + g.name); err != nil {
		return 0, err
	}
	return g.file.Read(p)
}

func (g *faultyFile) Write(p []byte) (int, error) {
	if err := g.f.asked("write " + g.name); err != nil {
		return 0, err
	}
	return g.file.Write(p)
}

func (g *faultyFile) Stat() (fs.FileInfo, error) {
	if err := g.f.asked("stat " + g.name); err != nil {
		return nil, err
	}
	return g.file.Stat()
}

func (g *faultyFile) Sync() error { return g.f.asked("sync " + g.name) }

func (g *faultyFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if err := g.f.asked("readdir " + g.name); err != nil {
		return nil, err
	}
	return g.file.ReadDir(n)
}

func (g *faultyFile) Close() error {
	return errors.Join(g.f.asked("close "+g.name), g.file.Close())
}

// openFaulty opens a store whose folder does as f says.
func openFaulty(t testing.TB, dir string, o StoreOptions) (*Store, *faulty) {
	t.Helper()
	require.NoError(t, adopt(dir))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	f := &faulty{files: rooted{root}}
	s := &Store{root: f, path: dir, opts: o}
	require.NoError(t, s.prepare())
	t.Cleanup(func() { s.Close() })
	return s, f
}

// scenes are operations on a store that holds "kept" for "s" and "old" for "o";
// the latter has expired.
var scenes = map[string]func(ctx context.Context, s *Store) error{
	"put": func(ctx context.Context, s *Store) error {
		_, err := s.Put(ctx, "s", "t", Text, []byte("new"))
		return err
	},
	"put again": func(ctx context.Context, s *Store) error {
		_, err := s.Put(ctx, "s", "t", Text, []byte("kept"))
		return err
	},
	"put that evicts": func(ctx context.Context, s *Store) error {
		s.opts.MaxBytes = 8
		defer func() { s.opts.MaxBytes = 0 }()
		_, err := s.Put(ctx, "s", "t", Text, []byte("new"))
		return err
	},
	"open": func(ctx context.Context, s *Store) error {
		_, text, err := s.Open(ctx, "s", ID([]byte("kept")))
		if err == nil && string(text) != "kept" {
			err = fmt.Errorf("read %q", text)
		}
		return err
	},
	"open by a beginning": func(ctx context.Context, s *Store) error {
		_, _, err := s.Open(ctx, "s", ID([]byte("kept"))[:MinPrefix])
		return err
	},
	"status": func(ctx context.Context, s *Store) error {
		st, err := s.Status(ctx)
		if err != nil && st != (StoreStatus{}) { // a folder that cannot be listed is not an empty one
			return fmt.Errorf("%+v without %w", st, io.ErrUnexpectedEOF)
		}
		if err == nil && (st.Blobs != 2 || st.References != 2 || st.Sessions != 2) {
			err = fmt.Errorf("%+v", st)
		}
		return err
	},
	"references": func(ctx context.Context, s *Store) error {
		list, err := s.References(ctx)
		if err == nil && len(list) != 2 {
			err = fmt.Errorf("%+v", list)
		}
		return err
	},
	"sweep": func(ctx context.Context, s *Store) error {
		w, err := s.Sweep(ctx, false)
		if err == nil && (w.Expired != 1 || w.Blobs != 1) {
			err = fmt.Errorf("%+v", w)
		}
		return err
	},
}

// withoutConsequence are the requests whose fault is no fault of the whole: what they
// were for is done by the next put or sweep, or was done already.
var withoutConsequence = regexp.MustCompile(`^(` + strings.Join([]string{
	`(?:removeall|lstat|readdir|open|close) temp(/.*)?`, // what a put leaves is the next one's to remove
	`lstat blobs/../[0-9a-f]+`,                          // whether a blob is there already
	`close (refs|tombstones|blobs)(/.*)?`,               // read and no longer needed
	`(readdir|open) (refs|tombstones)/[0-9a-f]+`,        // whether a folder has become empty
	`close quarantine`,
}, "|") + `)$`)

// TestEveryFault: whatever request fails, the error is told, what was kept is kept,
// and the next attempt succeeds.
func TestEveryFault(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				c := newClock()
				s, f := openFaulty(t, filepath.Join(t.TempDir(), "s"), StoreOptions{TTL: 10 * time.Hour, TombstoneTTL: -1, Now: c.now})
				put(t, s, "o", "old")
				c.pass(9 * time.Hour)
				put(t, s, "s", "kept")
				c.pass(2 * time.Hour)
				f.log, f.fail = nil, n
				err := scenes[name](t.Context(), s)
				if len(f.log) < n {
					if err != nil {
						t.Fatalf("without a fault: %v", err)
					}
					if n < 4 {
						t.Fatalf("only %d requests", n)
					}
					return
				}
				failed := f.log[n-1]
				f.fail = 0
				switch {
				case err == nil && !withoutConsequence.MatchString(failed):
					t.Errorf("%d: %s fails and nobody says so", n, failed)
				case err != nil && !errors.Is(err, errFault):
					t.Errorf("%d: %s fails: %v", n, failed, err)
				}
				holds(t, s, "s", ID([]byte("kept")), "kept")
				put(t, s, "s", "new")
				holds(t, s, "s", ID([]byte("new")), "new")
				sweepAll(t, s)
				if list, err := s.entries(temp); err != nil || len(list) != 0 {
					t.Errorf("%d: %s fails and leaves %v, %v", n, failed, list, err)
				}
				holds(t, s, "s", ID([]byte("kept")), "kept")
				_, _, err = fetch(s, "o", ID([]byte("old")))
				coded(t, err, CodeGone)
			}
		})
	}
}

// inOrder fails the test unless the requests come in this order, others between
// them. A * stands for anything.
func inOrder(t *testing.T, log []string, want ...string) {
	t.Helper()
	at := 0
	for _, w := range want {
		re := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(w), `\*`, ".*") + "$")
		i := slices.IndexFunc(log[at:], re.MatchString)
		if i < 0 {
			t.Fatalf("no %q after %d of\n%s", w, at, strings.Join(log, "\n"))
		}
		at += i + 1
	}
}

// TestDurable: nothing is seen before it is on the disk, and no put, sweep or
// eviction ends before the names are.
func TestDurable(t *testing.T) {
	c := newClock()
	s, f := openFaulty(t, filepath.Join(t.TempDir(), "s"), StoreOptions{TTL: time.Hour, TombstoneTTL: -1, Now: c.now})
	inOrder(t, f.log, "mkdir blobs", "sync .", "mkdir refs", "sync .", "mkdir temp", "sync .")
	f.log = nil
	m := put(t, s, "s", "text")
	owner, shard := sessionHash("s"), shardPath(m.ID)
	inOrder(t, f.log, "write temp/*/blob", "sync temp/*/blob", "rename temp/*/blob "+blobPath(m.ID), "rename temp/*/note refs/"+owner+"/"+m.ID+".json")
	inOrder(t, f.log, "write temp/*/note", "sync temp/*/note", "rename temp/*/note refs/*")
	inOrder(t, f.log, "mkdir "+shard, "sync blobs", "rename temp/*/blob *", "sync "+shard)
	inOrder(t, f.log, "mkdir refs/"+owner, "sync refs", "rename temp/*/note *", "sync refs/"+owner)
	f.log = nil
	c.pass(2 * time.Hour)
	if _, err := s.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	inOrder(t, f.log, "mkdir tombstones/"+owner, "sync tombstones", "rename refs/*", "sync tombstones/"+owner)
	inOrder(t, f.log, "rename refs/* tombstones/*", "sync refs/"+owner, "remove "+blobPath(m.ID))
	put(t, s, "s", "12345")
	s.opts.MaxBytes = 5
	f.log = nil
	put(t, s, "s", "6")
	inOrder(t, f.log, "rename refs/* tombstones/*", "sync tombstones/"+owner, "rename temp/*/blob *")
	inOrder(t, f.log, "rename refs/* tombstones/*", "sync refs/"+owner, "rename temp/*/blob *")
}

// TestClock: a clock that goes wrong loses nothing that it has not swept.
func TestClock(t *testing.T) {
	c := newClock()
	s := open(t, t.TempDir(), StoreOptions{TTL: time.Hour, TombstoneTTL: time.Hour, MaxBytes: 100, Now: c.now})
	m := put(t, s, "s", "text")
	for _, at := range []time.Duration{-100 * 365 * 24 * time.Hour, time.Hour - 1, 0} {
		c.at = newClock().at.Add(at)
		holds(t, s, "s", m.ID, "text")
		if w := sweepAll(t, s); w != (Swept{}) {
			t.Fatalf("at %v: %+v", at, w)
		}
	}
	c.at = newClock().at.Add(time.Hour) // ahead, and back again
	_, _, err := fetch(s, "s", m.ID)
	coded(t, err, CodeGone)
	c.at = time.Time{}
	holds(t, s, "s", m.ID, "text")
	put(t, s, "s", "more")
	holds(t, s, "s", ID([]byte("more")), "more")
	c.at = newClock().at.Add(time.Hour)
	if w := sweepAll(t, s); w.Expired != 2 {
		t.Fatalf("%+v", w)
	}
	c.pass(time.Hour - 1)
	if w := sweepAll(t, s); w.Tombstones != 0 {
		t.Fatalf("%+v", w)
	}
	c.pass(1)
	if w := sweepAll(t, s); w.Tombstones != 1 { // the other ended when the clock was wrong, and is forgotten
		t.Fatalf("%+v", w)
	}
}

// TestUnsafeStores: a store that others could have written to is refused, and
// nothing in it is touched.
func TestUnsafeStores(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	s := open(t, dir, StoreOptions{})
	m := put(t, s, "s", "text")
	info, err := os.Stat(dir)
	require.NoError(t, err)
	if _, _, known := newfile.Owners(info); !known {
		t.Skip("the owners of files are not known here")
	}
	for _, mode := range []fs.FileMode{0o777, 0o720, 0o702} {
		require.NoError(t, os.Chmod(dir, mode))
		_, err := OpenStore(dir, StoreOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), dir+": not used as a rescue store: other users can write") {
			t.Error(err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v is %v now", mode, info.Mode())
		}
	}
	require.NoError(t, os.Chmod(dir, 0o700))
	holds(t, open(t, dir, StoreOptions{}), "s", m.ID, "text")
	if os.Geteuid() != 0 {
		return // only root can give a folder away
	}
	for _, dir := range []string{dir, t.TempDir()} {
		if err := os.Chown(dir, 4711, -1); err != nil {
			t.Skip(err)
		}
		before, _ := os.ReadDir(dir)
		_, err = OpenStore(dir, StoreOptions{})
		if err == nil || !strings.Contains(err.Error(), "belongs to another user (4711") {
			t.Error(err)
		}
		if after, _ := os.ReadDir(dir); len(after) != len(before) {
			t.Error("touched")
		}
		os.Chown(dir, 0, -1)
	}
}

// TestNoFile: what stands in the place of a file is refused at once, and is left.
func TestNoFile(t *testing.T) {
	s := open(t, t.TempDir(), StoreOptions{})
	m := put(t, s, "s", "text")
	blob, note := filepath.Join(s.path, blobPath(m.ID)), filepath.Join(s.path, notePath(refs, sessionHash("s"), m.ID))
	for what, put := range strangers {
		for _, path := range []string{blob, note} {
			require.NoError(t, os.Rename(path, path+".away"))
			if err := put(path); err != nil {
				t.Log(what, err) // not for this user
			} else {
				_, _, err := fetch(s, "s", m.ID)
				want := m.ID + ": " + what + " is in the place of the stored content and is left alone; remove it"
				if path == blob {
					want += ` and run "tool of s" again`
				}
				if e := coded(t, err, CodeDamaged); e != want {
					t.Errorf("%s: %s", what, e)
				}
				if _, err := os.Lstat(path); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				require.NoError(t, os.Remove(path))
			}
			require.NoError(t, os.Rename(path+".away", path))
		}
		holds(t, s, "s", m.ID, "text")
	}
	lock := filepath.Join(s.path, "lock")
	require.NoError(t, os.Remove(lock))
	if put := strangers["a FIFO"]; put == nil || put(lock) != nil {
		return
	}
	if _, err := OpenStore(s.path, StoreOptions{}); err == nil || !strings.Contains(err.Error(), "lock: a FIFO") {
		t.Error(err)
	}
}

// TestKinds: other kinds than files have names.
func TestKinds(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		fs.ModeDir: "a folder", fs.ModeNamedPipe: "a FIFO", fs.ModeSocket: "a socket", fs.ModeDevice: "a device",
		fs.ModeDevice | fs.ModeCharDevice: "a device", fs.ModeSymlink: "a link", fs.ModeIrregular: "something",
	} {
		if got := fileKind(mode | 0o700); got != want {
			t.Errorf("%v is %q", mode, got)
		}
	}
}
