package retrieval

import "math"

// The weight of a term is its share of the plan, in a unit chosen so that no
// sum reaches 2^31, rounded up.
//
// For Candidates, let the impacts be real numbers of 0 to 65535, rounded up,
// and the shares be the real weights; the score of a document is the sum of
// real weight times real impact. In the unit of the sums, a term of impact q
// and weight w adds s to the score, s <= w*q. Unrounded they are above q-1 and
// w-1, so that
//
//	s > (w-1)*(q-1) > w*q - w - q >= w*q - (w + 65535).
//
// The slack of some terms is the sum of w + 65535 over them, plus the error of the
// caller's own arithmetic, in units. With A the sum and S the score of a document
// over these terms:
//
//	A - slack <= S <= A.
//
// Let a be the k-th largest A, or the k-th largest sum over some of the terms
// with their slack: k documents have S >= a - slack, so that a document can be
// among the best k, ties included, only if A >= a - slack. Those are the
// candidates.
//
// For Top, the sums are the scores and the slack is 0.

// MaxTerms is how many terms a plan may have: half of the range of sums would
// go to slack.
const MaxTerms = 1 << 14

// step is one term of the plan.
type step struct {
	Term
	id     uint32
	weight uint32 // of its impacts
	share  float64
}

// weigh sets the weights of at most MaxTerms terms.
func weigh(plan []step) {
	total := 0.0
	for i := range plan {
		total += plan[i].share
	}
	room := room(len(plan))
	for i := range plan {
		t := &plan[i]
		t.weight = uint32(math.Ceil(t.share / total * room))
	}
}

// room returns what the weights of a number of terms may add up to before they are
// rounded. Rounding up adds less than 1 to each weight, and an impact is at most
// 65535.
func room(terms int) float64 {
	return (math.MaxInt32 - float64(terms+1)*math.MaxUint16) / math.MaxUint16
}

// Drift returns the spare with which a plan of some terms may be searched although
// the impacts of the lists are not the real ones, but up to a share drift of the
// largest impact away from them. Of two sums that are compared each is wrong by at
// most drift·65535 times the sum of the weights, which is below 2^15 plus the
// number of terms. ok is false when the drift is so large that sums say little.
func Drift(drift float64, terms int) (spare uint32, ok bool) {
	units := 2 * drift * math.MaxUint16 * (1<<15 + float64(terms))
	if !(units < 1<<28) { // nor when it is no number
		return 0, false
	}
	return uint32(math.Ceil(units)), true
}

// slack returns the slack of sums over terms.
func slack(plan []step, spare uint32) uint32 {
	sum := 1 + spare
	for i := range plan {
		sum += plan[i].weight + math.MaxUint16
	}
	return sum
}
