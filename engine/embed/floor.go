package embed

import (
	"math"
	"slices"
)

// FloorStatic is the floor of model2vec: an average of words leaves unrelated texts a
// cosine near 0.
const FloorStatic = 0.15

// Floor returns the cosine above which a tool counts as similar: FloorStatic for
// model2vec, and for a model behind a server the relative floor of scores. Where such
// a model puts unrelated texts differs between models: E5 between 0.7 and 1 (its model
// card), text-embedding-3 near 0.1. No fixed cosine is right for all of them, and how
// far a score stands out among the same message's is.
func (v *Vectors) Floor(scores []float64, height float64) float64 {
	if v.embedder.Identity().Provider == "model2vec" {
		return FloorStatic
	}
	return relative(scores, height)
}

// relative returns the score that stands out of scores: the median, and height times
// what the best of as many unrelated tools reaches above it by chance. For n values of
// a normal distribution that is the spread times the square root of 2 ln n (the
// universal threshold of Donoho and Johnstone, Ideal spatial adaptation by wavelet
// shrinkage, Biometrika 1994). The spread is the median distance from the median times
// 1.4826, which is the standard deviation of a normal distribution; the few tools that
// the message is about change neither. A score of exactly 0 belongs to a tool without
// a vector and is left out. Of fewer than three scores there is no spread, and the
// floor is the larger one: nothing stands out.
//
// Example: of (0.10, 0.11, 0.12, 0.13, 0.30) the median is 0.12 and the spread 0.0148;
// at a height of 1.2 the floor is 0.12 + 1.2 · 1.794 · 0.0148 = 0.1519.
func relative(scores []float64, height float64) float64 {
	sorted := make([]float64, 0, len(scores))
	for _, s := range scores {
		if s != 0 {
			sorted = append(sorted, s)
		}
	}
	n := len(sorted)
	if slices.Sort(sorted); n == 0 {
		return 0
	} else if n < 3 {
		return sorted[n-1]
	}
	middle := median(sorted)
	for i, s := range sorted {
		sorted[i] = math.Abs(s - middle)
	}
	slices.Sort(sorted)
	return middle + height*math.Sqrt(2*math.Log(float64(n)))*1.4826*median(sorted)
}

// median returns the middle of sorted values, the mean of both where there are two.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
