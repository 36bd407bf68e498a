package retrieval

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// realBags are documents with the impacts before they were rounded and, when drift is
// above 0, before they drifted.
type realBags []map[uint32]float64

// newRealBags returns real impacts that the bags may have been made of.
func newRealBags(b bagList, drift float64, r *rand.Rand) realBags {
	out := make(realBags, len(b))
	for doc, bag := range b {
		out[doc] = map[uint32]float64{}
		for id := range uint32(200) {
			if q := bag[id]; q > 0 {
				out[doc][id] = min(math.MaxUint16, max(0, float64(q)-r.Float64()+drift*math.MaxUint16*(2*r.Float64()-1)))
			}
		}
	}
	return out
}

// score returns the score of a document, in units of the shares.
func (b realBags) score(doc uint32, plan []ask) float64 {
	sum := 0.0
	for _, a := range plan {
		sum += a.share * b[doc][a.id] / math.MaxUint16
	}
	return sum
}

// TestAbove: however impacts were rounded and drifted, the documents that are counted
// are those with better scores, and only documents with a term are asked about.
func TestAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBags(t, 300)
		s := b.lay(t).NewSearch()
		drift := rapid.SampledFrom([]float64{0, 0, 1e-5, 0.003}).Draw(t, "drift")
		exact := newRealBags(b, drift, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2)))
		for range 3 {
			plan := drawPlan(t)
			s.Reset()
			for _, a := range plan {
				s.Add(a.id, a.share)
			}
			spare, ok := Drift(drift, len(plan))
			if !ok {
				t.Fatalf("a drift of %v is too large", drift)
			}
			target := rapid.Float64Range(0, 8).Draw(t, "score")
			if len(b) > 0 && rapid.Bool().Draw(t, "of a document") {
				target = exact.score(uint32(rapid.IntRange(0, len(b)-1).Draw(t, "document")), plan)
			}
			except := uint32(NoDocument)
			if rapid.Bool().Draw(t, "except") {
				except = uint32(rapid.IntRange(0, 300).Draw(t, "excepted"))
			}
			held := func(doc uint32) bool {
				for _, a := range plan {
					if b[doc][a.id] > 0 {
						return true
					}
				}
				return false
			}
			want := 0
			for doc := range uint32(len(b)) {
				if doc != except && held(doc) && exact.score(doc, plan) > target {
					want++
				}
			}
			ask := Target{Score: target, Spare: spare, Except: except, Ahead: func(doc uint32) bool {
				if doc == except || !held(doc) {
					t.Fatalf("document %d is asked about", doc)
				}
				return exact.score(doc, plan) > target
			}}
			if got := s.Above(ask); got != want {
				t.Fatalf("%d documents above %v, want %d", got, target, want)
			}
			if again := s.Top(nil, 3); len(plan) > 0 && len(again) > 0 && again[0].Sum == 0 {
				t.Fatal("sums are left")
			}
		}
	})
}

// A document that has all terms of a plan, rare ones among them, is compared with
// those that have a rare term, however many there are of the others.
func TestAboveReadsLittle(t *testing.T) {
	work := func(n int) (asked int) {
		b := make(bagList, n)
		for doc := range b {
			b[doc] = map[uint32]uint16{0: 30_000, 1: uint16(1 + doc%60_000)} // dense terms
			if doc%16 == 3 {
				b[doc][2] = 20_000 // a sparse term of a share of the documents
			}
			if doc < 8 {
				b[doc][3] = 40_000
			}
		}
		b[5] = map[uint32]uint16{0: 30_000, 1: 30_000, 2: 30_000, 3: 50_000}
		s := b.lay(t).NewSearch()
		plan := []ask{{0, 0.1}, {1, 0.1}, {2, 1}, {3, 6}}
		for _, a := range plan {
			s.Add(a.id, a.share)
		}
		score := newRealBags(b, 0, rand.New(rand.NewPCG(1, 1))).score(5, plan)
		if above := s.Above(Target{Score: score, Except: NoDocument, Ahead: func(uint32) bool { asked++; return false }}); above != 0 {
			t.Errorf("%d documents of %d above", above, n)
		}
		return asked + len(s.top.docs)
	}
	if small, large := work(4_000), work(16_000); large > small {
		t.Errorf("%d documents are completed of 4,000, and %d of 16,000", small, large)
	}
}

// Sums say nothing when impacts may be anything.
func TestDriftIsBounded(t *testing.T) {
	for _, drift := range []float64{1, 0.25, math.Inf(1), math.NaN()} {
		if spare, ok := Drift(drift, 3); ok {
			t.Errorf("drift %v: %d", drift, spare)
		}
	}
	if spare, ok := Drift(0, 3); spare != 0 || !ok {
		t.Errorf("no drift: %d, %t", spare, ok)
	}
}
