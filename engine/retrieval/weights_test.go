package retrieval

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestSlack checks what weights.go promises: in units, no score is above its
// sum of impacts, nor below it by more than the slack; and no sum overflows.
func TestSlack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := make([]step, rapid.SampledFrom([]int{1, 2, 3, 10, 500, MaxTerms}).Draw(t, "terms"))
		spread := rapid.SampledFrom([]float64{1, 20, 1e12}).Draw(t, "spread")
		seed := rapid.Uint64().Draw(t, "seed")
		random := func() float64 { // above 0, up to 1
			seed = seed*6364136223846793005 + 1442695040888963407
			return float64(seed>>33+1) / (1 << 31)
		}
		total := 0.0
		for i := range plan {
			plan[i].share = math.Pow(spread, random())
			total += plan[i].share
		}
		weigh(plan)
		// Units per share, as weigh chose it.
		unit := (math.MaxInt32 - float64(len(plan)+1)*math.MaxUint16) / total / math.MaxUint16
		sum, score, most := uint64(0), 0.0, uint64(0)
		for _, s := range plan {
			impact := random() * math.MaxUint16
			score += s.share * impact
			sum += uint64(s.weight) * uint64(math.Ceil(impact))
			most += uint64(s.weight) * math.MaxUint16
		}
		slack := slack(plan, 0)
		if score *= unit; score > float64(sum)+1 || score < float64(sum)-float64(slack) {
			t.Fatalf("score %v, sum %d, slack %d", score, sum, slack)
		}
		if most > math.MaxInt32 || most+uint64(slack) > math.MaxUint32 {
			t.Fatalf("sums up to %d with a slack of %d", most, slack)
		}
	})
}
