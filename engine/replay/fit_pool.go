package replay

import "math"

// SampleMean is the mean request of a session whose log has only the provider's
// sums.
type SampleMean struct {
	Requests float64
	Chars    [textClasses]float64
	Tokens   float64
}

// leastContexts is how many contexts and sessions there are at least where their means
// are compared: two more than the unknowns fitted to them.
const leastContexts = unknowns + 2

// fitSlopes returns the slopes of contexts, and of sessions whose means alone are
// known, and the standard deviation of the slope of schemas. ok is false when nothing varies
// inside the contexts, or when the slope of all characters together is not positive.
func fitSlopes(contexts [][]Sample, means []SampleMean) (slopes [textClasses]float64, deviation float64, ok bool) {
	usual, all := 0.0, 0.0
	for _, c := range contexts {
		for _, e := range c {
			usual += float64(e.Tokens)
			all++
		}
	}
	usual /= math.Max(all, 1)
	p := deviations(contexts, usual)
	var xx, xy float64
	for i := range textClasses {
		xy += p.xy[i]
		for j := range textClasses {
			xx += p.xx[i][j]
		}
	}
	// A slope that is positive by rounding alone tells nothing.
	if xx <= 0 || xy <= 1e-9*math.Sqrt(xx*p.yy) || xy == 0 {
		return slopes, 0, false
	}
	p.slope = xy / xx
	left := math.Max(p.yy-p.slope*xy, 0) / math.Max(p.n-1, 1)
	// Without a remainder the slope is exact, and a penalty of nothing leaves a system
	// that may be singular: a little of the data's own scale keeps it regular.
	p.penalty = math.Max(left/(slopeSpread*p.slope*slopeSpread*p.slope), 1e-9*xx)
	for i := range textClasses { // the slopes are fitted to what the common one leaves
		p.yy += p.slope * (p.slope*sumOf(p.xx[i][:]) - 2*p.xy[i])
		p.xy[i] -= p.slope * sumOf(p.xx[i][:])
	}
	// Requests are as many of the usual size as tell as much.
	for _, c := range contexts {
		m := SampleMean{Requests: float64(len(c))}
		for _, e := range c {
			m.Tokens += float64(e.Tokens) / m.Requests
			for i, n := range e.Chars {
				m.Chars[i] += float64(n) / m.Requests
			}
		}
		p.means = append(p.means, m)
	}
	p.means = append(p.means, means...)
	for i := range p.means {
		size := share(p.means[i].Tokens, usual)
		p.means[i].Requests /= size * size
		p.means[i].Tokens -= p.slope * sumOf(p.means[i].Chars[:])
	}
	best, variance, _ := p.fit(math.Inf(1))
	if len(p.means) >= leastContexts {
		least := math.Inf(1)
		for exponent := -8; exponent <= 32; exponent++ {
			if x, v, criterion := p.fit(math.Pow(10, float64(exponent)/4)); criterion < least {
				best, variance, least = x, v, criterion
			}
		}
	}
	for i, d := range best[:textClasses] {
		slopes[i] = math.Max(p.slope+d, 0)
	}
	return slopes, math.Sqrt(math.Max(variance, 0)), true
}

// pool is the data of a fit: sums of products of the deviations from the means of contexts (xx between
// classes, xy between classes and tokens, yy of tokens), and these means.
type pool struct {
	xx             [textClasses][textClasses]float64
	xy             [textClasses]float64
	yy             float64
	n              float64 // deviations that are free: requests less contexts
	slope, penalty float64
	means          []SampleMean
}

// fit fits for a ratio of two variances: intercepts over requests. Where it is
// infinite the means tell nothing. It returns the slopes beyond the common one and the mean
// intercept, the variance of the slope of schemas, and the restricted likelihood times -2:
// the least is the best.
func (p *pool) fit(ratio float64) (x [unknowns]float64, variance, criterion float64) {
	var a matrix
	var y [unknowns]float64
	for i := range textClasses {
		copy(a[i][:], p.xx[i][:])
		a[i][i] += p.penalty
		y[i] = p.xy[i]
	}
	weigh := func(m SampleMean) float64 { return m.Requests / (1 + m.Requests*ratio) }
	if math.IsInf(ratio, 1) {
		weigh = func(SampleMean) float64 { return 0 }
		a[textClasses][textClasses] = 1
	}
	for _, m := range p.means {
		w, row := weigh(m), [unknowns]float64{textClasses: 1}
		copy(row[:], m.Chars[:])
		for i := range unknowns {
			y[i] += w * row[i] * m.Tokens
			for j := range unknowns {
				a[i][j] += w * row[i] * row[j]
			}
		}
	}
	x, determinant := solve(a, y)
	left := p.yy
	for i := range textClasses {
		left += x[i] * (p.penalty*x[i] - 2*p.xy[i])
		for j := range textClasses {
			left += x[i] * x[j] * p.xx[i][j]
		}
	}
	free := p.n - float64(textClasses)
	if !math.IsInf(ratio, 1) {
		free += float64(len(p.means) - 1)
	}
	for _, m := range p.means {
		off := m.Tokens - x[textClasses]
		for i, n := range m.Chars {
			off -= x[i] * n
		}
		left += weigh(m) * off * off
		criterion += math.Log1p(m.Requests * ratio)
	}
	// Tokens are whole, so the rest of an exact fit is rounding.
	variance = math.Max(left, 1e-9) / math.Max(free, 1)
	criterion += free*math.Log(variance) + determinant
	inverse, _ := solve(a, [unknowns]float64{1})
	return x, variance * inverse[0], criterion
}

// sumOf returns the sum of numbers.
func sumOf(numbers []float64) (s float64) {
	for _, n := range numbers {
		s += n
	}
	return s
}
