package retrieval

import (
	"math/rand/v2"
	"testing"
)

// FuzzTop reads a plan of bytes, two a term, and compares every question with
// the definition.
func FuzzTop(f *testing.F) {
	f.Add([]byte{0, 10, 1, 10, 50, 1}, uint64(1), uint8(3), uint16(100), 5)
	f.Add([]byte{0, 1, 1, 255, 2, 30, 3, 30, 4, 30, 5, 30}, uint64(2), uint8(200), uint16(600), 20)
	f.Add([]byte{199, 1}, uint64(3), uint8(0), uint16(65), 1)
	f.Fuzz(func(t *testing.T, plan []byte, seed uint64, share uint8, docs uint16, k int) {
		b := newBags(int(docs%1000), float64(share)/8, 1+int(seed%50), rand.New(rand.NewPCG(seed, 1)))
		var asks []ask
		seen := map[byte]bool{}
		for ; len(plan) >= 2; plan = plan[2:] {
			if !seen[plan[0]] {
				seen[plan[0]] = true
				asks = append(asks, ask{uint32(plan[0]), float64(plan[1]) + 0.01})
			}
		}
		checkTop(t, b, b.lay(t).NewSearch(), asks, k%1000, 1, 20)
	})
}
