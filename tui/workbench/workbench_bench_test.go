package workbench

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"caliper/tui/demo"
	"caliper/watch"
)

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

// A load on demand gives what another load gives.
func TestLoadOnDemand(t *testing.T) {
	dump := demo.Bulk(500)
	want := load(t, New(), dump)
	got, err := New().Load(t.Context(), Input{Registry: []watch.File{{Name: "r.json", Data: dump}}, OnDemand: true})
	if err != nil || !slices.Equal(got.Warnings, want.Warnings) || got.Snapshot.Active() != want.Snapshot.Active() || !reflect.DeepEqual(got.Snapshot.Budget(true), want.Budget) {
		t.Errorf("%v, or the states differ", err)
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
