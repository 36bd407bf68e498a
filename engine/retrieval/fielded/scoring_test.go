package fielded

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSortRanked: the first candidates are those of a sort of all, and none is lost.
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

// TestMoveBehind: it leaves the same documents first as a selection does.
func TestMoveBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := make([]scanned, rapid.IntRange(0, 30).Draw(t, "n"))
		for i := range all {
			all[i] = scanned{doc: uint32(i*7919) % 101, behind: float64(rapid.IntRange(0, 4).Draw(t, "score"))}
		}
		want := slices.Clone(all)
		slices.SortFunc(want, compareBehind)
		n := rapid.IntRange(0, len(all)).Draw(t, "first")
		moveBehind(all, n)
		for _, part := range [][]scanned{all[:n], all[n:]} {
			slices.SortFunc(part, compareBehind)
		}
		if !slices.Equal(all, want) {
			t.Fatalf("the first %d are %v, want %v", n, all, want)
		}
	})
}
