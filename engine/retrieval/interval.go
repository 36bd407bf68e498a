package retrieval

import (
	"math/rand/v2"
	"slices"
)

// resamples is how many samples an interval is drawn from.
const resamples = 2000

// MeanInterval returns the 95 % interval of the mean of values: the percentile interval of
// the bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
// chapter 13). clusters has the cluster of each value, numbered from 0: values of one
// cluster are drawn together, because queries of one task tell less than as many tasks.
// The same values give the same interval. Of no values both ends are 0.
func MeanInterval(values []float64, clusters []int) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	n := slices.Max(clusters) + 1
	sums, counts := make([]float64, n), make([]int, n)
	for i, v := range values {
		sums[clusters[i]] += v
		counts[clusters[i]]++
	}
	random := rand.New(rand.NewPCG(20261124, uint64(len(values))))
	means := make([]float64, resamples)
	for i := range means {
		sum, count := 0.0, 0
		for range n {
			c := random.IntN(n)
			sum += sums[c]
			count += counts[c]
		}
		if count > 0 { // a number that no value has is an empty cluster
			means[i] = sum / float64(count)
		}
	}
	slices.Sort(means)
	const tail = resamples / 40 // 2.5 %
	return means[tail], means[resamples-1-tail]
}
