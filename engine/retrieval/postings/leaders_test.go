package postings

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLeaders: the leaders are the documents at most slack below the k-th
// largest sum, however they are offered.
func TestLeaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sums := rapid.SliceOfN(rapid.Uint32Range(1, 60), 1, 200).Draw(t, "sums")
		k := rapid.IntRange(1, 40).Draw(t, "k")
		slack := rapid.Uint32Range(0, 30).Draw(t, "slack")
		sorted := slices.Sorted(slices.Values(sums))
		bar := uint32(1)
		if k <= len(sums) && sorted[len(sums)-k] > slack {
			bar = sorted[len(sums)-k] - slack
		}
		var want []uint32
		for doc, sum := range sums {
			if sum >= bar {
				want = append(want, uint32(doc))
			}
		}
		var l leaders
		l.begin(k, slack, false)
		for doc, sum := range sums {
			if sum >= l.bar {
				l.offer(uint32(doc), sum)
			}
		}
		l.trim()
		if !slices.Equal(l.docs, want) {
			t.Fatalf("leaders %v, want %v", l.docs, want)
		}
		l.recount(slack)
		if !slices.Equal(l.docs, want) {
			t.Fatalf("offered again: leaders %v, want %v", l.docs, want)
		}
		l.begin(k, slack, true)
		for doc, sum := range sums {
			l.offer(uint32(doc), sum)
		}
		if l.trim(); len(l.docs) != len(sums) {
			t.Fatalf("kept %d of %d", len(l.docs), len(sums))
		}
	})
}
