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

// inside reads S.md in the folders of a folder.
func inside(o *Options) {
	o.Inside, o.Match = "S.md", func(name string) bool { return name == "t.json" }
}

var scenarios = []scenario{
	{"written in place", nil, script(`write r.json=a; watch r.json; see r.json=a; write r.json=b; see r.json=b; write r.json=a; see r.json=a; silence`)},
	{"slow writer", nil, script(`write r.json=a; watch r.json; see r.json=a; write r.json=; gap 250ms; append r.json=b<4; gap 250ms; append r.json=b>4
		see r.json=b; silence`)},
	{"slow writer of a format without an end", func(o *Options) { o.Valid = nil }, script(`write r.json=one\ntwo\n; watch r.json; see r.json=one\ntwo\n; write r.json=; gap 150ms; append r.json=one\n; gap 150ms
		append r.json=three\n; see r.json=one\nthree\n; silence`)},
	{"one file in each folder of a folder", inside, script(`mkdir s; mkdir s/x; mkdir s/.y; write s/x/S.md=a; write s/.y/S.md=a; write s/x/other=a; write s/t.json=b; watch s; see s/t.json=b s/x/S.md=a
		write s/x/S.md=c; see s/t.json=b s/x/S.md=c; mkdir s/z; write s/z/S.md=d; see s/t.json=b s/x/S.md=c s/z/S.md=d; silence`)},
	{"a file of a folder in a folder is removed", func(o *Options) { inside(o); brief(o) },
		script(`mkdir s; write s/x/S.md=a; write s/z/S.md=d; watch s; see s/x/S.md=a s/z/S.md=d; remove s/x/S.md; see s/z/S.md=d; silence`)},
	{"the first file in a folder of a folder", inside, script(`mkdir s; mkdir s/x; write s/t.json=b; watch s; see s/t.json=b; write s/x/S.md=a; see s/t.json=b s/x/S.md=a; silence`)},
	{"a link to a folder with the file", inside, script(`mkdir d; write d/S.md=a; mkdir s; link ../d s/x; watch s; see s/x/S.md=a; write d/S.md=b; see s/x/S.md=b; silence`)},
	{"two renames over the file", nil, script(`write r.json=a; watch r.json; see r.json=a; replace r.json=b; see r.json=b; replace r.json=c; see r.json=c; silence`)},
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
	{"link to another folder", nil, script(`mkdir here; mkdir there; write there/t.json=a; link ../there/t.json here/r.json; watch here/r.json; see here/r.json=a
		write there/t.json=b; see here/r.json=b; replace there/t.json=c; see here/r.json=c; mkdir elsewhere
		write elsewhere/u.json=d; relink ../elsewhere/u.json here/r.json; see here/r.json=d; write elsewhere/u.json=a
		see here/r.json=a; write there/t.json=b; silence`)},
	{"linked folder swapped on the way", nil, script(`mkdir releases/1; mkdir releases/2; write releases/1/r.json=a; write releases/2/r.json=b; link releases/1 current
		watch current/r.json; see current/r.json=a; relink releases/2 current; see current/r.json=b; write releases/2/r.json=c
		see current/r.json=c; silence`)},
	{"deleted, then created", nil, script(`write r.json=a; watch r.json; see r.json=a; remove r.json; gap 100ms; write r.json=b; see r.json=b; silence
		remove r.json; gap 50ms; write r.json=b; silence`)},
	{"deleted for good", brief, script(`write r.json=a; watch r.json; see r.json=a; remove r.json; see r.json?; silence; replace r.json=a; see r.json=a; silence`)},
	{"broken for good", brief, script(`write r.json=a; watch r.json; see r.json=a; replace r.json={"a":; see r.json=!{"a":; silence; replace r.json={"a"
		see r.json=!{"a"; replace r.json=a; see r.json=a; silence`)},
	{"truncated, then written", nil, script(`write r.json=a; watch r.json; see r.json=a; truncate r.json 3; gap 40ms; write r.json=b; see r.json=b; silence`)},
	{"folder replaced", nil, script(`mkdir d; write d/r.json=a; watch d/r.json; see d/r.json=a; rename d old; mkdir d; replace d/r.json=b; see d/r.json=b
		remove d; mkdir d; replace d/r.json=c; see d/r.json=c; silence`)},
	{"folder deleted, later created", brief, script(`write d/r.json=a; watch d/r.json; see d/r.json=a; remove d; see d/r.json?; mkdir d; silence; replace d/r.json=d
		see d/r.json=d; replace d/r.json=a; see d/r.json=a; silence`)},
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
	{"not there yet", nil, script(`watch x/y/r.json; see x/y/r.json?; mkdir x; mkdir x/y; silence; write x/y/r.json=a; see x/y/r.json=a; silence`)},
	{"half written at the start", nil, script(`write r.json=a<3; watch r.json; gap 50ms; append r.json=a>3; see r.json=a; silence`)},
	{"broken at the start", brief, script(`write r.json=a<3; watch r.json; see r.json=!a<3; silence`)},
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
	{"folder: files come and go", brief, script(`write f/b.json=b; watch f; see f/b.json=b; replace f/c.json=c; see f/b.json=b f/c.json=c; replace f/a.json=a
		see f/a.json=a f/b.json=b f/c.json=c; remove f/b.json; see f/a.json=a f/c.json=c; rename f/a.json f/d.json
		see f/c.json=c f/d.json=a; remove f/c.json; see f/d.json=a; remove f/d.json; see f:empty; silence`)},
	{"folder: what is none of its files", nil, script(`write f/a.json=a; watch f; see f/a.json=a; write f/b.json.tmp=b; mkdir f/sub.json; write f/sub.json/c.json=c
		link nobody@nowhere.1 f/.#a.json; silence`)},
	{"folder: mounted ConfigMap", nil, script(`mkdir f/..v1; write f/..v1/a.json=a; link ..v1 f/..data; link ..data/a.json f/a.json; watch f; see f/a.json=a
		mkdir f/..v2; write f/..v2/a.json=b; relink ..v2 f/..data; remove f/..v1; see f/a.json=b; write f/..v2/a.json=c
		see f/a.json=c; silence`)},
	{"folder: emptied and filled again", stepwise, script(`write f/a.json=a; write f/b.json=b; write f/notes=c; watch f; see f/a.json=a f/b.json=b; remove f/a.json
		remove f/b.json; see f:empty; silence; replace f/a.json=b; see f/a.json=b; silence`)},
	{"folder: empty from the start", brief, script(`mkdir f; watch f; see f:empty; replace f/a.json=a; see f/a.json=a; silence`)},
	{"folder: emptied and filled within the patience", nil, script(`write f/a.json=a; watch f; see f/a.json=a; remove f/a.json; gap 100ms; replace f/b.json=b; gap 100ms; replace f/a.json=c
		see f/a.json=c f/b.json=b; silence`)},
	{"empty folder in the place of a file", stepwise, script(`write r.json=a; watch r.json; see r.json=a; remove r.json; mkdir r.json; see r.json:empty; remove r.json
		replace r.json=b; see r.json=b; silence`)},
	{"folder in the place of a file that must be one", func(o *Options) { stepwise(o); o.FilesOnly = true }, script(`write r.json=a; watch r.json; see r.json=a; remove r.json; write r.json/a.json=b; see r.json:folder; remove r.json
		replace r.json=c; see r.json=c; silence`)},
	{"folder: vanishes and returns", brief, script(`write f/a.json=a; watch f; see f/a.json=a; rename f g; see f?; silence; rename g f; see f/a.json=a; replace f/b.json=b
		see f/a.json=a f/b.json=b; silence`)},
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
	t.Parallel()
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
	t.Parallel()
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
