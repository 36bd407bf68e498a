package retrieval

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"caliper/model/require"
)

// zipfBags gives documents of 40 draws from a long-tailed vocabulary, always
// the same.
type zipfBags struct{ docs [][]uint32 }

func newZipfBags(n int) *zipfBags {
	r := rand.New(rand.NewPCG(1, 2))
	frequency := rand.NewZipf(r, 1.1, 10, 50_000)
	b := &zipfBags{docs: make([][]uint32, n)}
	for i := range b.docs {
		seen := map[uint32]bool{}
		for range 40 {
			id := uint32(frequency.Uint64())
			if !seen[id] {
				seen[id] = true
				b.docs[i] = append(b.docs[i], id)
			}
		}
	}
	return b
}

func (b *zipfBags) Terms(doc int, _ []uint32) []uint32 { return b.docs[doc] }

func (b *zipfBags) Postings(doc int, _ []uint32, impacts []uint16) ([]uint32, []uint16) {
	for i := range b.docs[doc] {
		impacts = append(impacts, uint16(1+(doc*31+i*7919)%60_000))
	}
	return b.docs[doc], impacts
}

// BenchmarkTop searches for the best 256 of plans of many terms, as a first
// stage does whose queries are widened by synonyms: a few terms of full weight,
// the others of little.
func BenchmarkTop(b *testing.B) {
	const n = 100_000
	bags := newZipfBags(n)
	l, err := BuildLists(b.Context(), 50_001, n, bags, nil)
	require.NoError(b, err)
	s := l.NewSearch()
	for _, terms := range []int{3, 10, 30, 120} {
		b.Run(fmt.Sprintf("terms=%d", terms), func(b *testing.B) {
			r := rand.New(rand.NewPCG(3, 4))
			dst := make([]DocSum, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				s.Reset()
				seen := map[uint32]bool{}
				words := bags.docs[r.IntN(n)]
				for i := range terms {
					id := words[r.IntN(len(words))]
					if i >= 8 {
						id = uint32(r.IntN(3000))
					}
					if seen[id] {
						continue
					}
					seen[id] = true
					share := 12 - float64(len(fmt.Sprint(l.Term(id).DF)))*2
					if i >= 8 {
						share *= 0.15
					}
					s.Add(id, share)
				}
				dst = s.Top(dst[:0], 256)
			}
		})
	}
}
