package retrieval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTop: for any documents, plan and k, Top is what adding up everything
// gives, ties in document order, and the best are among the candidates.
func TestTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBags(t, 300)
		s := b.lay(t).NewSearch()
		for range 3 {
			checkTop(t, b, s, drawPlan(t), 1, 2, 5, 20, 64)
		}
	})
}

// TestTopLarge: the same where terms settle early and several cores lay.
func TestTopLarge(t *testing.T) {
	sizes, plans := []int{5000}, 1
	if *slow {
		sizes, plans = append(sizes, 60_000), 4
	}
	for _, n := range sizes {
		for _, values := range []int{1, 7, 60_000} {
			t.Run(fmt.Sprint(n, " ", values), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(n), uint64(values)))
				b := newBags(n, 1, values, r)
				s := b.lay(t).NewSearch()
				for _, terms := range []int{1, 2, 3, 4, 7, 120} {
					for range plans {
						var plan []ask
						for _, id := range r.Perm(200)[:terms] {
							plan = append(plan, ask{uint32(id), 0.01 + 10*r.Float64()*r.Float64()})
						}
						checkTop(t, b, s, plan, 1, 20, 128, 512)
					}
				}
			})
		}
	}
}

// TestEveryDocumentHasASum: rare terms that together stand in every document are added up,
// however many documents there are.
func TestEveryDocumentHasASum(t *testing.T) {
	for n := 13; n <= 16; n++ {
		b, plan := make(bagList, n), []ask{{uint32(n), 1}}
		for doc := range b {
			b[doc] = map[uint32]uint16{uint32(doc): 5}
			plan = append(plan, ask{uint32(doc), 1})
		}
		b[n-1][uint32(n)] = 3
		checkTop(t, b, b.lay(t).NewSearch(), plan, 1, n)
	}
}

// TestWeightsKeepOrder: how terms are numbered changes no weight.
func TestWeightsKeepOrder(t *testing.T) {
	b := bagList{{1: 5, 2: 5, 3: 5, 9: 1}, {1: 5, 2: 5, 3: 5, 9: 1}}
	s := b.lay(t).NewSearch()
	one := s.add([]ask{{1, 0.1}, {2, 0.2}, {3, 0.3}, {9, 1.0 / 3}})
	two := s.add([]ask{{9, 0.1}, {3, 0.2}, {2, 0.3}, {1, 1.0 / 3}})
	for i, id := range []uint32{1, 2, 3, 9} {
		if other := []uint32{9, 3, 2, 1}[i]; one[id] != two[other] {
			t.Errorf("share %d weighs %d and %d", i, one[id], two[other])
		}
	}
}

// TestLists: what was laid can be read again, by document and by term.
func TestLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBags(t, 200)
		l := b.lay(t)
		if l.Len() != len(b) || l.Terms() != 200 {
			t.Fatalf("%d documents of %d terms", l.Len(), l.Terms())
		}
		for id := range uint32(201) {
			term, df, most := l.Term(id), uint32(0), uint16(0)
			for doc, bag := range b {
				if got := l.Impact(term, uint32(doc)); term.DF > 0 && got != bag[id] {
					t.Fatalf("Impact(%d, %d) = %d, want %d", id, doc, got, bag[id])
				}
				if bag[id] > 0 {
					df++
				}
				most = max(most, bag[id])
			}
			if term.DF != df || term.Max != most {
				t.Fatalf("term %d: df %d, max %d, want %d, %d", id, term.DF, term.Max, df, most)
			}
			last, n := int64(-1), uint32(0)
			for doc, impact := range l.Postings(term) {
				if int64(doc) <= last || impact != b[doc][id] {
					t.Fatalf("posting %d:%d of term %d after %d", doc, impact, id, last)
				}
				last = int64(doc)
				n++
			}
			if n != df {
				t.Fatalf("%d postings of term %d, want %d", n, id, df)
			}
		}
	})
}

// TestGather: the members are the documents of the gate with enough terms; the
// best of them and their places are as among all.
func TestGather(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBags(t, 200)
		s := b.lay(t).NewSearch()
		weights := s.add(drawPlan(t))
		if len(weights) == 0 {
			return
		}
		gate := rapid.SampledFrom(slices.Sorted(func(yield func(uint32) bool) {
			for id := range weights {
				if !yield(id) {
					return
				}
			}
		})).Draw(t, "gate")
		least := rapid.IntRange(1, len(weights)).Draw(t, "least")
		var want []uint32
		for doc, bag := range b {
			held := 0
			for id := range weights {
				if bag[id] > 0 {
					held++
				}
			}
			if bag[gate] > 0 && held >= least {
				want = append(want, uint32(doc))
			}
		}
		s.Gather(gate, least, 0)
		got := slices.Clone(s.Gathered())
		if !slices.Equal(got, want) {
			t.Fatalf("gathered %v, want %v", got, want)
		}
		ranked := slices.DeleteFunc(b.ranked(weights), func(r DocSum) bool { return !slices.Contains(want, r.Doc) })
		for _, k := range []int{1, 3, 20, len(want)} {
			best := s.GatheredBest(k)
			for _, r := range ranked[:min(k, len(ranked))] {
				if !slices.Contains(best, r.Doc) {
					t.Fatalf("GatheredBest(%d) = %v lacks %d", k, best, r.Doc)
				}
			}
		}
		total := 0.0
		for _, step := range s.plan {
			total += step.share
		}
		for i, r := range ranked {
			better := func(doc uint32) bool {
				return slices.ContainsFunc(ranked[:i], func(o DocSum) bool { return o.Doc == doc })
			}
			if n := s.GatheredAbove(float64(r.Sum)*total/(math.MaxUint16*room(len(s.plan))), better); n != i {
				t.Fatalf("%d gathered documents are above %d, want %d", n, r.Doc, i)
			}
		}
	})
}

// TestAllocates: in the steady state, nothing.
func TestAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s := newBags(3000, 2, 60_000, r).lay(t).NewSearch()
	dst := make([]DocSum, 0, 512)
	for _, terms := range []int{1, 3, 100} {
		ids := r.Perm(200)[:terms]
		search := func() {
			s.Reset()
			for _, id := range ids {
				s.Add(uint32(id), float64(id+1))
			}
			s.Top(dst, 512)
			s.Candidates(20, 0)
			s.Matches()
			s.Gather(uint32(ids[0]), 1, 0)
			s.GatheredBest(20)
		}
		search()
		if n := testing.AllocsPerRun(20, search); n > 0 {
			t.Errorf("%d terms: %v allocations", terms, n)
		}
	}
}

// TestLayParts: the number of cores changes nothing.
func TestLayParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b := newBags(5*batch+77, 1, 9, rand.New(rand.NewPCG(3, 3)))
	one := b.lay(t)
	runtime.GOMAXPROCS(5)
	five := b.lay(t)
	if !slices.Equal(one.terms, five.terms) || !slices.Equal(one.docs, five.docs) || !slices.Equal(one.impacts, five.impacts) ||
		!slices.Equal(one.columns, five.columns) || !slices.Equal(one.bitmaps, five.bitmaps) {
		t.Error("lists differ")
	}
}

func TestLayCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if l, err := BuildLists(ctx, 200, 5, make(bagList, 5), nil); err != context.Canceled || l != nil {
		t.Errorf("Lay = %v, %v", l, err)
	}
}
