package fielded

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSortRanked: the first candidates equal a sort of all, and none is lost.
func TestSortRanked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 5, 40, fewRanked + 3}).Draw(t, "n")
		all := make([]ranked, n)
		for i := range all {
			score := float64(rapid.IntRange(-1, 6).Draw(t, "score"))
			all[i] = ranked{score, uint32((i * 7919) % (n + 1)), uint32(i)}
		}
		want := slices.Clone(all)
		slices.SortFunc(want, compareRanked)
		k := rapid.IntRange(-1, n+1).Draw(t, "k")
		sortRanked(all, k)
		if first := min(max(k, 0), n); !slices.Equal(all[:first], want[:first]) {
			t.Fatalf("the first %d are %v, want %v", k, all[:first], want[:first])
		}
		slices.SortFunc(all, compareRanked)
		if !slices.Equal(all, want) {
			t.Fatalf("has %v, want %v", all, want)
		}
	})
}
