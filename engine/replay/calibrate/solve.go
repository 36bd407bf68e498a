package calibrate

import (
	"math"

	"caliper/engine/transcript"
)

// classes is the number of slopes.
const classes = int(transcript.Classes)

// sums are the sums of products of the deviations from the means of contexts:
// xx between classes, xy between classes and tokens, yy of tokens.
type sums struct {
	xx [classes][classes]float64
	xy [classes]float64
	yy float64
	n  float64 // deviations that are free: requests less contexts
}

// deviations returns the sums of products of contexts.
func deviations(contexts [][]Example) sums {
	var s sums
	for _, c := range contexts {
		if len(c) < 2 {
			continue
		}
		var mean [classes]float64
		meanTokens := 0.0
		for _, e := range c {
			for i, n := range e.Chars {
				mean[i] += float64(n) / float64(len(c))
			}
			meanTokens += float64(e.Tokens) / float64(len(c))
		}
		for _, e := range c {
			y := float64(e.Tokens) - meanTokens
			s.yy += y * y
			for i := range classes {
				x := float64(e.Chars[i]) - mean[i]
				s.xy[i] += x * y
				for j := range classes {
					s.xx[i][j] += x * (float64(e.Chars[j]) - mean[j])
				}
			}
		}
		s.n += float64(len(c) - 1)
	}
	return s
}

// fitSlopes returns the slopes of contexts. ok is false when nothing varies,
// or when the slope of all characters together is not positive.
func fitSlopes(contexts [][]Example) (slopes [classes]float64, ok bool) {
	s := deviations(contexts)
	var xx, xy float64
	for i := range classes {
		xy += s.xy[i]
		for j := range classes {
			xx += s.xx[i][j]
		}
	}
	// A slope that is positive by rounding alone tells nothing.
	if xx <= 0 || xy <= 1e-9*math.Sqrt(xx*s.yy) || xy == 0 {
		return slopes, false
	}
	b := xy / xx
	left := math.Max(s.yy-b*xy, 0) / math.Max(s.n-1, 1)
	// Without a remainder b is exact, and a penalty of nothing leaves a system
	// that may be singular: a little of the data's own scale keeps it regular.
	penalty := math.Max(left/(spread*b*spread*b), 1e-9*xx)
	matrix, right := s.xx, s.xy
	for i := range classes {
		for j := range classes {
			right[i] -= b * s.xx[i][j]
		}
		matrix[i][i] += penalty
	}
	for i, d := range solve(matrix, right) {
		slopes[i] = math.Max(b+d, 0)
	}
	return slopes, true
}

// solve returns x with a·x = y by Gauss's elimination with the largest pivot
// of a column. a is symmetric and positive definite, so there is one.
func solve(a [classes][classes]float64, y [classes]float64) [classes]float64 {
	for c := range classes {
		best := c
		for r := c + 1; r < classes; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		y[c], y[best] = y[best], y[c]
		for r := c + 1; r < classes; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < classes; k++ {
				a[r][k] -= f * a[c][k]
			}
			y[r] -= f * y[c]
		}
	}
	var x [classes]float64
	for r := classes - 1; r >= 0; r-- {
		x[r] = y[r]
		for k := r + 1; k < classes; k++ {
			x[r] -= a[r][k] * x[k]
		}
		x[r] /= a[r][r]
	}
	return x
}
