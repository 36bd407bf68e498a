package workbench

import (
	"bytes"
	"flag"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"caliper/tui/demo"
	"caliper/watch"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// sizes are the registries that benchmarks load, in tools.
var sizes = []int{1_000, 10_000, 100_000}

// BenchmarkLoad loads a registry that was never seen: parsing, counting
// tokens, and building the index.
func BenchmarkLoad(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dump := demo.Bulk(n)
			b.SetBytes(int64(len(dump)))
			for b.Loop() {
				load(b, New(), dump)
			}
		})
	}
}

// BenchmarkReload loads a registry in which one tool has changed.
func BenchmarkReload(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dump := demo.Bulk(n)
			other := bytes.Replace(dump, []byte(`"description":"`), []byte(`"description":"Revised. `), 1)
			if bytes.Equal(dump, other) {
				b.Fatal("nothing was changed")
			}
			w := New()
			load(b, w, dump)
			load(b, w, other)
			b.SetBytes(int64(len(dump)))
			for i := 0; b.Loop(); i++ {
				load(b, w, [][]byte{dump, other}[i%2])
			}
		})
	}
}

// BenchmarkLoadOnDemand loads a registry as commands do that load once: for check,
// which ranks nothing, and for search, which ranks by one index. With -slow it
// also loads a million tools.
func BenchmarkLoadOnDemand(b *testing.B) {
	for _, n := range append(sizes, 1_000_000) {
		if n > 100_000 && !*slow {
			continue
		}
		dump := demo.Bulk(n)
		for _, command := range []string{"check", "search"} {
			b.Run(fmt.Sprintf("%s/%d", command, n), func(b *testing.B) {
				b.SetBytes(int64(len(dump)))
				b.ReportAllocs()
				for b.Loop() {
					st := loadOnDemand(b, dump)
					if command == "search" && st.Snapshot.Search("send a message", 0, 0).Scored == 0 {
						b.Fatal("nothing is found")
					}
				}
			})
		}
	}
}

// loadOnDemand loads one registry file as a command does.
func loadOnDemand(tb testing.TB, dump []byte) State {
	st, err := New().Load(tb.Context(), Input{Registry: []watch.File{{Name: "r.json", Data: dump}}, OnDemand: true})
	if err != nil || len(st.Errors) > 0 {
		tb.Fatal(err, st.Errors)
	}
	return st
}

// A load on demand gives what another load gives, and has allocated a quarter
// less when nothing has been asked.
func TestLoadOnDemand(t *testing.T) {
	dump := demo.Bulk(5000)
	allocated := func(load func() State) (State, uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		st := load()
		runtime.ReadMemStats(&after)
		return st, after.TotalAlloc - before.TotalAlloc
	}
	want, all := allocated(func() State { return load(t, New(), dump) })
	got, little := allocated(func() State { return loadOnDemand(t, dump) })
	if !raceEnabled && little > all*3/4 { // the race detector allocates
		t.Errorf("%d bytes allocated on demand, %d otherwise", little, all)
	}
	if !slices.Equal(got.Warnings, want.Warnings) || got.Snapshot.Active() != want.Snapshot.Active() ||
		!reflect.DeepEqual(got.Snapshot.Budget(true), want.Budget) {
		t.Error("the states differ")
	}
}

// load loads one registry file.
func load(tb testing.TB, w *Workbench, dump []byte) State {
	st, err := w.Load(tb.Context(), Input{Registry: []watch.File{{Name: "r.json", Data: dump}}})
	if err != nil || len(st.Errors) > 0 {
		tb.Fatal(err, st.Errors)
	}
	return st
}
