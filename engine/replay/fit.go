package replay

import (
	"math"

	"caliper/engine/transcript"
)

// Sample is one request whose tokens are known: the characters that it carried, and what the provider counted.
type Sample = transcript.Size

// FittedTokenizer is a tokenizer fitted to a model's usage.
type FittedTokenizer struct {
	// PerChar are tokens per code point.
	PerChar [transcript.Classes]float64
	// Overhead is the mean intercept of the contexts, in tokens, each counted
	// with its requests.
	Overhead float64
	// Requests are how many the fit is of.
	Requests int
	// CharsPerToken is the mean over all requests, without the overhead.
	CharsPerToken float64
	// ErrorPct is the error on requests held out, in percent, or what the data
	// leave open of the tools if that is more; HeldOut is how many are held out.
	// With none, ErrorPct is 0 and says nothing.
	ErrorPct float64
	HeldOut  int
}

// heldOutEvery is how many requests of a context there are to one that is held out.
const heldOutEvery = 5

// slopeSpread is the standard deviation of the slopes around their common one, as a
// share of it, before anything was seen: tokenizers make between a sixth and a
// third of a token of a character, whatever the text.
const slopeSpread = 0.25

// FitTokenizer returns the tokenizer of a model from the requests of its contexts, each
// a slice in the order of the log, and from sessions whose logs have sums alone. ok is false when they tell nothing: no
// context has two requests that differ, or more characters mean fewer tokens.
func FitTokenizer(contexts [][]Sample, means []SampleMean) (t FittedTokenizer, ok bool) {
	var used, kept [][]Sample
	for _, c := range contexts {
		if len(c) < 2 {
			continue
		}
		used = append(used, c)
		k := make([]Sample, 0, len(c))
		for i, e := range c {
			if !heldOut(i) {
				k = append(k, e)
			}
		}
		kept = append(kept, k)
	}
	slopes, deviation, ok := fitSlopes(used, means)
	if !ok {
		return FittedTokenizer{}, false
	}
	t.PerChar = slopes
	var overhead, chars, tokens, schema, counted float64
	for _, c := range used {
		a := intercept(slopes, c)
		t.Requests += len(c)
		for _, e := range c {
			overhead += a
			chars += float64(e.AllChars())
			tokens += weigh(slopes, e)
			schema += float64(e.Chars[transcript.Schema])
			counted += float64(e.Tokens)
		}
	}
	t.Overhead = overhead / float64(t.Requests)
	if tokens > 0 {
		t.CharsPerToken = chars / tokens
	}
	t.ErrorPct, t.HeldOut = heldOutError(used, kept, means)
	if counted > 0 && t.HeldOut > 0 {
		t.ErrorPct = max(t.ErrorPct, 100*deviation*schema/counted)
	}
	return t, true
}

// heldOut reports whether the i-th request of a context is held out of the
// first fit. The first ones never are: they carry the intercept.
func heldOut(i int) bool { return i%heldOutEvery == heldOutEvery-1 }

// heldOutError returns the error of a fit to the kept requests on the others,
// in percent, and how many these are.
func heldOutError(contexts, kept [][]Sample, means []SampleMean) (pct float64, n int) {
	slopes, _, ok := fitSlopes(kept, means)
	if !ok {
		return 0, 0
	}
	var off, sum float64
	for c, examples := range contexts {
		a := intercept(slopes, kept[c])
		for i, e := range examples {
			if heldOut(i) {
				n++
				off += math.Abs(a + weigh(slopes, e) - float64(e.Tokens))
				sum += float64(e.Tokens)
			}
		}
	}
	if sum == 0 {
		return 0, 0
	}
	return 100 * off / sum, n
}

// intercept returns what the slopes leave of the tokens of a context, the mean
// of its requests.
func intercept(slopes [transcript.Classes]float64, c []Sample) float64 {
	sum := 0.0
	for _, e := range c {
		sum += float64(e.Tokens) - weigh(slopes, e)
	}
	return sum / float64(len(c))
}

// weigh returns the tokens of the characters of a request.
func weigh(slopes [transcript.Classes]float64, e Sample) float64 {
	sum := 0.0
	for c, n := range e.Chars {
		sum += slopes[c] * float64(n)
	}
	return sum
}
