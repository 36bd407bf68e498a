package retrieval

import "math"

// Candidates are found with integers. The impact of a term on a document is
// its tfNorm as a fraction of the largest possible, k1+1, in units of 1/65535
// and rounded up: 1 to 65535. A query gives each of its terms a weight: its
// idf times its repeats, in a unit chosen so that no sum reaches 2^32, rounded
// up too. The sum of weight times impact over the terms that a document holds
// stands for its score.
//
// Let the unit be such that a term with impact q and weight w adds s to the
// score in that unit, s <= w*q. Unrounded they are above q-1 and w-1, so that
//
//	s > (w-1)*(q-1) > w*q - w - q >= w*q - (w + 65535).
//
// The slack of a query is the sum of w + 65535 over its terms, and what float64
// may be wrong: relative errors of 1e-16 per operation, which 1 + tokens/2^20
// units exceed. With A the sum and S the score of a document, both in units:
//
//	A - slack <= S <= A.
//
// Let a be the k-th largest A, or the k-th largest sum over some of the terms
// with their slack: k documents have S >= a - slack, so that a document can be
// among the best k, ties included, only if A >= a - slack. Those are the
// candidates; their order is decided by exact scores alone.

// impact returns the impact of a term that occurs tf times in a document of
// the given length norm.
func impact(tf int, norm float64) uint16 {
	exact := math.MaxUint16 * (float64(tf) / (float64(tf) + norm))
	whole := uint16(exact)
	if float64(whole) < exact {
		whole++
	}
	return whole
}

// maxTerms is how many distinct terms a query may have for its slack to be of
// use: half of the range of sums. Beyond, every document is a candidate.
const maxTerms = 1 << 15

// weigh sets the weights of the terms of a query. There are at most maxTerms.
func weigh(terms []queryTerm) {
	sum := 0.0
	for _, t := range terms {
		sum += t.idf * float64(t.repeats)
	}
	// Rounding up adds less than 1 to each weight, and an impact is at most 65535.
	room := (math.MaxUint32 - float64(len(terms)+1)*math.MaxUint16) / math.MaxUint16
	for i := range terms {
		t := &terms[i]
		t.weight = uint32(math.Ceil(t.idf * float64(t.repeats) / sum * room))
	}
}

// slack returns the slack of sums over terms, for a query of some tokens.
func slack(terms []queryTerm, tokens int) uint32 {
	sum := 1 + uint32(tokens>>20)
	for _, t := range terms {
		sum += t.weight + math.MaxUint16
	}
	return sum
}
