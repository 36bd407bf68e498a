package newfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

func TestMain(m *testing.M) { os.Exit(require.Run(m)) }

// names returns the names in a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func expect(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s has %q, %v, want %q", path, got, err, want)
	}
	if all := names(t, filepath.Dir(path)); len(all) != 1 {
		t.Errorf("beside the file: %q", all)
	}
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	for _, content := range []string{"first", "", "second and longer"} {
		require.NoError(t, Write(path, []byte(content), 0o600))
		expect(t, path, content)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Nothing is at the path before Commit, and the old content stays until then.
func TestCommitIsTheStep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	f, err := Create(path, 0o600)
	require.NoError(t, err)
	if _, err := f.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before Commit: %v", err)
	}
	Sweep(path) // which knows that its writer lives
	if all := names(t, filepath.Dir(path)); len(all) != 1 || all[0] != filepath.Base(f.Name()) {
		t.Errorf("unfinished: %q", all)
	}
	require.NoError(t, f.Commit())
	expect(t, path, "new")
}

// A Commit that fails leaves the path and nothing beside it.
func TestCommitFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.MkdirAll(filepath.Join(path, "full"), 0o700))
	if err := Write(path, []byte("new"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if all := names(t, filepath.Dir(path)); len(all) != 1 {
		t.Errorf("left: %q", all)
	}
	if err := Write(filepath.Join(path, "nowhere", "a"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// What a link leads to is not written.
func TestWriteReplacesALink(t *testing.T) {
	theirs, path := filepath.Join(t.TempDir(), "theirs"), filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, os.WriteFile(theirs, []byte("theirs"), 0o600))
	if err := os.Symlink(theirs, path); err != nil {
		t.Skip(err)
	}
	require.NoError(t, Write(path, []byte("ours"), 0o600))
	expect(t, path, "ours")
	expect(t, theirs, "theirs")
}

// What a killed writer left goes, and no file of anybody else.
func TestSweep(t *testing.T) {
	folder, long := t.TempDir(), strings.Repeat("ä", 127)
	left := []string{".a.json.caliper-", ".a.json", ".a.json12", ".a.json.caliper-9x", ".a.json.caliper-18446744073709551616", "a.json.caliper-12", ".b.json.caliper-12"}
	for _, name := range append(left, ".a.json.caliper-12", ".a.json.caliper-18446744073709551615", "."+long[:200]+".caliper-1") {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
		old := time.Now().Add(-2 * abandoned) // for systems without locks
		require.NoError(t, os.Chtimes(filepath.Join(folder, name), old, old))
	}
	require.NoError(t, os.Mkdir(filepath.Join(folder, ".a.json.caliper-7"), 0o700))
	live, err := Create(filepath.Join(folder, "a.json"), 0o600)
	require.NoError(t, err)
	defer live.Discard()
	if runtime.GOOS == "linux" { // its writer lives, however old the file is
		old := time.Now().Add(-2 * abandoned)
		require.NoError(t, os.Chtimes(live.Name(), old, old))
	}
	if name, ok := Finished("." + mark + "7"); name != "" || !ok {
		t.Errorf("an unfinished file of no name: %q, %v", name, ok)
	}
	if name, ok := Finished(filepath.Base(live.Name())); name != "a.json" || !ok {
		t.Errorf("%s will be %q, %t", live.Name(), name, ok)
	}
	Sweep(filepath.Join(folder, "a.json"))
	Sweep(filepath.Join(folder, long))
	Sweep(filepath.Join(folder, "nowhere", "a.json"))
	want := append(left, ".a.json.caliper-7", filepath.Base(live.Name()))
	slices.Sort(want)
	if got := names(t, folder); !slices.Equal(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
}

// A name may be as long as the disk lets it.
func TestLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("ä", 127))
	require.NoError(t, Write(path, []byte("new"), 0o600))
	expect(t, path, "new")
}

// A file that a sweep takes before its writer has locked it is not written.
func TestLeaseOfNothing(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), ".a.json.caliper-1"))
	require.NoError(t, err)
	defer f.Close()
	if runtime.GOOS != "windows" {
		release, ok := lease(f)
		if _, again := lease(f); !ok || again {
			t.Errorf("a lease %v, another one %v", ok, again)
		}
		release()
	}
	if err := os.Remove(f.Name()); err != nil {
		t.Skip(err)
	}
	if _, ok := lease(f); ok && runtime.GOOS != "windows" {
		t.Error("it has a lease")
	}
}

// Exchange gives each file the other's name, and a second one gives them back.
func TestExchange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, Write(path, []byte("old"), 0o600))
	f, err := Create(path, 0o600)
	require.NoError(t, err)
	if _, err := f.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, f.Close())
	for _, want := range []string{"new", "old"} {
		if err := f.Exchange(); errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	require.NoError(t, os.Remove(path))
	var failed *os.LinkError
	if err := f.Exchange(); !errors.As(err, &failed) || failed.New != path {
		t.Errorf("swapped with what is not there: %v", err)
	}
	require.NoError(t, f.Discard())
}

// A new file never takes the place of one that came meanwhile, with hard links
// and without.
func TestCommitNew(t *testing.T) {
	commits := map[string]func(*File) error{
		"linked": (*File).CommitNew,
		"reserved": func(f *File) error {
			if err := f.Close(); err != nil {
				return err
			}
			return f.reserve()
		},
	}
	for name, commit := range commits {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.json")
			for i, content := range []string{"first", "second"} {
				f, err := Create(path, 0o600)
				require.NoError(t, err)
				if _, err := f.WriteString(content); err != nil {
					t.Fatal(err)
				}
				if err := commit(f); (err != nil) != (i > 0) || i > 0 && !errors.Is(err, fs.ErrExist) {
					t.Errorf("%s: %v", content, err)
				}
				expect(t, path, "first")
			}
		})
	}
}

// TestFault: only a folder of the user's own, to which nobody else can write, is
// safe.
func TestFolderFault(t *testing.T) {
	for _, c := range []struct {
		name        string
		mode        fs.FileMode
		owner, user int
		isNew       bool
		says        string
	}{
		{"ours alone", 0o700, 5, 5, false, ""},
		{"others may read", 0o755, 5, 5, false, ""},
		{"the group may write", 0o770, 5, 5, false, "other users can write to it (mode 0770)"},
		{"others may write", 0o702, 5, 5, false, "other users can write to it"},
		{"others may write to what is empty", 0o777, 5, 5, true, ""},
		{"another's", 0o700, 6, 5, false, "it belongs to another user (6, and this is 5)"},
		{"another's and empty", 0o700, 6, 5, true, "another user"},
		{"another's, for root", 0o700, 6, 0, false, "another user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := folderFault(c.mode, c.owner, c.user, c.isNew); got != c.says && (c.says == "" || !strings.HasPrefix(got, c.says) && !strings.Contains(got, c.says)) {
				t.Errorf("got %q", got)
			}
		})
	}
}
