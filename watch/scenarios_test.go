package watch

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// scenario is something that people and programs do to files, and what must come of it.
type scenario struct {
	name string
	opt  func(*Options)
	play func(s *stage)
}

// a to d are valid contents of different sizes.
const a, b, c, d = `{"a":1}`, `{"b":22}`, `{"c":333}`, `{"d":4444}`

var scenarios = []scenario{
	{"written in place", nil, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.write("r.json", b)
		s.expect("r.json=" + b)
		s.write("r.json", a)
		s.expect("r.json=" + a)
		s.silence()
	}},
	{"slow writer", nil, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.write("r.json", "")
		s.gap(250 * time.Millisecond)
		s.appendTo("r.json", b[:4])
		s.gap(250 * time.Millisecond)
		s.appendTo("r.json", b[4:])
		s.expect("r.json=" + b)
		s.silence()
	}},
	{"slow writer of a format without an end", func(o *Options) { o.Valid = nil }, func(s *stage) {
		s.write("r.json", "one\ntwo\n")
		s.watch("r.json")
		s.expect("r.json=one\ntwo\n")
		s.write("r.json", "")
		s.gap(150 * time.Millisecond)
		s.appendTo("r.json", "one\n")
		s.gap(150 * time.Millisecond)
		s.appendTo("r.json", "three\n")
		s.expect("r.json=one\nthree\n")
		s.silence()
	}},
	{"two renames over the file", nil, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.replace("r.json", b)
		s.expect("r.json=" + b)
		s.replace("r.json", c)
		s.expect("r.json=" + c)
		s.silence()
	}},
	{"saved by vim", nil, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		for _, next := range []string{b, c} {
			s.write("4913", "")
			s.remove("4913")
			s.rename("r.json", "r.json~")
			s.gap(50 * time.Millisecond)
			s.write("r.json", "")
			s.gap(50 * time.Millisecond)
			s.appendTo("r.json", next)
			s.must(os.Chmod(s.path("r.json"), 0o640))
			s.remove("r.json~")
			s.expect("r.json=" + next)
		}
		s.silence()
	}},
	{"ConfigMap", nil, func(s *stage) {
		s.mkdir("..v1")
		s.write("..v1/r.json", a)
		s.link("..v1", "..data")
		s.link("..data/r.json", "r.json")
		s.watch("r.json")
		s.expect("r.json=" + a)
		for i, next := range []string{b, c} {
			dir := fmt.Sprintf("..v%d", i+2)
			s.mkdir(dir)
			s.write(dir+"/r.json", next)
			s.relink(dir, "..data")
			s.remove(fmt.Sprintf("..v%d", i+1))
			s.expect("r.json=" + next)
		}
		s.silence()
	}},
	{"link to another folder", nil, func(s *stage) {
		s.mkdir("here")
		s.mkdir("there")
		s.write("there/t.json", a)
		s.link("../there/t.json", "here/r.json")
		s.watch("here/r.json")
		s.expect("here/r.json=" + a)
		s.write("there/t.json", b)
		s.expect("here/r.json=" + b)
		s.replace("there/t.json", c)
		s.expect("here/r.json=" + c)
		s.mkdir("elsewhere")
		s.write("elsewhere/u.json", d)
		s.relink("../elsewhere/u.json", "here/r.json")
		s.expect("here/r.json=" + d)
		s.write("elsewhere/u.json", a)
		s.expect("here/r.json=" + a)
		s.write("there/t.json", b)
		s.silence()
	}},
	{"linked folder swapped on the way", nil, func(s *stage) {
		s.mkdir("releases/1")
		s.mkdir("releases/2")
		s.write("releases/1/r.json", a)
		s.write("releases/2/r.json", b)
		s.link("releases/1", "current")
		s.watch("current/r.json")
		s.expect("current/r.json=" + a)
		s.relink("releases/2", "current")
		s.expect("current/r.json=" + b)
		s.write("releases/2/r.json", c)
		s.expect("current/r.json=" + c)
		s.silence()
	}},
	{"deleted, then created", nil, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.remove("r.json")
		s.gap(100 * time.Millisecond)
		s.write("r.json", b)
		s.expect("r.json=" + b)
		s.silence()
		s.remove("r.json")
		s.gap(50 * time.Millisecond)
		s.write("r.json", b)
		s.silence()
	}},
	{"deleted for good", brief, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.remove("r.json")
		s.expect("r.json?")
		s.silence()
		s.replace("r.json", a)
		s.expect("r.json=" + a)
		s.silence()
	}},
	{"broken for good", brief, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.replace("r.json", `{"a":`)
		s.expect(`r.json=!{"a":`)
		s.silence()
		s.replace("r.json", `{"a"`)
		s.expect(`r.json=!{"a"`)
		s.replace("r.json", a)
		s.expect("r.json=" + a)
		s.silence()
	}},
	{"truncated, then written", nil, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.must(os.Truncate(s.path("r.json"), 3))
		s.gap(2 * s.opt.Quiet)
		s.write("r.json", b)
		s.expect("r.json=" + b)
		s.silence()
	}},
	{"truncated for good", brief, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.must(os.Truncate(s.path("r.json"), 0))
		s.expect("r.json=!")
		s.silence()
		s.replace("r.json", a)
		s.expect("r.json=" + a)
		s.silence()
	}},
	{"folder replaced", nil, func(s *stage) {
		s.mkdir("d")
		s.write("d/r.json", a)
		s.watch("d/r.json")
		s.expect("d/r.json=" + a)
		s.rename("d", "old")
		s.mkdir("d")
		s.replace("d/r.json", b)
		s.expect("d/r.json=" + b)
		s.remove("d")
		s.mkdir("d")
		s.replace("d/r.json", c)
		s.expect("d/r.json=" + c)
		s.silence()
	}},
	{"folder deleted, later created", brief, func(s *stage) {
		s.write("d/r.json", a)
		s.watch("d/r.json")
		s.expect("d/r.json=" + a)
		s.remove("d")
		s.expect("d/r.json?")
		s.mkdir("d")
		s.silence()
		s.replace("d/r.json", d)
		s.expect("d/r.json=" + d)
		s.replace("d/r.json", a)
		s.expect("d/r.json=" + a)
		s.silence()
	}},
	{"nothing new", nil, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.write("r.json", a)
		s.must(os.Chtimes(s.path("r.json"), time.Time{}, time.Unix(1e9, 0)))
		s.must(os.Chmod(s.path("r.json"), 0o640))
		s.replace("r.json", a)
		s.write("other.json", b)
		s.silence()
	}},
	{"storm", func(o *Options) {
		o.Quiet = 400 * time.Millisecond
		o.Ceiling = time.Minute
	}, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		for attempt := 0; ; attempt++ {
			last, steady := storm(s, attempt)
			if steady {
				s.expect("r.json=" + last)
				break
			}
			for string(s.next().Files[0].Data) != last {
			}
		}
		s.silence()
	}},
	{"chatty writer meets the ceiling", func(o *Options) { o.Quiet = time.Hour }, func(s *stage) {
		s.write("r.json", a)
		s.opt.Tick = time.Hour
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.write("r.json", b)
		s.expect("r.json=" + b)
	}},
	{"not there yet", nil, func(s *stage) {
		s.watch("x/y/r.json")
		s.expect("x/y/r.json?")
		s.mkdir("x")
		s.mkdir("x/y")
		s.silence()
		s.write("x/y/r.json", a)
		s.expect("x/y/r.json=" + a)
		s.silence()
	}},
	{"half written at the start", nil, func(s *stage) {
		s.write("r.json", a[:3])
		s.watch("r.json")
		s.gap(50 * time.Millisecond)
		s.appendTo("r.json", a[3:])
		s.expect("r.json=" + a)
		s.silence()
	}},
	{"broken at the start", brief, func(s *stage) {
		s.write("r.json", a[:3])
		s.watch("r.json")
		s.expect("r.json=!" + a[:3])
		s.silence()
	}},
	{"two paths, one missing", brief, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json", "c.json")
		first := s.expect("r.json="+a, "c.json?")
		s.replace("c.json", b)
		second := s.expect("r.json="+a, "c.json="+b)
		sameSlice(s.t, first.Files[0], second.Files[0])
		s.replace("r.json", c)
		third := s.expect("r.json="+c, "c.json="+b)
		sameSlice(s.t, second.Files[1], third.Files[1])
		s.remove("c.json")
		s.expect("r.json="+c, "c.json?")
		s.silence()
	}},
	{"slice survives a broken moment", nil, func(s *stage) {
		s.write("f/a.json", a)
		s.write("f/b.json", b)
		s.watch("f")
		first := s.expect("f/a.json="+a, "f/b.json="+b)
		s.write("f/a.json", a[:2])
		s.gap(3 * s.opt.Quiet)
		s.write("f/a.json", a)
		s.write("f/b.json", c)
		second := s.expect("f/a.json="+a, "f/b.json="+c)
		sameSlice(s.t, first.Files[0], second.Files[0])
		s.silence()
	}},
	{"folder: files come and go", brief, func(s *stage) {
		s.write("f/b.json", b)
		s.watch("f")
		s.expect("f/b.json=" + b)
		s.replace("f/c.json", c)
		s.expect("f/b.json="+b, "f/c.json="+c)
		s.replace("f/a.json", a)
		s.expect("f/a.json="+a, "f/b.json="+b, "f/c.json="+c)
		s.remove("f/b.json")
		s.expect("f/a.json="+a, "f/c.json="+c)
		s.rename("f/a.json", "f/d.json")
		s.expect("f/c.json="+c, "f/d.json="+a)
		s.remove("f/c.json")
		s.expect("f/d.json=" + a)
		s.remove("f/d.json")
		s.expect("f: open " + s.path("f") + ": " + ErrNoFiles.Error())
		s.silence()
	}},
	{"folder: saved by vim", nil, func(s *stage) {
		s.write("f/a.json", a)
		s.write("f/b.json", b)
		s.watch("f")
		s.expect("f/a.json="+a, "f/b.json="+b)
		s.rename("f/a.json", "f/a.json~")
		s.gap(50 * time.Millisecond)
		s.write("f/a.json", "")
		s.gap(50 * time.Millisecond)
		s.appendTo("f/a.json", c)
		s.remove("f/a.json~")
		s.expect("f/a.json="+c, "f/b.json="+b)
		s.silence()
	}},
	{"folder: what is none of its files", nil, func(s *stage) {
		s.write("f/a.json", a)
		s.watch("f")
		s.expect("f/a.json=" + a)
		s.write("f/b.json.tmp", b)
		s.mkdir("f/sub.json")
		s.write("f/sub.json/c.json", c)
		s.link("nobody@nowhere.1", "f/.#a.json")
		s.silence()
	}},
	{"folder: mounted ConfigMap", nil, func(s *stage) {
		s.mkdir("f/..v1")
		s.write("f/..v1/a.json", a)
		s.link("..v1", "f/..data")
		s.link("..data/a.json", "f/a.json")
		s.watch("f")
		s.expect("f/a.json=" + a)
		s.mkdir("f/..v2")
		s.write("f/..v2/a.json", b)
		s.relink("..v2", "f/..data")
		s.remove("f/..v1")
		s.expect("f/a.json=" + b)
		s.write("f/..v2/a.json", c)
		s.expect("f/a.json=" + c)
		s.silence()
	}},
	{"folder: emptied and filled again", brief, func(s *stage) {
		s.write("f/a.json", a)
		s.write("f/b.json", b)
		s.write("f/notes", c)
		s.watch("f")
		s.expect("f/a.json="+a, "f/b.json="+b)
		s.remove("f/a.json")
		s.remove("f/b.json")
		s.expect("f: open " + s.path("f") + ": " + ErrNoFiles.Error())
		s.silence()
		s.replace("f/a.json", b)
		s.expect("f/a.json=" + b)
		s.silence()
	}},
	{"folder: empty from the start", brief, func(s *stage) {
		s.mkdir("f")
		s.watch("f")
		s.expect("f: open " + s.path("f") + ": " + ErrNoFiles.Error())
		s.replace("f/a.json", a)
		s.expect("f/a.json=" + a)
		s.silence()
	}},
	{"folder: emptied and filled within the patience", nil, func(s *stage) {
		s.write("f/a.json", a)
		s.watch("f")
		s.expect("f/a.json=" + a)
		s.remove("f/a.json")
		s.gap(100 * time.Millisecond)
		s.replace("f/b.json", b)
		s.gap(100 * time.Millisecond)
		s.replace("f/a.json", c)
		s.expect("f/a.json="+c, "f/b.json="+b)
		s.silence()
	}},
	{"empty folder in the place of a file", brief, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.remove("r.json")
		s.mkdir("r.json")
		s.expect("r.json: open " + s.path("r.json") + ": " + ErrNoFiles.Error())
		s.remove("r.json")
		s.replace("r.json", b)
		s.expect("r.json=" + b)
		s.silence()
	}},
	{"folder in the place of a file that must be one", func(o *Options) { brief(o); o.FilesOnly = true }, func(s *stage) {
		s.write("r.json", a)
		s.watch("r.json")
		s.expect("r.json=" + a)
		s.remove("r.json")
		s.write("r.json/a.json", b)
		s.expect("r.json: open " + s.path("r.json") + ": is a directory")
		s.remove("r.json")
		s.replace("r.json", c)
		s.expect("r.json=" + c)
		s.silence()
	}},
	{"folder: vanishes and returns", brief, func(s *stage) {
		s.write("f/a.json", a)
		s.watch("f")
		s.expect("f/a.json=" + a)
		s.rename("f", "g")
		s.expect("f?")
		s.silence()
		s.rename("g", "f")
		s.expect("f/a.json=" + a)
		s.replace("f/b.json", b)
		s.expect("f/a.json="+a, "f/b.json="+b)
		s.silence()
	}},
}

// storm writes and renames 200 times and returns what it wrote last. It was not steady when the
// machine stood still in it for as long as a watcher may take for the end.
func storm(s *stage, attempt int) (last string, steady bool) {
	steady = true
	for i := range 200 {
		begin := time.Now()
		s.write("r.json", fmt.Sprintf(`{"attempt":%d,"written":%d}`, attempt, i))
		last = fmt.Sprintf(`{"attempt":%d,"renamed":%d}`, attempt, i)
		s.replace("r.json", last)
		steady = steady && time.Since(begin) < s.opt.Quiet/4
	}
	return last, steady
}

// sameSlice demands that a consumer can tell unchanged data by its address.
func sameSlice(t *testing.T, a, b File) {
	t.Helper()
	if len(a.Data) == 0 || len(a.Data) != len(b.Data) || &a.Data[0] != &b.Data[0] {
		t.Errorf("%s: unchanged data has another slice", a.Name)
	}
}

// TestEvents plays every scenario on the real system, in real time.
func TestEvents(t *testing.T) {
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := &stage{t: t, dir: t.TempDir(), opt: quick()}
			if sc.opt != nil {
				sc.opt(&s.opt)
			}
			defer func() { s.stop() }()
			sc.play(s)
		})
	}
}

// TestPolling plays every scenario without events; on a clock that skips the waiting.
func TestPolling(t *testing.T) {
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s := &stage{t: t, dir: dir, opt: quick()}
				if sc.opt != nil {
					sc.opt(&s.opt)
				}
				s.opt.ForcePoll = true
				defer func() { s.stop() }()
				sc.play(s)
			})
		})
	}
}
