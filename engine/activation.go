package engine

import (
	"math"

	"caliper/config"
)

// UnknownContextThreshold is the number of deferrable tokens at which auto
// activates when the context length is unknown. Source: the reference agent,
// June 2026.
const UnknownContextThreshold = 20_000

// Activation is the decision to put the bridge into an assembly.
type Activation struct {
	Active    bool
	Threshold int // deferrable tokens at which auto activates
	// Reported is the figure the reference agent prints for the threshold:
	// the percentage of the context, 0 when the context is unknown or when
	// there is nothing to defer.
	Reported int
}

// Activate decides whether tool search is active. A context length that is
// nil, zero or negative is unknown. Equality with the threshold activates;
// with nothing to defer no mode does.
func Activate(c config.ToolSearch, contextLength *int, deferrableTokens int) Activation {
	a := Activation{Threshold: UnknownContextThreshold}
	context := 0
	if contextLength != nil {
		context = *contextLength
	}
	// The product is taken in this order because the reference's floats are:
	// 29 % of 100 is 28, not 29.
	pct := clampInt(float64(context) * (c.ThresholdPct / 100))
	if context > 0 {
		a.Threshold = pct
	}
	if deferrableTokens > 0 {
		a.Reported = pct
	}
	switch {
	case c.Enabled == config.Off, deferrableTokens <= 0:
	case c.Enabled == config.On:
		a.Active = true
	default:
		a.Active = deferrableTokens >= a.Threshold
	}
	return a
}

// clampInt truncates towards zero and keeps the result within int.
func clampInt(f float64) int {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt:
		return math.MaxInt
	case f <= math.MinInt:
		return math.MinInt
	}
	return int(f)
}
