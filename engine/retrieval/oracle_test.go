package retrieval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// bagList gives documents to be laid: term to impact.
type bagList []map[uint32]uint16

func (b bagList) Terms(doc int, terms []uint32) []uint32 {
	for id := range uint32(200) {
		if b[doc][id] > 0 {
			terms = append(terms, id)
		}
	}
	return terms
}

func (b bagList) Postings(doc int, terms []uint32, impacts []uint16) ([]uint32, []uint16) {
	terms = b.Terms(doc, terms)
	for _, id := range terms {
		impacts = append(impacts, b[doc][id])
	}
	return terms, impacts
}

// notes returns a note for each term of a document.
func (b bagList) notes(doc int, notes []uint16) []uint16 {
	for _, id := range b.Terms(doc, nil) {
		notes = append(notes, noteOf(doc, id))
	}
	return notes
}

// noteOf returns the note of a term in a document.
func noteOf(doc int, id uint32) uint16 { return uint16(1 + (doc*31+int(id))%60_000) }

// lay lays documents of terms below 200.
func (b bagList) lay(t rapid.TB) *Lists {
	t.Helper()
	l, err := BuildLists(context.Background(), 200, len(b), b, b.notes)
	require.NoError(t, err)
	return l
}

// newBags makes n documents in which term i is about as frequent as share/i,
// and impacts have few different values, so that ties are frequent.
func newBags(n int, share float64, values int, r *rand.Rand) bagList {
	b := make(bagList, n)
	for doc := range b {
		b[doc] = map[uint32]uint16{}
		for id := range uint32(200) {
			if r.Float64() < share/float64(id+1) {
				b[doc][id] = uint16(1 + r.IntN(values)*(65534/values))
			}
		}
	}
	return b
}

// drawBags draws documents of every density.
func drawBags(t *rapid.T, most int) bagList {
	n := rapid.SampledFrom([]int{0, 1, 3, 64, 65, most}).Draw(t, "documents")
	return newBags(n, rapid.SampledFrom([]float64{0.1, 0.8, 3, 30}).Draw(t, "share"),
		rapid.SampledFrom([]int{1, 2, 5, 3000}).Draw(t, "values"),
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
}

// ask is a term of a plan.
type ask struct {
	id    uint32
	share float64
}

// drawPlan draws distinct terms.
func drawPlan(t *rapid.T) []ask {
	ids := rapid.SliceOfNDistinct(rapid.Uint32Range(0, 210), 0, rapid.SampledFrom([]int{1, 4, 120}).Draw(t, "terms"), rapid.ID).Draw(t, "plan")
	plan := make([]ask, len(ids))
	for i, id := range ids {
		plan[i] = ask{id, rapid.SampledFrom([]float64{1, 1, 2, 0.15, 7.3, 1e-6}).Draw(t, "share")}
	}
	return plan
}

// add makes a plan the searcher's and returns its weights.
func (s *ListSearch) add(plan []ask) map[uint32]uint32 {
	s.Reset()
	for _, a := range plan {
		s.Add(a.id, a.share)
	}
	s.prepare(true, 0)
	weights := map[uint32]uint32{}
	for _, t := range s.plan {
		weights[t.id] = t.weight
	}
	return weights
}

// ranked returns the documents that hold a term by their sums, ties in order.
func (b bagList) ranked(weights map[uint32]uint32) []DocSum {
	var all []DocSum
	for doc, bag := range b {
		sum := uint32(0)
		for id, weight := range weights {
			sum += uint32(bag[id]) * weight
		}
		if sum > 0 {
			all = append(all, DocSum{uint32(doc), sum})
		}
	}
	slices.SortStableFunc(all, func(a, b DocSum) int { return int(b.Sum) - int(a.Sum) })
	return all
}

// checkTop compares every question with the definition.
func checkTop(t rapid.TB, b bagList, s *ListSearch, plan []ask, ks ...int) {
	t.Helper()
	weights := s.add(plan)
	want := b.ranked(weights)
	if n := s.Matches(); n != len(want) {
		t.Fatalf("Matches = %d, want %d", n, len(want))
	}
	for _, k := range append(ks, 0, len(want)-1, len(want), len(b)+1) {
		w := want[:max(0, min(k, len(want)))]
		if got := s.Top(nil, k); !slices.Equal(got, w) {
			t.Fatalf("Top(%d) of %v:\n%v, want\n%v", k, plan, got, w)
		}
		docs := slices.Sorted(slices.Values(s.Candidates(k, 0)))
		for _, r := range w {
			if _, ok := slices.BinarySearch(docs, r.Doc); !ok {
				t.Fatalf("Candidates(%d) of %v lack %d: %v", k, plan, r.Doc, docs)
			}
		}
	}
	for _, k := range append(ks, len(want)+1) {
		checkCandidates(t, b, s, plan, k)
	}
	for _, sum := range s.sums {
		if sum != 0 {
			t.Fatal("sums are left behind")
		}
	}
}

// checkCandidates: the candidates have the best by real scores, each document once.
func checkCandidates(t rapid.TB, b bagList, s *ListSearch, plan []ask, k int) {
	t.Helper()
	score := func(doc uint32) float64 {
		sum := 0.0
		for _, a := range plan {
			sum += a.share * float64(b[doc][a.id]) / 65535
		}
		return sum
	}
	found := slices.Sorted(slices.Values(s.Candidates(k, 1)))
	if len(slices.Compact(slices.Clone(found))) < len(found) {
		t.Fatalf("Candidates(%d) of %v have a document twice: %v", k, plan, found)
	}
	var all []float64
	for doc := range b {
		if v := score(uint32(doc)); v > 0 {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	if len(all) > k {
		all = all[len(all)-k:]
	}
	for doc := range b {
		if v := score(uint32(doc)); v > 0 && v >= all[0] {
			if _, ok := slices.BinarySearch(found, uint32(doc)); !ok {
				t.Fatalf("Candidates(%d) of %v lack %d with %v: %v", k, plan, doc, v, found)
			}
		}
	}
}

func (r DocSum) String() string { return fmt.Sprintf("%d:%d", r.Doc, r.Sum) }
