package watch

import (
	"errors"
	"fmt"
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

func TestDirectories(t *testing.T) {
	for _, tc := range []struct {
		name  string
		build func(s *stage)
		path  string
		want  []string // within the stage
	}{
		{"a file", func(s *stage) { s.write("d/r", "") }, "d/r", []string{"d"}},
		{"a folder is watched from within and without", func(s *stage) { s.mkdir("d") }, "d", []string{".", "d"}},
		{"missing file", func(s *stage) { s.mkdir("d") }, "d/r", []string{"d"}},
		{"missing folders", nil, "d/e/r", []string{"."}},
		{"file in the place of a folder", func(s *stage) { s.write("d", "") }, "d/r", []string{"."}},
		{"dots", func(s *stage) { s.write("d/e/r", ""); s.write("d/r", "") }, "d/./e//../r", []string{"d"}},
		{"link to a file", func(s *stage) { s.write("e/r", ""); s.mkdir("d"); s.link("../e/r", "d/l") }, "d/l", []string{"d", "e"}},
		{"dangling link", func(s *stage) { s.mkdir("d"); s.mkdir("e"); s.link("../e/r", "d/l") }, "d/l", []string{"d", "e"}},
		{"absolute link", func(s *stage) { s.write("e/r", ""); s.mkdir("d"); s.link(s.path("e/r"), "d/l") }, "d/l", []string{"d", "e"}},
		{"two links", func(s *stage) {
			s.write("m/v1/r", "")
			s.link("v1", "m/data")
			s.link("data/r", "m/r")
		}, "m/r", []string{"m", "m/v1"}},
		{"linked folder on the way", func(s *stage) { s.write("e/x/r", ""); s.link("e", "l") }, "l/x/r", []string{".", "e/x"}},
		{"dots behind a link lead elsewhere", func(s *stage) {
			s.write("p/q/x", "")
			s.write("p/r", "")
			s.link("p/q", "l")
		}, "l/../r", []string{".", "p"}},
		{"folder with links", func(s *stage) {
			s.write("d/plain.json", "")
			s.write("e/far.json", "")
			s.write("g/other", "")
			s.link("../e/far.json", "d/l.json")
			s.link("../g/other", "d/refused")
		}, "d", []string{".", "d", "e"}},
		{"folder in a folder", func(s *stage) { s.mkdir("d/sub.json") }, "d", []string{".", "d"}},
		{"ring of links", func(s *stage) { s.link("b", "a"); s.link("a", "b") }, "a", []string{"."}},
		{"more links than are followed", func(s *stage) { s.write("end/r", ""); chain(s, "../end/r") }, "c9/l",
			[]string{"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "end"}},
		{"more links than are followed, to a folder with a link", func(s *stage) {
			s.write("far/x.json", "")
			s.mkdir("end/d")
			s.link("../../far/x.json", "end/d/l.json")
			chain(s, "../end/d")
		}, "c9/l", []string{"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "end", "end/d", "far"}},
		{"as many links as are followed", func(s *stage) { s.write("end/r", ""); chain(s, "../end/r") }, "c7/l",
			[]string{"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "end"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &stage{t: t, dir: t.TempDir(), opt: quick()}
			if tc.build != nil {
				tc.build(s)
			}
			base, err := filepath.EvalSymlinks(s.dir)
			s.must(err)
			var got []string
			real := s.dir + string(filepath.Separator) + filepath.FromSlash(tc.path)
			for _, dir := range directories([]root{{tc.path, real}}, s.opt) {
				rel, err := filepath.Rel(base, dir)
				s.must(err)
				got = append(got, filepath.ToSlash(rel))
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("directories of %s are %q, want %q", tc.path, got, tc.want)
			}
		})
	}
}

// chain makes ten links in ten folders, each of which leads to the one before.
func chain(s *stage, target string) {
	for i := range 10 {
		s.link(target, fmt.Sprintf("c%d/l", i))
		target = fmt.Sprintf("../c%d/l", i)
	}
}
