package retrieval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLevel: at least k sums reach the level of k, and at most 2k, unless more are equal
// to it.
func TestLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]uint32{60, 511, 512, 5000, 1 << 20, 1<<31 - 1}).Draw(t, "most")
		sums := rapid.SliceOfN(rapid.Uint32Range(1, most), 0, 200).Draw(t, "sums")
		if rapid.Bool().Draw(t, "one large") {
			sums = append(sums, 1<<31-1)
		}
		k := rapid.IntRange(-1, 40).Draw(t, "k")
		l := leaders{sums: sums}
		level, reach, equal := l.level(k), 0, 0
		for _, sum := range sums {
			if sum >= level {
				reach++
			}
			if sum == level {
				equal++
			}
		}
		switch enough := k > 0 && k <= len(sums); {
		case !enough && level != 0:
			t.Fatalf("level %d of %d sums, k is %d", level, len(sums), k)
		case enough && (reach < k || reach > 2*k && reach-equal >= k):
			t.Fatalf("%d sums reach %d, and %d are equal to it; k is %d", reach, level, equal, k)
		}
	})
}

// A frequent term of little weight beside a rare one: few of the documents that have it
// alone are candidates.
func TestLittleBesideRare(t *testing.T) {
	const n, k = 20_000, 100
	b := make(bagList, n)
	for doc := range b {
		b[doc] = map[uint32]uint16{0: uint16(30_000 + doc)}
		if doc%400 == 3 {
			b[doc][1] = 40_000
		}
	}
	s := b.lay(t).NewSearch()
	for _, rare := range []float64{10, 100, 1000, 10_000} { // times as heavy
		s.Reset()
		s.Add(0, 1)
		s.Add(1, rare)
		if found := s.Candidates(k, 1); len(found) < k || len(found) > 3*k {
			t.Errorf("weight %v: %d candidates", rare, len(found))
		}
	}
}

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
