package workbench

import (
	"bytes"
	"fmt"
	"testing"

	"caliper/tui/internal/bulk"
)

// sizes are the registries that benchmarks load, in tools.
var sizes = []int{1_000, 10_000, 100_000}

// BenchmarkLoad loads a registry that was never seen: parsing, counting
// tokens, and building the index.
func BenchmarkLoad(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dump := bulk.Dump(n)
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
			dump := bulk.Dump(n)
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

// load loads one registry file.
func load(tb testing.TB, w *Workbench, dump []byte) State {
	st, err := w.Load(tb.Context(), Input{Registry: []File{{Name: "r.json", Data: dump}}})
	if err != nil || len(st.Errors) > 0 {
		tb.Fatal(err, st.Errors)
	}
	return st
}
