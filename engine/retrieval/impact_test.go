package retrieval

import (
	"math"
	"testing"
)

// TestImpact: impacts lie in 1 to 65535 and grow with the term frequency.
func TestImpact(t *testing.T) {
	for _, norm := range []float64{0, 1e-300, 0.375, 1.5, 1000, 1e9} {
		last := uint16(1)
		for _, tf := range []int{1, 2, 3, 10, 1000, 1 << 40} {
			got := impact(tf, norm)
			if got < last {
				t.Errorf("impact(%d, %v) = %d, below that of a smaller frequency, %d", tf, norm, got, last)
			}
			last = got
		}
		if norm < 1e3 && last != math.MaxUint16 {
			t.Errorf("largest impact for norm %v: %d", norm, last)
		}
	}
}
