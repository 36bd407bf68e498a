package replay

import "math"

// SampleMean is the mean request of a session whose log has only the provider's
// sums.
type SampleMean struct {
	Requests int
	Chars    [textClasses]float64
	Tokens   float64
}

// leastContexts is how many contexts and sessions there are at least where their means
// are compared: two more than the unknowns fitted to them.
const leastContexts = unknowns + 2

// fitted is the estimate of the slopes from the examples.
type fitted struct {
	slopes [textClasses]float64
	// deviation is the standard deviation of the slope of schemas.
	deviation float64
}

// fitSlopes returns the slopes of contexts, and of sessions whose means alone are
// known. ok is false when nothing varies inside the contexts, or when the slope of all
// characters together is not positive.
func fitSlopes(contexts [][]Sample, means []SampleMean) (f fitted, ok bool) {
	usual, all := 0.0, 0.0
	for _, c := range contexts {
		for _, e := range c {
			usual += float64(e.Tokens)
			all++
		}
	}
	usual /= math.Max(all, 1)
	s := deviations(contexts, usual)
	var xx, xy float64
	for i := range textClasses {
		xy += s.xy[i]
		for j := range textClasses {
			xx += s.xx[i][j]
		}
	}
	// A slope that is positive by rounding alone tells nothing.
	if xx <= 0 || xy <= 1e-9*math.Sqrt(xx*s.yy) || xy == 0 {
		return f, false
	}
	p := pool{slopeSums: s, slope: xy / xx}
	left := math.Max(s.yy-p.slope*xy, 0) / math.Max(s.n-1, 1)
	// Without a remainder the slope is exact, and a penalty of nothing leaves a system
	// that may be singular: a little of the data's own scale keeps it regular.
	p.penalty = math.Max(left/(slopeSpread*p.slope*slopeSpread*p.slope), 1e-9*xx)
	for i := range textClasses { // the slopes are fitted to what the common one leaves
		p.slopeSums.yy += p.slope * (p.slope*sumOf(s.xx[i][:]) - 2*s.xy[i])
		p.slopeSums.xy[i] -= p.slope * sumOf(s.xx[i][:])
	}
	p.means = meansOf(contexts, means, p.slope, usual)
	best := p.fit(math.Inf(1))
	if len(p.means) >= leastContexts {
		least := math.Inf(1)
		for exponent := -8; exponent <= 32; exponent++ {
			if d := p.fit(math.Pow(10, float64(exponent)/4)); d.criterion < least {
				best, least = d, d.criterion
			}
		}
	}
	for i, d := range best.x[:textClasses] {
		f.slopes[i] = math.Max(p.slope+d, 0)
	}
	f.deviation = math.Sqrt(math.Max(best.variance, 0))
	return f, true
}

// weightedMean is the mean of a context, or of a session: of its requests, their characters, and
// what a common slope leaves of their tokens.
type weightedMean struct {
	n, tokens float64 // n: requests of the usual size that tell as much
	chars     [textClasses]float64
}

// meansOf returns the means of contexts and sessions.
func meansOf(contexts [][]Sample, sessions []SampleMean, slope, usual float64) (means []weightedMean) {
	for _, c := range contexts {
		m := weightedMean{n: float64(len(c))}
		for _, e := range c {
			m.tokens += float64(e.Tokens) / m.n
			for i, n := range e.Chars {
				m.chars[i] += float64(n) / m.n
			}
		}
		means = append(means, m)
	}
	for _, s := range sessions {
		means = append(means, weightedMean{n: float64(s.Requests), tokens: s.Tokens, chars: s.Chars})
	}
	for i := range means {
		size := share(means[i].tokens, usual)
		means[i].n /= size * size
		means[i].tokens -= slope * sumOf(means[i].chars[:])
	}
	return means
}

// pool is the data of a fit: the deviations inside contexts, and their means.
type pool struct {
	slopeSums
	slope, penalty float64
	means          []weightedMean
}

// pooled is a fit for one ratio of the variances.
type pooled struct {
	x         [unknowns]float64 // slopes beyond the common one, and the mean intercept
	variance  float64           // of the slope of schemas
	criterion float64           // the restricted likelihood, times -2; the least is the best
}

// fit fits for a ratio of two variances: intercepts over requests. Where it is
// infinite the means tell nothing.
func (p *pool) fit(ratio float64) (out pooled) {
	var a matrix
	var y [unknowns]float64
	for i := range textClasses {
		copy(a[i][:], p.xx[i][:])
		a[i][i] += p.penalty
		y[i] = p.xy[i]
	}
	weigh := func(m weightedMean) float64 { return m.n / (1 + m.n*ratio) }
	if math.IsInf(ratio, 1) {
		weigh = func(weightedMean) float64 { return 0 }
		a[textClasses][textClasses] = 1
	}
	for _, m := range p.means {
		w, row := weigh(m), [unknowns]float64{textClasses: 1}
		copy(row[:], m.chars[:])
		for i := range unknowns {
			y[i] += w * row[i] * m.tokens
			for j := range unknowns {
				a[i][j] += w * row[i] * row[j]
			}
		}
	}
	var determinant float64
	out.x, determinant = solve(a, y)
	left := p.yy
	for i := range textClasses {
		left += out.x[i] * (p.penalty*out.x[i] - 2*p.xy[i])
		for j := range textClasses {
			left += out.x[i] * out.x[j] * p.xx[i][j]
		}
	}
	free := p.n - float64(textClasses)
	if !math.IsInf(ratio, 1) {
		free += float64(len(p.means) - 1)
	}
	for _, m := range p.means {
		off := m.tokens - out.x[textClasses]
		for i, n := range m.chars {
			off -= out.x[i] * n
		}
		left += weigh(m) * off * off
		out.criterion += math.Log1p(m.n * ratio)
	}
	// Tokens are whole, so the rest of an exact fit is rounding.
	variance := math.Max(left, 1e-9) / math.Max(free, 1)
	out.criterion += free*math.Log(variance) + determinant
	inverse, _ := solve(a, [unknowns]float64{1})
	out.variance = variance * inverse[0]
	return out
}

// sumOf returns the sum of numbers.
func sumOf(numbers []float64) (s float64) {
	for _, n := range numbers {
		s += n
	}
	return s
}
