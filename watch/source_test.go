package watch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// armed arms src for path and returns the directories watched, within the stage.
func armed(s *stage, src *source, path string) []string {
	s.t.Helper()
	src.arm([]root{{path, s.path(path)}}, s.opt)
	base, err := filepath.EvalSymlinks(s.dir)
	s.must(err)
	var dirs []string
	if src.fs != nil {
		for _, dir := range src.fs.WatchList() {
			rel, err := filepath.Rel(base, dir)
			s.must(err)
			dirs = append(dirs, filepath.ToSlash(rel))
		}
	}
	slices.Sort(dirs)
	return dirs
}

// TestArmFollows: the directories watched are the ones wanted, and no others, as links and folders
// come and go.
func TestArmFollows(t *testing.T) {
	s := newStage(t)
	src := source{open: fsnotify.NewWatcher}
	defer src.close()
	expect := func(want ...string) {
		t.Helper()
		if got := armed(s, &src, "l/r.json"); !slices.Equal(got, want) || src.note != "" {
			t.Errorf("watches %q (note %q), want %q", got, src.note, want)
		}
	}
	expect(".")
	s.write("one/r.json", a)
	s.link("one", "l")
	expect(".", "one")
	first := src.fs
	expect(".", "one")
	if src.fs != first {
		t.Error("a new source was opened for nothing")
	}
	s.write("two/r.json", a)
	s.relink("two", "l")
	expect(".", "two")
	if _, open := <-first.Errors; open {
		t.Error("the old source was not closed")
	}
	s.remove("two")
	expect(".")
}

// TestArmKeepsWhatItHas when the limit does not allow a new source.
func TestArmKeepsWhatItHas(t *testing.T) {
	s := newStage(t)
	src := source{open: fsnotify.NewWatcher}
	defer src.close()
	s.write("one/r.json", a)
	s.link("one", "l")
	armed(s, &src, "l/r.json")
	src.open = noOpen(syscall.EMFILE)
	s.write("two/r.json", a)
	s.relink("two", "l")
	if got := armed(s, &src, "l/r.json"); !slices.Equal(got, []string{".", "one", "two"}) || src.note != "" {
		t.Errorf("watches %q (note %q)", got, src.note)
	}
}

// TestArmWalksAgain: a folder that appears after the walk and before the watch of its parent has
// sent no event, and is found nevertheless.
func TestArmWalksAgain(t *testing.T) {
	s := newStage(t)
	src := source{open: func() (*fsnotify.Watcher, error) {
		s.mkdir("d")
		return fsnotify.NewWatcher()
	}}
	defer src.close()
	if got := armed(s, &src, "d/r.json"); !slices.Equal(got, []string{"d"}) {
		t.Errorf("watches %q", got)
	}
}

// TestAddOfWhatIsGone: a directory that vanished since the walk asks for another walk, and is no
// reason to poll.
func TestAddOfWhatIsGone(t *testing.T) {
	s := newStage(t)
	src := source{open: fsnotify.NewWatcher}
	defer src.close()
	defer src.renew(nil)()
	if !src.add([]string{s.path("gone")}) || src.note != "" || len(src.dirs) != 0 {
		t.Errorf("note %q, watches %q", src.note, src.dirs)
	}
	if err := src.fs.Add(s.path("gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("fsnotify says %v", err)
	}
}
