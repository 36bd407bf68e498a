package transcript

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"caliper/model/require"
)

// padding is the size of the table that makes a database large and that nobody reads.
const padding = 4 << 20

// following is a database with a log, and what reads it again and again.
type following struct {
	t         *testing.T
	run       func(statements ...string)
	path      string
	temporary string // the folder for temporary files
	copies    DatabaseCopies
}

// follow returns a large database that rests, and its connection, which is open.
func followDatabase(t *testing.T) *following {
	t.Helper()
	f := &following{t: t, temporary: t.TempDir()}
	t.Setenv("TMPDIR", f.temporary)
	if os.TempDir() != f.temporary {
		t.Skip("the folder for temporary files is not TMPDIR here")
	}
	d, path := home(t, schema, "CREATE TABLE padding (x)", fmt.Sprintf("INSERT INTO padding VALUES (zeroblob(%d))", padding), "PRAGMA wal_checkpoint(truncate)")
	f.path, f.run = path, func(statements ...string) { t.Helper(); run(t, d, statements...) }
	f.rest()
	return f
}

// rest sets the time of the database to one that has passed.
func (f *following) rest() {
	f.t.Helper()
	if err := os.Chtimes(f.path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		f.t.Fatal(err)
	}
}

// session adds a session with one message, in one transaction.
func (f *following) session(n int) {
	f.t.Helper()
	f.run(fmt.Sprintf(`BEGIN; INSERT INTO sessions (id, started_at) VALUES ('s%[1]d', %[1]d); INSERT INTO messages (session_id, role, content) VALUES ('s%[1]d', 'user', 'hi'); COMMIT`, n))
}

// read reads the database and returns its sessions. whole is whether the database itself
// was copied.
func (f *following) read() (sessions int, whole bool) {
	f.t.Helper()
	folder := filepath.Dir(f.path)
	before := listing(f.t, folder)
	bytes := 0
	r := new(HermesReader)
	r.Options = Options{Progress: func(n int) { bytes += n }}
	if err := f.copies.Read(f.t.Context(), r, f.path); err != nil {
		f.t.Fatal(err)
	}
	if after := listing(f.t, folder); after != before {
		f.t.Errorf("the folder was\n%sand is\n%s", before, after)
	}
	log := r.Log()
	if len(log.Skipped) > 0 {
		f.t.Errorf("left out: %+v", log.Skipped)
	}
	for _, s := range log.Sessions {
		if len(s.Contexts[0].Entries) != 1 {
			f.t.Errorf("%s has %d entries", s.ID, len(s.Contexts[0].Entries))
		}
	}
	return len(log.Sessions), bytes > padding/2 // half of the copied bytes are told of
}

// left returns the files that are kept, with their content.
func (f *following) left() map[string][]byte {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(f.temporary, "*", "*"))
	if err != nil {
		f.t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, file := range files {
		info, err := os.Stat(filepath.Dir(file))
		if err != nil {
			f.t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			f.t.Errorf("the folder is %v", info.Mode())
		}
		if out[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			f.t.Fatal(err)
		}
	}
	return out
}

// TestOnlyTheLogIsCopiedAgain: a database that grows in its log is copied once, and every
// reading has the rows that are new.
func TestOnlyTheLogIsCopiedAgain(t *testing.T) {
	f := followDatabase(t)
	for i := range 5 {
		f.session(i)
		if n, whole := f.read(); n != i+1 || whole != (i == 0) {
			t.Errorf("reading %d has %d sessions, and the database was copied: %v", i, n, whole)
		}
		main, err := os.ReadFile(f.path)
		require.NoError(t, err)
		left := f.left()
		if _, lease := left[leaseName]; !lease || len(left) != 2 || !bytes.Equal(left[copyName], main) {
			t.Fatalf("reading %d leaves %d files; the copy is the database: %v", i, len(left), bytes.Equal(left[copyName], main))
		}
	}
	f.copies.Close()
	f.session(5)
	if n, whole := f.read(); n != 6 || !whole {
		t.Errorf("after the end %d sessions, and the database was copied: %v", n, whole)
	}
	if left, _ := os.ReadDir(f.temporary); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestACopyThatIsOldIsMadeAnew: what changes the database itself has it copied again.
func TestACopyThatIsOldIsMadeAnew(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(f *following)
		want        int
		whole, next bool // the database is copied; it is the next time
	}{
		"nothing":                   {func(f *following) {}, 2, false, false},
		"a checkpoint":              {func(f *following) { f.session(2); f.run("PRAGMA wal_checkpoint(truncate)") }, 3, true, true},
		"a checkpoint, and rest":    {func(f *following) { f.session(2); f.run("PRAGMA wal_checkpoint(truncate)"); f.rest(); f.session(3) }, 4, true, false},
		"a log that begins anew":    {func(f *following) { f.run("PRAGMA wal_checkpoint(restart)"); f.session(2); f.rest() }, 3, true, false},
		"the counter, not the time": {func(f *following) { f.patch(27) }, 2, true, false},
		"the copy is gone": {func(f *following) {
			for _, p := range f.copies.kept {
				os.RemoveAll(p.folder)
			}
		}, 2, true, false},
		"a journal": {func(f *following) {
			if err := os.WriteFile(f.path+"-journal", nil, 0o600); err != nil {
				f.t.Fatal(err)
			}
		}, 2, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := followDatabase(t)
			defer f.copies.Close()
			f.session(0)
			f.session(1)
			if n, whole := f.read(); n != 2 || !whole {
				t.Fatalf("%d sessions, copied: %v", n, whole)
			}
			c.change(f)
			if n, whole := f.read(); n != c.want || whole != c.whole {
				t.Errorf("%d sessions, copied: %v", n, whole)
			}
			if n, whole := f.read(); n != c.want || whole != c.next {
				t.Errorf("the next time %d sessions, copied: %v", n, whole)
			}
		})
	}
}

// patch changes a byte of the database and keeps its time.
func (f *following) patch(at int64) {
	f.t.Helper()
	info, err := os.Stat(f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	var b [1]byte
	if _, err := file.ReadAt(b[:], at); err != nil {
		f.t.Fatal(err)
	}
	b[0]++
	if _, err := file.WriteAt(b[:], at); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Chtimes(f.path, time.Time{}, info.ModTime()); err != nil {
		f.t.Fatal(err)
	}
}

// TestWithoutALog: a database whose log was taken in when its writer ended is kept, too.
func TestWithoutALog(t *testing.T) {
	f := followDatabase(t)
	defer f.copies.Close()
	require.NoError(t, os.Remove(f.path+"-wal"))
	require.NoError(t, os.Remove(f.path+"-shm"))
	for i := range 2 {
		if n, whole := f.read(); n != 0 || whole != (i == 0) {
			t.Errorf("reading %d has %d sessions, and the database was copied: %v", i, n, whole)
		}
	}
}

// TestWhatIsNotKept: an unreadable copy is not kept, nor one too large.
func TestWhatIsNotKept(t *testing.T) {
	f := followDatabase(t)
	defer f.copies.Close()
	folder := t.TempDir()
	whole, err := os.ReadFile(f.path)
	require.NoError(t, err)
	put := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
		return path
	}
	r := new(HermesReader)
	if err := f.copies.Read(t.Context(), r, put("damaged", whole[:5000])); err != nil || len(f.copies.kept) > 0 {
		t.Errorf("%d kept of what is damaged (%v)", len(f.copies.kept), err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := f.copies.Read(ctx, r, f.path); err == nil || len(f.copies.kept) > 0 {
		t.Errorf("%d kept after an interruption (%v)", len(f.copies.kept), err)
	}
	for i := range keptMost + 2 {
		require.NoError(t, f.copies.Read(t.Context(), r, put(fmt.Sprint(i), whole)))
	}
	if folders, _ := os.ReadDir(f.temporary); len(folders) != keptMost {
		t.Errorf("%d folders", len(folders))
	}
}
