//go:build unix

package watch

import (
	"errors"
	"syscall"
	"testing"
)

// TestPipesDoNotHang: opening a pipe that nobody writes to would block for ever.
func TestPipesDoNotHang(t *testing.T) {
	s := newStage(t)
	s.mkdir("f")
	s.must(syscall.Mkfifo(s.path("f/pipe.json"), 0o600))
	s.write("f/r.json", a)
	s.watch("f/pipe.json", "f")
	defer s.stop()
	got := s.next()
	if len(got.Files) != 2 || !errors.Is(got.Files[0].Err, errIrregular) || string(got.Files[1].Data) != a {
		t.Errorf("files are %q", s.describe(got))
	}
	// Found regular, a pipe when it is opened.
	found := scan([]root{{"r", s.path("f/r.json")}}, Options{})
	s.remove("f/r.json")
	s.must(syscall.Mkfifo(s.path("f/r.json"), 0o600))
	if c := read(found[0]); !errors.Is(c.Err, errIrregular) {
		t.Errorf("read %q, %v", c.Data, c.Err)
	}
	if f := Read(s.path("f/pipe.json")); !errors.Is(f.Err, errIrregular) {
		t.Errorf("read once: %q, %v", f.Data, f.Err)
	}
}
