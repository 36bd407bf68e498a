package retrieval

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// alone returns clusters of one query each.
func alone(n int) []int {
	clusters := make([]int, n)
	for i := range clusters {
		clusters[i] = i
	}
	return clusters
}

func TestCompare(t *testing.T) {
	ones := func(n, of int) []float64 {
		values := make([]float64, of)
		for i := range n {
			values[i] = 1
		}
		return values
	}
	for _, tt := range []struct {
		name          string
		before, after []float64
		clusters      []int
		mean, p       float64
		verdict       DifferenceVerdict
	}{
		{"nothing", nil, nil, nil, 0, 1, CannotTell},
		{"no query differs", ones(3, 10), ones(3, 10), alone(10), 0, 1, CannotTell},
		{"five of ten improve", ones(0, 10), ones(5, 10), alone(10), 0.5, 2.0 / 32, Better},
		{"five of ten get worse", ones(5, 10), ones(0, 10), alone(10), -0.5, 2.0 / 32, Worse},
		{"one of ten improves", ones(0, 10), ones(1, 10), alone(10), 0.1, 1, CannotTell},
		{"ten improve, of one task", ones(0, 10), ones(10, 10), make([]int, 10), 1, 1, Better},
		{"one up, one down", []float64{0, 1}, []float64{1, 0}, alone(2), 0, 1, CannotTell},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := ComparePaired(tt.before, tt.after, tt.clusters)
			if math.Abs(d.Mean-tt.mean) > 1e-12 || math.Abs(d.P-tt.p) > 1e-12 || d.Verdict() != tt.verdict {
				t.Errorf("%+v, %v; want a mean of %v, P %v, %v", d, d.Verdict(), tt.mean, tt.p, tt.verdict)
			}
		})
	}
}

// TestCompareNeeded: the number of queries that is said to tell a difference tells it in
// about four samples of five, and a tenth of it does not.
func TestCompareNeeded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	sample := func(n int) (before, after []float64) {
		for range n {
			b, a := 0.0, 0.0
			if random.Float64() < 0.5 {
				b = 1
			}
			if a = b; random.Float64() < 0.2 {
				if a = 0; random.Float64() < 0.8 {
					a = 1
				}
			}
			before, after = append(before, b), append(after, a)
		}
		return before, after
	}
	before, after := sample(5000)
	d := ComparePaired(before, after, alone(5000))
	for _, tt := range []struct {
		n         int
		low, high float64
	}{{d.Needed, 0.65, 0.92}, {d.Needed / 10, 0, 0.35}} {
		told := 0
		for range 100 {
			before, after := sample(tt.n)
			if ComparePaired(before, after, alone(tt.n)).Verdict() == Better {
				told++
			}
		}
		if share := float64(told) / 100; share < tt.low || share > tt.high {
			t.Errorf("%d queries tell a difference of %.3f in %.0f %% of samples", tt.n, d.Mean, 100*share)
		}
	}
}

// TestCompareOfNothing: where two rankings differ by chance alone, the verdict is one of
// the two wrong ones in about 5 % of samples, and so is P below 0.05.
func TestCompareOfNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const samples, queries = 200, 80
	wrong, small := 0, 0
	for range samples {
		before, after := make([]float64, queries), make([]float64, queries)
		for i := range before {
			before[i], after[i] = math.Round(random.Float64()), math.Round(random.Float64())
		}
		d := ComparePaired(before, after, alone(queries))
		if d.Verdict() != CannotTell {
			wrong++
		}
		if d.P < 0.05 {
			small++
		}
	}
	if wrong > samples*8/100 || wrong < samples*2/100 || small > samples*7/100 {
		t.Errorf("of %d samples %d are said to differ, %d have P < 0.05", samples, wrong, small)
	}
}

func TestCompareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 40).Draw(t, "before")
		after := rapid.SliceOfN(rapid.Float64Range(0, 1), len(before), len(before)).Draw(t, "after")
		clusters := alone(len(before))
		for i := range clusters {
			clusters[i] /= rapid.IntRange(1, 3).Draw(t, "of a task")
		}
		there, back := ComparePaired(before, after, clusters), ComparePaired(after, before, clusters)
		if there != ComparePaired(before, after, clusters) {
			t.Fatal("the same values differ")
		}
		if math.Abs(there.Mean+back.Mean) > 1e-12 || there.P != back.P || there.P <= 0 || there.P > 1 {
			t.Fatalf("%+v and, the other way round, %+v", there, back)
		}
	})
}

// TestIntervalCovers: of samples whose mean is known, the interval holds it in 19 of 20,
// also where the values of a cluster are all alike.
func TestIntervalCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 4} {
		const samples, tasks, truth = 200, 60, 0.7
		covered := 0
		for range samples {
			var values []float64
			var clusters []int
			for task := range tasks {
				v := 0.0
				if random.Float64() < truth {
					v = 1
				}
				for range size {
					values, clusters = append(values, v), append(clusters, task)
				}
			}
			if low, high := MeanInterval(values, clusters); low <= truth && truth <= high {
				covered++
			}
		}
		if share := float64(covered) / samples; share < 0.91 || share > 0.98 {
			t.Errorf("clusters of %d: %.1f %% of the intervals hold the mean", size, 100*share)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		name      string
		values    []float64
		clusters  []int
		low, high float64
	}{
		{"nothing", nil, nil, 0, 0},
		{"one", []float64{0.5}, []int{0}, 0.5, 0.5},
		{"all alike", []float64{1, 1, 1}, []int{0, 1, 2}, 1, 1},
		{"one task", []float64{0, 1}, []int{0, 0}, 0.5, 0.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if low, high := MeanInterval(tt.values, tt.clusters); low != tt.low || high != tt.high {
				t.Errorf("%v to %v, want %v to %v", low, high, tt.low, tt.high)
			}
		})
	}
	wide := []float64{0, 1, 0, 1, 0, 1, 0, 1}
	low, high := MeanInterval(wide, []int{0, 1, 2, 3, 4, 5, 6, 7})
	if again, _ := MeanInterval(wide, []int{0, 1, 2, 3, 4, 5, 6, 7}); again != low || !(low > 0 && low < 0.5 && high > 0.5 && high < 1) {
		t.Errorf("%v to %v, then from %v", low, high, again)
	}
}
