package peers

import (
	"runtime"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/model"
)

// BenchmarkBuild makes an index from nothing, with an empty corpus where there
// is one, and reports the bytes that it holds when it is made. The tools
// themselves are not counted.
func BenchmarkBuild(b *testing.B) {
	eachSize(b, func(b *testing.B, tools []*model.Tool) {
		eachRanker(b, len(tools), func(b *testing.B, r ranker) {
			var live int64
			for b.Loop() {
				b.StopTimer()
				before := heap()
				b.StartTimer()
				x, err := r.index(tools)
				b.StopTimer()
				if err != nil {
					b.Fatal(err)
				}
				live = bytes(b, x, before)
				if err := x.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(live), "live-B")
		})
	})
}

// heap returns the bytes in use on Go's heap.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// bytes returns the bytes that an index holds: what the heap has gained since
// it held before, and the pages of a table, which lie elsewhere.
func bytes(t testing.TB, x searcher, before int64) int64 {
	n := heap() - before
	if f, ok := x.(*FTS5); ok {
		pages, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		n += pages
	}
	runtime.KeepAlive(x)
	return n
}

// TestBytes: every index of a catalog twice as large holds more, and more than
// the names of the tools; so none is kept where it is not counted.
func TestBytes(t *testing.T) {
	tools := fixture.Tools(4000, 1)
	names := 0
	for _, tool := range tools {
		names += len(tool.Name)
	}
	for _, r := range rankers {
		mustIndex(t, r, tools[:1]) // what a ranker loads once, such as the table of words
		before := heap()
		half := bytes(t, mustIndex(t, r, tools[:2000]), before)
		before = heap()
		whole := bytes(t, mustIndex(t, r, tools), before)
		if whole < int64(names) || whole < half*5/4 {
			t.Errorf("%s: %d bytes for %d tools, %d for half of them; the names alone have %d", r.name, whole, len(tools), half, names)
		}
	}
}
