package replay

import (
	"caliper/engine/transcript"
)

// cache is the prompt cache of one context under one strategy. The prefix of a
// request is its tools, then the system prompt, then the messages:
//
//   - nothing is cached for the first request of a context, for one that is
//     cold, and for one whose tools array has other bytes than the last one's;
//   - the whole last input is, when the history was only appended to;
//   - what the tools, the rest and the messages in common come to is, when the
//     history was cut (a compaction, a rewind).
type cache struct {
	began   bool
	entry   int             // the answer of the last request
	key     string          // of its tools array
	carried transcript.Size // its messages
	input   float64         // its whole input
}

// charged returns the tokens of a request as they are charged. Input that is not
// read from the cache is written to it if that has a price.
func charged(input, cached float64, p Price) PricedTokens {
	t := PricedTokens{Input: input, Read: cached}
	if p.Writes() {
		t.Write = input - cached
	}
	return t
}
