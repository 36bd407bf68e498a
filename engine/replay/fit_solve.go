package replay

import (
	"math"

	"caliper/engine/transcript"
)

// textClasses is the number of slopes.
const textClasses = int(transcript.Classes)

// deviations returns the sums of products of contexts. Each context counts by the inverse
// square of how large its requests are, as a share of the usual: what a tokenizer makes of
// a text is off by a share of it.
func deviations(contexts [][]Sample, usual float64) pool {
	var s pool
	for _, c := range contexts {
		if len(c) < 2 {
			continue
		}
		var mean [textClasses]float64
		meanTokens := 0.0
		for _, e := range c {
			for i, n := range e.Chars {
				mean[i] += float64(n) / float64(len(c))
			}
			meanTokens += float64(e.Tokens) / float64(len(c))
		}
		weight := 1 / (share(meanTokens, usual) * share(meanTokens, usual))
		for _, e := range c {
			y := float64(e.Tokens) - meanTokens
			s.yy += weight * y * y
			for i := range textClasses {
				x := float64(e.Chars[i]) - mean[i]
				s.xy[i] += weight * x * y
				for j := range textClasses {
					s.xx[i][j] += weight * x * (float64(e.Chars[j]) - mean[j])
				}
			}
		}
		s.n += float64(len(c) - 1)
	}
	return s
}

// share returns how large requests are as a share of the usual; 1 where they are nothing.
func share(tokens, usual float64) float64 {
	if tokens <= 0 || usual <= 0 {
		return 1
	}
	return tokens / usual
}

// unknowns are the slopes and, behind them, the mean intercept.
const unknowns = textClasses + 1

// matrix is the matrix of the normal equations.
type matrix [unknowns][unknowns]float64

// solve returns x with a·x = y by Gauss's elimination with the largest pivot
// of a column, and the logarithm of the determinant of a. a is symmetric and
// positive definite, so there is a pivot.
func solve(a matrix, y [unknowns]float64) (x [unknowns]float64, determinant float64) {
	for c := range unknowns {
		best := c
		for r := c + 1; r < unknowns; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		y[c], y[best] = y[best], y[c]
		determinant += math.Log(math.Abs(a[c][c]))
		for r := c + 1; r < unknowns; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < unknowns; k++ {
				a[r][k] -= f * a[c][k]
			}
			y[r] -= f * y[c]
		}
	}
	for r := unknowns - 1; r >= 0; r-- {
		x[r] = y[r]
		for k := r + 1; k < unknowns; k++ {
			x[r] -= a[r][k] * x[k]
		}
		x[r] /= a[r][r]
	}
	return x, determinant
}
