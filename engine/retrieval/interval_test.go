package retrieval

import (
	"math/rand/v2"
	"testing"
)

// TestIntervalCovers: of samples whose mean is known, the interval holds it in 19 of 20,
// also where the values of a cluster are all alike.
func TestIntervalCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 4} {
		const samples, tasks, truth = 400, 60, 0.7
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
