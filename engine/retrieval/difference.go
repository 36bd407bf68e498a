package retrieval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Difference is how far a metric of one ranking is from another's, over the same
// queries.
type Difference struct {
	Mean      float64 // of the second ranking less the first's
	Low, High float64 // the 95 % interval of Mean
	P         float64 // how often chance alone gives a mean as far from 0, 0 to 1
	Needed    int     // queries that would tell a difference of this size; 0: no number would, because Mean is 0
}

// DifferenceVerdict is the conclusion from a Difference.
type DifferenceVerdict int

// The three verdicts: the interval is above 0, it is below 0, or it holds 0.
const (
	CannotTell DifferenceVerdict = iota
	Better
	Worse
)

// String returns the verdict as commands print it.
func (v DifferenceVerdict) String() string {
	return [...]string{"cannot_tell", "better", "worse"}[v]
}

// Verdict returns whether the second ranking is better, worse, or neither can be said.
func (d Difference) Verdict() DifferenceVerdict {
	switch {
	case d.Low > 0:
		return Better
	case d.High < 0:
		return Worse
	}
	return CannotTell
}

// flips is how many random signs the test is computed from where there are more queries
// than exactBits tell apart.
const (
	flips     = 10000
	exactBits = 13
)

// The normal quantiles of a two-sided test at 5 % and of a power of 80 %.
const (
	significance = 1.96
	power        = 0.84
)

// ComparePaired returns the paired difference of two rankings. before and after have a metric of
// each query under the first and the second ranking. clusters has the cluster of each
// query, numbered from 0: queries of one task count together.
//
// The interval is Interval's, of the differences. P comes from Fisher's
// randomization test: if the rankings were alike, the difference of each cluster could as
// well have the other sign, so P is the share of all choices of signs whose mean is at
// least as far from 0 (Smucker, Allan and Carterette, "A comparison of statistical
// significance tests for information retrieval evaluation", CIKM 2007). Up to 13 clusters
// that differ all choices are counted; of more, 10,000 are drawn, with a fixed seed, and
// the choice that was observed is counted too, so that P is never 0.
//
// Needed is the number of queries at which a difference like this one is told in four of
// five samples: n·((1.96+0.84)·s/Mean)², where n clusters gave the mean with a standard
// deviation s, times the queries of a cluster.
//
// For example, ten queries each in a cluster of its own, where five improve by 1 and
// none gets worse: Mean is 0.5, and 2 of the 2⁵ choices of signs are as far from 0, so
// that P is 0.0625.
//
// Invariants:
//   - Low ≤ Mean ≤ High but for the resampling, and exactly 0 where no query differs.
//   - Compare(b, a) has the Mean of Compare(a, b) with the other sign, and its P.
//   - The same values give the same Difference.
func ComparePaired(before, after []float64, clusters []int) Difference {
	if len(before) == 0 {
		return Difference{P: 1}
	}
	n := slices.Max(clusters) + 1
	values, sums := make([]float64, len(before)), make([]float64, n)
	var d Difference
	for i := range before {
		values[i] = after[i] - before[i]
		sums[clusters[i]] += values[i]
		d.Mean += values[i] / float64(len(before))
	}
	d.Low, d.High = MeanInterval(values, clusters)
	d.P = randomization(sums)
	if d.Mean == 0 || n < 2 {
		return d
	}
	center, square := 0.0, 0.0
	for _, s := range sums {
		center += s / float64(n)
	}
	for _, s := range sums {
		square += (s - center) * (s - center)
	}
	needed := (significance + power) * math.Sqrt(square/(float64(n)-1)) / math.Abs(center) // in clusters
	d.Needed = int(min(math.MaxInt32, math.Ceil(needed*needed*float64(len(values))/float64(n))))
	return d
}

// randomization returns the two-sided P of the sums of clusters.
func randomization(sums []float64) float64 {
	var moved []float64
	observed := 0.0
	for _, s := range sums {
		observed += s
		if s != 0 {
			moved = append(moved, s)
		}
	}
	// Sums of the same numbers in another order differ in the last bits.
	bound := math.Abs(observed) * (1 - 1e-9)
	if len(moved) <= exactBits {
		return exact(moved, bound)
	}
	random := rand.New(rand.NewPCG(20261125, uint64(len(moved))))
	as := 1
	for range flips {
		sum, bits := 0.0, uint64(0)
		for i, s := range moved {
			if i%64 == 0 {
				bits = random.Uint64()
			}
			// Without a branch: of signs drawn by chance a processor guesses half wrong.
			sum += math.Float64frombits(math.Float64bits(s) ^ (bits>>(i%64)&1^1)<<63)
		}
		if math.Abs(sum) >= bound {
			as++
		}
	}
	return float64(as) / (flips + 1)
}

// exact counts the choices of signs whose sum is at least bound away from 0.
func exact(moved []float64, bound float64) float64 {
	as := 0
	for signs := range 1 << len(moved) {
		sum := 0.0
		for i, s := range moved {
			sum += math.Float64frombits(math.Float64bits(s) ^ (uint64(signs)>>i&1^1)<<63)
		}
		if math.Abs(sum) >= bound {
			as++
		}
	}
	return float64(as) / float64(int(1)<<len(moved))
}

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
