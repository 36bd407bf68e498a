package watch

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// one reads what a single path stands for.
func one(s *stage, name string, seen []content, deep bool) content {
	s.t.Helper()
	found := scan([]root{{name, s.path(name)}}, s.opt)
	got := load(found, seen, nil, deep, s.opt.Valid)
	if len(got) != 1 {
		s.t.Fatalf("%s stands for %d files", name, len(got))
	}
	return got[0]
}

func TestReadRefuses(t *testing.T) {
	s := newStage(t)
	f, err := os.Create(s.path("huge.json"))
	s.must(err)
	s.must(errors.Join(f.Truncate(maxSize+1), f.Close())) // sparse: takes no space
	s.write("plain", "")
	s.link(os.DevNull, "null.json")
	for name, want := range map[string]string{
		"huge.json":    "open huge.json: larger than 1 GiB",
		"null.json":    "open null.json: not a regular file",
		"gone.json":    "open gone.json: no such file or directory",
		"plain/r.json": "open plain/r.json: not a directory",
	} {
		c := one(s, name, nil, false)
		if c.Err == nil || c.Err.Error() != want || c.Data != nil {
			t.Errorf("%s: error %v, data %q; want %q", name, c.Err, c.Data, want)
		}
		var pe *fs.PathError
		if !errors.As(c.Err, &pe) {
			t.Errorf("%s: %T is no *fs.PathError", name, c.Err)
		}
	}
}

// TestFreshStampsProveNothing: within the granularity of time stamps a file is read again, however
// unchanged stat says it is.
func TestFreshStampsProveNothing(t *testing.T) {
	s := newStage(t)
	s.write("r.json", a)
	c := one(s, "r.json", nil, false)
	e := scan([]root{{"r.json", s.path("r.json")}}, Options{})[0]
	if c.holds(e) {
		t.Error("a file read a moment after it was written is taken as unchanged")
	}
	c.trusted = true
	if !c.holds(e) {
		t.Error("an old file is not taken as unchanged")
	}
	s.write("r.json", b)
	if c.holds(scan([]root{{"r.json", s.path("r.json")}}, Options{})[0]) {
		t.Error("a file of another size is taken as unchanged")
	}
}

// TestDeepLoad: what stat proves unchanged is read again only when asked.
func TestDeepLoad(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) { // years behind: every stamp is old
		s := &stage{t: t, dir: dir, opt: quick()}
		s.write("r.json", a)
		c := one(s, "r.json", nil, false)
		c.Data = []byte("what was read before")
		if got := one(s, "r.json", []content{c}, false); string(got.Data) != "what was read before" {
			t.Errorf("an unchanged file was read: %q", got.Data)
		}
		if got := one(s, "r.json", []content{c}, true); string(got.Data) != a {
			t.Errorf("a deep load did not read: %q", got.Data)
		}
	})
}

// TestValidIsAskedOnce for the same bytes, also when they come back.
func TestValidIsAskedOnce(t *testing.T) {
	s := newStage(t)
	asked := map[string]int{}
	s.opt.Valid = func(path string, data []byte) bool {
		if path != "r.json" {
			t.Errorf("asked about %q", path)
		}
		asked[string(data)]++
		return strings.HasPrefix(string(data), "{")
	}
	s.write("r.json", a)
	first := one(s, "r.json", nil, true)
	second := one(s, "r.json", []content{first}, true)
	s.write("r.json", "?")
	third := one(s, "r.json", []content{second}, true)
	s.write("r.json", a)
	found := scan([]root{{"r.json", s.path("r.json")}}, Options{})
	fourth := load(found, []content{third}, []File{second.File}, true, s.opt.Valid)[0]
	if asked[a] != 1 || asked["?"] != 1 || !third.Invalid || fourth.Invalid {
		t.Errorf("asked %v, verdicts %v %v", asked, third.Invalid, fourth.Invalid)
	}
	sameSlice(t, first.File, second.File)
	sameSlice(t, first.File, fourth.File)
}

func TestEmptyPathIsMissing(t *testing.T) {
	found := scan([]root{{}}, Options{})
	if len(found) != 1 || !errors.Is(found[0].err, fs.ErrNotExist) {
		t.Errorf("found %+v", found)
	}
}

// TestListedFileVanishes: a file of a folder that goes between listing and reading is no error.
func TestListedFileVanishes(t *testing.T) {
	s := newStage(t)
	s.write("f/a.json", a)
	found := scan([]root{{"f", s.path("f")}}, Options{})
	s.remove("f/a.json")
	if got := load(found, nil, nil, false, nil); len(got) != 0 {
		t.Errorf("loaded %v", got)
	}
}

func TestDoubtful(t *testing.T) {
	good := func(data string) File { return File{Name: "r", Data: []byte(data)} }
	gone := File{Name: "r", Err: fs.ErrNotExist}
	other := File{Name: "s", Data: []byte("x")}
	for _, tc := range []struct {
		name   string
		before []File
		now    []content
		want   bool
	}{
		{"first good", nil, []content{{File: good("ab")}}, false},
		{"first missing", nil, []content{{File: gone}}, false},
		{"first empty", nil, []content{{File: good("")}}, true},
		{"changed", []File{good("ab")}, []content{{File: good("xy")}}, false},
		{"longer", []File{good("ab")}, []content{{File: good("abc")}}, false},
		{"shorter", []File{good("ab")}, []content{{File: good("b")}}, false},
		{"a beginning", []File{good("ab")}, []content{{File: good("a")}}, true},
		{"invalid", []File{good("ab")}, []content{{File: File{Name: "r", Data: []byte("q"), Invalid: true}}}, true},
		{"torn", []File{good("ab")}, []content{{File: good("xy"), torn: true}}, true},
		{"vanished", []File{good("ab")}, []content{{File: gone}}, true},
		{"still missing", []File{gone}, []content{{File: gone}}, false},
		{"missing otherwise", []File{gone}, []content{{File: File{Name: "r", Err: errIrregular}}}, false},
		{"file of a folder gone", []File{good("ab"), other}, []content{{File: other}}, true},
		{"file of a folder new", []File{other}, []content{{File: good("ab")}, {File: other}}, false},
		{"folder appeared", []File{gone}, []content{{File: other}}, false},
		{"same empty file", []File{good("")}, []content{{File: good("")}}, false},
		{"same file twice, broken", []File{{Name: "r", Invalid: true}, {Name: "r", Invalid: true}},
			[]content{{File: File{Name: "r", Invalid: true}}, {File: File{Name: "r", Invalid: true}}}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := loop{published: tc.before, seen: tc.now}
			if got := l.doubtful(); got != tc.want {
				t.Errorf("doubtful: %v, want %v", got, tc.want)
			}
		})
	}
}

// TestReadDuringWrite: a file that is written to while it is read is neither good nor trusted.
func TestReadDuringWrite(t *testing.T) {
	s := newStage(t)
	s.write("r.json", strings.Repeat("x", 4<<20))
	f, err := os.OpenFile(s.path("r.json"), os.O_APPEND|os.O_WRONLY, 0)
	s.must(err)
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- f.Close()
				return
			default:
				if _, err := f.WriteString("x"); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	end := time.After(deadline)
	for torn := false; !torn; {
		select {
		case <-end:
			t.Fatal("no read was torn")
		default:
		}
		c := one(s, "r.json", nil, true)
		torn = c.torn
		if c.Err != nil || c.torn && c.trusted {
			t.Errorf("error %v, torn %v, trusted %v", c.Err, c.torn, c.trusted)
		}
	}
	close(stop)
	s.must(<-stopped)
}

func TestRead(t *testing.T) {
	s := newStage(t)
	s.write("r.json", a)
	if f := Read(s.path("r.json")); f.Err != nil || string(f.Data) != a || f.Name != s.path("r.json") {
		t.Errorf("read %+v", f)
	}
	if f := Read(s.path("gone.json")); !errors.Is(f.Err, fs.ErrNotExist) || f.Data != nil || f.Name != s.path("gone.json") {
		t.Errorf("read %+v, which is not there", f)
	}
}

func TestStamps(t *testing.T) {
	s := newStage(t)
	stat := func(name string) fs.FileInfo {
		info, err := os.Stat(s.path(name))
		s.must(err)
		return info
	}
	s.write("r.json", a)
	s.write("same size.json", a)
	before := stat("r.json")
	if !sameStamp(before, stat("r.json")) {
		t.Error("stamps of an untouched file differ")
	}
	when := before.ModTime()
	s.must(os.Chtimes(s.path("same size.json"), when, when))
	if sameStamp(before, stat("same size.json")) {
		t.Error("stamps do not tell another file")
	}
	s.must(os.Chtimes(s.path("r.json"), time.Time{}, time.Unix(1e9, 0)))
	if sameStamp(before, stat("r.json")) {
		t.Error("stamps do not tell another modification time")
	}
}
