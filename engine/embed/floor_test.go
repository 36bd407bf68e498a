package embed

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// over counts the scores above their floor at the default height.
func over(scores []float64) int {
	n, floor := 0, relative(scores, 1.2)
	for _, s := range scores {
		if s > floor {
			n++
		}
	}
	return n
}

// Models differ in where they put unrelated texts, and how far apart: as text-embedding-3
// and Titan, as nomic, as E5. A greeting is like no tool more than chance has it, and two
// tools that stand out by five spreads are found, below 0.35 too.
func TestFloorIsRelative(t *testing.T) {
	for _, c := range []struct {
		name         string
		mean, spread float64
	}{{"low", .12, .035}, {"middle", .5, .05}, {"high", .78, .012}} {
		for _, n := range []int{20, 200, 2000} {
			greeted, found, runs := 0, 0, 200
			for seed := range runs {
				r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
				scores := make([]float64, n)
				for i := range scores {
					scores[i] = c.mean + c.spread*r.NormFloat64()
				}
				if over(scores) > 0 {
					greeted++
				}
				scores[3], scores[n-1] = c.mean+6*c.spread, c.mean+7*c.spread
				floor := relative(scores, 1.2)
				if scores[3] > floor && scores[n-1] > floor {
					found++
				}
			}
			if greeted > runs/10 || found < runs*9/10 {
				t.Errorf("%s, %d tools: a greeting finds some in %d of %d, and what stands out is found in %d", c.name, n, greeted, runs, found)
			}
		}
	}
}

func TestRelative(t *testing.T) {
	for _, c := range []struct {
		name   string
		scores []float64
		want   float64
	}{
		{"none", nil, 0},
		{"one", []float64{.4}, .4},
		{"two", []float64{.4, .1}, .4},
		{"all equal", []float64{.4, .4, .4, .4}, .4},
		{"the example", []float64{.12, .30, .10, .13, .11}, .12 + 1.2*math.Sqrt(2*math.Log(5))*1.4826*.01},
		{"those without a vector are left out", []float64{0, .12, .30, 0, .10, .13, .11, 0, 0, 0, 0, 0, 0}, .12 + 1.2*math.Sqrt(2*math.Log(5))*1.4826*.01},
	} {
		if got := relative(c.scores, 1.2); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Which tools are above the floor does not depend on where a model puts its cosines, nor
// on how far apart.
func TestRelativeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(.1, 1), 3, 40).Draw(t, "scores")
		a, b := rapid.Float64Range(.5, 2).Draw(t, "factor"), rapid.Float64Range(.1, 3).Draw(t, "shift")
		moved := make([]float64, len(scores))
		for i, s := range scores {
			moved[i] = a*s + b
		}
		floor := relative(scores, 1.2)
		if got, want := relative(moved, 1.2), a*floor+b; math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
