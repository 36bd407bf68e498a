package retrieval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The best k are those that sorting every hit puts first, however many tie, and every
// hit is counted.
func TestBestOfIsSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		for _, k := range []int{-1, 0, 1, 5, 31, 32, 33, 70, 2000, math.MaxInt} {
			for _, values := range []int{1, 4, 1 << 20} {
				e := &edit{doc: n / 2, before: n / 3}
				best, all := bestOf{e: e, k: k}, []Hit(nil)
				for doc := range n {
					h := Hit{doc, float64(r.IntN(values))}
					best.add(h)
					all = append(all, h)
				}
				slices.SortFunc(all, func(a, b Hit) int {
					if e.ahead(a, b) {
						return -1
					}
					return 1
				})
				got, scored := best.result()
				if want := all[:max(0, min(k, n))]; !slices.Equal(got.Hits, want) || scored != n {
					t.Fatalf("%d best of %d with %d values: %v of %d, want %v", k, n, values, got.Hits, scored, want)
				}
				if k < n && cap(best.hits) > 2*max(leastKept, 2*k) {
					t.Errorf("%d best of %d: memory of %d", k, n, cap(best.hits))
				}
			}
		}
	}
}
