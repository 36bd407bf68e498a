package retrieval

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestImpactBound checks what impact.go promises: in units, no score is above
// its sum of impacts, nor below it by more than the slack; and no sum
// overflows.
func TestImpactBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams().Draw(t, "params")
		n := rapid.SampledFrom([]int{1, 12, 765, 100_000, 4_000_000_000}).Draw(t, "documents")
		terms := make([]queryTerm, rapid.SampledFrom([]int{1, 2, 3, 10, 500, maxTerms}).Draw(t, "terms"))
		tokens := 0
		seed := rapid.Uint64().Draw(t, "seed")
		random := func(n int) int { // 1 to n
			seed = seed*6364136223846793005 + 1442695040888963407
			return int(seed>>33)%n + 1
		}
		repeats := rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "repeats")
		for i := range terms {
			terms[i].idf = idf(random(n), n)
			terms[i].repeats = uint32(random(repeats))
			tokens += int(terms[i].repeats)
		}
		weigh(terms)
		total := 0.0
		for _, term := range terms {
			total += term.idf * float64(term.repeats)
		}
		// Units per score, as weigh chose it; 65535 of them per weight and impact.
		unit := (math.MaxUint32 - float64(len(terms)+1)*math.MaxUint16) / total / (p.K1 + 1)
		avgdl := 1 + float64(random(3000))/10
		norm := p.lengthNorm(random(400), avgdl)
		sum, score := uint64(0), 0.0
		for _, term := range terms {
			tf := random(6)
			sum += uint64(term.weight) * uint64(impact(tf, norm))
			contribution := term.idf * p.tfNorm(tf, norm)
			for range term.repeats {
				score += contribution
			}
		}
		slack := slack(terms, tokens)
		if score *= unit; score > float64(sum)+1 || score < float64(sum)-float64(slack) {
			t.Fatalf("score %v, sum %d, slack %d", score, sum, slack)
		}
		most := uint64(1) // slack and sums together, as several adds them
		for _, term := range terms {
			most += max(uint64(term.weight)*math.MaxUint16, uint64(term.weight)+math.MaxUint16)
		}
		if most+uint64(tokens>>20) > math.MaxUint32 {
			t.Fatalf("sums up to %d", most)
		}
	})
}

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
		l.again(slack)
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
