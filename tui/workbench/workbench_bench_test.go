package workbench

import (
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
	got, little := allocated(func() State {
		st, err := New().Load(t.Context(), Input{Registry: []watch.File{{Name: "r.json", Data: dump}}, OnDemand: true})
		if err != nil || len(st.Errors) > 0 {
			t.Fatal(err, st.Errors)
		}
		return st
	})
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
