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

// shared returns the messages that the history of an answer has in common with
// what the last request carried, and whether these are all that it carried, so
// that the history was only appended to. What was there and is no message under
// the strategy, because it asked for tools alone, has no size.
func (m *simulation) shared(answer int) (s transcript.Size, whole bool) {
	c, h := &m.cache, &m.line.history
	if !c.began {
		return s, false
	}
	if c.entry == answer || h.saw(answer, c.entry) {
		return c.carried, true
	}
	if p := h.parent(answer); p != transcript.None {
		s = m.messages(h.common(p, c.entry))
	}
	return s, s == c.carried
}

// next returns how much of a request's input is cached, and remembers it.
// whole: the history was only appended to; else common is the input up
// to the last message that both histories have.
func (c *cache) next(entry int, key string, input float64, carried transcript.Size, cold, whole bool, common float64) float64 {
	cached := 0.0
	switch {
	case !c.began || cold || key != c.key:
	case whole:
		cached = c.input
	default:
		cached = common
	}
	*c = cache{true, entry, key, carried, input}
	return max(0, min(cached, input))
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

// cold sets which requests of a context found nothing in the cache though
// their prefix stood: after a pause. That is read from the log, because no
// log tells how long a provider keeps a prefix. Where no strategy has the request, the
// next one that they have takes the miss.
func (l *line) cold() {
	missed := false
	for i := range l.requests {
		q := &l.requests[i]
		before := l.copied
		if i > 0 {
			before = l.requests[:i]
		}
		missed = missed || len(before) > 0 && q.known && q.read == 0 && q.sentKey == before[len(before)-1].sentKey
		if !q.gone {
			q.cold, missed = missed, false
		}
	}
}
