//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// saves are the ways in which programs write a file.
var saves = []struct {
	name string
	save func(t testing.TB, path string, data []byte)
}{
	{"in place", write},
	{"rename over", func(t testing.TB, path string, data []byte) {
		write(t, path+".tmp", data)
		rename(t, path+".tmp", path)
	}},
	{"as vim does", func(t testing.TB, path string, data []byte) {
		probe := filepath.Join(filepath.Dir(path), "4913")
		write(t, probe, nil)
		remove(t, probe)
		rename(t, path, path+"~")
		write(t, path, data)
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		remove(t, path+"~")
	}},
	{"slowly", func(t testing.TB, path string, data []byte) {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		half := len(data) / 2
		for i, part := range [][]byte{data[:half], data[half:]} {
			if i > 0 {
				time.Sleep(150 * time.Millisecond) // what the writer does, not what the test waits for
			}
			if _, err := file.Write(part); err != nil {
				t.Fatal(err)
			}
		}
	}},
	{"away and back", func(t testing.TB, path string, data []byte) {
		remove(t, path)
		write(t, path, data)
	}},
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func remove(t testing.TB, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

var (
	toolCount = regexp.MustCompile(`(\d+) tools? `)
	reloaded  = regexp.MustCompile(`(\d+) → (\d+) tools?`)
)

// record is what a terminal showed while files changed.
type record struct {
	mu     sync.Mutex
	counts []int    // of tools in the header, each other than the one before
	arrows []string // of the notices of reloads, likewise
	blank  string   // a screen without hits
	stale  bool     // STALE was shown
	states []bool   // whether search was on, each other than the one before
}

// recording records what is shown from now on. Every screen has to show a
// text.
func (x *terminal) recording(always string) *record {
	r := &record{}
	x.Each(func(s screen) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !s.Has(always) && r.blank == "" {
			r.blank = s.String()
			if r.blank == "" {
				r.blank = "nothing at all"
			}
		}
		r.stale = r.stale || s.Has("STALE")
		if !s.whole {
			return // a number may be half drawn
		}
		if m := toolCount.FindStringSubmatch(s.lines[0]); m != nil {
			n, _ := strconv.Atoi(m[1])
			r.counts = appendOther(r.counts, n)
		}
		if m := reloaded.FindString(s.String()); m != "" {
			r.arrows = appendOther(r.arrows, m)
		}
		if on, off := s.Has("search ON"), s.Has("search OFF"); on != off {
			r.states = appendOther(r.states, on)
		}
	})
	return r
}

// appendOther appends a value unless it is the last one.
func appendOther[T comparable](list []T, v T) []T {
	if len(list) > 0 && list[len(list)-1] == v {
		return list
	}
	return append(list, v)
}

func TestReloadRegistry(t *testing.T) {
	t.Parallel()
	for _, tt := range saves {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, 30)
			x := start(t, s.setup())
			x.Until("30 tools")
			x.search("crate")
			r := x.recording("mcp_depot_")
			for _, n := range []int{31, 32, 33} {
				tt.save(t, s.registry, dump(depot(n)))
				x.Until(strconv.Itoa(n) + " tools ")
			}
			x.Each(nil)
			if want := []int{31, 32, 33}; !slices.Equal(slices.DeleteFunc(r.counts, func(n int) bool { return n == 30 }), want) {
				t.Errorf("showed %v tools, want %v", r.counts, want)
			}
			if want := []string{"30 → 31 tools", "31 → 32 tools", "32 → 33 tools"}; !slices.Equal(r.arrows, want) {
				t.Errorf("reloads %q, want %q", r.arrows, want)
			}
			if r.stale {
				t.Error("STALE was shown")
			}
			if r.blank != "" {
				t.Errorf("a screen without hits was shown:\n%s", r.blank)
			}
		})
	}
}

func TestReloadConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range saves {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, 30)
			x := start(t, s.setup())
			x.Until("30 tools", "search ON")
			x.search("crate")
			r := x.recording("mcp_depot_")
			tt.save(t, s.config, settings(100))
			x.Until("search OFF")
			tt.save(t, s.config, settings(10))
			x.Until("search ON")
			x.Each(nil)
			if want := []bool{false, true}; !slices.Equal(r.states, want) && !slices.Equal(r.states, append([]bool{true}, want...)) {
				t.Errorf("search was on: %v, want %v", r.states, want)
			}
			if r.stale || r.blank != "" {
				t.Errorf("STALE %v, or a screen without hits was shown:\n%s", r.stale, r.blank)
			}
		})
	}
}

func TestBrokenFile(t *testing.T) {
	t.Parallel()
	whole := dump(depot(30))
	tests := []struct {
		name  string
		file  string
		wreck func(t testing.TB, path string)
		place string // regexp of the error
		mend  []byte
	}{
		{"registry cut short", "depot.json", func(t testing.TB, path string) { write(t, path, whole[:len(whole)/2]) },
			`depot\.json:\d+:\d+`, dump(depot(31))},
		{"registry not JSON", "depot.json", func(t testing.TB, path string) { write(t, path, []byte("tools:\n- none\n")) },
			`depot\.json:\d+:\d+`, dump(depot(31))},
		{"registry empty", "depot.json", func(t testing.TB, path string) { write(t, path, nil) },
			`depot\.json`, dump(depot(31))},
		{"registry gone", "depot.json", func(t testing.TB, path string) { remove(t, path) },
			`depot\.json`, dump(depot(31))},
		{"registry as it was", "depot.json", func(t testing.TB, path string) { write(t, path, whole[:99]) },
			`depot\.json:\d+:\d+`, whole},
		{"registry an empty folder", "depot.json", func(t testing.TB, path string) {
			remove(t, path)
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}, `depot\.json: no registry dump`, dump(depot(31))},
		{"config a folder", "settings.yaml", func(t testing.TB, path string) {
			remove(t, path)
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(path, "a.yaml"), settings(10))
		}, `settings\.yaml: is a directory`, settings(10)},
		{"config not YAML", "settings.yaml", func(t testing.TB, path string) { write(t, path, []byte("tools:\n  tool_search: [\n")) },
			`settings\.yaml:\d+:\d+`, settings(10)},
		{"config gone", "settings.yaml", func(t testing.TB, path string) { remove(t, path) },
			`settings\.yaml`, settings(10)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, 30)
			x := start(t, setup{home: s.home, args: []string{"--registry", "depot.json", "--config", "settings.yaml"}})
			x.Until("30 tools")
			x.search("crate")
			r := x.recording("mcp_depot_")
			path := filepath.Join(s.home, tt.file)
			tt.wreck(t, path)
			place := regexp.MustCompile(tt.place)
			x.UntilFunc("STALE and "+tt.place, func(s screen) bool {
				return strings.Contains(s.lines[0], "STALE") && place.MatchString(s.lines[0])
			})
			// The last good state goes on being of use.
			x.Key("ctrl+u")
			x.search("weigh")
			x.untilSelected("weigh_crate")
			x.Until("STALE", "ALLOWED")
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
			}
			write(t, path, tt.mend)
			x.UntilFunc("no STALE", func(s screen) bool { return !s.Has("STALE") && toolCount.MatchString(s.lines[0]) })
			x.untilSelected("weigh_crate")
			x.Each(nil)
			if r.blank != "" {
				t.Errorf("a screen without hits was shown:\n%s", r.blank)
			}
		})
	}
}

func TestBrokenFromTheStart(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	write(t, s.registry, []byte(`{"tools": [`))
	write(t, s.config, []byte("tools: ["))
	x := start(t, setup{home: s.home, args: []string{"--registry", "depot.json", "--config", "settings.yaml"}})
	x.Until("STALE", "depot.json:1:")
	write(t, s.registry, dump(depot(30)))
	x.Until("STALE", "settings.yaml:1:")
	write(t, s.config, settings(10))
	x.UntilFunc("30 tools and no STALE", func(s screen) bool { return s.Has("30 tools") && !s.Has("STALE") })
}

func TestReloadByKey(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	x := start(t, s.setup())
	x.Until("30 tools", "move_crate_001")
	x.Key("esc", "space")
	x.Until("PAUSED")
	write(t, s.registry, dump(depot(31)))
	x.Key("R") // even then, what is paused stays
	x.Key("down")
	x.untilSelected("move_crate_002")
	if now := x.Screen(); !now.Has("PAUSED") || now.Has("31 tools") {
		t.Errorf("a pause holds nothing back:\n%s", now)
	}
	x.Key("space")
	x.Until("31 tools")
	x.UntilGone("PAUSED")
	x.untilSelected("move_crate_002")
}

func TestFolder(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	folder := filepath.Join(s.home, "dumps")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	rename(t, s.registry, filepath.Join(folder, "depot.json"))
	x := start(t, setup{home: s.home, args: []string{"--registry", folder, "--config", s.config}})
	x.Until("30 tools")
	more := tool("paint_hull", "Paint the hull of a boat.")
	write(t, filepath.Join(folder, "more.json"), dump([]object{more}))
	x.Until("31 tools")
	remove(t, filepath.Join(folder, "more.json"))
	x.Until("30 tools")
	x.search("crate")
	remove(t, filepath.Join(folder, "depot.json"))
	x.Until("STALE", "no registry dump in this folder", "mcp_depot_") // the last good state goes on being of use
	write(t, filepath.Join(folder, "more.json"), dump([]object{more}))
	x.UntilGone("STALE")
	x.Until("1 tool")
}
