package fielded

// record is what is known of one tool, in one piece of memory, so that scoring
// it reads few lines of the cache: a header, the tokens field by field in the
// order of the text, and the trigrams of the names.
//
// The header has, for each field, where its tokens end, counted from the first
// token. A token is the number of its term; or, when the tool has the term
// earlier, the place of the first one, with the mark again.
type record []uint32

const header = uint32(fields)

// Marks of a token.
const (
	again      = 1 << 31 // stands earlier in the tool, at the place that follows
	repeated   = 1 << 30 // stands later in the tool, too
	fieldAgain = 1 << 29 // stands earlier in the field
	unmarked   = 1<<29 - 1
)

// tokens returns the tokens of all fields.
func (r record) tokens() []uint32 { return r[header:][:r[fields-1]] }

// span returns the first token of a field and the one behind its last.
func (r record) span(f Field) (from, to uint32) {
	if f > 0 {
		from = r[f-1]
	}
	return from, r[f]
}

// length returns the weighted number of tokens, without those that stand for
// others.
func (r record) length(weights *[fields]float64) float64 {
	sum := 0.0
	for f := range OtherForms {
		from, to := r.span(f)
		sum += weights[f] * float64(to-from)
	}
	return sum
}

// A trigram of the names is its number, how often the name has it, and how
// often the toolset's name has it, at most 15 times each.
const (
	countBits    = 4
	countMask    = 1<<countBits - 1
	gramShift    = 2 * countBits
	maxTrigrams  = 1 << (32 - gramShift) // numbers; trigrams that come later are left out
	gramCounts   = 1<<gramShift - 1      // the two counts
	nameCount    = 1 << countBits        // what one in the name adds
	toolsetCount = 1                     // what one in the toolset's name adds
)

// trigrams returns the trigrams of the names, each once.
func (r record) trigrams() []uint32 { return r[header+r[fields-1]:] }
