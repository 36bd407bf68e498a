package ui

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestShare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		h, spare int
		asks     []Ask
		want     []int
	}{
		{"three rows do not hold twelve", 24, 0, []Ask{{3, 3}, {3, 40}}, []int{3, 21}},
		{"all have what they ask for", 30, 0, []Ask{{3, 5}, {3, 5}, {3, 5}}, []int{20, 5, 5}},
		{"what is short is shared", 20, 0, []Ask{{2, 50}, {2, 50}}, []int{10, 10}},
		{"the small one is whole", 27, 0, []Ask{{5, 11}, {4, 7}, {6, 30}}, []int{10, 7, 10}},
		{"too little for the least", 7, 0, []Ask{{5, 11}, {4, 7}}, []int{5, 2}},
		{"nothing", 0, 0, []Ask{{5, 11}, {4, 7}}, []int{0, 0}},
		{"nobody has a least that it does not ask for", 10, 1, []Ask{{4, 1}, {3, 3}}, []int{1, 9}},
	} {
		if got := Share(tt.h, tt.spare, tt.asks...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The rows add up, and nobody has blank rows while another is cut.
func TestShareWastesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		asks := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) Ask {
			return Ask{rapid.IntRange(0, 9).Draw(rt, "least"), rapid.IntRange(0, 60).Draw(rt, "rows")}
		}), 1, 4).Draw(rt, "asks")
		h, spare := rapid.IntRange(0, 80).Draw(rt, "h"), rapid.IntRange(0, len(asks)-1).Draw(rt, "spare")
		rows := Share(h, spare, asks...)
		sum := 0
		for i, r := range rows {
			sum += r
			for j, a := range asks {
				if r > asks[i].Rows && rows[j] < a.Rows {
					rt.Fatalf("%v of %v: pane %d has blank rows, and pane %d is cut", rows, asks, i, j)
				}
				if i != j && rows[j] < a.Rows && r > max(asks[i].Least, rows[j]+1) && rows[j] >= min(a.Least, a.Rows) {
					rt.Fatalf("%v of %v: pane %d is cut for pane %d", rows, asks, j, i)
				}
			}
		}
		if sum != h {
			rt.Fatalf("%d rows of %d", sum, h)
		}
	})
}
